import fc from 'fast-check';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HarvestShare } from '../../../src/cli/feeds/harvest-share.ts';
import { StoreError } from '../../../src/errors.ts';
import { crawl } from '../../../src/harvest/feed/crawl.ts';
import { createIngest } from '../../../src/harvest/ingest/ingest.ts';
import { visit } from '../../../src/harvest/visit/visit.ts';
import { type Leases, openStore, type Store } from '../../../src/store/index.ts';
import { randomFeed } from '../../generate/series.ts';
import { runs } from '../../runs.ts';
import { type ModelFeed, modelFeed, sessions } from '../model-feed.ts';
import { FEED, fromScratch, type Rig, rig, stamps, visitOptions, withoutStamps } from '../rig.ts';

const DAY = 86_400_000;
/** Leases of which another process has taken all, and this one does not know it yet. */
const LEASES: Leases = {
  renew: async (names) => ({ tokens: new Map(names.map((name) => [name, 1])), surplus: [] }),
  release: async () => {},
  harvesters: async () => 1,
  isCurrent: async () => false,
  close: async () => {},
};
const RUNS = runs(2);

let one: Rig;
let feed: ModelFeed;
beforeEach(async () => {
  one = await rig();
  feed = modelFeed(FEED, 20);
});
afterEach(() => one.close());

const go = () => visit(feed, visitOptions(one));
describe('two processes on one store', () => {
  test('end with what one makes, however their pages interleave', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), fc.boolean(), async (seed, again) => {
        await one.close();
        one = await rig();
        const other = await openStore(one);
        feed = modelFeed(FEED, 6);
        const items = randomFeed(seed, 8);
        feed.put(...items.slice(0, items.length / 2));
        const statuses = async () => {
          const two = createIngest(other, one.options);
          const both = [
            visit(feed, visitOptions(one)),
            visit(feed, { ...visitOptions({ ...one, ingest: two }), resync: again }),
          ];
          return (await Promise.all(both)).map(({ state, error }) => error ?? state);
        };
        expect(await statuses()).toEqual(['ended', 'ended']);
        feed.put(...items.slice(items.length / 2));
        expect(await statuses()).toEqual(['ended', 'ended']);
        expect(await go()).toMatchObject({ state: 'ended' });
        await other.close();
        expect(withoutStamps(await one.served())).toEqual(await fromScratch(feed));
        const live = [...feed.items.values()].filter(({ state }) => state === 'updated').length;
        expect((await one.store.read.feedStates())[0]).toMatchObject({ items: live, resync: undefined });
      }),
      { numRuns: RUNS },
    );
  });

  test('do not both ask the publisher: who has lost the lease asks for no further page', async () => {
    feed.put(...sessions(1, 30));
    await go();
    feed.put(...sessions(31, 90));
    const share = new HarvestShare(LEASES, () => [feed], []);
    await share.renew(0, pino({ level: 'silent' }));
    const ingest = createIngest(one.store, { ...one.options, fence: (tx, url) => share.check(tx, url) });
    const stop = new AbortController();
    const asked: (string | null)[] = [];
    const source: ModelFeed['source'] = {
      ...feed.source,
      page: (...given) => {
        asked.push(given[0]);
        if (asked.length > 50) stop.abort(new Error('it asks on and on'));
        return feed.source.page(...given);
      },
    };
    const visited = await visit({ ...feed, source }, { ...visitOptions({ ...one, ingest }), signal: stop.signal });
    expect(visited).toMatchObject({ state: 'failing', error: expect.stringContaining('another process') });
    expect(new Set(asked).size).toBe(asked.length);
    expect(share.reads(feed)).toBe(false);
  });

  test('never move a cursor back: who was slower goes on from where the other is', async () => {
    feed.put(...sessions(1, 60));
    const slow = await one.ingest.open(FEED, {});
    const page = await feed.source.page(null);
    await go();
    const { cursor } = (await one.store.read.feedState(FEED)) ?? {};
    if (page.unchanged) throw new Error('the first page');
    await expect(one.ingest.commit(slow, page.page, page.next)).rejects.toThrow('another process reads this feed');
    expect((await one.store.read.feedState(FEED))?.cursor).toBe(cursor);
  });
});

