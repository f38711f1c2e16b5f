import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultServer } from '../harvest/ingest/faults.ts';
import { PROGRAM, PROGRAM_ENV } from '../program.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-process-'));
});
afterAll(() => rm(folder, { recursive: true }));

function start(...argv: string[]): ChildProcess {
  return startBroken('', ...argv);
}

/** The program on a machine that is as the script leaves it. */
function startBroken(script: string, ...argv: string[]): ChildProcess {
  const before = script === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
  return spawn(process.execPath, [...before, PROGRAM, ...argv], { cwd: folder, env: PROGRAM_ENV });
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

/** Threads get it too. */
const ENDLESS_CHECK = `
  import { DatabaseSync } from 'node:sqlite';
  import { writeSync } from 'node:fs';
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql) {
    if (!/quick_check/.test(sql)) return prepare.call(this, sql);
    writeSync(2, 'checking\\n');
    return prepare.call(this, 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n');
  };`;

test('a check of the database that takes for ever does not keep serve from ending', async () => {
  const imported = `data:text/javascript,${encodeURIComponent(ENDLESS_CHECK)}`;
  const env = { ...PROGRAM_ENV, NODE_OPTIONS: `${PROGRAM_ENV.NODE_OPTIONS} --import ${imported}` };
  const argv = ['serve', '--samples', '--port', '0', '--host', '127.0.0.1', '--data', join(folder, 'endless')];
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd: folder, env });
  const end = ended(child);
  child.stderr?.on('data', (piece) => {
    if (String(piece).includes('checking')) child.kill('SIGTERM');
  });
  const { code, err } = await end;
  expect(err).not.toContain('not ended');
  expect(code).toBe(0);
});

test('misuse is one line on standard error, without a stack', async () => {
  expect(await ended(start('serve', '--nope'))).toEqual({
    code: 2,
    out: '',
    err: 'openactive-ical: serve: there is no option --nope (see serve --help)\n',
  });
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
  feeds = ['--samples'],
): Promise<{ child: ChildProcess; harvesters(): number[]; log(): string; url: string }> {
  const child = start('serve', ...feeds, '--port', '0', '--host', '127.0.0.1', '--data', join(folder, name));
  let log = '';
  child.stderr?.on('data', (piece) => {
    log += piece;
  });
  const [ready] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const harvesters = () => [...log.matchAll(/"pid":(\d+),"msg":"The harvester runs/g)].map(([, pid]) => Number(pid));
  return { child, harvesters, log: () => log, url: /http:\/\/\S+(?=\/\s)/.exec(String(ready))?.[0] ?? '' };
}

test.runIf(existsSync('/dev/full'))('a full disk behind standard output is one line, and code 1', async () => {
  const full = openSync('/dev/full', 'w');
  const argv = [PROGRAM, 'config', '--print'];
  const child = spawn(process.execPath, argv, { env: PROGRAM_ENV, stdio: ['ignore', full, 'pipe'] });
  const { code, err } = await ended(child);
  closeSync(full);
  expect([code, err]).toEqual([1, 'openactive-ical: standard output: cannot be written: its disk is full (ENOSPC)\n']);
});

test.each<[NodeJS.Signals, number]>([
  ['SIGTERM', 143],
  ['SIGINT', 130],
])('a pipe that nobody writes to holds no %s up', async (signal, code) => {
  const pipe = join(folder, signal);
  execFileSync('mkfifo', [pipe]);
  const child = start('convert', pipe);
  await pause(1500);
  child.kill(signal);
  expect(await ended(child)).toEqual({ code, out: '', err: '' });
});

test('serve harvests in a process of its own, and both end well at SIGTERM', async () => {
  const { child, harvesters, log, url } = await serving('two');
  const [pid = 0] = harvesters();
  expect([pid !== child.pid, runs(pid)]).toEqual([true, true]);
  const { total } = (await (await fetch(`${url}/api/series`)).json()) as { total: number };
  expect(total).toBeGreaterThan(10);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ harvester: 'running', harvesterRestarts: 0 });
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect([runs(pid), log()]).toEqual([false, expect.not.stringContaining('    at ')]);
});

test('what the harvester reads anew is in a calendar that was cached; both end well at SIGINT', async () => {
  const pages = join(folder, 'pages');
  await mkdir(pages);
  const page = (name: string, modified: number) => {
    const data = { '@type': 'SessionSeries', '@id': 'https://a.example/1', name };
    const items = [{ state: 'updated', kind: 'SessionSeries', id: 1, modified, data }];
    return writeFile(join(pages, '1.json'), JSON.stringify({ items, next: 'https://a.example/2', license: 'x' }));
  };
  await page('Before', 1);
  const { child, log, url } = await serving('anew', ['--feed', pages]);
  const { items } = (await (await fetch(`${url}/api/series`)).json()) as { items: { calendar: string }[] };
  const text = async () => (await fetch(items[0]?.calendar ?? '')).text();
  expect(await text()).toContain('Before');
  expect(await text()).toContain('Before');
  await page('After', 2);
  while ((await text()).includes('Before')) await new Promise((done) => setTimeout(done, 20));
  expect(await text()).toContain('After');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(log()).not.toContain('    at ');
});

test('a harvester that is killed is started again, what is stored is served meanwhile, and Ctrl-C ends all', async () => {
  const { child, harvesters, log, url } = await serving('killed');
  process.kill(harvesters()[0] as number, 'SIGKILL');
  await until(() => log().includes('The harvester ended unasked'));
  expect((await fetch(`${url}/api/series`)).status).toBe(200);
  await until(() => harvesters().length === 2);
  const facts = async () => (await (await fetch(`${url}/readyz`)).json()) as Record<string, unknown>;
  for (let state: unknown; state !== 'running'; ) state = (await facts()).harvester;
  expect(await facts()).toMatchObject({ status: 'ready', harvesterRestarts: 1 });
  // A terminal sends it to both at once, and a person twice.
  const pid = harvesters()[1] as number;
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGINT');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(runs(pid)).toBe(false);
});

test('a harvester does not outlive the process that started it', async () => {
  const { child, harvesters } = await serving('orphan');
  child.kill('SIGKILL');
  await until(() => !runs(harvesters()[0] as number));
});

type Terminated = 'serve' | 'sync' | 'publish';

/** A server that answers as it likes, and the end of a command that reads from it, by SIGTERM once it was asked. */
async function terminated(handler: RequestListener, script = '', command: Terminated = 'serve'): Promise<Ended> {
  const asked = Promise.withResolvers<void>();
  const server = await faultServer((request, response) => {
    asked.resolve();
    handler(request, response);
  });
  const own = join(folder, `term-${server.port}`);
  const place = command === 'publish' ? [`${server.url}/one.ics`] : ['--feed', `${server.url}/feed`];
  const listening = command === 'sync' ? [] : ['--port', '0', '--host', '127.0.0.1'];
  const child = startBroken(script, command, ...place, ...listening, '--data', own);
  const end = ended(child);
  await asked.promise;
  await new Promise((done) => setTimeout(done, 200));
  child.kill('SIGTERM');
  const how = await end;
  await server.close();
  return how;
}

const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

const bomb: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(randomBytes(12_000_000).toString('hex')));
};

