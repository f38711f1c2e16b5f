import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BusyError, StoreError } from '../../../src/errors.ts';
import type { CalendarHead, Library } from '../../../src/library/library.ts';
import type { CacheAnswer } from '../../../src/server/cache/cache.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { type FakeLibrary, setUp } from '../fake.ts';

/** Calendars while the database is away: ended, started again, or taking questions and giving no answer. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const text = (answer: CacheAnswer) => (answer.kind === 'entry' ? String(answer.entry.identity.body) : answer.kind);

/** A library whose database fails, or hangs, from now on; the result brings it back. */
function away(library: FakeLibrary, how: 'fails' | 'hangs'): () => void {
  const head = library.head.bind(library);
  const back = Promise.withResolvers<void>();
  const failing = () => Promise.reject(new StoreError('The database failed: it cannot be reached.'));
  const hanging: Library['head'] = (key) => back.promise.then(() => head(key));
  library.head = how === 'fails' ? failing : hanging;
  return () => {
    library.head = head;
    back.resolve();
  };
}

async function done<T>(promise: Promise<T>): Promise<T | 'waits'> {
  return Promise.race([promise, vi.advanceTimersByTimeAsync(0).then(() => 'waits' as const)]);
}

describe('a calendar that is held', () => {
  test('is served at once where the database fails', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    await cache.load('a');
    library.commit('a', 'Yoga for all');
    const comesBack = away(library, 'fails');
    expect(text(await cache.load('a'))).toContain('X-REVISION:1');
    comesBack();
    expect(text(await cache.load('a'))).toContain('X-REVISION:2');
  });

  test('is served after five seconds where it gives no answer, and the answer that comes later is for others', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    await cache.load('a');
    library.commit('a', 'Yoga for all');
    const comesBack = away(library, 'hangs');
    const answers = [cache.load('a'), cache.load('a')];
    await vi.advanceTimersByTimeAsync(4_999);
    expect(await done(answers[0] as Promise<CacheAnswer>)).toBe('waits');
    await vi.advanceTimersByTimeAsync(1);
    for (const answer of answers) expect(text(await answer)).toContain('X-REVISION:1');
    comesBack();
    vi.useRealTimers();
    while (cache.peek('a') === undefined) await setTimeout(5);
    expect(cache.peek('a')?.revision).toBe(2);
  });
});

test('the calendar of a list that is held is served though the list cannot be read', async () => {
  const { library, cache, app } = setUp();
  const name = 'my/k0123456789012345678901';
  library.commit(name, 'Mine');
  await cache.load(name);
  library.tell('all');
  library.chosenList = () => Promise.reject(new StoreError('The database failed: it cannot be reached.'));
  library.calendar = () => Promise.reject(new StoreError('The database failed: it cannot be reached.'));
  expect((await app.request(`/${name}.ics`)).status).toBe(200);
  library.chosenList = () => new Promise(() => {});
  const answer = app.request(`/${name}.ics`);
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await answer).status).toBe(200);
});

