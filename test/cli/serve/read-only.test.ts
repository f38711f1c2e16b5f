import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { packageFolder } from '../../../src/cli/package.ts';
import { StoppedError } from '../../../src/errors.ts';
import { SCHEMA_VERSION } from '../../../src/store/sqlite/schema.ts';
import { storeFile } from '../../../src/store/sqlite/store.ts';
import { faultServer } from '../../harvest/ingest/faults.ts';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';
import { cli, type Ran } from '../io.ts';
import { rig } from '../rig.ts';

const { data } = rig();

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

interface Web {
  /** Resolves when everything is served. */
  ready: Promise<unknown>;
  url: string;
  running: Promise<Ran>;
  log(): string;
}

/** `serve --role web` in this process, on a port that was free a moment ago. */
async function web(at: string, ...more: string[]): Promise<Web> {
  const { url, port, close } = await faultServer(() => {});
  await close();
  const stopper = new AbortController();
  const ready = Promise.withResolvers<unknown>();
  let log = '';
  const argv = ['serve', '--role', 'web', '--data', at, '--host', '127.0.0.1', '--port', String(port), ...more];
  const onErr = (text: string) => {
    log += text;
  };
  const running = cli(argv, { signal: stopper.signal, onOut: ready.resolve, onErr });
  void running.then(ready.resolve);
  stops.push(() => {
    stopper.abort(new StoppedError('SIGTERM'));
    return running;
  });
  return { ready: ready.promise, url, running, log: () => log };
}

const seriesAt = async (url: string) => ((await (await fetch(`${url}/api/series`)).json()) as { total: number }).total;

async function until<T>(value: () => Promise<T>, isIt: (value: T) => boolean): Promise<T> {
  for (;;) {
    const found = await value().catch(() => undefined);
    if (found !== undefined && isIt(found)) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
}

const readiness = async (url: string) => {
  const answer = await fetch(`${url}/readyz`);
  return { code: answer.status, reason: ((await answer.json()) as { reason?: string }).reason };
};

/** Names, sizes and times of all files but that through which readers and writers meet. */
async function filesOf(folder: string): Promise<unknown[]> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('-shm') && !name.endsWith('-wal')).sort();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs, mode } = await stat(join(folder, name));
      return { name, size, mtimeMs, mode };
    }),
  );
}

test('a process that only serves changes no file of the store, not even its mode or its key', async () => {
  const at = data();
  await cli(['sync', '--samples', '--data', at]);
  await chmod(storeFile(at), 0o644);
  const [files, bytes] = [await filesOf(at), await readFile(storeFile(at))];
  const { ready, url, log } = await web(at);
  await ready;
  expect(await seriesAt(url)).toBeGreaterThan(10);
  expect((await stat(`${storeFile(at)}-wal`)).size).toBe(0);
  await stops.splice(0)[0]?.();
  expect(await filesOf(at)).toEqual(files);
  expect(await readFile(storeFile(at))).toEqual(bytes);
  expect(log()).not.toContain('"level":40');
});

/** Another process in the middle of a transaction, until it is ended. */
async function holder(at: string) {
  const script = `import { DatabaseSync } from 'node:sqlite'; const db = new DatabaseSync(process.argv[1]);
    db.exec('BEGIN IMMEDIATE; UPDATE meta SET value = value'); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, storeFile(at)]);
  stops.push(async () => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('its first answer comes while another process is in the middle of a transaction', async () => {
  const at = data();
  await cli(['sync', '--samples', '--data', at]);
  const other = await holder(at);
  const { ready, url } = await web(at);
  await ready;
  expect(await seriesAt(url)).toBeGreaterThan(10);
  expect(other.exitCode ?? other.signalCode).toBe(null);
});

test('without a store it says on /readyz and in the log what it waits for, and serves it as soon as it is there', async () => {
  const at = data();
  const { ready, url, log } = await web(at);
  const words = 'there is no database yet: "serve --role harvest" or "sync" makes it';
  expect(
    await until(
      () => readiness(url),
      ({ code }) => code === 503,
    ),
  ).toEqual({ code: 503, reason: words });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/`)).headers.get('retry-after')).toBe('5');
  await expect(stat(at)).rejects.toThrow('ENOENT');
  await cli(['sync', '--samples', '--data', at]);
  await ready;
  expect(
    await until(
      () => readiness(url),
      ({ code }) => code === 200,
    ),
  ).toEqual({ code: 200 });
  expect(await seriesAt(url)).toBeGreaterThan(10);
  expect(log().match(/Waits for a store that can be read/g)).toHaveLength(1);
});

test('a store of an earlier release is not written, and is served when somebody has brought it up to date', async () => {
  const at = data();
  await mkdir(at);
  const db = new DatabaseSync(storeFile(at));
  db.exec(await readFile(join(packageFolder, 'test/store/earlier', `schema-${SCHEMA_VERSION - 1}.sql`), 'utf8'));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
  db.close();
  const { ready, url } = await web(at);
  const { reason } = await until(
    () => readiness(url),
    ({ code }) => code === 503,
  );
  expect(reason).toContain(`the database is of an earlier release (schema ${SCHEMA_VERSION - 1})`);
  expect(reason).toContain('"openactive-ical store migrate"');
  await cli(['store', 'migrate', '--data', at]);
  await ready;
  expect(
    await until(
      () => readiness(url),
      ({ code }) => code === 200,
    ),
  ).toEqual({ code: 200 });
});

test('a store of a later release ends it with one line', async () => {
  const at = data();
  await cli(['sync', '--samples', '--data', at]);
  const db = new DatabaseSync(storeFile(at));
  db.exec('PRAGMA user_version = 99');
  db.close();
  const { running } = await web(at);
  const { code, err } = await running;
  expect([code, err]).toEqual([1, expect.stringMatching(/^openactive-ical: .*newer release \(schema 99[^\n]*\n$/)]);
});

/** A user who may read the folder and not write it; root may always, so it gives that up. */
const reader = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test('a folder that it cannot write is served, and so is what somebody writes into it later', async () => {
  const at = data();
  await cli(['sync', '--samples', '--data', at]);
  await Promise.all([chmod(join(at, '..'), 0o755), chmod(at, 0o555), chmod(storeFile(at), 0o644)]);
  const files = await readdir(at);
  const argv = ['serve', '--role', 'web', '--data', at, '--host', '127.0.0.1', '--port', '0'];
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    ...reader,
    cwd: '/',
    env: PROGRAM_ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  stops.push(async () => {
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
  const [out] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  const url = /http:\/\/\S+?(?=\/)/.exec(String(out))?.[0] ?? '';
  expect(await seriesAt(url)).toBeGreaterThan(10);
  expect(await readdir(at)).toEqual(files);
  await chmod(at, 0o755);
  const writer = new DatabaseSync(storeFile(at));
  writer.exec("UPDATE feed SET name = 'Anew'");
  expect(await (await fetch(`${url}/api/feeds`)).text()).toContain('Anew');
  writer.close();
  expect(await (await fetch(`${url}/api/feeds`)).text()).toContain('Anew');
});
