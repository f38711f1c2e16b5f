import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore, storeFile } from '../../src/store/index.ts';
import { PROGRAM, PROGRAM_ENV } from '../program.ts';
import { rig } from './rig.ts';

const { path } = rig();

/** A user who is denied what nobody is allowed; root never is, so it gives that up. */
const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function ranDenied(...argv: string[]): Promise<{ code: number | null; out: string; err: string }> {
  await chmod(path('.'), 0o755);
  const child = spawn(process.execPath, [PROGRAM, ...argv], { ...other, cwd: '/', env: PROGRAM_ENV });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

const DENIED = 'may not be read (permission denied): the user who runs this program needs to be allowed to';

test.each([
  ['a file', 'file.json', 'file.json', false],
  ['a folder', 'folder', 'folder', true],
  ['the page of a folder', 'pages/1.json', 'pages', false],
])('check names %s that it may not read', async (_name, locked, named, isFolder) => {
  await mkdir(join(path(locked), isFolder ? '.' : '..'), { recursive: true });
  if (!isFolder) await writeFile(path(locked), '{"items":[],"next":""}');
  await chmod(path(locked), 0);
  const ran = await ranDenied('check', path(named));
  await chmod(path(locked), 0o700);
  expect(ran).toEqual({ code: 1, out: '', err: `openactive-ical: ${path(locked)}: ${DENIED}\n` });
});

describe('a database that may not be read', () => {
  test.each([['feeds'], ['store verify'], ['store backup copy.sqlite'], ['store migrate'], ['serve --role web']])(
    '%s names its folder, or its file',
    async (command) => {
      await openStore({ data: path('data') }).then((store) => store.close());
      for (const [locked, mode] of [
        [path('data'), 0],
        [storeFile(path('data')), 0o755],
      ] as const) {
        await chmod(path('data'), mode);
        const ran = await ranDenied(...command.split(' '), '--data', path('data'));
        await chmod(path('data'), 0o700);
        expect(ran).toEqual({ code: 1, out: '', err: `openactive-ical: ${locked}: ${DENIED}\n` });
      }
    },
  );
});
