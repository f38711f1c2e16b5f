import { randomBytes } from 'node:crypto';
import { type DatabaseScheme, databaseScheme } from '../database-schemes.ts';
import { BugError, StoreError } from '../errors.ts';
import { META, type ReadStore, type Store } from './contract/index.ts';
import type { StoreDriver, StoreListeners } from './driver.ts';
import { postgresDriver } from './postgres/driver.ts';
import { sqliteDriver } from './sqlite/driver.ts';

export interface StorePlace {
  /** Folder of the embedded database, and of files beside a store; made if missing. */
  data: string;
  /** The address of the store's database; undefined: the embedded one. */
  databaseUrl?: string | undefined;
}

export interface StoreOptions extends StorePlace, StoreListeners {}

const DRIVERS: Readonly<Record<DatabaseScheme, (url: string) => StoreDriver>> = {
  'postgres:': postgresDriver,
  'postgresql:': postgresDriver,
};

/** Chooses the database of a place, in this function alone. Nothing is opened yet. */
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

/** Opens an existing store for reading, beside a process that writes. It waits for no lock. */
export async function openReader(options: StoreOptions): Promise<ReadStore> {
  return databaseAt(options).openReader(options);
}

/**
 * Moves every row of the embedded database in a folder to an empty database, and compares the rows. Returns rows by table.
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

/** The secret key of the store, made once and shared by all of its processes. */
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
