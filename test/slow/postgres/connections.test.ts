import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreError } from '../../../src/errors.ts';
import { LIMITS } from '../../../src/limits.ts';
import type { Store } from '../../../src/store/index.ts';
import { postgresFault } from '../../../src/store/postgres/faults.ts';
import { openPostgresLeases } from '../../../src/store/postgres/leases.ts';
import { openPostgres, openPostgresReader } from '../../../src/store/postgres/store.ts';
import { type TestDatabase, testDatabase } from '../../store/postgres.ts';

/** Connections that end while a store uses them. */

let database: TestDatabase;
let store: Store;
beforeEach(async () => {
  database = await testDatabase();
  store = await openPostgres(database.url);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

/** Ends each connection that the store has open, and waits until both sides know. */
async function endAll(): Promise<void> {
  await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND application_name LIKE 'openactive-ical%' AND datname = current_database()
      AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = pg_stat_activity.pid AND l.relation = 'store'::regclass)`);
  await new Promise((done) => setTimeout(done, 200));
}

/** Processes of other tests have the same name in the database. */
const STATES = `SELECT a.state FROM pg_stat_activity a JOIN pg_locks l USING (pid)
  WHERE l.relation = 'store'::regclass AND l.mode = 'RowExclusiveLock' AND a.wait_event_type = 'Client'`;

describe('a process that was stopped in a transaction', () => {
  test.each([
    ['idle', 'idle in transaction'],
    ['sending', 'active'],
    ['receiving', 'active'],
  ])('while it was %s keeps the lock until a harvester renews its leases', async (kind, state) => {
    const program = fileURLToPath(new URL('stopped-writer.ts', import.meta.url));
    const child = spawn(process.execPath, [program, database.url, kind], { stdio: ['ignore', 'ignore', 'inherit'] });
    const leases = await openPostgresLeases(database.url);
    try {
      const stopped = async () => (await database.query(STATES)).flat();
      while ((await stopped())[0] !== state) await new Promise((done) => setTimeout(done, 100));
      const written = store.write((tx) => tx.setMeta('a', '1'));
      const renewing = new AbortController();
      const isOver = written.finally(() => renewing.abort());
      while (!renewing.signal.aborted) {
        await leases.renew([], 60_000);
        await new Promise((done) => setTimeout(done, 1000));
      }
      await isOver;
      expect([await store.read.meta('a'), await store.read.meta('large')]).toEqual([
        '1',
        kind === 'receiving' ? expect.any(String) : undefined,
      ]);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await leases.close();
    }
  });
});

/**
 * A way to the database that lets nothing more through when told to, and is never closed: as a firewall that forgot it.
 * `change` may write into what the database sends.
 */
async function forgetfulProxy(change = (_octets: Buffer): void => {}) {
  const url = new URL(database.url);
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  const pipes: [Socket, Socket][] = [];
  const server = createServer((near) => {
    const far = connect(target);
    pipes.push([near, far]);
    far.on('data', change);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const forget = () => {
    for (const [near, far] of pipes.splice(0)) {
      near.unpipe(far);
      far.unpipe(near);
      near.resume().on('close', () => far.destroy());
    }
  };
  return { url, forget, close: () => server.close() };
}

test('a connection that is half open is given up after its time, and the next transaction goes through', async () => {
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  await store.write((tx) => tx.setMeta('a', '0'));
  const [own] = asked.mock.contexts as unknown as { connectionParameters: { query_timeout: number } }[];
  expect(own?.connectionParameters.query_timeout).toBe(LIMITS.writeMs);
  const { url, forget, close } = await forgetfulProxy();
  url.searchParams.set('query_timeout', '1000');
  const half = await openPostgres(url.href);
  const failed = half.write(async (tx) => {
    await tx.setMeta('a', '1');
    forget();
    await tx.setMeta('b', '1');
  });
  await expect(failed).rejects.toThrow(/it gave no answer/);
  // It would have no answer either.
  expect(asked.mock.calls.map(([text]) => text)).not.toContain('ROLLBACK');
  asked.mockRestore();
  // PostgreSQL knows no sooner than its own limits tell it that nobody is there any more.
  const written = () =>
    half
      .write((tx) => tx.setMeta('a', '2'))
      .then(
        () => true,
        () => false,
      );
  while (!(await written()));
  expect([await store.read.meta('a'), await store.read.meta('b')]).toEqual(['2', undefined]);
  await half.close();
  close();
});

describe('a reader', () => {
  test('that gets no answer is given one in seconds, and the next question another connection', async () => {
    const { url, forget, close } = await forgetfulProxy();
    const reader = await openPostgresReader(url.href);
    const waiting = Array.from({ length: 4 }, () => reader.read.meta('a'));
    await Promise.all(waiting);
    // All four are forgotten, and the database answers others: it works on none of them.
    forget();
    const refused = Array.from({ length: 6 }, () => reader.read.meta('a').catch((error: Error) => error.message));
    const words = (await Promise.all(refused)).filter((one) => one !== undefined);
    expect(words).toEqual(Array(4).fill(expect.stringContaining('it gave no answer')));
    expect(await reader.read.meta('a')).toBeUndefined();
    await reader.close();
    close();
    // Without being cut they would wait for their statements' own limit, a minute.
  }, 30_000);

  test.each([
    ['directly', (_octets: Buffer): void => {}],
    // Such a program gives each client a process number of its own.
    ['behind a pooler', otherProcess],
  ])('whose statement the database works on waits for it: %s', async (_how, change) => {
    const { url, close } = await forgetfulProxy(change);
    const reader = await openPostgresReader(url.href);
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE meta IN ACCESS EXCLUSIVE MODE');
    const read = reader.read.meta('a');
    await new Promise((done) => setTimeout(done, 9000));
    await other.end();
    expect(await read).toBeUndefined();
    await reader.close();
    close();
  });
});

/** Writes another process number into BackendKeyData. */
function otherProcess(octets: Buffer): void {
  const at = octets.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (at >= 0) octets.writeInt32BE(7, at + 5);
}

test('a transaction that reads for long what was there before is not taken for that of a stopped process', async () => {
  const leases = await openPostgresLeases(database.url);
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE meta IN ACCESS EXCLUSIVE MODE');
  const written = store.write(async (tx) => {
    await tx.openFeed('https://a.example/1', {});
    await tx.before.meta('a');
    await tx.openFeed('https://a.example/2', {});
  });
  // Longer than a process may be silent; and the other harvesters look for those that are.
  for (let second = 0; second < 24; second += 1) {
    await leases.renew([], 60_000);
    await new Promise((done) => setTimeout(done, 1000));
  }
  await other.end();
  await written;
  expect(await store.read.feeds()).toHaveLength(2);
  await leases.close();
});

test('a check that waits for another program ends when it is stopped, and keeps nothing', async () => {
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE claim IN ACCESS EXCLUSIVE MODE');
  const waiting = async () =>
    (await database.query("SELECT count(*)::int FROM pg_locks WHERE relation = 'claim'::regclass AND NOT granted"))[0];
  const stop = new AbortController();
  const checked = store.check(stop.signal);
  const refused = expect(checked).rejects.toThrow('enough');
  while (Number((await waiting())?.[0]) === 0) await new Promise((done) => setTimeout(done, 50));
  stop.abort(new Error('enough'));
  await refused;
  // PostgreSQL too has noticed it.
  while (Number((await waiting())?.[0]) > 0) await new Promise((done) => setTimeout(done, 50));
  await other.end();
  await store.check();
});

describe('a connection that ends', () => {
  test('between two statements of a transaction fails the transaction, and the next one goes through', async () => {
    const failed = store.write(async (tx) => {
      await tx.setMeta('a', '1');
      // The driver says so while nobody asks it anything.
      await endAll();
      await tx.setMeta('b', '1');
    });
    await expect(failed).rejects.toThrow(/the connection was ended; it is opened again with the next question/);
    await expect(failed).rejects.toBeInstanceOf(StoreError);
    await store.write((tx) => tx.setMeta('a', '2'));
    expect([await store.read.meta('a'), await store.read.meta('b')]).toEqual(['2', undefined]);
  });

  test('and what the server and the driver say of it are words', () => {
    const words = (error: unknown) => (postgresFault(error, 'postgres://db/x') as Error).message;
    const coded = (code: string) => words(Object.assign(new Error('terminating connection'), { code }));
    for (const code of ['57P01', '57P02', '57P05', '25P03', 'ECONNRESET'])
      expect([code, coded(code)]).toEqual([code, expect.stringContaining('the connection was ended')]);
    expect(words(new Error('Query read timeout'))).toBe(
      'The database postgres://db/x failed: it gave no answer; it is asked again with the next question.',
    );
  });
});
