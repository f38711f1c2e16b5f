import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, SourceError, StoreError } from '../../../errors.ts';
import { changeLogFile, LOG_NAMES } from '../change-log.ts';
import { codeOf, storeFault } from '../faults.ts';
import { madePrivate } from '../private.ts';
import { storeFile } from '../store.ts';

/** A file of a backup, with the file that it is a copy of. */
export interface Copied {
  from: string;
  to: string;
  bytes: number;
}

/**
 * Copies the store of a folder, and the change logs beside it as `TO.republished` and `TO.published`. Logs are copied before
 * the store: a log that is ahead of the copied store would miss its next changes.
 * @throws StoreError, SourceError: no copy is left
 */
export function backUp(folder: string, to: string): Copied[] {
  const logs = LOG_NAMES.map((name): [string, string] => [changeLogFile(folder, name), `${to}.${name}`]);
  const files = [...logs.filter(([log]) => existsSync(log)), [storeFile(folder), to] satisfies [string, string]];
  for (const [, copy] of files) checkFree(copy);
  const copied: Copied[] = [];
  try {
    for (const [from, copy] of files) copied.push({ from, to: copy, bytes: copyDatabase(from, copy) });
  } catch (error) {
    for (const copy of copied) rmSync(copy.to, { force: true });
    throw error;
  }
  return copied.reverse();
}

/** @throws SourceError */
function checkFree(file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined)
    throw new SourceError(`${file}: is there already, and is not overwritten`);
}

/**
 * Copies a database consistently while processes use it: one transaction reads all of it, and none waits. The copy is checked
 * before it gets its name. Returns its octets. @throws StoreError, SourceError
 */
export function copyDatabase(from: string, to: string): number {
  checkFree(to);
  const partial = `${to}.partial`;
  try {
    rmSync(partial, { force: true });
    madePrivate(partial);
  } catch (cause) {
    throw new SourceError(
      `${to}: cannot be written: ${REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? messageOf(cause)}`,
      { cause },
    );
  }
  try {
    vacuumInto(from, partial);
    checkDatabase(partial);
    flush(partial);
    renameSync(partial, to);
    flush(dirname(to));
    return statSync(to).size;
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'its folder may not be written (permission denied)',
  EROFS: 'its disk cannot be written',
  ENOSPC: 'its disk is full',
};

const READING = { readOnly: true, timeout: 30_000 };

function vacuumInto(from: string, to: string): void {
  try {
    using db = new DatabaseSync(from, READING);
    db.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    const fault = storeFault(error, from);
    // A full or read-only disk is that of the copy, not of the database.
    if (!(fault instanceof StoreError) || fault.trouble === 'damaged') throw fault;
    throw new StoreError(`The copy ${to.replace(/\.partial$/, '')} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Checks all of a database for damage, indexes included. @throws StoreError with the number of damaged places */
export function checkDatabase(file: string): void {
  let found: string[];
  try {
    using db = new DatabaseSync(file, READING);
    const rows = db.prepare(`PRAGMA integrity_check(${MOST_PLACES})`).all();
    found = rows.flatMap(({ integrity_check: text }) => String(text).split('\n'));
  } catch (error) {
    const fault = storeFault(error, file);
    if (codeOf(error) !== UNREADABLE_PAGE) throw fault;
    throw damagedAt([messageOf(error)], file, error);
  }
  const places = found.filter((line) => !line.startsWith('***') && line !== 'ok');
  if (places.length > 0) throw damagedAt(places, file);
}

/** The most damaged places that are counted; there may be one for each row. */
const MOST_PLACES = 1000;

/** SQLITE_CORRUPT: the check itself cannot go on. */
const UNREADABLE_PAGE = 11;

function damagedAt(places: readonly string[], file: string, cause?: unknown): StoreError {
  const count = places.length >= MOST_PLACES ? `at least ${MOST_PLACES} places` : counted(places.length);
  return new StoreError(
    `The database ${file} is damaged in ${count}, first: ${places[0]}. Bring back a copy that "openactive-ical store backup" made, or put the file aside and start anew.`,
    { cause, trouble: 'damaged' },
  );
}

const counted = (places: number): string => `${places} ${places === 1 ? 'place' : 'places'}`;

/** Waits until a file or folder is on the disk. */
function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The version of a database's schema. @throws StoreError */
export function schemaOf(file: string): number {
  try {
    using db = new DatabaseSync(file, READING);
    return Number(db.prepare('PRAGMA user_version').get()?.user_version);
  } catch (error) {
    throw storeFault(error, file);
  }
}
