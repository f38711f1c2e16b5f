import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-process-'));
});
afterAll(() => rm(folder, { recursive: true }));

function start(...argv: string[]): ChildProcess {
  return spawn(process.execPath, [join(packageFolder, 'src/cli/main.ts'), ...argv], { cwd: folder, env: {} });
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (piece) => {
    out += piece;
  });
  child.stderr?.on('data', (piece) => {
    err += piece;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, err };
}

test('standard output holds the answer and nothing else', async () => {
  const { code, out, err } = await ended(start('config', '--print'));
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ port: 8080 });
});

test('misuse is one line on standard error, without a stack', async () => {
  expect(await ended(start('serve', '--nope'))).toEqual({
    code: 2,
    out: '',
    err: 'openactive-ical: serve: there is no option --nope (see serve --help)\n',
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)('serve ends well at %s', async (signal) => {
  const child = start('serve', '--samples', '--port', '0', '--host', '127.0.0.1', '--data', join(folder, signal));
  const end = ended(child);
  await new Promise((ready) => child.stdout?.once('data', ready));
  child.kill(signal);
  expect(await end).toMatchObject({ code: 0, err: expect.not.stringContaining('    at ') });
});

test('a reader that has seen enough is no error', async () => {
  const child = start('config');
  const end = ended(child);
  child.stdout?.destroy();
  expect(await end).toMatchObject({ code: 0, err: '' });
});
