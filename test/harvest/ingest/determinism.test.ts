import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rebuild } from '../../../src/harvest/ingest/rebuild.ts';
import { history } from '../../generate/history.ts';
import { Random } from '../../generate/random.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { runs } from '../../runs.ts';
import { FEED, type Rig, rig, withoutStamps } from '../rig.ts';
import { dyingAfter } from './dying.ts';

const RUNS = runs(3);

async function afterwards(work: (one: Rig) => Promise<void>): Promise<Map<string, string>> {
  const one = await rig();
  try {
    await work(one);
    return withoutStamps(await one.served());
  } finally {
    await one.close();
  }
}

describe('the same data in whatever way it comes makes the same calendars', () => {
  // One history in some hundred ends with sessions alone, and no calendar to compare.
  const seeds = fc
    .integer({ min: 1, max: 1_000_000 })
    .filter((seed) => history(seed).last.some(({ kind, state }) => state === 'updated' && kind !== 'ScheduledSession'));

  it('in any order, page size and number of deliveries', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 1, max: 60 }), async (seed, size) => {
        const { all, last } = history(seed);
        const clean = await afterwards((one) => one.feed(last, 500));
        expect(clean.size).toBeGreaterThan(0);
        const random = new Random(seed + 1);
        const untidy = random.shuffle([...all, ...all.filter(() => random.chance(0.3))]);
        expect(await afterwards((one) => one.feed(untidy, size))).toEqual(clean);
      }),
      { numRuns: RUNS },
    );
  });

  it('with a failure in the middle of any page and a restart after it', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const { all, last } = history(seed);
        const clean = await afterwards((one) => one.feed(last, 500));
        const random = new Random(seed + 2);
        const broken = await afterwards(async (one) => {
          for (let at = 0; at < all.length; at += 20) {
            const page = all.slice(at, at + 20);
            if (random.chance(0.4)) await failing(one, page, random.int(1, 60));
            await one.feed(page, 20);
          }
        });
        expect(broken).toEqual(clean);
      }),
      { numRuns: RUNS },
    );
  });

  it('rebuilt from the raw data, without moving a revision', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const one = await rig();
        try {
          await one.feed(history(seed).all, 30);
          const before = await one.served();
          one.clock.now += 86_400_000;
          one.changed.clear();
          await rebuild(one.store, one.options);
          expect(await one.served()).toEqual(before);
          expect([...one.changed]).toEqual([]);
        } finally {
          await one.close();
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('said by two feeds, or embedded and on its own', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const items = randomFeed(seed, 5);
        const bySeries = new Map(
          items.filter((item) => item.data?.eventSchedule).map((item) => [item.data?.['@id'], item]),
        );
        // Each session also carries its series as another system saw it: the series' own item is to be believed.
        const embedded = items.map((item) => {
          const parent = bySeries.get(item.data?.superEvent);
          if (parent === undefined) return item;
          return { ...item, data: { ...item.data, superEvent: { ...parent.data, name: `Seen from ${item.id}` } } };
        });
        const clean = await afterwards((one) => one.feed(items, 500));
        expect(await afterwards((one) => one.feed(embedded, 7))).toEqual(clean);
        const twice = await afterwards(async (one) => {
          await one.feed(items.slice(0, 40), 9, `${FEED}/b`);
          await one.feed(items, 9);
          await one.feed(
            items.map(({ data: _, ...item }) => ({ ...item, state: 'deleted' as const, modified: 3e9 })),
            9,
            `${FEED}/b`,
          );
        });
        expect(twice).toEqual(clean);
      }),
      { numRuns: RUNS },
    );
  });
});

/** A commit that dies at its nth call to the store; then the process comes back. */
async function failing(one: Rig, page: RpdeJson[], after: number): Promise<void> {
  dyingAfter(one.store, after);
  await one.feed(page, 20).catch((error: unknown) => {
    expect(String(error)).toContain('killed');
  });
  await one.reopen();
}
