import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { StoreError } from '../errors.ts';
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
import { hasPostgresChangeLog, type LogOptions, openPostgresChangeLog } from './postgres/change-log.ts';
import { copyPostgres } from './postgres/copy.ts';
import { databaseName } from './postgres/faults.ts';
import { openPostgresLeases } from './postgres/leases.ts';
import { moveToPostgres } from './postgres/move.ts';
import { SCHEMA_VERSION as POSTGRES_VERSION } from './postgres/schema.ts';
import { openPostgres, openPostgresReader, postgresSchema, unreadyPostgres } from './postgres/store.ts';
import { endPostgresWatch, openPostgresWatch } from './postgres/watch.ts';
import { checkDatabase, copyDatabase, schemaOf } from './sqlite/backup.ts';
import { changeLogFile, openSqliteChangeLog } from './sqlite/change-log.ts';
import { lockSqliteHarvest, lockSqlitePublish } from './sqlite/harvest-lock.ts';
import { SCHEMA_VERSION } from './sqlite/schema.ts';
import { openSqlite, openSqliteReader, type SqliteOptions, storeFile, unreadySqlite } from './sqlite/store.ts';
import { SqliteSyncHistories } from './sqlite/sync/sync-histories.ts';
import { endSqliteWatch, openSqliteWatch } from './sqlite/watch.ts';
import type { SyncHistories, SyncLimits } from './sync-histories.ts';

/** Where a store is. */
export interface StorePlace {
  /** Folder of the embedded database, and of what is kept beside a store; made if missing. */
  data: string;
  /** The PostgreSQL that holds the store; undefined: the embedded database does. */
  databaseUrl?: string | undefined;
}

export interface StoreOptions extends StorePlace {
  onTrouble?: SqliteOptions['onTrouble'];
  /** Of the embedded database alone. */
  onTightened?: SqliteOptions['onTightened'];
}

/** Opens the store, and makes it where there is none. @throws StoreError, in one line with the cure. */
export async function openStore({ data, databaseUrl, onTrouble, onTightened }: StoreOptions): Promise<Store> {
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, { onTrouble });
  return openSqlite(data, { onTrouble, onTightened });
}

/** Reads a store that is there, beside whoever writes it: nothing is written, and no lock is waited for. */
export async function openReader({ data, databaseUrl, onTrouble }: StoreOptions): Promise<ReadStore> {
  if (databaseUrl !== undefined) return openPostgresReader(databaseUrl, onTrouble);
  return openSqliteReader(data, onTrouble);
}

/**
 * Makes this process the one that harvests the embedded database, until it ends; undefined: another one is. Those of a
 * PostgreSQL share what there is by leases. @throws StoreError
 */
export function lockHarvest({ data, databaseUrl }: StorePlace): HarvestLock | undefined {
  return databaseUrl === undefined ? lockSqliteHarvest(data) : { release: () => {} };
}

/** Leases of what is harvested; undefined: one process harvests the embedded database. @throws StoreError */
export async function openLeases({ databaseUrl }: StorePlace): Promise<Leases | undefined> {
  return databaseUrl === undefined ? undefined : openPostgresLeases(databaseUrl);
}

/** Makes this process the one that publishes calendars from the folder, until it ends; undefined: another one is. @throws StoreError */
export function lockPublish({ data }: StorePlace): HarvestLock | undefined {
  return lockSqlitePublish(data);
}

/** Whether there is a store. @throws StoreError */
export async function hasStore({ data, databaseUrl }: StorePlace): Promise<boolean> {
  return databaseUrl === undefined ? existsSync(storeFile(data)) : (await postgresSchema(databaseUrl)) > 0;
}

/** What a person calls it: a file, or an address without its password. */
export function storeName({ data, databaseUrl }: StorePlace): string {
  return databaseUrl === undefined ? storeFile(data) : databaseName(databaseUrl);
}

/** The version of its schema, and that of this release. @throws StoreError */
export async function storeSchema({ data, databaseUrl }: StorePlace): Promise<{ schema: number; newest: number }> {
  if (databaseUrl !== undefined) return { schema: await postgresSchema(databaseUrl), newest: POSTGRES_VERSION };
  return { schema: schemaOf(storeFile(data)), newest: SCHEMA_VERSION };
}

/**
 * A copy of a store in an embedded database, which is made in a folder: everything but the search index. The store is only
 * read, in one transaction, and all of it is checked for damage. @throws StoreError
 */
export async function copyStore({ data, databaseUrl }: StorePlace, folder: string): Promise<void> {
  makeFolder(folder);
  if (databaseUrl !== undefined) return copyPostgres(databaseUrl, folder);
  checkDatabase(storeFile(data));
  copyDatabase(storeFile(data), storeFile(folder));
}

/**
 * Every row of the embedded database in the folder, read back and compared, in a PostgreSQL that had none. Rows by table.
 * @throws StoreError: nothing was moved
 */
export async function moveStore({ data }: StorePlace, databaseUrl: string): Promise<Record<string, number>> {
  const lock = lockSqliteHarvest(data);
  if (lock === undefined)
    throw new StoreError(
      `Another process harvests into ${storeFile(data)}. End it first: what it adds would stay behind.`,
    );
  try {
    return await moveToPostgres(data, databaseUrl);
  } finally {
    lock.release();
  }
}

/** Why a store cannot be read yet, for anybody; undefined: it can. @throws StoreError where waiting does not help */
export async function unreadyStore({ data, databaseUrl }: StorePlace): Promise<string | undefined> {
  return databaseUrl === undefined ? unreadySqlite(data) : unreadyPostgres(databaseUrl);
}

export type ChangeLogName = 'published' | 'republished';

/**
 * Opens the log behind published feeds: `published` of calendars, in a file of its own in the folder, and `republished` of what
 * was harvested, in another file or in the PostgreSQL of the store. @throws StoreError, in one line with the cure.
 */
export async function openChangeLog(
  { data, databaseUrl }: StorePlace,
  name: ChangeLogName,
  options: LogOptions = { readOnly: false },
): Promise<ChangeLog> {
  if (name === 'republished' && databaseUrl !== undefined) return openPostgresChangeLog(databaseUrl, options);
  return openSqliteChangeLog(data, name, options);
}

/** Whether somebody has begun to publish anew what was harvested, in a store that can be read. @throws StoreError */
export async function isRepublished({ data, databaseUrl }: StorePlace): Promise<boolean> {
  return databaseUrl === undefined ? existsSync(changeLogFile(data, 'republished')) : hasPostgresChangeLog(databaseUrl);
}

/** Opens what collections held, when something of it is asked for; any process and thread may. */
export function openSyncHistories({ data }: StorePlace, limits: SyncLimits): SyncHistories {
  return new SqliteSyncHistories(data, limits);
}

/** Begins to watch the records of an open store, or goes on with it: from now on every change is noted. @throws StoreError */
export async function openRecordWatch({ data, databaseUrl }: StorePlace): Promise<RecordWatch> {
  return databaseUrl === undefined ? openSqliteWatch(storeFile(data)) : openPostgresWatch(databaseUrl);
}

/** Ends watching, so that changes cost nothing more. */
export async function endRecordWatch({ data, databaseUrl }: StorePlace): Promise<void> {
  if (databaseUrl === undefined) endSqliteWatch(storeFile(data));
  else await endPostgresWatch(databaseUrl);
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
