import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedItems } from '../../src/cli/check/repeated-items.ts';
import { readInput } from '../../src/join/input.ts';
import type { RpdeJson } from '../generate/series.ts';
import { runs } from '../runs.ts';
import { served } from '../server/stored-rig.ts';

/** Items of a feed that are one thing under several RPDE ids: a stored feed says of them what `check` says of its pages. */

const HOST = 'https://feeds.example.org';
const FEEDS = [`${HOST}/sessions`, `${HOST}/more`, 'https://other.example/sessions'];
const SERIES = ['yoga', 'swim'].map((name) => `${HOST}/series/${name}`);

interface Step {
  feed: number;
  item: number;
  kind: 'SessionSeries' | 'ScheduledSession';
  about: number;
  /** Added to the item's last `modified`: what comes first need not be the older one. */
  later: number;
  deleted: boolean;
  embeds: boolean;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    feed: fc.constantFrom(0, 0, 0, 1, 2),
    item: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom('SessionSeries', 'ScheduledSession'),
    about: fc.integer({ min: 0, max: 1 }),
    later: fc.integer({ min: 1, max: 30 }),
    deleted: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    embeds: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
);

function dataOf({ kind, about, embeds, later }: Step): object {
  const series = SERIES[about] as string;
  const parent = { '@type': 'SessionSeries', '@id': series, name: 'Yoga' };
  if (kind === 'SessionSeries') return { ...parent, description: `${later}` };
  const start = { startDate: '2026-12-01T18:00:00Z', duration: 'PT1H' };
  return { '@type': kind, '@id': `${series}/1`, superEvent: embeds ? parent : series, ...start };
}

const named = (findings: readonly { code: string; item: string; message: string }[]) =>
  findings
    .filter(({ code }) => code === 'repeated-in-feed')
    .map(({ item, message }) => `${item}: ${message}`)
    .sort();

test('whatever comes, changes and goes, in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const one = await served();
      const live = FEEDS.map(() => new Map<string, RpdeJson>());
      const modified = new Map<string, number>();
      try {
        for (const step of all) {
          const key = { kind: step.kind, id: `${step.item}` };
          const name = `${step.feed} ${key.kind} ${key.id}`;
          modified.set(name, (modified.get(name) ?? 0) + step.later);
          const versioned = { ...key, modified: modified.get(name) as number };
          const item = (
            step.deleted ? { state: 'deleted', ...versioned } : { state: 'updated', ...versioned, data: dataOf(step) }
          ) as RpdeJson;
          if (step.deleted) live[step.feed]?.delete(name);
          else live[step.feed]?.set(name, item);
          one.rig.clock.now += 60_000;
          await one.rig.feed([item], 50, FEEDS[step.feed], step.feed < 2 ? 'publisher' : 'other');
        }
        for (const { id, url } of await one.rig.store.read.feeds()) {
          const items = [...(live[FEEDS.indexOf(url)]?.values() ?? [])];
          const { records } = readInput(JSON.stringify(items), { zone: 'Europe/London', feed: url });
          const stored = await one.library.feedFindings(id, { limit: 500 });
          expect(named(stored?.findings ?? [])).toEqual(named(repeatedItems(records)));
        }
      } finally {
        await one.close();
      }
    }),
    { numRuns: runs(15) },
  );
});