describe('a calendar that is not held', () => {
  test('is waited for where the database has just gone away', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    const comesBack = away(library, 'fails');
    const answer = cache.load('a');
    await vi.advanceTimersByTimeAsync(3_000);
    comesBack();
    await vi.advanceTimersByTimeAsync(500);
    expect(text(await answer)).toContain('NAME:Yoga');
  });

  test('is waited for too where others that wait for the database keep all threads', async () => {
    const { library, cache } = setUp();
    for (const key of ['a', 'b']) library.commit(key, 'Yoga');
    const head = library.head.bind(library);
    const busy = () => Promise.reject(new BusyError('64 requests wait already.'));
    library.head = busy;
    // Whoever asks for more than can be made is told at once.
    expect(await cache.load('a')).toEqual({ kind: 'failed' });
    away(library, 'fails');
    const first = cache.load('a');
    await vi.advanceTimersByTimeAsync(0);
    library.head = busy;
    const answer = cache.load('b');
    await vi.advanceTimersByTimeAsync(3_000);
    library.head = head;
    await vi.advanceTimersByTimeAsync(500);
    for (const one of [first, answer]) expect(text(await one)).toContain('NAME:Yoga');
  });

  test('and not for ever, nor is the next one, while the database stays away', async () => {
    const { library, cache } = setUp();
    for (const key of ['a', 'b', 'c']) library.commit(key, 'Yoga');
    const comesBack = away(library, 'fails');
    const first = cache.load('a');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await first).toEqual({ kind: 'failed' });
    expect(await cache.load('b')).toEqual({ kind: 'failed' });
    comesBack();
    expect(text(await cache.load('a'))).toContain('NAME:Yoga');
    away(library, 'fails');
    expect(await done(cache.load('c'))).toBe('waits');
  });

  test('and not for ever where it fails alone, while the database answers for all others', async () => {
    const { library, cache } = setUp();
    for (const key of ['a', 'b']) library.commit(key, 'Yoga');
    const head = library.head.bind(library);
    let tries = 0;
    library.head = (key) => {
      if (key !== 'a') return head(key);
      tries += 1;
      return Promise.reject(new StoreError('The database failed: a statement took too long, and was stopped.'));
    };
    const failed = cache.load('a');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await failed).toEqual({ kind: 'failed' });
    expect(text(await cache.load('b'))).toContain('NAME:Yoga');
    while (tries < 2) await setTimeout(5);
    await vi.advanceTimersByTimeAsync(0);
    // Nobody waits for the first load any more, and it has ended.
    void cache.load('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(tries).toBe(3);
  });

  test('also where the database was away before, and nobody has asked it since', async () => {
    const { library, cache } = setUp();
    for (const key of ['a', 'b']) library.commit(key, 'Yoga');
    const comesBack = away(library, 'fails');
    const first = cache.load('a');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await first).toEqual({ kind: 'failed' });
    comesBack();
    await vi.advanceTimersByTimeAsync(60_000);
    const comesBackAgain = away(library, 'fails');
    const second = cache.load('b');
    await vi.advanceTimersByTimeAsync(3_000);
    comesBackAgain();
    await vi.advanceTimersByTimeAsync(500);
    expect(text(await second)).toContain('NAME:Yoga');
  });

  test('is not there just now where the database gives no answer for long', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    away(library, 'hangs');
    const answer = cache.load('a');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await answer).toEqual({ kind: 'failed' });
  });

  test('keeps no process from ending', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    away(library, 'fails');
    const answer = cache.load('a');
    const closed = cache.close();
    await vi.advanceTimersByTimeAsync(500);
    await closed;
    expect(await answer).toEqual({ kind: 'failed' });
  });
});

test('who was given a calendar is not given an earlier one because the next one cannot be made', async () => {
  const { library, cache } = setUp();
  library.commit('a', 'Yoga');
  await cache.load('a');
  vi.advanceTimersByTime(2_000);
  library.commit('a', 'Yoga for all');
  // Another change comes while this one is made: it is given out, and is not current any more.
  const head = library.head.bind(library);
  let told: CalendarHead | undefined;
  library.head = async (key) => {
    told = await head(key);
    library.tell([key]);
    return told;
  };
  const given = await cache.load('a');
  expect(text(given)).toContain('X-REVISION:2');
  library.head = () => Promise.reject(new StoreError('The database failed: it cannot be reached.'));
  expect(cache.peek('a')).toBeUndefined();
  expect(text(await cache.load('a'))).toContain('X-REVISION:2');
});

test('of any number of requests that fail of it there is a line in the log once in a while', async () => {
  const lines: object[] = [];
  const log = { ...silent, warn: (facts: object, message: string) => void lines.push({ ...facts, message }) };
  const { library, cache } = setUp({ log });
  library.commit('a', 'Yoga');
  await cache.load('a');
  library.commit('a', 'Yoga for all');
  away(library, 'fails');
  for (let times = 0; times < 50; times += 1) await cache.load('a');
  const reason = 'The database failed: it cannot be reached.';
  const message = 'The database gives no answer; calendars in memory go on being served.';
  expect(lines).toEqual([{ reason, count: 1, message }]);
});
