import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OvertakenError } from '../../../src/errors.ts';
import { type ChangeLog, databaseAt, moveStore, openStore } from '../../../src/store/index.ts';
import { rig } from '../../cli/rig.ts';
import { faultServer } from '../../harvest/ingest/faults.ts';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';
import { type TestDatabase, testDatabase } from '../../store/postgres.ts';

/** `--republish` with PostgreSQL: several processes write, and whoever reads on from a number misses nothing. */

const { data, closing } = rig();

let database: TestDatabase;
let pool: pg.Pool;
beforeEach(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 8 });
  await (await openStore(place())).close();
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const place = () => ({ data: data(), databaseUrl: database.url });

/** A transaction that writes a record: not committed yet. */
async function begun(id: number) {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('INSERT INTO record_body (record, ident, body) VALUES ($1, $2, $3)', [id, `r${id}`, '{}']);
  await client.query('INSERT INTO record (id, kind, tag, item) VALUES ($1, 0, $1, 1)', [id]);
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    await client.query(how);
    client.release();
  };
  return { end };
}

test('a record that is committed later has a higher number, whenever its transaction began', async () => {
  const watch = await databaseAt(place()).openWatch();
  const first = await begun(1);
  const second = begun(2).then(({ end }) => end('COMMIT'));
  await delay(200);
  expect(await watch.since(0, 9)).toEqual([]);
  await first.end('COMMIT');
  await second;
  expect(await watch.since(0, 9)).toMatchObject([
    { seq: 1, ident: 'r1' },
    { seq: 2, ident: 'r2' },
  ]);
  await watch.close();
});

test('who reads records while many transactions come and go misses none', async () => {
  const watch = await databaseAt(place()).openWatch();
  const [seen, committed] = [new Set<string>(), new Set<string>()];
  let last = 0;
  const read = async () => {
    for (const { seq, ident } of await watch.since(last, 3)) {
      expect(seq).toBeGreaterThan(last);
      last = seq;
      seen.add(ident);
    }
  };
  let next = 0;
  const writer = async () => {
    while (next < 60) {
      next += 1;
      const id = next;
      const { end } = await begun(id);
      await delay(10 * Math.random());
      await end(id % 7 === 0 ? 'ROLLBACK' : 'COMMIT');
      if (id % 7 !== 0) committed.add(`r${id}`);
    }
  };
  let isWriting = true;
  const writing = Promise.all([writer(), writer(), writer(), writer()]).finally(() => {
    isWriting = false;
  });
  while (isWriting) await read();
  await writing;
  for (let before = -1; before !== last; ) {
    before = last;
    await read();
  }
  expect([...seen].sort()).toEqual([...committed].sort());
  await watch.close();
});

/** A transaction that has read or written, and does not end. */
async function open(sql: string) {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(sql);
  return {
    end: async () => {
      await client.query('ROLLBACK');
      client.release();
    },
  };
}

test('a watch that exists is opened beside who writes, and one begins, goes on and ends beside who reads', async () => {
  const reading = await open('SELECT 1 FROM record, record_body');
  const first = await databaseAt(place()).openWatch();
  const writing = await open('UPDATE store SET writes = writes + 1');
  const second = await databaseAt(place()).openWatch();
  expect(second.name).toBe(first.name);
  await writing.end();
  await (await begun(1)).end('COMMIT');
  expect(await second.since(0, 9)).toMatchObject([{ ident: 'r1' }]);
  await databaseAt(place()).endWatch();
  await (await begun(2)).end('COMMIT');
  expect(await database.query('SELECT count(*)::int FROM record_change')).toEqual([[0]]);
  const third = await databaseAt(place()).openWatch();
  expect(third.name).not.toBe(first.name);
  expect(await third.since(0, 9)).toMatchObject([{ ident: 'r1' }, { ident: 'r2' }]);
  await (await begun(3)).end('COMMIT');
  expect((await third.since(0, 9)).map(({ ident }) => ident)).toEqual(['r1', 'r2', 'r3']);
  await reading.end();
  await Promise.all([first, second, third].map((watch) => watch.close()));
});

test.each([
  ['is absent', 'DROP TRIGGER record_change_insert ON record'],
  ['is of another release', "COMMENT ON TRIGGER record_change_insert ON record IS 'earlier'"],
  ['is switched off', 'ALTER TABLE record DISABLE TRIGGER record_change_insert'],
])('a watch of which a trigger %s goes on with one of this release', async (_, sql) => {
  const first = await databaseAt(place()).openWatch();
  await database.query(sql);
  const second = await databaseAt(place()).openWatch();
  expect(second.name).toBe(first.name);
  await (await begun(1)).end('COMMIT');
  expect(await second.since(0, 9)).toMatchObject([{ ident: 'r1' }]);
  await Promise.all([first, second].map((watch) => watch.close()));
});

