import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publicUrl, UsageError } from '../../src/errors.ts';
import { confirmDeletes } from '../../src/harvest/confirm.ts';
import { harvestForever } from '../../src/harvest/forever.ts';
import { appliesDeletes } from '../../src/harvest/guard.ts';
import { type VisitOptions, visit } from '../../src/harvest/visit.ts';
import { type ModelFeed, modelFeed, sessions } from './model-feed.ts';
import { FEED, type Rig, rig } from './rig.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';

const HOUR = 3_600_000;
const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => `s${from + index}`);

let one: Rig;
let feed: ModelFeed;
beforeEach(async () => {
  one = await rig();
  feed = modelFeed(FEED, 50);
  feed.put(...sessions(1, 200));
  await go();
});
afterEach(() => one.close());

const options = (): VisitOptions => ({
  ingest: one.ingest,
  now: () => one.clock.now,
  sleep: async () => {},
  random: () => 0.5,
  failures: 0,
  waitMs: () => 8000,
});
const go = (which = feed) => visit(which, options());
const report = async () => (await one.store.read.feedStates())[0];

const SENTENCE = `${FEED} has pages that would delete 50 of 200 items (50 went before): they are kept until its publisher mends it or you confirm it with: openactive-ical feeds --confirm "${FEED}"`;

describe('half of a feed at once is not deleted unasked', () => {
  test('the page that would reach it is not taken in, and it is said what to do', async () => {
    feed.remove(...ids(1, 120));
    expect(await go()).toMatchObject({ state: 'held', error: SENTENCE, failures: 0, wait: 600_000 });
    expect(await report()).toMatchObject({
      state: 'held',
      // What waits is the second page: the first is gone, and told apart.
      held: { deletes: 50, of: 200, where: 'page', applied: 50, since: one.clock.now },
      lastError: SENTENCE,
      // The first page of the burst was not suspicious yet.
      items: 150,
      cursor: expect.stringContaining(String(1_000_000_000_250)),
    });
    expect((await one.served()).size).toBe(150);
  });

  test('it stays so at later visits, and since when', async () => {
    feed.remove(...ids(1, 120));
    await go();
    const since = one.clock.now;
    one.clock.now += HOUR;
    expect(await go()).toMatchObject({ state: 'held' });
    expect((await report())?.held?.since).toBe(since);
  });

  test('a publisher who mends it needs nobody', async () => {
    feed.remove(...ids(1, 120));
    await go();
    feed.put(...sessions(1, 120, 'Back'));
    expect(await go()).toMatchObject({ state: 'ended' });
    expect(await report()).toMatchObject({ state: 'ended', held: undefined, lastError: undefined, items: 200 });
  });

  test('once confirmed, what is on the way to the end is deleted, and only that', async () => {
    feed.remove(...ids(1, 180));
    await go();
    expect(await confirmDeletes(one.store, FEED, one.clock.now)).toMatchObject({ deletes: 50, of: 200, applied: 50 });
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 130 } });
    expect(await report()).toMatchObject({ items: 20, held: undefined, confirmed: undefined, burst: undefined });
    feed.put(...sessions(1000, 200));
    await go();
    feed.remove(...ids(1000, 200));
    expect(await go()).toMatchObject({ state: 'held' });
  });

  test('a confirmation of what nobody waits for is none, and that of an unknown feed is a mistake', async () => {
    expect(await confirmDeletes(one.store, FEED, one.clock.now)).toBeUndefined();
    expect(await report()).toMatchObject({ confirmed: undefined });
    await expect(confirmDeletes(one.store, 'https://else.example/?key=abc', 0)).rejects.toThrow(
      new UsageError('there is no feed https://else.example/?key=*** in this --data folder'),
    );
  });

  test('a shown address that stands for several feeds confirms none of them', async () => {
    for (const key of ['aaa', 'bbb']) await one.ingest.open(`${FEED}?key=${key}`, {});
    const shown = (await one.store.read.feedStates()).map(({ url }) => publicUrl(url));
    expect(new Set(shown).size).toBeLessThan(shown.length);
    const masked = shown.at(-1) as string;
    await expect(confirmDeletes(one.store, masked, one.clock.now)).rejects.toThrow(/several feeds are shown as/);
    expect(await confirmDeletes(one.store, `${FEED}?key=aaa`, one.clock.now)).toBeUndefined();
  });

  test('a burst that comes page by page, each with its own end, is one burst for an hour', async () => {
    for (let at = 1; at < 100; at += 33) {
      feed.remove(...ids(at, 33));
      expect(await go()).toMatchObject({ state: 'ended' });
      one.clock.now += HOUR / 6;
    }
    feed.remove('s150');
    expect(await go()).toMatchObject({ state: 'held' });
  });

  test('the same in the course of a day is a day like any other', async () => {
    for (let at = 1; at < 180; at += 30) {
      feed.remove(...ids(at, 30));
      expect(await go()).toMatchObject({ state: 'ended' });
      one.clock.now += HOUR;
      expect(await go()).toMatchObject({ state: 'ended' });
      one.clock.now += HOUR;
    }
    expect(await report()).toMatchObject({ items: 20 });
  });

  test('tombstones of what was never here count for nothing', async () => {
    const other = modelFeed('https://other.example/feed', 50);
    other.put(...sessions(500, 300));
    other.remove(...ids(500, 290));
    expect(await go(other)).toMatchObject({ state: 'ended', pass: { kept: 10, deleted: 290 } });
  });

  test('a small feed may end its season', async () => {
    const small = modelFeed('https://small.example/feed', 50);
    small.put(...sessions(500, 99));
    await go(small);
    small.remove(...ids(500, 99));
    expect(await go(small)).toMatchObject({ state: 'ended', pass: { deleted: 99 } });
  });
});

