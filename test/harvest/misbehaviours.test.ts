import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/fetch/client.ts';
import { createHostQueue } from '../../src/fetch/host-queue.ts';
import type { Feed } from '../../src/harvest/feed/crawl.ts';
import { httpSource } from '../../src/harvest/feed/http-source.ts';
import { type FeedStatus, visit } from '../../src/harvest/visit/visit.ts';
import { BAD_DELIVERY, LEADS_NOWHERE, ODD_BUT_GOOD } from './misbehaviours.ts';
import { type Rig, rig } from './rig.ts';
import { RpdePublisher } from './rpde-publisher.ts';

const LIMITS = { connectMs: 200, headersMs: 60, idleMs: 60, totalMs: 400, bytes: 1_000_000 };
const SECRET = 'tell-nobody';

/** Every misbehaviour by itself: what is served stays, what is wrong is said in words, and what was missed comes after it. */
describe('a publisher that misbehaves', () => {
  let publisher: RpdePublisher;
  let one: Rig;
  let client: Client;
  let feed: Feed;

  beforeEach(async () => {
    publisher = await RpdePublisher.open({ limit: 2 });
    for (const id of [1, 2, 3, 4, 5]) publisher.put(id, series(id, 'Yoga'));
    one = await rig();
    client = createClient({ userAgent: 'test', named: [publisher.url], now: () => one.clock.now, limits: LIMITS });
    feed = {
      meta: {},
      source: httpSource({
        url: `${publisher.url}?key=${SECRET}`,
        client,
        queue: createHostQueue(),
        named: new Set([new URL(publisher.url).origin]),
      }),
    };
    expect((await visitOnce()).state).toBe('ended');
    // News, so that there is something to miss.
    publisher.put(2, series(2, 'Pilates'));
    publisher.delete(3);
    publisher.put(6, series(6, 'Boxing'));
  });
  afterEach(async () => {
    await client.close();
    await publisher.close();
    await one.close();
  });

  const series = (id: number, name: string) => ({
    '@type': 'SessionSeries',
    '@id': `https://example.org/series/${id}`,
    name,
  });
  const visitOnce = (): Promise<FeedStatus> =>
    visit(feed, {
      ingest: one.ingest,
      now: () => one.clock.now,
      failures: 0,
      waitMs: () => 8000,
      sleep: async () => {},
      random: () => 0.5,
    });
  const names = async (): Promise<string[]> =>
    (await one.store.read.calendars({ kind: 'series', limit: 100 })).map(({ name }) => name);
  const BEFORE = ['Yoga', 'Yoga', 'Yoga', 'Yoga', 'Yoga'];
  const AFTER = ['Boxing', 'Pilates', 'Yoga', 'Yoga', 'Yoga'];

  it.each(Object.entries(BAD_DELIVERY))(
    '%s: nothing is deleted, and the next visit brings what was missed',
    async (_, bad) => {
      publisher.instead = bad;
      const { state, error = '', wait } = await visitOnce();
      expect(['failing', 'gone']).toContain(state);
      expect(error).toMatch(/\w{3} \w/);
      expect(error).not.toContain(SECRET);
      expect(error).not.toMatch(/\n|node:|\bat /);
      expect(wait).toBeGreaterThan(1000);
      expect(await names()).toEqual(BEFORE);
      publisher.instead = undefined;
      one.clock.now += 86_400_000;
      expect((await visitOnce()).state).toBe('ended');
      expect(await names()).toEqual(AFTER);
    },
  );

  it.each(Object.entries(ODD_BUT_GOOD))('%s: taken as it is', async (_, odd) => {
    publisher.instead = odd;
    expect((await visitOnce()).state).toBe('ended');
    expect(await names()).toEqual(AFTER);
  });

  it.each(Object.entries(LEADS_NOWHERE))(
    '%s: what is on the page is taken, what comes after it on later visits',
    async (_, odd) => {
      publisher.instead = odd;
      const { state, error } = await visitOnce();
      expect([state, error]).toEqual(['failing', expect.stringContaining('"next"')]);
      expect((await names()).length).toBeGreaterThanOrEqual(4);
      publisher.instead = undefined;
      expect((await visitOnce()).state).toBe('ended');
      expect(await names()).toEqual(AFTER);
    },
  );
});
