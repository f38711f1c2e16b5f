import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CrawlOptions, crawlOnce, type Feed } from '../../../src/harvest/feed/crawl.ts';
import { PageReservations, pageRoom } from '../../../src/harvest/page/page-room.ts';
import { PageError } from '../../../src/opportunity/page/page.ts';
import { memoryIngest } from '../memory.ts';

/** Resolves when all that can be done without time passing is done. */
const settled = () => new Promise<void>((done) => setImmediate(done));

test('pages come in the order of asking, as many as there is room for', async () => {
  const room = pageRoom(10);
  const entered: number[] = [];
  const leaves: (() => void)[] = [];
  for (const [n, octets] of [4, 4, 4, 1].entries()) {
    void room.reserve(octets).then((release) => {
      entered.push(n);
      leaves[n] = release;
    });
  }
  await settled();
  expect(entered).toEqual([0, 1]);
  leaves[1]?.();
  await settled();
  expect(entered).toEqual([0, 1, 2, 3]);
});

test('a page that is larger than all the room comes alone', async () => {
  const room = pageRoom(10);
  const small = await room.reserve(3);
  let large: (() => void) | undefined;
  void room.reserve(99).then((release) => {
    large = release;
  });
  await settled();
  expect(large).toBeUndefined();
  small();
  await settled();
  expect(large).toBeDefined();
  let next = false;
  void room.reserve(1).then(() => {
    next = true;
  });
  await settled();
  expect(next).toBe(false);
  large?.();
  await settled();
  expect(next).toBe(true);
});

test('a pass that is over holds no place, and takes none later', async () => {
  const room = pageRoom(1);
  const [first, second] = [new PageReservations(room), new PageReservations(room)];
  await first.reserve(1);
  const late = first.reserve(1);
  first.end();
  await late;
  await second.reserve(1);
  second.release();
  await new PageReservations(room).reserve(1);
});

test('no more is in it than fits, and everybody enters in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 30 }), async (pages) => {
      const room = pageRoom(10);
      const inside = new Set<number>();
      const sum = () => [...inside].reduce((all, n) => all + (pages[n] as number), 0);
      await Promise.all(
        pages.map(async (octets, n) => {
          const release = await room.reserve(octets);
          inside.add(n);
          expect(inside.size === 1 || sum() <= 10).toBe(true);
          await settled();
          inside.delete(n);
          release();
        }),
      );
      expect(inside.size).toBe(0);
    }),
    { numRuns: 25 },
  );
});

describe('a pass over a feed', () => {
  const options = (room: ReturnType<typeof pageRoom>): CrawlOptions => ({
    ingest: { ...memoryIngest(), ...room },
    sleep: async () => {},
    random: () => 0,
  });
  /** Pages of 6 octets; the one with this number fails once its body has come. */
  const feed = (failing?: number): Feed => ({
    meta: {},
    source: {
      url: 'https://a.example/feed',
      describe: () => 'feed',
      async page(cursor, _signal, _onStep, reserve) {
        await reserve?.(6, 6);
        const n = Number(cursor ?? 0);
        if (n === failing) throw new Error('no page');
        return { unchanged: false, page: { items: [], findings: [], next: '' }, next: String(n + 1), end: n === 3 };
      },
    },
  });

  test('reads its next page when there is room, and leaves none taken', async () => {
    const room = pageRoom(10);
    const release = await room.reserve(6);
    let ended = false;
    const pass = crawlOnce(feed(), options(room)).then(({ pages }) => {
      ended = true;
      return pages;
    });
    await settled();
    expect(ended).toBe(false);
    release();
    expect(await pass).toBe(4);
    (await room.reserve(10))();
  });

  test.each([0, 1, 3])('that fails at page %i leaves none taken either', async (failing) => {
    const room = pageRoom(10);
    await expect(crawlOnce(feed(failing), options(room))).rejects.toThrow('no page');
    (await room.reserve(10))();
  });

  test('waits for another try of a page without a place', async () => {
    const room = pageRoom(10);
    const { source } = feed();
    let tries = 0;
    const broken: Feed['source'] = {
      ...source,
      async page(...of) {
        const page = await source.page(...of);
        if (tries++ === 0) throw new PageError('not-json', 'half a page');
        return page;
      },
    };
    const waits: boolean[] = [];
    const sleep = async () => {
      (await room.reserve(10))();
      waits.push(true);
    };
    expect((await crawlOnce({ meta: {}, source: broken }, { ...options(room), tries: 2, sleep })).pages).toBe(4);
    expect(waits).toEqual([true]);
  });
});
