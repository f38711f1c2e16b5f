import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseAt, openStore } from '../../../src/store/index.ts';
import { openPostgresLeases } from '../../../src/store/postgres/leases.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import { cli, type Ran } from '../../cli/io.ts';
import { rig } from '../../cli/rig.ts';
import { rig as rigOfStore, servedBy } from '../../harvest/rig.ts';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';
import { postgresUrl, type TestDatabase, testDatabase } from '../../store/postgres.ts';

/** The commands, with a store in PostgreSQL. */

const { data, closing } = rig();

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  closing.push(() => database.drop());
});

const run = (line: string, url = database.url): Promise<Ran> =>
  cli(`${line} --data ${data()}`.split(' '), { env: { DATABASE_URL: url } });

describe('commands', () => {
  test('sync, feeds, store verify and store migrate', async () => {
    const before = await run('feeds');
    expect([before.code, before.err]).toEqual([1, expect.stringContaining('holds no database yet')]);
    expect((await run('sync --samples')).code).toBe(0);
    const listed = await run('feeds');
    expect([listed.code, listed.err]).toEqual([0, '8 feeds, 83 items\n']);
    const verified = await run('store verify --samples');
    expect([verified.code, verified.out]).toEqual([
      0,
      expect.stringMatching(
        /: the database is sound, and everything in it is as its raw items make it \(83 items of 8/,
      ),
    ]);
    const migrated = await run('store migrate --samples');
    expect([migrated.code, migrated.out]).toEqual([0, expect.stringMatching(/^up to date: schema \d+, rules /)]);
  });

  test('sync says how many harvest beside it, and makes its pass all the same', async () => {
    const store = await openStore({ data: data(), databaseUrl: database.url });
    const leases = [await openPostgresLeases(database.url), await openPostgresLeases(database.url)];
    for (const one of leases) await one.renew([], 60_000);
    const beside = await run('sync --samples');
    expect([beside.code, beside.err]).toEqual([0, expect.stringMatching(/^2 processes harvest this store too: /)]);
    await leases[0]?.release();
    await database.query("UPDATE harvester SET until = now() - interval '1 second'");
    expect((await run('sync --samples')).err).not.toContain('this store too');
    for (const one of leases) await one.close();
    await store.close();
  });

  test('store verify names what differs', async () => {
    await run('sync --samples');
    const one = 'SELECT min(id) FROM record WHERE kind = 1 AND start IS NOT NULL AND item IS NOT NULL';
    await database.query(`UPDATE record SET start = start + 1 WHERE id = (${one})`);
    const { code, out } = await run('store verify --samples');
    expect([code, out]).toEqual([1, expect.stringContaining('records with another start: 1: session ')]);
  });

  test('store migrate --to moves everything, and what is served stays the same', async () => {
    const folder = data();
    const here = (line: string) => cli(`${line} --data ${folder}`.split(' '));
    expect((await here('sync --samples')).code).toBe(0);
    const moved = await here(`store migrate --samples --to ${database.url}`);
    expect([moved.code, moved.out]).toEqual([
      0,
      expect.stringMatching(
        /: 8 feeds, \d+ items, \d+ calendars, 0 lists; \d{1,3}(,\d{3})* rows were read back, each as in /,
      ),
    ]);
    const [file, other] = [
      await openStore({ data: folder }),
      await openStore({ data: folder, databaseUrl: database.url }),
    ];
    const { options, close } = await rigOfStore();
    await close();
    expect(await servedBy(other, options)).toEqual(await servedBy(file, options));
    const words = [{ any: [['yoga']] }];
    const found = await file.read.search({ kind: 'series', words }, 100);
    expect(found.length).toBeGreaterThan(0);
    expect(await other.read.search({ kind: 'series', words }, 100)).toEqual(found);
    expect(await other.read.lastSeq()).toBe(await file.read.lastSeq());
    await Promise.all([file.close(), other.close()]);
    expect((await run('store verify --samples')).code).toBe(0);
    expect((await run('sync --samples')).out).toMatch(/kept 0/);
    const again = await here(`store migrate --samples --to ${database.url}`);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('holds a store already. Name an empty one.')]);
  });

  test('store migrate --to moves nothing while somebody harvests, or to another kind of database', async () => {
    const folder = data();
    const here = (line: string) => cli(`${line} --data ${folder}`.split(' '));
    await here('sync --samples');
    const lock = databaseAt({ data: folder }).lockHarvest();
    const busy = await here(`store migrate --samples --to ${database.url}`);
    expect([busy.code, busy.err]).toEqual([1, expect.stringContaining('Another process harvests into ')]);
    lock?.release();
    for (const [line, words] of [
      ['store migrate --to mysql://me:hunter2@db/x', '--to needs a postgres:// address'],
      ['store verify --to postgres://db/x', '--to is for store migrate, not for store verify'],
    ] as const)
      expect(await here(line)).toMatchObject({ code: 2, err: `openactive-ical: ${words}\n` });
    expect((await run(`store migrate --to ${database.url}`)).err).toContain('moves the embedded database: unset it');
  });

  test('write no password anywhere', async () => {
    const url = new URL(database.url);
    url.password = 'hunter2';
    for (const line of ['feeds', 'sync --samples', 'store verify --samples', 'store backup copy.sqlite']) {
      const { out, err } = await run(line, url.href);
      expect(out + err).not.toContain('hunter2');
    }
  });
});