const NO_CALL_RETURNS = `import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs'; const fifo = './fifo' + process.pid; execFileSync('mkfifo', [fifo]); readFile(fifo, () => {});`;

describe.concurrent('SIGTERM ends a serve', () => {
  test.each<[string, RequestListener, string]>([
    ['that reads a drip', drip, ''],
    ['that waits for an answer', () => {}, ''],
    ['that met a body too large both ways', bomb, ''],
    ['of which a call of the system does not return', drip, NO_CALL_RETURNS],
  ])('%s', async (_name, handler, script) => {
    const { code, err } = await terminated(handler, script);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining('under way') });
  });

  test('whatever does not end: one line names it, and the code is 1', async () => {
    const closeNever = `import { Server } from 'node:http'; Server.prototype.close = function () { return this; };`;
    const { code, err } = await terminated(drip, closeNever);
    expect(code).toBe(1);
    const lines = err.split('\n').filter((line) => line.startsWith('openactive-ical:'));
    expect(lines).toEqual(['openactive-ical: not ended 13 s after SIGTERM; under way: requests of callers']);
  });
});

describe.concurrent.each(['sync', 'publish'] as const)('SIGTERM ends a %s', (command) => {
  test.each<[string, RequestListener, string]>([
    ['that reads a drip', drip, ''],
    ['that waits for an answer', () => {}, ''],
    ['of which a call of the system does not return', drip, NO_CALL_RETURNS],
  ])('%s', async (_name, handler, script) => {
    const { code, err } = await terminated(handler, script, command);
    expect({ code, err }).toMatchObject({ code: 143, err: expect.not.stringContaining('not ended') });
  });
});

test('a sync with nothing left to wait for says so, and fails: it ended with 13 and a warning of Node', async () => {
  const statNever = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
    fs.stat = () => new Promise(() => {}); syncBuiltinESMExports();`;
  const child = startBroken(statNever, 'sync', '--feed', folder, '--data', join(folder, 'empty'));
  expect(await ended(child)).toEqual({
    code: 1,
    out: '',
    err: 'openactive-ical: nothing is left to wait for, and the command has not ended; under way: nothing that is known of\n',
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'sync ended at %s while a body dripped, and without a word',
  async (signal) => {
    const page = (next: string, ...items: object[]) => JSON.stringify({ next, items, license: 'x' });
    const server = await faultServer((request, response) => {
      const { url = '' } = request;
      if (url === '/drip') return void response.writeHead(200, { 'content-type': 'application/json' }).write(' ');
      const item = { state: 'deleted', kind: 'Event', id: 1, modified: 1 };
      return void response.end(page(`${server.url}/end`, ...(url === '/end' ? [] : [item])));
    });
    const feeds = ['/short', '/drip'].flatMap((path) => ['--feed', `${server.url}${path}`]);
    const child = start('sync', '--data', join(folder, `sync-${signal}`), ...feeds);
    const end = ended(child);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.kill(signal);
    expect(await end).toEqual({
      code: signal === 'SIGINT' ? 130 : 143,
      out: expect.stringMatching(/^[^\n]*\/short: pages 2, items 1, [^\n]*\n$/),
      err: expect.stringMatching(
        `^openactive-ical: sync stopped by ${signal}: 1 of 2 feeds read, 1 item stored; under way: a visit to [^\n]*/drip [^\n]*\n$`,
      ),
    });
    await server.close();
  },
);
