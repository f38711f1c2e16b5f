import { randomBytes } from 'node:crypto';
import { BugError, StoreError } from '../errors.ts';
import { makeFolder } from '../process/folder.ts';
import {
  type ChangeLog,
  type HarvestLock,
  type Leases,
  META,
  type ReadStore,
  type RecordWatch,
  type Store,
} from './contract/index.ts';
import type { LogOptions, SchemaVersions, StoreDriver, StoreListeners } from './driver.ts';
import { postgresDriver } from './postgres/driver.ts';
import { openSqliteChangeLog } from './sqlite/change-log.ts';
import { sqliteDriver } from './sqlite/driver.ts';
import { lockSqlitePublish } from './sqlite/harvest-lock.ts';
import { storeFile } from './sqlite/store.ts';
import { SqliteSyncHistories } from './sqlite/sync/sync-histories.ts';
import type { SyncHistories, SyncLimits } from './sync-histories.ts';

/** Where a store is. */
export interface StorePlace {
  /** Folder of the embedded database, and of what is kept beside a store; made if missing. */
  data: string;
  /** The PostgreSQL that holds the store; undefined: the embedded database does. */
  databaseUrl?: string | undefined;
}

export interface StoreOptions extends StorePlace, StoreListeners {}

/** The database of a place: nothing else in this room chooses one. */
function driverOf({ data, databaseUrl }: StorePlace): StoreDriver {
  return databaseUrl === undefined ? sqliteDriver(data) : postgresDriver(databaseUrl);
}

/** Opens the store, and makes it where there is none. @throws StoreError, in one line with the cure. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return driverOf(options).open(options);
}

/** Reads a store that is there, beside whoever writes it: nothing is written, and no lock is waited for. */
export async function openReader(options: StoreOptions): Promise<ReadStore> {
  return driverOf(options).openReader(options);
}

/**
 * Makes this process the one that harvests the embedded database, until it ends; undefined: another one is. Those of a
 * PostgreSQL share what there is by leases. @throws StoreError
 */
export function lockHarvest(place: StorePlace): HarvestLock | undefined {
  return driverOf(place).lockHarvest();
}

/** Leases of what is harvested; undefined: one process harvests the embedded database. @throws StoreError */
export async function openLeases(place: StorePlace): Promise<Leases | undefined> {
  return driverOf(place).openLeases();
}

/** Makes this process the one that publishes calendars from the folder, until it ends; undefined: another one is. @throws StoreError */
export function lockPublish({ data }: StorePlace): HarvestLock | undefined {
  return lockSqlitePublish(data);
}

/** Whether there is a store. @throws StoreError */
export async function hasStore(place: StorePlace): Promise<boolean> {
  return driverOf(place).hasStore();
}

/** What a person calls it: a file, or an address without its password. */
export function storeName(place: StorePlace): string {
  return driverOf(place).name;
}

/** The version of its schema, and that of this release. @throws StoreError */
export async function storeSchema(place: StorePlace): Promise<SchemaVersions> {
  return driverOf(place).schema();
}

/**
 * A copy of a store in an embedded database, which is made in a folder: everything but the search index. The store is only
 * read, in one transaction, and all of it is checked for damage. @throws StoreError
 */
export async function copyStore(place: StorePlace, folder: string): Promise<void> {
  makeFolder(folder);
  await driverOf(place).copyTo(folder);
}

/**
 * Every row of the embedded database in the folder, read back and compared, in a PostgreSQL that had none. Rows by table.
 * @throws StoreError: nothing was moved
 */
export async function moveStore({ data }: StorePlace, databaseUrl: string): Promise<Record<string, number>> {
  const to = driverOf({ data, databaseUrl });
  if (to.moveFrom === undefined) throw new BugError(`A store is moved into ${to.name}, which takes none.`);
  const lock = lockHarvest({ data });
  if (lock === undefined)
    throw new StoreError(
      `Another process harvests into ${storeFile(data)}. End it first: what it adds would stay behind.`,
    );
  try {
    return await to.moveFrom(data);
  } finally {
    lock.release();
  }
}

/** Why a store cannot be read yet, for anybody; undefined: it can. @throws StoreError where waiting does not help */
export async function unreadyStore(place: StorePlace): Promise<string | undefined> {
  return driverOf(place).unready();
}

export type ChangeLogName = 'published' | 'republished';

/**
 * Opens the log behind published feeds. `published` is that of calendars, in a file of its own in the folder. `republished` is
 * that of what was harvested, in another file or in the PostgreSQL of the store. @throws StoreError, in one line with the cure.
 */
export async function openChangeLog(
  place: StorePlace,
  name: ChangeLogName,
  options: LogOptions = { readOnly: false },
): Promise<ChangeLog> {
  return name === 'republished'
    ? driverOf(place).openRepublished(options)
    : openSqliteChangeLog(place.data, name, options);
}

/** Whether somebody has begun to publish anew what was harvested, in a store that can be read. @throws StoreError */
export async function isRepublished(place: StorePlace): Promise<boolean> {
  return driverOf(place).hasRepublished();
}

/** Opens what collections held, when something of it is asked for; any process and thread may. */
export function openSyncHistories({ data }: StorePlace, limits: SyncLimits): SyncHistories {
  return new SqliteSyncHistories(data, limits);
}

/** Begins to watch the records of an open store, or goes on with it: from now on every change is noted. @throws StoreError */
export async function openRecordWatch(place: StorePlace): Promise<RecordWatch> {
  return driverOf(place).openWatch();
}

/** Ends watching, so that changes cost nothing more. */
export async function endRecordWatch(place: StorePlace): Promise<void> {
  await driverOf(place).endWatch();
}

/** The store's own key, made once. Every process of the store has the same one, and nobody else. */
export async function secretOf(store: Store): Promise<string> {
  return (
    (await store.read.meta(META.secret)) ??
    store.write(async (tx) => {
      const made = (await tx.meta(META.secret)) ?? randomBytes(32).toString('base64url');
      await tx.setMeta(META.secret, made);
      return made;
    })
  );
}
