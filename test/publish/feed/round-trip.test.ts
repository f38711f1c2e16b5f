import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFolder } from '../../../src/cli/package.ts';
import { crawlOnce } from '../../../src/harvest/feed/crawl.ts';
import { sampleFeeds } from '../../../src/harvest/feed/samples.ts';
import { createIngest } from '../../../src/harvest/ingest/ingest.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { aboutPublisher } from '../../../src/publish/feed/datasets.ts';
import { Republisher } from '../../../src/publish/feed/republish.ts';
import { databaseAt } from '../../../src/store/index.ts';
import { randomEvents } from '../../generate/events.ts';
import { history } from '../../generate/history.ts';
import { loosened } from '../../generate/loose.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { withWholeDays } from '../../generate/whole-days.ts';
import { sleeper } from '../../harvest/memory.ts';
import { type Rig, rig, servedBy, venuesServedBy, withoutStamps } from '../../harvest/rig.ts';
import { runs } from '../../runs.ts';
import { everyKind } from './every-kind.ts';

/** Feeds, republished and harvested again: the calendars are those of the first harvest. */

let first: Rig;
let second: Rig;
/** The last number that the second harvest has seen of each feed. */
let seen: Map<string, number>;

beforeEach(open);
afterEach(close);

async function open(): Promise<void> {
  first = await rig();
  second = await rig();
  for (const self of [first, second]) {
    const cleanOptions: Rig['options']['cleanOptions'] = ({ url }) => ({
      zone: 'Europe/London',
      feed: url,
      slots: true,
    });
    self.ingest = createIngest(self.store, { ...self.options, cleanOptions });
  }
  seen = new Map();
}

async function close(): Promise<void> {
  await first.close();
  await second.close();
}

/** Feeds that are read on from the last number seen, as harvesters do: one feed, one address, one publisher a dataset. */
async function harvestAgain(): Promise<void> {
  const log = await databaseAt(first).openRepublished();
  const watch = await databaseAt(first).openWatch();
  try {
    await new Republisher(first.store.read, watch, log).follow(first.clock.now);
    const feeds = await first.store.read.feeds();
    for (const name of await log.feeds()) {
      const [dataset = ''] = name.split('/');
      const about = aboutPublisher(dataset, feeds, 'https://again.example/licence');
      const entries = await log.page(name, seen.get(name) ?? 0, 10_000);
      seen.set(name, entries.at(-1)?.number ?? seen.get(name) ?? 0);
      const items = entries.map(({ id, kind, data, number: modified }): RpdeJson => {
        const item = { kind, id, modified };
        return data === undefined
          ? { ...item, state: 'deleted' }
          : { ...item, state: 'updated', data: JSON.parse(data) as JsonObject };
      });
      if (items.length === 0) continue;
      const meta = { publisher: about?.publisher.name, license: about?.license, publisherKey: dataset };
      await second.feed(items, 50, `https://again.example/rpde/${name}`, dataset, meta);
    }
  } finally {
    await watch.close();
    await log.close();
  }
}

async function calendars({ store, options }: Rig, uids: boolean): Promise<Map<string, string>> {
  const all = [...(await servedBy(store, options)), ...(await venuesServedBy(store, options))];
  const found = [...withoutStamps(new Map(all))].map(([key, text]) => {
    const unfolded = text.replaceAll('\r\n ', '');
    return [key, uids ? unfolded : withoutUids(unfolded)] as const;
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
  await harvestAgain();
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
    { numRuns: runs(4) },
  );
}

describe('harvested again, the republished feeds give the same calendars', () => {
  test('of the sample feeds', async () => {
    const feeds = await sampleFeeds(join(packageFolder, 'fixtures', 'feeds'), () => first.clock.now);
    const options = { ingest: first.ingest, sleep: sleeper().sleep, random: () => 0 };
    for (const feed of feeds) {
      // The address of a publisher gives way to that of the dataset.
      const { publisherUrl: _, ...meta } = feed.meta;
      await crawlOnce({ ...feed, meta: { license: 'https://creativecommons.org/licenses/by/4.0/', ...meta } }, options);
    }
    await comeBack(false);
    const [before, after] = [await calendars(first, true), await calendars(second, true)];
    // Its sessions have no @id.
    const pilates = keyOf('series', 'https://bookings.fitbarn.example/OpenActive/api/session-series/7004');
    const others = [...before.keys()].filter((key) => before.get(key) !== after.get(key));
    expect(others.filter((key) => !key.startsWith('places/'))).toEqual([pilates]);
    expect(new Set(others.map((key) => before.get(key)?.match(/^X-WR-CALNAME:(.*)\r$/m)?.[1]))).toEqual(
      new Set(['Pilates Mat\\, The Fit Barn', 'The Fit Barn']),
    );
  });

  test('of places, parts, groups, facilities and slots', async () => {
    await first.feed(everyKind());
    await comeBack();
    const kinds = new Set([...(await calendars(second, true)).keys()].map((key) => key.replace(/\w{16}/, '')));
    expect(kinds).toContain('places//availability');
    expect(kinds).toContain('facilities//freebusy');
  });

  test('of series whose Schedules have an @id, when the first of them goes', async () => {
    const [series] = everyKind().filter(({ data }) => Array.isArray(data?.eventSchedule));
    const [schedule] = (series?.data?.eventSchedule ?? []) as JsonObject[];
    const named = ['1', '2'].map((name, index) => ({
      ...schedule,
      '@id': `https://club.example/schedules/${name}`,
      startTime: `1${index}:00`,
      endTime: `1${index}:30`,
    }));
    const item = (eventSchedule: JsonObject[], modified: number) =>
      ({ ...series, modified, data: { ...series?.data, eventSchedule } }) as RpdeJson;
    await first.feed([item(named, 1_800_000_000)]);
    await comeBack();
    await first.feed([item(named.slice(1), 1_800_000_010)]);
    await comeBack();
  });

  test('when each of them is changed, deleted and brought back', async () => {
    await first.feed(everyKind());
    await comeBack();
    let modified = 1_800_000_000;
    for (const item of everyKind()) {
      modified += 10;
      await first.feed([{ ...item, modified, data: { ...item.data, name: `Another name ${modified}` } }]);
      await comeBack();
      const { data: _, ...bare } = item;
      await first.feed([{ ...bare, state: 'deleted', modified: modified + 1 }]);
      await comeBack();
      await first.feed([{ ...item, modified: modified + 2 }]);
      await comeBack();
    }
  });

  test('of random series, with whole days', () => holds((seed) => withWholeDays(randomFeed(seed, 8))));

  test('of series whose sessions leave out times and ids', () =>
    holds((seed) => loosened(seed, randomFeed(seed, 8)), false));

  test('of random events with parts and without', () => holds((seed) => randomEvents(seed, 20)));

  test('of random events whose parts have no @id', () => holds((seed) => randomEvents(seed, 20, 0.5)));

  test('of random histories of two publishers, at every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        await close();
        await open();
        const all = [history(seed).all, history(seed + 1).all];
        for (let at = 0; at < Math.max(...all.map(({ length }) => length)); at += 25) {
          for (const [index, items] of all.entries()) {
            const meta = { publisher: `Publisher ${index}`, license: `https://licences.example/${index}` };
            const origin = `https://publisher-${index}.example`;
            await first.feed(items.slice(at, at + 25), 25, `${origin}/feed`, origin, meta);
          }
          await comeBack();
        }
      }),
      { numRuns: runs(2) },
    );
  });
});
