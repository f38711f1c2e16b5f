import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SourceError } from '../../src/errors.ts';
import { makeFolder, readRefusal, writeRefusal } from '../../src/process/folder.ts';
import { openPublishedLog, openStore } from '../../src/store/index.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'openactive-ical-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the folder of the data', () => {
  test('is made with all that leads to it, and left alone when it is there', () => {
    const folder = join(home, 'a', 'b', 'c');
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  test('under a file, or in its place, is refused in the words of the system', () => {
    writeFileSync(join(home, 'file'), '');
    expect(() => makeFolder(join(home, 'file'))).toThrow(/EEXIST/);
    expect(() => makeFolder(join(home, 'file', 'a', 'b'))).toThrow(/ENOTDIR/);
    expect(() => makeFolder(join(home, 'file'))).toThrow(
      new SourceError(`${join(home, 'file')}: cannot be written: a file is there, and a folder is needed (EEXIST)`),
    );
  });

  // Node's own mkdir, asked for all that leads to it, never returns there.
  test.runIf(existsSync('/proc/self'))('in a place that takes none ends with one line that names it', async () => {
    const data = '/proc/self/data/deep';
    await expect(openStore({ data })).rejects.toThrow(/^The database \/proc\/self\/data\/deep\/.* cannot be opened: /);
    await expect(openPublishedLog(data)).rejects.toThrow(/^The change log .* cannot be opened: /);
  });
});

describe('what the system refuses', () => {
  const CODES = ['EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EMFILE', 'ENOENT', 'EUNKNOWN'];

  test.each(CODES)('is reported without its own text: %s', (code) => {
    const error = Object.assign(new Error(`${code}: raw, open '/a'`), { code, syscall: 'open', path: '/a' });
    expect(readRefusal(error)).not.toContain('raw');
    expect(writeRefusal(error)).not.toContain('raw');
  });

  test('and what is no refusal of the system in its own words', () => {
    expect([readRefusal(new Error('no')), writeRefusal(new Error('no'))]).toEqual(['no', 'no']);
  });
});