test.each([undefined, 'full', 'read-only', 'damaged'] as const)(
  'that our own database fails (%s) is not told of the feed',
  async (trouble) => {
    feed.put(...sessions(1, 30));
    await go();
    feed.put(...sessions(31, 40));
    const before = await one.store.read.feedState(FEED);
    let writes = 0;
    const failing: Store = {
      read: one.store.read,
      troubles: one.store.troubles,
      retries: () => 0,
      check: () => one.store.check(),
      close: () => one.store.close(),
      write: (work) => {
        writes += 1;
        const fault = new StoreError('The database postgres://db.internal/oai failed: it is away.', { trouble });
        return writes === 1 ? Promise.reject(fault) : one.store.write(work);
      },
    };
    const status = await visit(feed, visitOptions({ ...one, ingest: createIngest(failing, one.options) }));
    expect(status).toMatchObject({ state: 'failing', isOurs: true, error: expect.stringContaining('db.internal') });
    expect(await one.store.read.feedState(FEED)).toEqual(before);
    expect(await go()).toMatchObject({ state: 'ended' });
    expect(withoutStamps(await one.served())).toEqual(await fromScratch(feed));
  },
);

test('a sweep stops where another process reads on, or begins again: what looks unseen may be on its pages', async () => {
  feed.put(...sessions(1, 30));
  await go();
  feed.vanish('s1');
  const ended = async () => {
    const handle = await one.ingest.open(FEED, {});
    await one.ingest.resync(handle, 'for the test');
    await crawl(feed, handle, visitOptions(one));
    return handle;
  };
  const first = await ended();
  feed.put(...sessions(40, 1));
  await crawl(feed, await one.ingest.open(FEED, {}), visitOptions(one));
  await expect(one.ingest.sweep(first)).rejects.toThrow('another process reads this feed');
  const second = await ended();
  one.clock.now += 1000;
  await one.ingest.resync(await one.ingest.open(FEED, {}), 'begun again');
  await expect(one.ingest.sweep(second)).rejects.toThrow('another process reads this feed');
  expect(await one.store.read.feedState(FEED)).toMatchObject({ items: 31 });
  expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 1 } });
});

describe('a clock that jumps', () => {
  test('back by a day: revisions and dates of calendars never move back', async () => {
    feed.put(...sessions(1, 3));
    await go();
    feed.put(...sessions(1, 3, 'Renamed'));
    const before = await one.served();
    one.clock.now -= DAY;
    await go();
    const after = await one.served();
    expect(after.size).toBe(3);
    for (const [key, text] of after) {
      const [[, was] = [], [, is] = []] = [stamps(before.get(key) ?? ''), stamps(text)].map((all) => [...all][0] ?? []);
      expect(is?.sequence).toBe((was?.sequence ?? 0) + 1);
      expect((is?.modified ?? '') > (was?.modified ?? '~')).toBe(true);
    }
  });

  test('a year ahead and back again: everything is read again, nothing is lost, and nobody waits for a year', async () => {
    feed.put(...sessions(1, 30));
    await go();
    one.clock.now += 365 * DAY;
    feed.vanish('s1');
    expect(await go()).toMatchObject({ state: 'ended', wait: 8000 });
    one.clock.now -= 365 * DAY;
    feed.put(...sessions(40, 1));
    feed.vanish('s2');
    expect(await go()).toMatchObject({ state: 'ended', wait: 8000 });
    expect(withoutStamps(await one.served())).toEqual(await fromScratch(feed));
    const report = await one.store.read.feedState(FEED);
    expect(report?.nextVisit).toBe(one.clock.now + 8000);
  });
});
