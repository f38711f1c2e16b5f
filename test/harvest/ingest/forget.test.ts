import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Feed } from '../../../src/harvest/feed/crawl.ts';
import { beginForgetting, finishForgetting, forgetFeed } from '../../../src/harvest/ingest/forget.ts';
import { createIngest, registerFeeds } from '../../../src/harvest/ingest/ingest.ts';
import { harvestForever } from '../../../src/harvest/visit/forever.ts';
import { visit } from '../../../src/harvest/visit/visit.ts';
import type { CalendarRow, Store } from '../../../src/store/index.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { runs } from '../../runs.ts';
import { modelFeed, sessions } from '../model-feed.ts';
import { type Rig, rig, visitOptions, withoutStamps } from '../rig.ts';
import { dyingAfter } from './dying.ts';

const RUNS = runs(2);
const KEPT = 'https://kept.example/feed';
const FORGOTTEN = 'https://forgotten.example/feed';

/** All that is stored, by what it is called; without calendars that ended, their revisions, and the numbers of rows. */
async function dump(one: Rig): Promise<Record<string, unknown[]>> {
  const rows = async (sql: string): Promise<unknown[]> =>
    (await one.rows(sql)).map((row) => JSON.stringify(row)).sort();
  const live = "EXISTS (SELECT 1 FROM calendar c WHERE c.record = r.id AND c.part = '' AND c.state = 'live')";
  const name = (column: string) => `(SELECT p.ident FROM record_body p WHERE p.record = r.${column})`;
  const item = '(SELECT f.url || i.kind || i.rpde_id FROM item i JOIN feed f ON f.id = i.feed WHERE i.id = %)';
  return {
    feeds: await rows('SELECT url, name, publisher, cursor, live, deleted, findings FROM feed'),
    publishers: await rows('SELECT key FROM publisher'),
    pages: await rows('SELECT f.url, p.cursor, p.findings FROM page_finding p LEFT JOIN feed f ON f.id = p.feed'),
    items: await rows(
      'SELECT f.url, i.kind, i.rpde_id, i.modified, i.hash, i.findings FROM item i LEFT JOIN feed f ON f.id = i.feed',
    ),
    bundles: await rows('SELECT id FROM bundle WHERE id NOT IN (SELECT bundle FROM item WHERE bundle IS NOT NULL)'),
    records: await rows(
      `SELECT r.kind, s.ident, s.body, ${item.replace('%', 'r.item')}, r.rank, ${name('parent')}, ${name('place')}, ${name('venue')},
          (SELECT key FROM publisher WHERE id = r.publisher_id)
          FROM record r JOIN record_body s ON s.record = r.id WHERE r.item IS NOT NULL OR ${live}`,
    ),
    claims: await rows(
      `SELECT s.ident, ${item.replace('%', 'c.item')}, c.rank, c.refused FROM claim c JOIN record_body s ON s.record = c.record`,
    ),
    seen: await rows('SELECT feed, chunk FROM seen'),
    aside: await rows('SELECT item FROM aside'),
  };
}

async function live(one: Rig): Promise<unknown> {
  const calendars: CalendarRow[] = [];
  for (const kind of ['series', 'place', 'facility'] as const)
    calendars.push(...(await one.store.read.calendars({ kind, limit: 1_000_000 })));
  return {
    served: withoutStamps(await one.served()),
    calendars: calendars.map(({ kind, key, name }) => `${kind} ${key} ${name}`).sort(),
  };
}

/** What another feed says of the same things, and of things of its own. */
function rival(seed: number): RpdeJson[] {
  const taken = randomFeed(seed, 5).map((item) => ({
    ...item,
    modified: 9_000_000_000,
    ...(item.data && { data: { ...item.data, name: 'Mine' } }),
  }));
  const own = randomFeed(seed + 1, 5).map((item) => ({
    ...JSON.parse(JSON.stringify(item).replaceAll('example.org', 'forgotten.example')),
    id: `own-${item.id}`,
  }));
  return [...taken, ...own];
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });

