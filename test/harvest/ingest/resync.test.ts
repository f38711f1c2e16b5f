import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConnectionError, RefusedAddressError, StatusError } from '../../../src/errors.ts';
import type { Sums } from '../../../src/harvest/feed/crawl.ts';
import { type VisitOptions, visit } from '../../../src/harvest/visit/visit.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { rollForward } from '../../../src/revision/roll.ts';
import type { Writer } from '../../../src/store/index.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { runs } from '../../runs.ts';
import { type ModelFeed, modelFeed, sessions } from '../model-feed.ts';
import { FEED, fromScratch, type Rig, rig, visitOptions, withoutStamps } from '../rig.ts';

const DAY = 86_400_000;
const RUNS = runs(2);

let one: Rig;
let feed: ModelFeed;
beforeEach(async () => {
  one = await rig();
  feed = modelFeed(FEED);
});
afterEach(() => one.close());

const options = (more: Partial<VisitOptions> = {}): VisitOptions => ({
  ...visitOptions(one),
  ...more,
});
const go = (more: Partial<VisitOptions> = {}) => visit(feed, options(more));
const report = async () => (await one.store.read.feedStates())[0];
const live = async (): Promise<number> => (await one.served()).size;
const later = (days: number) => {
  one.clock.now += days * DAY;
};

/** On the day that the clock shows, as the service moves on to it. */
async function served(): Promise<Map<string, string>> {
  await rollForward(one.store, one.options);
  return withoutStamps(await one.served());
}

describe('a cursor older than tombstones are kept', () => {
  beforeEach(async () => {
    feed.put(...sessions(1, 30));
    await go();
    feed.asked.length = 0;
  });

  test('means reading from the start, and what is no longer there goes', async () => {
    feed.vanish('s3', 's4');
    feed.put(...sessions(31, 2), ...sessions(7, 1, 'Renamed'));
    later(8);
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 2 } });
    expect(feed.asked[0]).toBeNull();
    expect(await served()).toEqual(await fromScratch(feed, one.clock.now));
    expect(await report()).toMatchObject({
      state: 'ended',
      resync: undefined,
      items: 30,
      deleted: 2,
      lastResync: one.clock.now,
    });
  });

  test('is trusted for seven days, and for two where there are Slots', async () => {
    later(6.9);
    await go();
    expect(feed.asked).not.toContain(null);
    feed.put({ state: 'updated', kind: 'FacilityUse/Slot', id: 'slot', modified: 1, data: { '@type': 'Slot' } });
    await go();
    later(2.1);
    await go();
    expect(feed.asked).toContain(null);
  });

  test('keeps everything served while it is read again, page by page', async () => {
    feed.vanish('s3');
    later(8);
    const seen: number[] = [];
    const counted: Promise<void>[] = [];
    const onPage = () => void counted.push(live().then((count) => void seen.push(count)));
    await go({ onPage });
    await Promise.all(counted);
    expect(seen.length).toBeGreaterThan(2);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(29);
    expect(await live()).toBe(29);
  });

  test('sweeps nothing while the end is not reached, and goes on where it was', async () => {
    feed.vanish('s3');
    later(8);
    feed.before = (cursor) => {
      if (cursor !== null && feed.asked.length > 2) throw new ConnectionError(FEED, 'broken');
    };
    expect(await go()).toMatchObject({ state: 'failing' });
    expect(await report()).toMatchObject({ items: 30, resync: { since: one.clock.now } });
    feed.before = () => {};
    feed.endless = true;
    expect(await go()).toMatchObject({ state: 'failing', error: 'no end' });
    expect(await live()).toBe(30);
    feed.endless = false;
    feed.asked.length = 0;
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 1 } });
    expect(feed.asked).not.toContain(null);
    expect(await live()).toBe(29);
  });

  test('is not read from the start twice in a week: the second time waits, and is not forgotten', async () => {
    later(8);
    await go();
    feed.put({ state: 'updated', kind: 'Slot', id: 'slot', modified: 1, data: { '@type': 'Slot' } });
    await go();
    later(3);
    feed.asked.length = 0;
    feed.vanish('s9');
    await go();
    expect(feed.asked).not.toContain(null);
    expect((await report())?.resyncDue).toContain('deleted items are not retained');
    later(1);
    await go();
    expect(feed.asked).not.toContain(null);
    later(3.1);
    await go();
    expect(feed.asked).toContain(null);
    expect(await report()).toMatchObject({ resyncDue: undefined, resync: undefined });
    expect(await live()).toBe(29);
  });

  test('also when somebody asks for it, at any time', async () => {
    feed.vanish('s1');
    expect(await go()).toMatchObject({ pass: { deleted: 0 } });
    expect(await go({ resync: true })).toMatchObject({ state: 'ended', pass: { deleted: 1 } });
    expect(await go({ resync: true })).toMatchObject({ state: 'ended', pass: { deleted: 0 } });
  });

  test('never means that a folder is swept: files do not forget', async () => {
    const { forgets: _, ...source } = feed.source;
    feed.vanish('s3');
    later(30);
    await visit({ ...feed, source }, options());
    expect(await live()).toBe(30);
  });

  test('what comes back with the same "modified" is there again', async () => {
    const back = feed.items.get('s3');
    feed.vanish('s3');
    later(8);
    await go();
    expect(await live()).toBe(29);
    if (back !== undefined) feed.items = new Map([['s3', back]]);
    const handle = await one.ingest.open(FEED, {});
    const text = JSON.stringify({ next: FEED, license: 'x', items: [back] });
    await one.ingest.commit(handle, parsePage(text), handle.cursor as string);
    expect(await live()).toBe(30);
  });
});

