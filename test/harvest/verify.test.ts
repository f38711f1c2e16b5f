import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyStore } from '../../src/harvest/verify.ts';
import { visit } from '../../src/harvest/visit.ts';
import { randomFeed } from '../generate/series.ts';
import { modelFeed, sessions } from './model-feed.ts';
import { FEED, rig } from './rig.ts';

const RUNS = 8 * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1);

test('whatever a feed has sent, in whatever order, everything stored is as its raw items make it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const one = await rig();
      const scratch = await mkdtemp(join(tmpdir(), 'oai-verify-'));
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
        const { differences } = await verifyStore(one.data, scratch, one.options, async () => {});
        expect(differences).toEqual([]);
      } finally {
        await one.close();
        await rm(scratch, { recursive: true });
      }
    }),
    { numRuns: RUNS },
  );
});
