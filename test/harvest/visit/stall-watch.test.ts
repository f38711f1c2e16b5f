import { describe, expect, test } from 'vitest';
import { StalledError } from '../../../src/errors.ts';
import type { Feed } from '../../../src/harvest/feed/crawl.ts';
import { harvestForever } from '../../../src/harvest/visit/forever.ts';
import { StallWatch } from '../../../src/harvest/visit/stall-watch.ts';
import { type FeedStatus, type VisitOptions, visit } from '../../../src/harvest/visit/visit.ts';
import type { Page } from '../../../src/opportunity/page/page.ts';
import { underWay } from '../../../src/process/under-way.ts';
import { type MemoryIngest, memoryIngest } from '../memory.ts';

/** Visits that wait for what never comes. */

const never = () => new Promise<never>(() => {});
const PAGE: Page = { items: [{ state: 'deleted', kind: 'k', id: '1', modified: '1' }], findings: [] };

function feedOf(
  page: Feed['source']['page'] = async () => ({ unchanged: false, page: PAGE, next: 'n', end: true }),
): Feed {
  return { source: { url: 'https://feeds.example/a', describe: () => 'feed a', page }, meta: {} };
}

const options = (ingest: MemoryIngest, more: Partial<VisitOptions> = {}): VisitOptions => ({
  ingest,
  sleep: never,
  random: () => 1,
  now: () => 1000,
  failures: 2,
  waitMs: () => 0,
  stallMs: 30,
  ...more,
});

describe('a visit that does not get on is stopped, and the feed is tried again later', () => {
  const rows: [string, Partial<MemoryIngest>, Feed, string][] = [
    ['a page that is never answered', {}, feedOf(never), 'for a page'],
    [
      'a page that is never read',
      {},
      feedOf((_cursor, _signal, onStep) => {
        onStep?.('for a page to be read');
        return never();
      }),
      'for a page to be read',
    ],
    ['a store that never opens the feed', { open: never }, feedOf(), 'for the store'],
    ['a store that never takes the page in', { commit: never }, feedOf(), 'for the store to take a page in'],
    ['a store that never takes out what is gone', { sweep: never }, feedOf(), 'for the store to take out what is gone'],
  ];
  test.each(rows)('%s', async (_name, stuck, feed, waited) => {
    const ingest = Object.assign(memoryIngest(), stuck);
    const status = await visit(feed, options(ingest));
    expect(status).toMatchObject({ feed: 'feed a', state: 'stalled', failures: 3, wait: 20_000 });
    expect(status.error).toBe(`nothing came for 0.0005 min while it waited ${waited}`);
    expect(ingest.states.get(feed.source.url)).toMatchObject({
      state: 'stalled',
      failures: 1,
      lastError: status.error,
    });
  });

  test('also where the store never writes that down', async () => {
    const ingest = Object.assign(memoryIngest(), { note: never, commit: never });
    const status = await visit(feedOf(), options(ingest, { stallNoteMs: 20 }));
    expect(status.state).toBe('stalled');
  });

  test('and is read again when what it waited for is there', async () => {
    const stop = new AbortController();
    const told: FeedStatus[] = [];
    let asked = 0;
    const feed = feedOf(async () => (asked++ === 0 ? never() : { unchanged: true }));
    await harvestForever([feed], {
      ingest: memoryIngest(),
      sleep: async () => {},
      random: () => 1,
      now: () => 0,
      stallMs: 20,
      signal: stop.signal,
      pollMs: () => 8000,
      onStatus: (status) => {
        told.push(status);
        if (told.length === 2) stop.abort();
      },
    });
    expect(told.map(({ state }) => state)).toEqual(['stalled', 'ended']);
  });
});

test('steps keep a visit alive, and a wait that others decide on never ends it', async () => {
  const watch = new StallWatch(undefined, 60);
  const visiting = async () => {
    for (let step = 0; step < 5; step += 1) {
      await new Promise((done) => setTimeout(done, 20));
      watch.step(`for page ${step}`);
    }
    watch.step('for its turn', Number.POSITIVE_INFINITY);
    await new Promise((done) => setTimeout(done, 100));
    return 'ended';
  };
  expect(await watch.watch(visiting())).toBe('ended');
  expect(watch.signal.aborted).toBe(false);
  const slow = new StallWatch(undefined, 10);
  await expect(slow.watch(never())).rejects.toBeInstanceOf(StalledError);
  expect(slow.signal.reason).toBeInstanceOf(StalledError);
});

test('what a visit waits for is reported to whoever asks, until it has ended', async () => {
  const stop = new AbortController();
  const known = underWay();
  const page: Feed['source']['page'] = (_cursor, signal, onStep) => {
    onStep?.('for an answer of feed a');
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const visiting = visit(
    feedOf(page),
    options(memoryIngest(), { signal: stop.signal, underWay: known, stallMs: 60_000 }),
  );
  await new Promise((done) => setTimeout(done, 5));
  expect(known.words()).toEqual(['a visit to feed a waits for an answer of feed a']);
  stop.abort(new Error('enough'));
  expect((await visiting).error).toBe('enough');
  expect(known.words()).toEqual([]);
});
