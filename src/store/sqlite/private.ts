import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../process/folder.ts';

/** The mode of a store's files: its owner alone reads them, as they hold addresses of feeds with keys. */
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Makes the folder and the file of a database for their owner alone. Returns the files that were open to others. */
export function privateFile(file: string): string[] {
  makeFolder(dirname(file), 0o700);
  madePrivate(file);
  return tightened(file);
}

/**
 * Makes a database's file before SQLite does, which would let everybody read it; SQLite gives its log the same mode. An
 * existing file is never opened: closing it would release the locks of this process on it.
 */
export function madePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Closes files to other users that an earlier release left open. Returns these files. */
function tightened(file: string): string[] {
  return [file, `${file}-wal`, `${file}-shm`].filter((name) => {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) === 0 || process.platform === 'win32') return false;
    try {
      chmodSync(name, OWNER_ONLY);
      return true;
    } catch {
      // The file belongs to another user, who lets this process read it.
      return false;
    }
  });
}
