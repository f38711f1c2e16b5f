import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError, type StoreTrouble } from '../../errors.ts';

/** The fault of the file or its disk, and the cure, as the end of a sentence: "The database … failed: …". */
const TROUBLE_WORDS: Readonly<Record<StoreTrouble, string>> = {
  damaged:
    'it is damaged; "openactive-ical store verify" says how far; bring back a copy that "openactive-ical store backup" made, or put it aside and start anew',
  unreadable:
    'reading or writing its file failed; check the disk of the --data folder, then run "openactive-ical store verify"',
  full: 'the disk is full; make room on the disk of the --data folder, and it goes on by itself',
  'read-only': 'it cannot be written; check who owns the --data folder, and whether its disk is writable',
};

/** Primary result codes (sqlite.org/rescode.html). */
const TROUBLES: Readonly<Record<number, StoreTrouble>> = {
  8: 'read-only',
  10: 'unreadable',
  11: 'damaged',
  13: 'full',
  26: 'damaged',
};

const LOCK_WORDS = 'another process has kept it locked for too long; it is tried again later';

/** Explanations of errors that pass, or are none of the file itself. */
const WORDS: Readonly<Record<number, string>> = {
  5: LOCK_WORDS,
  6: LOCK_WORDS,
  7: 'there is not enough memory',
  14: 'its file cannot be opened; check that the --data folder exists and can be written',
};

const LOCKED = 5;
const READ_ONLY = 8;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;
const NO_DATABASE = 'choose another --data folder, or bring back a copy that "openactive-ical store backup" made';

/** Turns an error of SQLite into a StoreError with a cure; other errors stay. */
export function storeFault(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const trouble = TROUBLES[code];
  if (code === NOT_A_DATABASE) {
    return new StoreError(`The database ${file} cannot be opened: it is no database; ${NO_DATABASE}.`, {
      cause: error,
      trouble,
      cure: TROUBLE_WORDS.damaged,
    });
  }
  if (trouble !== undefined) {
    const cure = TROUBLE_WORDS[trouble];
    return new StoreError(`The database ${file} failed: ${cure}.`, { cause: error, trouble, cure });
  }
  const cure = WORDS[code];
  return new StoreError(`The database ${file} failed: ${cure ?? error.message}.`, { cause: error, cure });
}

/** The error for damage that a check has found. */
export function damagedFile(found: string, file: string): StoreError {
  const [first = ''] = found.replace(/^\*\*\*[^\n]*\n/, '').split('\n');
  const cure = TROUBLE_WORDS.damaged;
  return new StoreError(`The database ${file} failed: ${cure} (${first}).`, { trouble: 'damaged', cure });
}

export function isLocked(error: unknown): boolean {
  return codeOf(error) === LOCKED;
}

/** Whether a disk was full, also where the error of the disk is the cause of another one. */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codeOf(error) === FULL || (error as NodeJS.ErrnoException).code === 'ENOSPC' || isFullDisk(error.cause);
}

/** Octets in the log that a page of a feed, with all that is derived from it, may take. */
const LEAST_ROOM = 8 * 1024 * 1024;

/**
 * Whether the disk of a database is still full, though a transaction was committed. A small transaction fits into the part of
 * the log that a failed larger one has left.
 */
export function isStillFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < LEAST_ROOM;
  } catch {
    return false;
  }
}

/** Whether a database cannot be opened for reading, because SQLite cannot make the files beside it. */
export function isUnopened(error: unknown): boolean {
  const code = codeOf(error);
  return code === CANNOT_OPEN || code === READ_ONLY;
}

/** SQLite's primary result code. */
export function codeOf(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  // The low byte is the primary code; the others detail it.
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined;
}
