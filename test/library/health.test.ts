import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreError } from '../../src/errors.ts';
import { feedsInFull, feedsOf, healthOf } from '../../src/library/index.ts';
import { type Reader, type StoreReading, Troubles } from '../../src/store/index.ts';
import { openingFault, postgresFault } from '../../src/store/postgres/faults.ts';
import { storeFault } from '../../src/store/sqlite/faults.ts';

/** What a probe hears of a database that gives no answer. */

const URL = 'postgres://oai@db.internal/sport';
const ofPostgres = (error: object) => postgresFault(Object.assign(new Error('row (secret)'), error), URL);
const ofSqlite = (errcode: number) =>
  storeFault(Object.assign(new Error('locked'), { code: 'ERR_SQLITE_ERROR', errcode }), '/data/a.sqlite');

function storeOf(answer: () => Promise<never>): StoreReading {
  const read = { lastSeq: answer, countCalendars: answer, feedStates: answer } as unknown as Reader;
  return { read, troubles: new Troubles() };
}

const reasons: [title: string, error: unknown, reason: RegExp][] = [
  [
    'no connection',
    ofPostgres({ code: 'ECONNREFUSED' }),
    /^The database failed: it cannot be reached; check [^/@]*\.$/,
  ],
  ['a wrong password', ofPostgres({ code: '28P01' }), /^The database failed: user or password are wrong; [^/@]*\.$/],
  ['a server that starts', ofPostgres({ code: '57P03' }), /^The database failed: it is starting up [^/@]*\.$/],
  [
    'a database that takes no connections',
    ofPostgres({ code: '55000' }),
    /^The database failed: it takes no [^/@]*\.$/,
  ],
  [
    'no such database, met by a thread that opens it',
    openingFault(Object.assign(new Error('no "sport"'), { code: '3D000' }), URL),
    /^The database failed: there is no such database; [^/@]*\.$/,
  ],
  ['a full disk', ofPostgres({ code: '53100' }), /^The database failed: its disk is full; [^/@]*\.$/],
  ['a lock', ofSqlite(5), /^The database failed: another process has kept it locked [^/@]*\.$/],
];
test.each(reasons)('%s: not ready, and why', async (_, error, reason) => {
  const health = await healthOf(storeOf(() => Promise.reject(error)));
  expect(health).toEqual({ ready: false, reason: expect.stringMatching(reason) });
});

test('what is not known may quote a row: it is for the log alone', async () => {
  const error = ofPostgres({ code: '22P02' });
  expect((error as Error).message).toContain('secret');
  await expect(healthOf(storeOf(() => Promise.reject(error)))).rejects.toBe(error);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a database that takes the question and gives no answer is waited for five seconds', async () => {
  const store = storeOf(() => new Promise(() => {}));
  const asked = [healthOf(store), feedsOf(store.read), feedsInFull(store.read)];
  const answers = Promise.allSettled(asked);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await answers).toEqual([
    { status: 'fulfilled', value: { ready: false, reason: expect.stringMatching(/gives no answer within 5 seconds/) } },
    { status: 'rejected', reason: expect.any(StoreError) },
    { status: 'rejected', reason: expect.any(StoreError) },
  ]);
});

test('calendars of series, places and facilities are counted when one has changed, a twentieth of the time at most', async () => {
  const served: Record<string, number> = { series: 3, place: 2, facility: 1 };
  const of = { seq: 6, ms: 0, counts: 0 };
  const countCalendars = async ({ kind }: { kind: string }) => {
    of.counts += 1;
    vi.advanceTimersByTime(of.ms);
    return served[kind] ?? 1000;
  };
  const read = { countCalendars, lastSeq: async () => of.seq, feedStates: async () => [] } as unknown as Reader;
  const store = { read, troubles: new Troubles() };
  const calendars = async () => [(await healthOf(store)).facts?.calendars, of.counts];
  expect(await calendars()).toEqual([6, 3]);
  expect(await calendars()).toEqual([6, 3]);
  Object.assign(served, { place: 4 });
  Object.assign(of, { seq: 8, ms: 1000 });
  expect(await calendars()).toEqual([8, 6]);
  Object.assign(served, { series: 5 });
  Object.assign(of, { seq: 10, ms: 0 });
  vi.advanceTimersByTime(3 * 19_000 - 1);
  expect(await calendars()).toEqual([8, 6]);
  vi.advanceTimersByTime(1);
  expect(await calendars()).toEqual([10, 9]);
});