describe('a feed whose "modified" has gone back', () => {
  const all = () => [...feed.items.values()];
  const older = (items: RpdeJson[], name?: string): RpdeJson[] =>
    items.map((item, at) => ({ ...item, modified: at + 1, ...(name && { data: { ...(item.data as object), name } }) }));
  const begun = (items: RpdeJson[]) => {
    feed.items.clear();
    for (const [at, item] of items.entries()) feed.items.set(`${item.id} ${at}`, item);
    return one.store.write(async (tx) => tx.saveCursor((await report())?.id as number, undefined, undefined));
  };
  const left = async () =>
    (await one.store.read.pageFindings((await report())?.id as number)).flatMap(({ finding }) =>
      finding.code === 'items-older-than-stored' ? [finding.facts?.count] : [],
    );

  test.each<[string, () => RpdeJson[], number[]]>([
    ['has its other items counted', () => older(all(), 'Moved'), [30]],
    [
      'has deletions counted',
      () => older(all()).map(({ data: _, ...item }) => ({ ...item, state: 'deleted' as const })),
      [30],
    ],
    ['says nothing new with the same items', () => older(all()), []],
    ['is none where everything is sent again', all, []],
    ['is none where earlier copies come before the stored ones', () => [...older(all(), 'Earlier'), ...all()], []],
  ])('%s', async (_, items, counts) => {
    feed.put(...sessions(1, 30));
    await go();
    const sent = items();
    for (const _visit of [1, 2]) {
      await begun(sent);
      await go();
      expect(await left()).toEqual(counts);
    }
  });

  test('is well again past the copies that are stored, or once it is read from its start', async () => {
    feed.put(...sessions(1, 30));
    await go();
    const good = all();
    await begun(older(good, 'Moved'));
    await go();
    feed.put(...sessions(31, 1));
    await go();
    expect(await left()).toEqual([]);
    await begun(older(good, 'Moved'));
    await go();
    expect(await left()).toEqual([30]);
    await begun(good);
    await go({ resync: true });
    expect(await left()).toEqual([]);
  });
});

describe('a page that is gone', () => {
  beforeEach(async () => {
    feed.put(...sessions(1, 30));
    await go();
    feed.before = (cursor) => {
      if (cursor?.includes('after=1000000000030')) throw new StatusError(FEED, 410);
    };
    feed.vanish('s5');
    feed.put(...sessions(2, 1, 'Renamed'));
  });

  test('means reading from the start when the feed itself is there', async () => {
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 1 } });
    expect(await served()).toEqual(await fromScratch(feed, one.clock.now));
  });

  test('counts what was kept before it, and after', async () => {
    const next = modelFeed('https://next.example/feed', 10);
    next.put(...sessions(1, 20));
    next.before = (cursor) => {
      if (cursor !== null) throw new StatusError('https://next.example/feed', 404);
    };
    const seen: Sums[] = [];
    const told = await visit(next, { ...options(), onPage: (_feed, sums) => seen.push(sums) });
    expect(told).toMatchObject({ state: 'failing', error: expect.stringContaining('it leads to a page that is gone') });
    expect(told.wait).toBeLessThan(DAY);
    expect(seen.at(-1)).toEqual({ pages: 2, items: 20, kept: 10, deleted: 0, findings: 0 });
    // It is asked again as any feed that fails, and the first page with it.
    expect(await visit(next, options())).toMatchObject({ state: 'failing' });
    next.before = () => {
      throw new StatusError('https://next.example/feed', 404);
    };
    expect(await visit(next, options())).toMatchObject({ state: 'gone', wait: DAY });
  });

  test('and leaves the cursor where it is while the feed is gone too', async () => {
    feed.before = () => {
      throw new StatusError(FEED, 404);
    };
    expect(await go()).toMatchObject({ state: 'gone', wait: DAY });
    expect(await report()).toMatchObject({
      state: 'gone',
      lastResync: undefined,
      cursor: expect.stringContaining('after='),
    });
    expect(await live()).toBe(30);
  });
});

