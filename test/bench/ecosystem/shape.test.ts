import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { publish } from './publisher.ts';
import { type FeedType, feedsOf, type PlannedFeed, pageAfter, TYPES } from './shape.ts';

/** The generated ecosystem has the numbers it says, is the same for a seed, and is RPDE. */

const whole = feedsOf({ scale: 1, slots: true });
const itemsOf = (feeds: readonly PlannedFeed[]) => feeds.reduce((sum, { items }) => sum + items, 0);

describe('at scale 1', () => {
  test('475 feeds with 17.2 million items, 4.1 of them without Slots', () => {
    expect(whole).toHaveLength(475);
    expect(itemsOf(whole) / 1e6).toBeCloseTo(17.2, 1);
    expect(itemsOf(feedsOf({ scale: 1, slots: false })) / 1e6).toBeCloseTo(4.1, 1);
  });

  test.each(Object.entries(TYPES) as [FeedType, { items: number }][])('%s has its items', (type, { items }) => {
    const own = itemsOf(whole.filter((feed) => feed.type === type));
    expect(Math.abs(own - items)).toBeLessThan(100);
  });

  test('the largest feed of sessions is as large as the real one, within a hundredth', () => {
    const [largest] = whole.filter(({ type }) => type === 'ScheduledSession');
    expect(Math.abs((largest?.items ?? 0) / 301_572 - 1)).toBeLessThan(0.01);
  });
});

test('every feed is there at any scale, with an item at least', () => {
  const small = feedsOf({ scale: 1e-6, slots: true });
  expect(small.map(({ type, dataset }) => [type, dataset])).toEqual(whole.map(({ type, dataset }) => [type, dataset]));
  expect(small.every(({ items }) => items > 0)).toBe(true);
});

describe('a page', () => {
  const [feed] = whole.filter(({ type }) => type === 'ScheduledSession') as [PlannedFeed];
  test('is the same for a seed, and another for another', () => {
    const at = (seed: number) => pageAfter(feed, 1000, { seed, changed: 0 }).items.join();
    expect(at(1)).toBe(at(1));
    expect(at(1)).not.toBe(at(2));
  });

  test('a day later has newer copies of items that were there, and they say something else', () => {
    const given = { seed: 1, changed: 100 };
    const { items } = pageAfter(feed, feed.items, given);
    const known = new Map<string, unknown>();
    const small: PlannedFeed = { ...feed, items: 200 };
    for (const text of pageAfter(small, 0, { seed: 1, changed: 0 }).items) {
      const { id, data } = JSON.parse(text) as { id: string; data?: object };
      known.set(id, data);
    }
    expect(items).toHaveLength(100);
    const changes = pageAfter(small, 200, given).items.map(
      (text) => JSON.parse(text) as { id: string; modified: number; data?: object },
    );
    expect(changes.every(({ id, modified }) => known.has(id) && modified > 200)).toBe(true);
    const live = changes.filter(({ data }) => data !== undefined);
    expect(live.filter(({ id, data }) => JSON.stringify(known.get(id)) === JSON.stringify(data)).length).toBeLessThan(
      live.length / 2,
    );
  });

  test('has items that are to come, and tombstones', () => {
    const { items } = pageAfter(feed, 0, { seed: 1, changed: 0 });
    const share = (of: RegExp) => items.filter((text) => of.test(text)).length / items.length;
    expect(share(/"startDate":"2027-/)).toBeCloseTo(0.53, 1);
    expect(share(/"state":"deleted"/)).toBeCloseTo(0.12, 1);
  });
});

test('each feed is read to its end, without a finding of its pages and with all its items', async () => {
  const { feeds, close } = await publish({ scale: 0.0005, seed: 1, slots: true });
  try {
    for (const { url, feed } of feeds.filter((_, at) => at % 20 === 0)) {
      let read = 0;
      for (let next = url; ; ) {
        const page = parsePage(await (await fetch(next)).text());
        expect(page.findings).toEqual([]);
        read += page.items.length;
        if (page.next === next) break;
        next = page.next as string;
      }
      expect([feed.type, read]).toEqual([feed.type, feed.items]);
    }
    expect(new Set(feeds.map(({ url }) => new URL(url).hostname)).size).toBeGreaterThan(150);
  } finally {
    await close();
  }
});
