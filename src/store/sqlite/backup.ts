import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, SourceError, StoreError } from '../../errors.ts';
import { damagedFile, storeFault } from './faults.ts';
import { madePrivate } from './private.ts';

/**
 * A consistent copy of a database, beside everybody who uses it: one transaction reads all of it, and nobody waits. What was
 * written is checked before it gets its name. Bytes of the copy. @throws StoreError, SourceError
 */
export function copyDatabase(from: string, to: string): number {
  if (statSync(to, { throwIfNoEntry: false }) !== undefined)
    throw new SourceError(`${to}: is there already, and is not overwritten`);
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

function vacuumInto(from: string, to: string): void {
  const db = new DatabaseSync(from, { readOnly: true, timeout: 30_000 });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    const fault = storeFault(error, from);
    // The disk that is full, or read-only, is that of the copy.
    if (!(fault instanceof StoreError) || fault.trouble === 'damaged') throw fault;
    throw new StoreError(`The copy ${to.replace(/\.partial$/, '')} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  } finally {
    db.close();
  }
}

/** Reads all of a database for damage, indexes included. @throws StoreError that names what is wrong first */
export function checkDatabase(file: string): void {
  let found: unknown;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 30_000 });
    found = db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  } catch (error) {
    throw storeFault(error, file);
  } finally {
    db?.close();
  }
  if (found !== 'ok') throw damagedFile(String(found), file);
}

/** On the disk, and not only on its way there. */
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
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 30_000 });
    return Number(db.prepare('PRAGMA user_version').get()?.user_version);
  } catch (error) {
    throw storeFault(error, file);
  } finally {
    db?.close();
  }
}
