import { describe, expect, test } from 'vitest';
import { ConnectionError, StatusError, StoreError } from '../../../src/errors.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import type { Feed } from '../../../src/harvest/feed/crawl.ts';
import type { FetchedPage, Unchanged } from '../../../src/harvest/feed/source.ts';
import { type FeedStatus, harvestForever } from '../../../src/harvest/visit/forever.ts';
import { idsOf, memoryIngest, sleeper } from '../memory.ts';
import { virtualTime } from './virtual-time.ts';

type Answer = Error | FetchedPage | Unchanged;

const UNCHANGED: Unchanged = { unchanged: true };

function page(id: string, more: Partial<FetchedPage> = {}): FetchedPage {
  const item = { state: 'deleted', kind: 'k', id, modified: '1' } as const;
  return { unchanged: false, page: { items: [item], findings: [] }, next: `after ${id}`, end: false, ...more };
}

/** A feed that answers in turn, then stays unchanged. */
function scripted(name: string, answers: Answer[]): Feed {
  const left = [...answers];
  const next = async () => {
    const answer = left.shift() ?? UNCHANGED;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { source: { url: name, describe: () => name, page: next }, meta: {} };
}

/** Runs until so many statuses were told. */
async function run(feeds: Feed[], statuses: number) {
  const ingest = memoryIngest();
  const stop = new AbortController();
  const told: FeedStatus[] = [];
  const { sleep, slept } = sleeper();
  await harvestForever(feeds, {
    ingest,
    sleep,
    random: () => 1,
    now: () => 0,
    signal: stop.signal,
    pollMs: () => 8000,
    onStatus: (status) => {
      told.push(status);
      if (told.length === statuses) stop.abort(new Error('enough'));
    },
  });
  return { ingest, told, slept };
}

describe('a feed is kept read', () => {
  test('to its end, then asked at the pace of its tail', async () => {
    const { ingest, told, slept } = await run(
      [scripted('a', [page('1'), page('2', { end: true }), UNCHANGED, page('3', { end: true })])],
      4,
    );
    expect(idsOf(ingest)).toEqual(['1', '2', '3']);
    expect(told.map(({ state, pass }) => [state, pass?.items])).toEqual([
      ['ended', 2],
      ['ended', 0],
      ['ended', 1],
      ['ended', 0],
    ]);
    expect(new Set(slept)).toEqual(new Set([8000]));
  });

  test('errors lengthen the wait, success forgets them', async () => {
    const broken = new ConnectionError('https://a.example/', 'broken');
    const { told } = await run([scripted('a', [broken, broken, broken, page('1', { end: true }), broken])], 5);
    expect(told.map(({ state, failures, wait }) => [state, failures, wait])).toEqual([
      ['failing', 1, 8000],
      ['failing', 2, 10_000],
      ['failing', 3, 20_000],
      ['ended', 0, 8000],
      ['failing', 1, 8000],
    ]);
    expect(told[0]?.error).toBe('https://a.example/: broken');
  });

  test('the state before a visit is that of the store, whichever process brought it there', async () => {
    const ingest = memoryIngest();
    const handle = await ingest.open('a', {});
    await ingest.note(handle, (state) => ({ ...state, state: 'gone' }));
    const stop = new AbortController();
    const were: unknown[] = [];
    await harvestForever(
      [scripted('a', [page('1', { end: true }), new ConnectionError('https://a.example/', 'broken')])],
      {
        ingest,
        sleep: sleeper().sleep,
        random: () => 1,
        now: () => 0,
        signal: stop.signal,
        pollMs: () => 8000,
        onStatus: ({ state }, _, was) => {
          if (were.push([was, state]) === 2) stop.abort(new Error('enough'));
        },
      },
    );
    expect(were).toEqual([
      ['gone', 'ended'],
      ['ended', 'failing'],
    ]);
  });

  test('that our own database was away is no failure of the feed, and does not lengthen the wait', async () => {
    const away = new StoreError('The database failed: it cannot be reached.');
    const full = new StoreError('The database failed: the disk is full.', { trouble: 'full' });
    const { told } = await run([scripted('a', [...new Array(20).fill(away), full, page('1', { end: true })])], 22);
    const shown = told.map(({ state, failures, wait }) => [state, failures, wait]);
    expect(shown.slice(0, 20)).toEqual(new Array(20).fill(['failing', 0, 8000]));
    expect(shown.slice(20)).toEqual([
      ['failing', 1, 8000],
      ['ended', 0, 8000],
    ]);
  });

  test('a feed that is gone is visited once a day', async () => {
    const { told } = await run([scripted('a', [new StatusError('https://a.example/', 404)])], 1);
    expect(told).toMatchObject([{ state: 'gone', wait: 86_400_000 }]);
  });

  test('where a page is gone but its feed is not, it is read from its start again', async () => {
    const asked: (string | null)[] = [];
    const source = {
      url: 'a',
      describe: () => 'a',
      page: async (cursor: string | null) => {
        asked.push(cursor);
        if (cursor === 'after 1') throw new StatusError('https://a.example/', 410);
        return cursor === null ? page(asked.includes('after 1') ? '2' : '1') : UNCHANGED;
      },
    };
    const { told, ingest } = await run([{ source, meta: {} }], 1);
    // Only when the feed itself answers is its cursor given up.
    expect(asked).toEqual([null, 'after 1', null, null, 'after 2']);
    expect(told.map(({ state }) => state)).toEqual(['ended']);
    expect(ingest.states.get('a')?.lastResync).toBe(0);
  });

  test('a feed that leads nowhere is failing, its items kept', async () => {
    const { told, ingest } = await run([scripted('a', [page('1', { stuck: 'no next', next: '' })])], 1);
    expect(told).toMatchObject([{ state: 'failing', error: 'no next', wait: 3_600_000, pass: { items: 1 } }]);
    expect(idsOf(ingest)).toEqual(['1']);
  });

  test('a Retry-After shorter than the pace does not make it faster', async () => {
    const { told } = await run([scripted('a', [new StatusError('https://a.example/', 429, 0)])], 1);
    expect(told[0]?.wait).toBe(8000);
  });

  test('one that only fails does not keep the others from being read', async () => {
    const bad = scripted(
      'bad',
      Array.from({ length: 100 }, () => new ConnectionError('https://b.example/', 'broken')),
    );
    const { ingest } = await run([bad, scripted('good', [page('1'), page('2', { end: true })])], 6);
    expect(idsOf(ingest, 'good')).toEqual(['1', '2']);
  });

  test('nothing to read: done at once', async () => {
    const { sleep, slept } = sleeper();
    await harvestForever([], {
      ingest: memoryIngest(),
      sleep,
      random: () => 0,
      now: () => 0,
      signal: new AbortController().signal,
      pollMs: () => 1,
    });
    expect(slept).toEqual([]);
  });
});

describe('the queue', () => {
  test('lets one at a time through to a host, in turn, and hosts beside each other', async () => {
    const queue = createHostQueue();
    const log: string[] = [];
    const open = new Map<string, () => void>();
    const work = (name: string) => () => {
      log.push(name);
      return new Promise<void>((done) => open.set(name, done));
    };
    const all = [
      queue.run('a', work('a1')),
      queue.run('a', work('a2')),
      queue.run('b', work('b1')),
      queue.run('a', work('a3')),
    ];
    const nextTurn = () => new Promise((done) => setImmediate(done));
    await nextTurn();
    expect(log).toEqual(['a1', 'b1']);
    open.get('a1')?.();
    await nextTurn();
    expect(log).toEqual(['a1', 'b1', 'a2']);
    for (const name of ['a2', 'b1', 'a3']) {
      open.get(name)?.();
      await nextTurn();
    }
    await Promise.all(all);
    expect(log).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('one that fails, or is stopped while it waits, lets the next through', async () => {
    const queue = createHostQueue();
    const stop = new AbortController();
    const failing = queue.run('a', () => Promise.reject(new Error('broken')));
    const stopped = queue.run('a', async () => 'never', stop.signal);
    const last = queue.run('a', async () => 'through');
    stop.abort(new Error('stop'));
    await expect(failing).rejects.toThrow('broken');
    await expect(stopped).rejects.toThrow('stop');
    expect(await last).toBe('through');
  });

  test('lets as many through at once as it is reported, and makes a pause between two', async () => {
    const time = virtualTime(0);
    const queue = createHostQueue({ atOnce: 2, pauseMs: 1000, sleep: time.sleep });
    const began: number[] = [];
    const work = async () => {
      began.push(time.now());
      await time.sleep(500);
    };
    const all = Promise.all(Array.from({ length: 5 }, () => queue.run('a', work)));
    await time.pass(5000);
    await all;
    expect(began).toEqual([0, 0, 1500, 1500, 3000]);
  });

  test('a request that stalls keeps its place for a while only', async () => {
    const time = virtualTime(0);
    const queue = createHostQueue({ placeMs: 1000, sleep: time.sleep });
    const began: string[] = [];
    const stall = () => time.sleep(60_000);
    const quick = async () => void began.push(`quick at ${time.now()}`);
    const all = Promise.all([queue.run('a', stall), queue.run('a', stall), queue.run('a', quick)]);
    await time.pass(2000);
    expect(began).toEqual(['quick at 2000']);
    // Those that stalled do not leave twice: one place is one place.
    const open = Promise.withResolvers<void>();
    const holding = queue.run('a', () => open.promise);
    const next = queue.run('a', quick);
    await time.pass(900);
    expect(began).toHaveLength(1);
    open.resolve();
    await Promise.all([holding, next]);
    await time.pass(60_000);
    await all;
  });

  test('who is stopped while it waits leaves at once', async () => {
    const queue = createHostQueue();
    const stop = new AbortController();
    const open = Promise.withResolvers<void>();
    const first = queue.run('a', () => open.promise);
    const waiting = queue.run('a', async () => 'never', stop.signal);
    stop.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    open.resolve();
    await first;
    expect(await queue.run('a', async () => 'free')).toBe('free');
  });
});