describe('what cannot be used is one line and exit code 2', () => {
  const other = (change: (url: URL) => void): string => {
    const url = new URL(postgresUrl());
    change(url);
    return url.href;
  };
  test.each<[string, () => string, string]>([
    ['nobody listens', () => other((url) => (url.port = '1')), 'it cannot be reached; check DATABASE_URL'],
    ['no such host', () => 'postgres://db.invalid/x', 'it cannot be reached; check DATABASE_URL'],
    [
      'no such user',
      () => other((url) => (url.username = 'nobody_at_all')),
      'user or password are wrong; check DATABASE_URL',
    ],
    [
      'no such database',
      () => other((url) => (url.pathname = '/none_of_it')),
      'there is no such database; make it with "createdb"',
    ],
  ])('%s', async (_name, url, words) => {
    for (const command of ['feeds', 'sync --samples', 'serve --samples --port 0', 'serve --role web --port 0']) {
      const { code, out, err } = await run(command, url());
      expect([code, out, err]).toEqual([2, '', expect.stringContaining(words)]);
      expect(err).toMatch(/^openactive-ical: [^\n]+\n$/);
    }
  });

  test('a newer schema', async () => {
    await run('sync --samples');
    await database.query('UPDATE store SET schema = 1000');
    for (const command of ['feeds', 'sync --samples', 'serve --role web --port 0', 'store verify']) {
      const { code, err } = await run(command);
      expect([code, err]).toEqual([2, expect.stringContaining('was written by a newer release (schema 1000,')]);
    }
  });

  test.each([
    [{ version: 14, shown: '14.9', encoding: 'UTF8' }, 'is of PostgreSQL 14.9. Use version 15 or later.'],
    [{ version: 15, shown: '15.1', encoding: 'SQL_ASCII' }, 'has the encoding SQL_ASCII'],
  ])('a server that is %o', async (server, words) => {
    const client = { query: async () => ({ rows: [server] }) };
    await expect(migrate(client as never, 'postgres://db/x')).rejects.toThrow(words);
  });

  test('the package pg is not there', async () => {
    const { child, err } = started(['feeds'], [WITHOUT_PG]);
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(err()).toMatch(
      /^openactive-ical: The settings name a PostgreSQL, and the package "pg"[^\n]+npm install pg\n$/,
    );
  });
});

/** Every other module is found. */
const WITHOUT_PG = `--import=data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => {
  if (name !== 'pg') return next(name, context);
  throw Object.assign(new Error('absent'), { code: 'ERR_MODULE_NOT_FOUND' });
} });`)}`;

function started(argv: readonly string[], flags: readonly string[] = []): { child: ChildProcess; err(): string } {
  const env = { ...PROGRAM_ENV, DATABASE_URL: database.url };
  const child = spawn(process.execPath, [...flags, PROGRAM, ...argv, '--data', data()], { cwd: '/', env });
  let err = '';
  child.stderr?.on('data', (piece) => {
    err += piece;
  });
  return { child, err: () => err };
}

describe('serve', () => {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  });

  async function serving(...argv: string[]): Promise<{ url: string; err(): string }> {
    const { child, err } = started(['serve', '--host', '127.0.0.1', '--port', '0', ...argv]);
    children.push(child);
    const [out] = (await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
    return { url: /http:\/\/\S+?(?=\/)/.exec(String(out))?.[0] ?? '', err };
  }

  const get = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

  test('harvests and serves; one that only serves says the same, and makes no folder', async () => {
    const first = await serving('--samples');
    const { items } = await get(`${first.url}/api/series`);
    const [one] = items as { calendar: string; name: string }[];
    const path = new URL(one?.calendar ?? '').pathname;
    const text = await (await fetch(first.url + path)).text();
    expect(text).toContain('BEGIN:VEVENT');
    const nowhere = data();
    const env = { ...PROGRAM_ENV, DATABASE_URL: database.url };
    const argv = ['serve', '--role', 'web', '--host', '127.0.0.1', '--port', '0', '--data', nowhere];
    const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd: '/', env });
    children.push(child);
    const [out] = (await once(child.stdout, 'data')) as [Buffer];
    const second = /http:\/\/\S+?(?=\/)/.exec(String(out))?.[0] ?? '';
    const lines = (from: string) => from.split('\r\n').filter((line) => !line.includes('127.0.0.1'));
    const same = await (await fetch(second + path)).text();
    expect(lines(same)).toEqual(lines(text));
    for (const page of [
      '/',
      '/search?q=yoga',
      '/feeds',
      '/api/occurrences?q=yoga',
      '/api/places',
      path.replace('.ics', ''),
    ])
      expect([page, (await fetch(second + page)).status]).toEqual([page, 200]);
    // Lists are kept by those that only serve too, and every other process has them.
    const list = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ things: [path.slice(1).replace('.ics', '')] }),
    };
    const kept = await fetch(`${second}/my`, list);
    const { token } = (await kept.json()) as { token: string };
    expect([kept.status, (await fetch(`${first.url}/my/${token}.ics`)).status]).toEqual([201, 200]);
    expect(existsSync(nowhere)).toBe(false);
  });
});
