import { randomBytes } from 'node:crypto';
import { type ChangeLog, META, type ReadStore, type RecordWatch, type Store } from './contract/index.ts';
import { openSqliteChangeLog } from './sqlite/change-log.ts';
import { type HarvestLock, lockSqliteHarvest, lockSqlitePublish } from './sqlite/harvest-lock.ts';
import { openSqlite, openSqliteReader, type SqliteOptions, storeFile, unreadySqlite } from './sqlite/store.ts';
import { SqliteSyncHistories } from './sqlite/sync/sync-histories.ts';
import { endSqliteWatch, openSqliteWatch } from './sqlite/watch.ts';
import type { SyncHistories, SyncLimits } from './sync-histories.ts';

export interface StoreOptions {
  /** Folder of the embedded database; made if missing. */
  data: string;
  onTrouble?: SqliteOptions['onTrouble'];
  onTightened?: SqliteOptions['onTightened'];
}

/** Opens the store. @throws StoreError, in one line with the cure. */
export async function openStore({ data, ...options }: StoreOptions): Promise<Store> {
  return openSqlite(data, options as SqliteOptions);
}

/** Reads a store that is there, beside whoever writes it: nothing is written, and no lock is waited for. */
export function openReader({ data, onTrouble }: StoreOptions): ReadStore {
  return openSqliteReader(data, onTrouble);
}

/** Makes this process the one that harvests the store, until it ends; undefined: another one is. @throws StoreError */
export function lockHarvest({ data }: StoreOptions): HarvestLock | undefined {
  return lockSqliteHarvest(data);
}

/** Makes this process the one that publishes calendars from the folder, until it ends; undefined: another one is. @throws StoreError */
export function lockPublish({ data }: StoreOptions): HarvestLock | undefined {
  return lockSqlitePublish(data);
}

/** Why a store cannot be read yet, for anybody; undefined: it can. @throws StoreError where waiting does not help */
export function unreadyStore({ data }: StoreOptions): string | undefined {
  return unreadySqlite(data);
}

/**
 * Opens the log behind published feeds: `published` of calendars, `republished` of what was harvested. Each has a file of
 * its own, so that both may use one folder. @throws StoreError, in one line with the cure.
 */
export async function openChangeLog(
  { data }: StoreOptions,
  name: 'published' | 'republished',
  options?: { readOnly: boolean },
): Promise<ChangeLog> {
  return openSqliteChangeLog(data, name, options);
}

/** Opens what collections held, when something of it is asked for; any process and thread may. */
export function openSyncHistories({ data }: StoreOptions, limits: SyncLimits): SyncHistories {
  return new SqliteSyncHistories(data, limits);
}

/** Begins to watch the records of an open store, or goes on with it: from now on every change is noted. */
export async function openRecordWatch({ data }: StoreOptions): Promise<RecordWatch> {
  return openSqliteWatch(storeFile(data));
}

/** Ends watching, so that changes cost nothing more. */
export async function endRecordWatch({ data }: StoreOptions): Promise<void> {
  endSqliteWatch(storeFile(data));
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