test('who reads a feed while several processes write it misses nothing', async () => {
  const logs = await Promise.all([0, 1, 2].map(() => databaseAt(place()).openRepublished()));
  const reader = await databaseAt(place()).openRepublished({ readOnly: true });
  const held = new Map<string, string | undefined>();
  let last = 0;
  const read = async () => {
    for (const { number, id, data: text } of await reader.page('slots', last, 2)) {
      expect(number).toBeGreaterThan(last);
      last = number;
      held.set(id, text);
    }
  };
  const write = async (log: ChangeLog, writer: number) => {
    for (let step = 0; step < 20; step++) {
      const change = (id: string) => ({ feed: `p${writer}/slots`, id, kind: 'Slot', data: `"${step}"` });
      await log.merge([change(`${writer}`), change(`${writer}-${step}`)], Date.now());
    }
  };
  let isWriting = true;
  const writing = Promise.all(logs.map(write)).finally(() => {
    isWriting = false;
  });
  while (isWriting) await read();
  await writing;
  for (let before = -1; before !== last; ) {
    before = last;
    await read();
  }
  expect(held.size).toBe(3 * 21);
  expect(['0', '1', '2'].map((id) => held.get(id))).toEqual(['"19"', '"19"', '"19"']);
  await Promise.all([...logs, reader].map((log) => log.close()));
});

test('who has lost the lease of the feeds writes nothing more', async () => {
  const NAME = 'republished feeds';
  const leases = await databaseAt(place()).openLeases();
  const token = async () => (await leases?.renew([NAME], 20_000))?.tokens.get(NAME) ?? 0;
  const first = await token();
  const log = await databaseAt(place()).openRepublished({
    readOnly: false,
    lease: () => ({ name: NAME, token: first }),
  });
  await log.setValue({ key: 'a', value: 'written' });
  await leases?.release([NAME]);
  expect(await token()).toBeGreaterThan(first);
  await expect(log.setValue({ key: 'a', value: 'too late' })).rejects.toThrow(OvertakenError);
  expect(await log.value('a')).toBe('written');
  await log.close();
  await leases?.close();
});

test('what was published anew from an embedded database goes on with the numbers that readers know', async () => {
  const folder = data();
  await (await openStore({ data: folder })).close();
  const now = Date.now();
  const change = (id: string, text?: string) => ({ feed: 'p/slots', id, kind: 'Slot', data: text });
  const before = await databaseAt({ data: folder }).openRepublished();
  await before.merge([change('a', '1'), change('b', '2')], now + 1e9, { key: 'seen', value: '7' });
  await before.merge([change('a')], now);
  const entries = await before.page('slots', 0, 9);
  await before.close();
  expect(await moveStore(folder, database.url)).toMatchObject({ republished: 2, republished_value: 2 });
  const log = await databaseAt(place()).openRepublished();
  expect(await log.page('slots', 0, 9)).toEqual(entries);
  expect(await log.value('seen')).toBe('7');
  await log.merge([change('c', '3')], now);
  expect((await log.page('slots', 0, 9)).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  await log.close();
});

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }
});

function started(role: 'harvest' | 'web', argv: readonly string[] = []): ChildProcess {
  const own = ['--role', role, '--republish', '--host', '127.0.0.1', '--port', '0', '--data', data()];
  const env = {
    ...PROGRAM_ENV,
    DATABASE_URL: database.url,
    OPENACTIVE_ICAL_POLL_SECONDS: '0.2',
    OPENACTIVE_ICAL_IDLE_POLL_SECONDS: '0.5',
  };
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...own, ...argv], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  return child;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(200);
}

interface Item {
  id: string;
  modified: number;
}

test('a web process serves the feeds, and another harvester goes on with them where one was killed', async () => {
  const items: object[] = [];
  const server = await faultServer(({ url }, response) => {
    const after = Number(new URL(url ?? '', 'http://a').searchParams.get('after') ?? 0);
    response.end(
      JSON.stringify({ items: items.slice(after), next: `/feed?after=${items.length}`, license: 'https://l/' }),
    );
  });
  closing.push(server.close);
  const put = () => {
    const id = items.length + 1;
    const named = { '@type': 'SessionSeries', '@id': `${server.url}/${id}`, name: `Yoga ${id}` };
    items.push({ state: 'updated', kind: 'SessionSeries', id, modified: id, data: named });
  };
  const feed = ['--feed', `${server.url}/feed`];
  const harvesters = [started('harvest', feed), started('harvest', feed)];
  const web = started('web');
  const [out] = (await once(web.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
  let next = `${/http:\/\/\S+?(?=\/)/.exec(String(out))?.[0]}/rpde/session-series`;
  const seen: Item[] = [];
  /** All that was put is read, each with a number above those before. */
  const arrives = async () => {
    await until(async () => {
      const answer = await fetch(next);
      if (answer.status === 404) return false;
      expect(answer.status).toBe(200);
      const page = (await answer.json()) as { items: Item[]; next: string };
      seen.push(...page.items);
      next = page.next;
      return seen.length >= items.length;
    });
    expect(seen.map(({ id }) => id)).toEqual(items.map((_, index) => `${server.url}/${index + 1}`));
    expect(seen.map(({ modified }) => modified)).toEqual(seen.map(({ modified }) => modified).sort((a, b) => a - b));
  };
  for (const _ of [1, 2, 3]) put();
  await arrives();
  const [[holder] = []] = await database.query(
    "SELECT holder FROM lease WHERE name = 'republished feeds' AND until > now()",
  );
  expect(holder).toBeDefined();
  harvesters[0]?.kill('SIGKILL');
  put();
  await arrives();
  harvesters.push(started('harvest', feed));
  await until(
    async () => Number((await database.query('SELECT count(*) FROM harvester WHERE until > now()'))[0]?.[0]) === 2,
  );
  harvesters[1]?.kill('SIGKILL');
  put();
  await arrives();
});
