import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf, SourceError } from '../errors.ts';

/**
 * A folder with all that leads to it, as `mkdir -p` makes it; `mode` is that of the folder itself. `mkdirSync` with `recursive` never returns where a folder
 * that is there answers ENOENT to a new one, as those of /proc do.
 * @throws SourceError
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const path = resolve(folder);
  if (isFolder(path)) return;
  try {
    mkdirSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process was faster.
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

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'a file is there, and a folder is needed',
  ENOTDIR: 'a file is there, and a folder is needed',
  EISDIR: 'a folder is there, and a file is needed',
  ENOENT: 'there is no such folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its disk cannot be written',
  ENOSPC: 'its disk is full',
};

/** Why the system refuses to write something, in words about the place, with the code of the system. */
export function writeRefusal(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const words = REASONS[code];
  return words === undefined ? messageOf(error) : `${words} (${code})`;
}
