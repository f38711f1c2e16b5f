import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isLocked, storeFault } from './faults.ts';
import { madePrivate } from './private.ts';

/** That this process is the one that harvests a store. */
export interface HarvestLock {
  release(): void;
}

/**
 * A lock of the system's on a file beside the database, which ends with its process however that ends: no clock is asked,
 * and nobody has to say that he is alive. Undefined: another process has it. @throws StoreError
 */
export function lockSqliteHarvest(folder: string): HarvestLock | undefined {
  const file = join(folder, 'openactive-ical.harvest-lock');
  let db: DatabaseSync | undefined;
  try {
    madePrivate(file);
    db = new DatabaseSync(file, { timeout: 0 });
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const held = db;
    return { release: () => held.close() };
  } catch (error) {
    db?.close();
    if (isLocked(error)) return undefined;
    throw storeFault(error, file);
  }
}