describe('a page whose address is refused', () => {
  const refused = () => new RefusedAddressError(FEED, 'not a public address');
  beforeEach(async () => {
    feed.put(...sessions(1, 30));
    await go();
    feed.vanish('s5');
    feed.put(...sessions(2, 1, 'Renamed'));
    feed.asked.length = 0;
  });

  test('means reading from the start when the feed itself may be asked', async () => {
    feed.before = (cursor) => {
      if (cursor?.includes('after=1000000000030')) throw refused();
    };
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 1 } });
    expect(feed.asked.slice(0, 2)).toEqual([expect.stringContaining('after=1000000000030'), null]);
    expect(await served()).toEqual(await fromScratch(feed, one.clock.now));
  });

  test('and leaves the cursor where it is while the feed is refused too', async () => {
    feed.before = () => {
      throw refused();
    };
    expect(await go()).toMatchObject({ state: 'failing', error: expect.stringContaining('not a public address') });
    expect(await report()).toMatchObject({ lastResync: undefined, cursor: expect.stringContaining('after=') });
    expect(await live()).toBe(30);
  });

  test('twice in a week leads to the start once', async () => {
    feed.before = (cursor) => {
      if (cursor !== null) throw refused();
    };
    await go();
    const { lastResync } = (await report()) ?? {};
    expect(lastResync).toBe(one.clock.now);
    later(1);
    await go();
    expect(await report()).toMatchObject({ state: 'failing', lastResync });
    later(7);
    await go();
    expect((await report())?.lastResync).toBe(one.clock.now);
  });
});

test('whatever interrupts it, a pass from the start ends where a clean pass does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.array(fc.nat(40), { maxLength: 12 }),
      fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }),
      async (seed, lost, breaks) => {
        await one.close();
        one = await rig();
        one.options.applyDeletes = () => true;
        feed = modelFeed(FEED, 7);
        feed.put(...randomFeed(seed, 6));
        await go();
        const ids = [...feed.items.keys()];
        feed.vanish(...lost.flatMap((at) => ids[at] ?? []));
        later(8);
        for (const after of breaks) {
          let pages = 0;
          feed.before = () => {
            pages += 1;
            if (pages > after) throw new ConnectionError(FEED, 'broken');
          };
          await go();
          // As after SIGKILL: nothing but the store is known.
          await one.reopen();
        }
        feed.before = () => {};
        expect(await go()).toMatchObject({ state: 'ended' });
        expect(await report()).toMatchObject({ resync: undefined });
        expect(await served()).toEqual(await fromScratch(feed, one.clock.now));
      },
    ),
    { numRuns: RUNS },
  );
});

test('a sweep that is interrupted after each of its transactions ends the same', async () => {
  feed.size = 500;
  feed.put(...sessions(1, 1400));
  await go();
  feed.vanish(...Array.from({ length: 1300 }, (_, index) => `s${index + 1}`));
  later(8);
  let writes = 0;
  one.options.applyDeletes = () => true;
  for (let visits = 0; ; visits += 1) {
    const { store } = one;
    const { write } = store;
    store.write = <T>(work: (tx: Writer) => Promise<T>): Promise<T> => {
      writes += 1;
      return writes % 3 === 0 ? Promise.reject(new Error('killed')) : (write.call(store, work) as Promise<T>);
    };
    const { state } = await go();
    store.write = write;
    await one.reopen();
    if (state === 'ended') break;
    expect(visits).toBeLessThan(20);
  }
  expect(await report()).toMatchObject({ resync: undefined, items: 100, deleted: 1300 });
  expect(await served()).toEqual(await fromScratch(feed, one.clock.now));
});

/** A visit that is stopped as soon as something was deleted. */
async function stoppedVisit(): Promise<number> {
  const stop = new AbortController();
  const { store } = one;
  const { write } = store;
  store.write = async <T>(work: (tx: Writer) => Promise<T>): Promise<T> => {
    const result = (await write.call(store, work)) as T;
    if (((await report())?.deleted ?? 0) > 0) stop.abort(new Error('enough'));
    return result;
  };
  await go({ signal: stop.signal });
  store.write = write;
  return (await report())?.deleted ?? 0;
}

test.each<[what: string, losses: (ids: string[]) => Promise<void>]>([
  [
    'a sweep',
    async (ids) => {
      feed.vanish(...ids);
      later(8);
    },
  ],
  [
    'what was held back',
    async (ids) => {
      feed.remove(...ids);
      expect(await go()).toMatchObject({ state: 'held' });
    },
  ],
])('%s is stopped between two transactions, and goes on with the next visit', async (_, losses) => {
  feed.size = 500;
  feed.put(...sessions(1, 1400));
  await go();
  await losses(Array.from({ length: 1300 }, (_id, index) => `s${index + 1}`));
  one.options.applyDeletes = () => true;
  const deleted = await stoppedVisit();
  expect(deleted).toBeGreaterThan(0);
  expect(deleted).toBeLessThan(1300);
  expect(await go()).toMatchObject({ state: 'ended' });
  expect(await report()).toMatchObject({ resync: undefined, held: undefined, items: 100, deleted: 1300 });
});
