import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../process/folder.ts';
import type { HarvestLock } from '../contract/index.ts';
import { isLocked, storeFault } from './faults.ts';
import { madePrivate } from './private.ts';

/**
 * Locks a file beside the database by the operating system, without clock or heartbeat: the lock ends with its process,
 * however that ends. Undefined: another process has it. @throws StoreError
 */
export function lockSqliteHarvest(folder: string): HarvestLock | undefined {
  return lockFile(join(folder, 'openactive-ical.harvest-lock'));
}

/**
 * Makes this process the one that publishes calendars from a folder, until it ends; undefined: another one is. Two would each
 * write pages that the other does not know. @throws StoreError
 */
export function lockPublish(folder: string): HarvestLock | undefined {
  makeFolder(folder, 0o700);
  return lockFile(join(folder, 'published.lock'));
}

function lockFile(file: string): HarvestLock | undefined {
  let db: DatabaseSync | undefined;
  try {
    madePrivate(file);
    db = new DatabaseSync(file, { timeout: 0 });
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const locked = db;
    return { release: () => locked.close() };
  } catch (error) {
    db?.close();
    if (isLocked(error)) return undefined;
    throw storeFault(error, file);
  }
}
