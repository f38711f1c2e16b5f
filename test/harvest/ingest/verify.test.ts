import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyStore } from '../../../src/harvest/ingest/verify.ts';
import { visit } from '../../../src/harvest/visit/visit.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { modelFeed, sessions } from '../model-feed.ts';
import { FEED, type Rig, rig } from '../rig.ts';

const id = (path: string) => `https://ex.org/${path}`;

/** What differs between a store and what its raw items make. */
async function differencesIn(one: Rig): Promise<unknown[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'oai-verify-'));
  try {
    return (await verifyStore(one.data, scratch, one.options, async () => {})).differences;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

test('what is on at a place keeps its revision where a series there has lost a session', async () => {
  const hall = { '@type': 'Place', '@id': id('p'), name: 'Hall' };
  const start = { startDate: '2026-12-07T18:00:00Z', endDate: '2026-12-07T19:00:00Z' };
  const all = [
    { '@type': 'ScheduledSession', '@id': id('s/1'), superEvent: id('s'), ...start },
    { '@type': 'SessionSeries', '@id': id('s'), name: 'Yoga', location: hall },
    { '@type': 'Event', '@id': id('e'), name: 'Run', location: hall, ...start },
  ].map((data, n): RpdeJson => ({ state: 'updated', kind: data['@type'], id: '1', modified: n, data }));
  const [session, series, run] = all as [RpdeJson, RpdeJson, RpdeJson];
  const one = await rig();
  try {
    const { data: _, ...key } = session;
    for (const item of [session, series, { ...key, state: 'deleted' as const, modified: 9 }, run])
      await one.feed([item]);
    expect(await differencesIn(one)).toEqual([]);
  } finally {
    await one.close();
  }
});

const RUNS = 8 * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1);

test('whatever a feed has sent, in whatever order, everything stored is as its raw items make it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const one = await rig();
      try {
        const feed = modelFeed(FEED, 7);
        const go = () =>
          visit(feed, {
            ingest: one.ingest,
            now: () => one.clock.now,
            sleep: async () => {},
            random: () => 0.5,
            failures: 0,
            waitMs: () => 8000,
          });
        const items = randomFeed(seed, 12);
        feed.put(...items.slice(0, items.length / 2), ...sessions(1, 5));
        await go();
        feed.put(...items, ...sessions(2, 2, 'Renamed'));
        await go();
        feed.vanish('s1');
        feed.put(...sessions(40, 1));
        await go();
        expect(await differencesIn(one)).toEqual([]);
      } finally {
        await one.close();
      }
    }),
    { numRuns: RUNS },
  );
});
