import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFolder } from '../../../src/cli/package.ts';
import { crawlOnce } from '../../../src/harvest/feed/crawl.ts';
import { sampleFeeds } from '../../../src/harvest/feed/samples.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { REPUBLISHED_FEEDS, Republisher } from '../../../src/publish/feed/republish.ts';
import { openChangeLog, openRecordWatch } from '../../../src/store/index.ts';
import { randomEvents } from '../../generate/events.ts';
import { loosened } from '../../generate/loose.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { withWholeDays } from '../../generate/whole-days.ts';
import { sleeper } from '../../harvest/memory.ts';
import { type Rig, rig, servedBy, withoutStamps } from '../../harvest/rig.ts';

/** Feeds, republished and harvested again: the calendars are those of the first harvest. */

let first: Rig;
let second: Rig;

beforeEach(open);
afterEach(close);

async function open(): Promise<void> {
  first = await rig();
  second = await rig();
}

async function close(): Promise<void> {
  await first.close();
  await second.close();
}

/** The items of all feeds that the first store republishes. */
async function republished(): Promise<RpdeJson[]> {
  const log = await openChangeLog(first, 'republished');
  const watch = await openRecordWatch(first);
  try {
    await new Republisher(first.store.read, watch, log).follow(first.clock.now);
    const pages = await Promise.all(REPUBLISHED_FEEDS.map((name) => log.page(name, 0, 10_000)));
    return pages.flat().flatMap(({ id, kind, data, number: modified }) => {
      const item = { state: 'updated' as const, kind, id, modified };
      return data === undefined ? [] : [{ ...item, data: JSON.parse(data) as JsonObject }];
    });
  } finally {
    await watch.close();
    await log.close();
  }
}

async function calendars({ store, options }: Rig, uids: boolean): Promise<Map<string, string>> {
  const found = [...withoutStamps(await servedBy(store, options))].map(([key, text]) => {
    // The model asks more of a Schedule than its publisher has said: what the mark repeats is written otherwise.
    const unmarked = text.replaceAll('\r\n ', '').replace(/^X-OPENACTIVE-SERIES:.*\r\n/gm, '');
    return [key, uids ? unmarked : withoutUids(unmarked)] as const;
  });
  return new Map(found);
}

/** They order events that are otherwise alike. */
function withoutUids(text: string): string {
  return text
    .replace(/^UID:.*\r\n/gm, '')
    .split(/(?=BEGIN:VEVENT|END:VCALENDAR)/)
    .sort()
    .join('');
}

/** @param uids of a session without an `@id` hang on the address of its feed, which is another */
async function comeBack(uids = true): Promise<void> {
  await second.feed(await republished());
  expect(await calendars(second, uids)).toEqual(await calendars(first, uids));
}

async function holds(items: (seed: number) => RpdeJson[], uids = true): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      await close();
      await open();
      await first.feed(items(seed));
      await comeBack(uids);
    }),
    { numRuns: 8 * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1) },
  );
}

describe('harvested again, the republished feeds give the same calendars', () => {
  test('of the sample feeds', async () => {
    const meta = { publisher: 'Example Leisure', license: 'https://creativecommons.org/licenses/by/4.0/' };
    const feeds = await sampleFeeds(join(packageFolder, 'fixtures', 'feeds'), () => first.clock.now);
    const options = { ingest: first.ingest, sleep: sleeper().sleep, random: () => 0 };
    for (const feed of feeds) await crawlOnce({ ...feed, meta }, options);
    await comeBack(false);
    const [before, after] = [await calendars(first, true), await calendars(second, true)];
    // Its sessions have no @id.
    const pilates = keyOf('series', 'https://bookings.fitbarn.example/OpenActive/api/session-series/7004');
    expect([...before.keys()].filter((key) => before.get(key) !== after.get(key))).toEqual([pilates]);
  });

  test('of random series, with whole days', () => holds((seed) => withWholeDays(randomFeed(seed, 8))));

  test('of series whose sessions leave out times and ids', () =>
    holds((seed) => loosened(seed, randomFeed(seed, 8)), false));

  test('of random events with parts and without', () => holds((seed) => randomEvents(seed, 20)));

  test('of random events whose parts have no @id', () => holds((seed) => randomEvents(seed, 20, 0.5), false));
});