describe('a feed that is forgotten', () => {
  it.each([
    ['known after the other', false],
    ['known before the other, so that what both speak of was its own', true],
  ])('is as if it had never been: %s', async (_name, first) => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const [one, never] = [await rig(), await rig()];
        try {
          await never.feed(randomFeed(seed, 5), 40, KEPT);
          if (first) await one.feed(rival(seed), 40, FORGOTTEN);
          await one.feed(randomFeed(seed, 5), 40, KEPT);
          if (!first) await one.feed(rival(seed), 40, FORGOTTEN);
          expect(await forgetFeed(one.store, FORGOTTEN, one.options)).toMatchObject({ url: FORGOTTEN });
          expect(await live(one)).toEqual(await live(never));
          expect(await dump(one)).toEqual(await dump(never));
        } finally {
          await one.close();
          await never.close();
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('goes on being forgotten where a stopped process left off', async () => {
    const [one, never] = [await rig(), await rig()];
    try {
      await never.feed(randomFeed(7, 30), 40, KEPT);
      await one.feed(rival(7), 40, FORGOTTEN);
      await one.feed(randomFeed(7, 30), 40, KEPT);
      for (const calls of [5, 20, 60, 150, 400]) {
        dyingAfter(one.store, calls);
        const forgetting =
          calls === 5 ? forgetFeed(one.store, FORGOTTEN, one.options) : finishForgetting(one.store, one.options);
        await forgetting.catch((error: unknown) => expect(String(error)).toContain('killed'));
        await one.reopen();
      }
      await forgetFeed(one.store, FORGOTTEN, one.options).catch(() => {});
      await finishForgetting(one.store, one.options);
      expect(await live(one)).toEqual(await live(never));
      expect(await dump(one)).toEqual(await dump(never));
    } finally {
      await one.close();
      await never.close();
    }
  });

  it('is read by no process that runs, whichever comes to it, until one that starts names it', async () => {
    const one = await rig();
    try {
      const feed = modelFeed(FORGOTTEN);
      feed.put(...sessions(1, 5));
      const stop = new AbortController();
      let naps = 0;
      const states: string[] = [];
      const options = { ...visitOptions(one), signal: stop.signal, pollMs: () => 1 };
      await visit(feed, { ...options, failures: 0, waitMs: () => 0 });
      await forgetFeed(one.store, FORGOTTEN, one.options);
      feed.asked.splice(0);
      // Another process has its origin from now on.
      const reading = harvestForever([feed], {
        ...options,
        sleep: async () => {
          naps += 1;
          await new Promise((done) => setImmediate(done));
        },
        onStatus: ({ state }) => {
          states.push(state);
          stop.abort(new Error('enough'));
        },
      });
      while (naps < 5 && states.length === 0) await new Promise((done) => setImmediate(done));
      expect([feed.asked, states, await one.store.read.feeds()]).toEqual([[], [], []]);
      await expect(one.ingest.open(FORGOTTEN, {})).rejects.toThrow('forgotten');
      await registerFeeds(one.store, [feed], one.options);
      await reading;
      expect(states).toEqual(['ended']);
      expect((await one.served()).size).toBe(5);
    } finally {
      await one.close();
    }
  });

  it.each<[what: string, act: (one: Rig, store: Store) => Promise<unknown>]>([
    [
      'a visit that opens it',
      (one, store) =>
        createIngest(store, one.options)
          .open(FORGOTTEN, { name: 'Another name' })
          .catch((error: unknown) => expect(String(error)).toContain('forgotten')),
    ],
    [
      'a process that starts',
      (one, store) => {
        const source = { url: FORGOTTEN } as Feed['source'];
        return registerFeeds(store, [{ source, meta: { publisherKey: 'https://another.example' } }], one.options);
      },
    ],
  ])('may not speak again because of %s at that moment', async (_, act) => {
    const one = await rig();
    try {
      await one.feed(randomFeed(3, 5), 40, FORGOTTEN);
      let isBegun = false;
      const store: Store = {
        read: one.store.read,
        troubles: one.store.troubles,
        retries: () => 0,
        check: () => one.store.check(),
        close: () => one.store.close(),
        // It is to be forgotten just before the transaction begins.
        write: async (work) => {
          if (!isBegun) await beginForgetting(one.store, FORGOTTEN);
          isBegun = true;
          return one.store.write(work);
        },
      };
      await act(one, store);
      expect(isBegun).toBe(true);
      expect((await one.store.read.feeds()).map(({ publisherId }) => publisherId)).toEqual([0]);
    } finally {
      await one.close();
    }
  });

  it('takes no page in that was on its way', async () => {
    const one = await rig();
    try {
      await one.feed(randomFeed(3, 5), 40, FORGOTTEN);
      const handle = await one.ingest.open(FORGOTTEN, {});
      await forgetFeed(one.store, FORGOTTEN, one.options);
      await expect(one.ingest.commit(handle, { items: [], findings: [] }, 'x')).rejects.toThrow('forgotten');
      expect(await one.store.read.feeds()).toEqual([]);
    } finally {
      await one.close();
    }
  });
});
