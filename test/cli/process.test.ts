import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** Whether a process is there. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((done) => setTimeout(done, 20));
};

/** `serve`, once it is ready; the processes of its harvesters, and all of its log. */
async function serving(
  name: string,
): Promise<{ child: ChildProcess; harvesters(): number[]; log(): string; url: string }> {
  const child = start('serve', '--samples', '--port', '0', '--host', '127.0.0.1', '--data', join(folder, name));
  let log = '';
  child.stderr?.on('data', (piece) => {
    log += piece;
  });
  const [ready] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const harvesters = () => [...log.matchAll(/"pid":(\d+),"msg":"The harvester runs/g)].map(([, pid]) => Number(pid));
  return { child, harvesters, log: () => log, url: /http:\/\/\S+(?=\/\s)/.exec(String(ready))?.[0] ?? '' };
}

test('serve harvests in a process of its own, and both end at SIGTERM', async () => {
  const { child, harvesters, url } = await serving('two');
  const [pid = 0] = harvesters();
  expect([pid !== child.pid, runs(pid)]).toEqual([true, true]);
  const { total } = (await (await fetch(`${url}/api/series`)).json()) as { total: number };
  expect(total).toBeGreaterThan(10);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ harvester: 'running', harvesterRestarts: 0 });
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect([code, runs(pid)]).toEqual([0, false]);
});

test('a harvester that is killed is started again, and what is stored is served meanwhile', async () => {
  const { child, harvesters, log, url } = await serving('killed');
  process.kill(harvesters()[0] as number, 'SIGKILL');
  await until(() => log().includes('The harvester ended unasked'));
  expect((await fetch(`${url}/api/series`)).status).toBe(200);
  await until(() => harvesters().length === 2);
  const facts = async () => (await (await fetch(`${url}/readyz`)).json()) as Record<string, unknown>;
  for (let state: unknown; state !== 'running'; ) state = (await facts()).harvester;
  expect(await facts()).toMatchObject({ status: 'ready', harvesterRestarts: 1 });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a harvester does not outlive the process that started it', async () => {
  const { child, harvesters } = await serving('orphan');
  child.kill('SIGKILL');
  await until(() => !runs(harvesters()[0] as number));
});

test('Ctrl-C reaches both at once, and again, and both end well', async () => {
  const { child, harvesters } = await serving('both');
  const [pid = 0] = harvesters();
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGINT');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(runs(pid)).toBe(false);
});
