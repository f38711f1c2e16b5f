import { rebuild } from '../../src/harvest/ingest/rebuild.ts';
import type { RecordKind } from '../../src/opportunity/records.ts';
import { rollForward } from '../../src/revision/roll.ts';
import type { Step } from '../generate/plain.ts';
import { FEED, type Rig } from '../harvest/rig.ts';

const DAY = 86_400_000;

/** Kinds that have calendars, and the address of the whole calendar of a key. */
export const KINDS: readonly [kind: RecordKind, address: (key: string) => string][] = [
  ['series', (key) => key],
  ['place', (key) => `places/${key}/all`],
  ['facility', (key) => `facilities/${key}/all`],
];

/** Applies a step of a random history, a minute after the one before. */
export async function take(one: Rig, step: Step): Promise<void> {
  one.clock.now += 60_000;
  if (step.what === 'page') await one.feed(step.items, 50, `${FEED}/${step.feed}`);
  if (step.what === 'publisher') await one.ingest.open(`${FEED}/${step.feed}`, { publisher: step.name });
  if (step.what === 'rebuild') await rebuild(one.store, one.options);
  if (step.what === 'days') {
    one.clock.now += step.count * DAY;
    await rollForward(one.store, one.options);
  }
}
