import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PausedError } from '../../../src/errors.ts';
import { harvestForever } from '../../../src/harvest/visit/forever.ts';
import { pauseFeed, resumeFeed } from '../../../src/harvest/visit/operator.ts';
import { type FeedStatus, visit } from '../../../src/harvest/visit/visit.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { type ModelFeed, modelFeed, sessions } from '../model-feed.ts';
import { type Rig, rig, START } from '../rig.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const URL = 'https://feeds.example.org/model';

let one: Rig;
let time: VirtualTime;
let stop: AbortController;
let running: Promise<void>;
let told: FeedStatus[];
let feed: ModelFeed;
beforeEach(async () => {
  one = await rig();
  time = virtualTime(START);
  one.options.now = time.now;
  told = [];
  feed = modelFeed(URL, 5);
});
afterEach(async () => {
  stop.abort();
  await running;
  await one.close();
});

function start(): void {
  stop = new AbortController();
  running = harvestForever([feed], {
    ingest: one.ingest,
    sleep: time.sleep,
    now: time.now,
    random: () => 0,
    signal: stop.signal,
    pollMs: () => 8 * SECOND,
    onStatus: (status) => told.push(status),
  });
}

/** Reading takes the time of this machine, waiting takes none. */
async function reach(state: FeedStatus['state']): Promise<void> {
  while (told.at(-1)?.state !== state) await time.pass(SECOND);
}

const once = () =>
  visit(feed, {
    ingest: one.ingest,
    sleep: time.sleep,
    now: time.now,
    random: () => 0,
    failures: 0,
    waitMs: () => 0,
    resync: true,
  });

describe('a feed that somebody pauses', () => {
  test('is asked no more, keeps what it brought, and goes on where it was within seconds of resume', async () => {
    feed.put(...sessions(1, 20));
    start();
    await reach('ended');
    const { cursor } = (await one.store.read.feedState(URL)) ?? {};
    const served = await one.served();
    await pauseFeed(one.store, URL, time.now());
    await reach('paused');
    feed.asked.length = 0;
    feed.put(...sessions(21, 10));
    await time.pass(HOUR);
    expect(feed.asked).toEqual([]);
    expect(told.filter(({ state }) => state === 'paused')).toHaveLength(1);
    expect(await one.store.read.feedState(URL)).toMatchObject({ state: 'ended', failures: 0, cursor, items: 20 });
    expect(await one.served()).toEqual(served);
    await resumeFeed(one.store, URL);
    const resumed = time.now();
    await reach('ended');
    expect(time.now() - resumed).toBeLessThanOrEqual(10 * SECOND);
    expect(await one.store.read.feedState(URL)).toMatchObject({ state: 'ended', items: 30 });
  });

  test('stays paused across a restart, and is not read by a pass that somebody asks for', async () => {
    feed.put(...sessions(1, 5));
    await one.feed([], 1, URL);
    await pauseFeed(one.store, URL, time.now());
    await one.reopen();
    feed.asked.length = 0;
    start();
    await reach('paused');
    await time.pass(HOUR);
    expect(await once()).toMatchObject({ state: 'paused', failures: 0, error: expect.stringContaining('--resume') });
    expect(feed.asked).toEqual([]);
  });

  test('ends its wait as it was given: resume visits no publisher sooner than Retry-After', async () => {
    start();
    await reach('ended');
    await pauseFeed(one.store, URL, time.now());
    await reach('paused');
    await one.ingest.note({ id: 1, url: URL, cursor: null }, (state) => ({
      ...state,
      state: 'gone',
      lastAttempt: time.now(),
      nextVisit: time.now() + HOUR,
    }));
    feed.asked.length = 0;
    await resumeFeed(one.store, URL);
    await time.pass(HOUR - 2 * SECOND);
    expect(feed.asked).toEqual([]);
    await reach('ended');
    expect(feed.asked.length).toBeGreaterThan(0);
  });

  test('takes no page in that was on its way, and loses nothing of a pass from the start', async () => {
    start();
    stop.abort();
    feed.put(...sessions(1, 5));
    const handle = await one.ingest.open(URL, {});
    await one.ingest.resync(handle, 'test');
    await pauseFeed(one.store, URL, time.now());
    const page = parsePage(JSON.stringify({ next: 'https://x.example/', items: [] }));
    await expect(one.ingest.commit(handle, page, 'x')).rejects.toThrow(PausedError);
    await expect(one.ingest.sweep(handle)).rejects.toThrow(PausedError);
    await expect(one.ingest.open(URL, {})).rejects.toThrow(PausedError);
    expect(await one.store.read.feedState(URL)).toMatchObject({ state: 'new', resync: { reason: 'test' } });
  });
});
