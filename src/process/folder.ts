import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * A folder with all that leads to it, as `mkdir -p` makes it; `mode` is that of the folder itself. `mkdirSync` with `recursive` never returns where a folder
 * that is there answers ENOENT to a new one, as those of /proc do.
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
    if (code !== 'ENOENT' || isFolder(dirname(path))) throw error;
    makeFolder(dirname(path));
    makeFolder(path, mode);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
