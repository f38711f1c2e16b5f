import type {
  ChangeLog,
  HarvestLock,
  Leases,
  LeaseToken,
  ReadStore,
  RecordWatch,
  Store,
  Troubles,
} from './contract/index.ts';

export interface StoreListeners {
  /** Called once when the store has a fault, and once when it is over. */
  onTrouble?: ConstructorParameters<typeof Troubles>[0];
  /** Called with files of an embedded database that other users could read until now. */
  onTightened?: ((files: readonly string[]) => void) | undefined;
}

export interface LogOptions {
  readOnly: boolean;
  /** The lease that a write needs, where several processes may write; undefined: another process has it. */
  lease?: (() => LeaseToken | undefined) | undefined;
}

export interface SchemaVersions {
  /** 0: there is no store. */
  schema: number;
  /** The version of this release. */
  newest: number;
}

/** A database at its place: `sqlite/driver.ts` and `postgres/driver.ts` implement it. Every method may throw a StoreError. */
export interface StoreDriver {
  /** The name in messages: a file, or an address without its password. */
  readonly name: string;
  /** The database is a file of this machine: one process writes it, and each process that reads it checks it for damage. */
  readonly isEmbedded: boolean;
  /** The command that copies it, for messages. */
  readonly backup: string;
  /** Makes the store where there is none. */
  open(listeners: StoreListeners): Promise<Store>;
  openReader(listeners: StoreListeners): Promise<ReadStore>;
  hasStore(): Promise<boolean>;
  schema(): Promise<SchemaVersions>;
  /** The reason why the store cannot be read yet, in words; undefined: it can. */
  unready(): Promise<string | undefined>;
  /** Locks the store for one harvester; undefined: another process harvests. A database with leases locks nothing. */
  lockHarvest(): HarvestLock | undefined;
  /** Opens the leases of harvesters; undefined: one process alone harvests. */
  openLeases(): Promise<Leases | undefined>;
  /** Opens the log of harvested objects that are published anew. */
  openRepublished(options?: LogOptions): Promise<ChangeLog>;
  hasRepublished(): Promise<boolean>;
  openWatch(): Promise<RecordWatch>;
  endWatch(): Promise<void>;
  /** Copies all but the search index to an embedded database in a folder, after a check for damage. */
  copyTo(folder: string): Promise<void>;
  /** Moves every row of the embedded database in a folder into this empty one; rows by table. Undefined: not supported. */
  moveFrom: ((folder: string) => Promise<Record<string, number>>) | undefined;
}
