import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../process/folder.ts';

/** For its owner alone: a store holds addresses of feeds with their keys. */
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Makes the folder and the file of a database for their owner alone; the files that were open to others. */
export function privateFile(file: string): string[] {
  makeFolder(dirname(file), 0o700);
  madePrivate(file);
  return tightened(file);
}

/**
 * Makes a database's file before SQLite does, which would let everybody read it; SQLite gives its log the same mode. One that
 * is there is never opened: closing it would take the locks of this process away with it.
 */
export function madePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Takes what an earlier release gave to others away from them; the files that were open to them. */
function tightened(file: string): string[] {
  return [file, `${file}-wal`, `${file}-shm`].filter((name) => {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) === 0 || process.platform === 'win32') return false;
    try {
      chmodSync(name, OWNER_ONLY);
      return true;
    } catch {
      // Whoever owns it has let this process read it: that is his decision.
      return false;
    }
  });
}
