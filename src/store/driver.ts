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
  /** Hears what is the matter with the store, once, and that it is over. */
  onTrouble?: ConstructorParameters<typeof Troubles>[0];
  /** Hears of files that others could read until now: of an embedded database alone. */
  onTightened?: ((files: readonly string[]) => void) | undefined;
}

export interface LogOptions {
  readOnly: boolean;
  /** The lease without which nothing is written, where several processes may write; undefined: another one has it. */
  lease?: (() => LeaseToken | undefined) | undefined;
}

export interface SchemaVersions {
  /** 0: there is no store. */
  schema: number;
  /** The version of this release. */
  newest: number;
}

/** One database that may hold a store, at its place: `sqlite/driver.ts` and `postgres/driver.ts`. Every method may throw a StoreError. */
export interface StoreDriver {
  /** What a person calls it: a file, or an address without its password. */
  readonly name: string;
  /** A file of this machine: one process writes it, and each that reads it looks for damage. */
  readonly isEmbedded: boolean;
  /** The command that copies it, as a message names it. */
  readonly backup: string;
  /** Makes the store where there is none. */
  open(listeners: StoreListeners): Promise<Store>;
  openReader(listeners: StoreListeners): Promise<ReadStore>;
  hasStore(): Promise<boolean>;
  schema(): Promise<SchemaVersions>;
  /** Why the store cannot be read yet, for anybody; undefined: it can. */
  unready(): Promise<string | undefined>;
  /** Undefined: another process harvests. A database that has leases gives a lock to whoever asks. */
  lockHarvest(): HarvestLock | undefined;
  /** Undefined: one process harvests, and there is nothing to share. */
  openLeases(): Promise<Leases | undefined>;
  /** The log of what was harvested and is published anew. */
  openRepublished(options?: LogOptions): Promise<ChangeLog>;
  hasRepublished(): Promise<boolean>;
  openWatch(): Promise<RecordWatch>;
  endWatch(): Promise<void>;
  /** Everything but the search index into an embedded database of a folder, after a check for damage. */
  copyTo(folder: string): Promise<void>;
  /** Every row of the embedded database of a folder into this empty one; rows by table. Undefined: it takes none. */
  moveFrom: ((folder: string) => Promise<Record<string, number>>) | undefined;
}