describe('a sweep is held the same way', () => {
  beforeEach(async () => {
    feed.vanish(...ids(1, 150));
    one.clock.now += 8 * 24 * HOUR;
    expect(await go()).toMatchObject({
      state: 'held',
      error: expect.stringContaining('was read from its start and no longer has 150 of 200 items'),
    });
  });

  test('with everything kept', async () => {
    expect(await report()).toMatchObject({ items: 200, held: { deletes: 150, of: 200, where: 'sweep', applied: 0 } });
    expect((await one.served()).size).toBe(200);
  });

  test('and is not counted again while nothing new comes', async () => {
    let looks = 0;
    const { unseen } = one.store.read;
    one.store.read.unseen = (...range) => {
      looks += 1;
      return unseen.apply(one.store.read, range);
    };
    one.clock.now += HOUR;
    await go();
    one.clock.now += HOUR;
    looks = 0;
    expect(await go()).toMatchObject({ state: 'held', error: expect.stringContaining('150 of 200') });
    expect(looks).toBe(0);
  });

  test('with what the pages themselves have deleted told apart, also at later visits', async () => {
    feed.remove(...ids(151, 20));
    for (let visits = 0; visits < 3; visits += 1) {
      one.clock.now += HOUR;
      expect(await go()).toMatchObject({
        state: 'held',
        error: expect.stringContaining('has 150 of 200 items (20 went'),
      });
    }
    expect(await report()).toMatchObject({ items: 180, held: { deletes: 150, of: 200, where: 'sweep', applied: 20 } });
  });

  test('and counted anew where an earlier release counted both as one', async () => {
    const handle = await one.ingest.open(FEED, {});
    await one.ingest.note(handle, (state) => {
      const { applied: _, ...held } = state.held as NonNullable<typeof state.held>;
      return { ...state, held: { ...held, deletes: 170 } };
    });
    expect(await go()).toMatchObject({ state: 'held' });
    expect((await report())?.held).toMatchObject({ deletes: 150, applied: 0 });
  });

  test('until its publisher brings them back', async () => {
    feed.put(...sessions(1, 120, 'Back'));
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 30 } });
    expect(await report()).toMatchObject({ items: 170, held: undefined, resync: undefined });
  });

  test('or somebody confirms it', async () => {
    await confirmDeletes(one.store, FEED, one.clock.now);
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 150 } });
    expect(await report()).toMatchObject({ items: 50, confirmed: undefined });
  });
});

describe('harvest.confirm-deletes', () => {
  test.each([
    ['ask', 'ask' as const, false],
    ['apply', 'apply' as const, true],
    ['this feed', [FEED], true],
    ['this feed in another spelling', [FEED.replace('https://feeds', 'HTTPS://FEEDS')], true],
    ['another feed', ['https://else.example/'], false],
    ['none', [], false],
  ])('%s', async (_name, setting, applied) => {
    one.options.applyDeletes = appliesDeletes(setting);
    feed.remove(...ids(1, 200));
    expect(await go()).toMatchObject({ state: applied ? 'ended' : 'held' });
  });
});

test('a feed that is held keeps none of the others from being read', async () => {
  feed.remove(...ids(1, 150));
  const other = modelFeed('https://other.example/feed', 50);
  other.put(...sessions(500, 120));
  const stop = new AbortController();
  const told: string[] = [];
  await harvestForever([feed, other], {
    ...options(),
    signal: stop.signal,
    sleep: () => new Promise((done) => setImmediate(done)),
    pollMs: () => 8000,
    onStatus: ({ feed: name, state }) => {
      told.push(`${name} ${state}`);
      if (new Set(told).size === 2) stop.abort();
    },
  });
  expect(new Set(told)).toEqual(new Set([`${FEED} held`, 'https://other.example/feed ended']));
  expect(await one.store.read.feedState('https://other.example/feed')).toMatchObject({ items: 120 });
});

test('a confirmation is felt within seconds, without asking the publisher meanwhile', async () => {
  feed.remove(...ids(1, 150));
  const time = virtualTime(one.clock.now);
  const stop = new AbortController();
  const states: string[] = [];
  const running = harvestForever([feed], {
    ...options(),
    now: time.now,
    sleep: time.sleep,
    signal: stop.signal,
    pollMs: () => 8000,
    onStatus: ({ state }) => states.push(state),
  });
  await time.pass(8000);
  await waitFor(() => states.length === 1, time);
  expect(states).toEqual(['held']);
  feed.asked.length = 0;
  await time.pass(60_000);
  expect(feed.asked).toEqual([]);
  await confirmDeletes(one.store, FEED, time.now());
  await time.pass(5000);
  await waitFor(() => states.length === 2, time);
  expect(states).toEqual(['held', 'ended']);
  stop.abort();
  await running;
});

/** Work between two sleeps takes turns of its own. */
async function waitFor(condition: () => boolean, time: VirtualTime): Promise<void> {
  for (let turn = 0; turn < 1000 && !condition(); turn += 1) await time.pass(0);
}
