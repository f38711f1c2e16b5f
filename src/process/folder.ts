import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf, SourceError } from '../errors.ts';

/**
 * Makes a folder and its parents, as `mkdir -p` does; `mode` is that of the folder itself. `mkdirSync` with `recursive`
 * never returns in a folder that answers ENOENT to a new one, as those of /proc do.
 * @throws SourceError
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const path = resolve(folder);
  if (isFolder(path)) return;
  try {
    mkdirSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process has made it.
    if (code === 'EEXIST' && isFolder(path)) return;
    if (code !== 'ENOENT' || isFolder(dirname(path)))
      throw new SourceError(`${path}: cannot be written: ${writeRefusal(error)}`, { cause: error });
    makeFolder(dirname(path));
    makeFolder(path, mode);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const WRITE_REFUSALS: Readonly<Record<string, string>> = {
  EEXIST: 'a file is there, and a folder is needed',
  ENOTDIR: 'a file is there, and a folder is needed',
  EISDIR: 'a folder is there, and a file is needed',
  ENOENT: 'there is no such folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its disk cannot be written',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk has no room left for this user',
  ELOOP: 'it is a symbolic link that leads back to itself',
  ENAMETOOLONG: 'a name may not be so long',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
};

/** Why the system refuses to write something, in words about the place, with the code of the system. */
export function writeRefusal(error: unknown): string {
  const code = refusalCode(error);
  const words = WRITE_REFUSALS[code] ?? (code === '' ? undefined : 'the system refuses it');
  return words === undefined ? messageOf(error) : `${words} (${code})`;
}

const DENIED = 'may not be read (permission denied): the user who runs this program needs to be allowed to';

const READ_REFUSALS: Readonly<Record<string, string>> = {
  ENOTDIR: 'there is no such file: one of its folders is a file',
  EISDIR: 'is a folder, a file is needed here',
  EACCES: DENIED,
  EPERM: DENIED,
  ELOOP: 'is a symbolic link that leads back to itself: name the file itself',
  ENAMETOOLONG: 'has a longer name than any file: check the path',
  EMFILE: 'cannot be opened, because too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'cannot be opened, because too many files are open on this machine',
  EIO: 'cannot be read from its disk: check the disk',
};

/** Why the system refuses to read something, as what follows its path. `missing`: where nothing is there. */
export function readRefusal(error: unknown, missing = 'there is no such file'): string {
  const code = refusalCode(error);
  if (code === 'ENOENT') return missing;
  return READ_REFUSALS[code] ?? (code === '' ? messageOf(error) : `cannot be read (${code})`);
}

/** The code of an error of the system; empty: it is another error. */
function refusalCode(error: unknown): string {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall === undefined || code === undefined ? '' : code;
}
