import { randomBytes } from 'node:crypto';
import { type DatabaseScheme, databaseScheme } from '../database-schemes.ts';
import { BugError, StoreError } from '../errors.ts';
import { META, type ReadStore, type Store } from './contract/index.ts';
import type { StoreDriver, StoreListeners } from './driver.ts';
import { postgresDriver } from './postgres/driver.ts';
import { sqliteDriver } from './sqlite/driver.ts';

export interface StorePlace {
  /** Folder of the embedded database, and of what is kept beside a store; made if missing. */
  data: string;
  /** The database that holds the store; undefined: the embedded one does. */
  databaseUrl?: string | undefined;
}

export interface StoreOptions extends StorePlace, StoreListeners {}

const DRIVERS: Readonly<Record<DatabaseScheme, (url: string) => StoreDriver>> = {
  'postgres:': postgresDriver,
  'postgresql:': postgresDriver,
};

/** The database of a place: nothing else in this room chooses one. Nothing is opened yet. */
export function databaseAt({ data, databaseUrl }: StorePlace): StoreDriver {
  if (databaseUrl === undefined) return sqliteDriver(data);
  const scheme = databaseScheme(databaseUrl);
  if (scheme === undefined) throw new BugError('No database has the scheme of this address.');
  return DRIVERS[scheme](databaseUrl);
}

/** Opens the store, and makes it where there is none. @throws StoreError, in one line with the cure. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return databaseAt(options).open(options);
}

/** Reads a store that is there, beside whoever writes it: nothing is written, and no lock is waited for. */
export async function openReader(options: StoreOptions): Promise<ReadStore> {
  return databaseAt(options).openReader(options);
}

/**
 * Every row of the embedded database in the folder, read back and compared, in a database that had none. Rows by table.
 * @throws StoreError: nothing was moved
 */
export async function moveStore(data: string, databaseUrl: string): Promise<Record<string, number>> {
  const from = databaseAt({ data });
  const to = databaseAt({ data, databaseUrl });
  if (to.moveFrom === undefined) throw new BugError(`A store is moved into ${to.name}, which takes none.`);
  const lock = from.lockHarvest();
  if (lock === undefined)
    throw new StoreError(`Another process harvests into ${from.name}. End it first: what it adds would stay behind.`);
  try {
    return await to.moveFrom(data);
  } finally {
    lock.release();
  }
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
