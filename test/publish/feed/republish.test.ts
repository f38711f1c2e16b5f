import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFolder } from '../../../src/cli/package.ts';
import { crawlOnce } from '../../../src/harvest/feed/crawl.ts';
import { sampleFeeds } from '../../../src/harvest/feed/samples.ts';
import { createIngest } from '../../../src/harvest/ingest/ingest.ts';
import { cleanWithHours } from '../../../src/hours/findings.ts';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { REPUBLISHED_FEEDS, type RepublishedFeed } from '../../../src/publish/feed/feed-names.ts';
import { Republisher } from '../../../src/publish/feed/republish.ts';
import { type ChangeLog, databaseAt, type RecordWatch } from '../../../src/store/index.ts';
import { history } from '../../generate/history.ts';
import { Random } from '../../generate/random.ts';
import { sleeper } from '../../harvest/memory.ts';
import { FEED, type Rig, rig } from '../../harvest/rig.ts';
import { runs } from '../../runs.ts';
import { failures } from './judges.ts';

/** What was harvested, published anew: complete, clean, and always what the store says. */

let self: Rig;
let log: ChangeLog;
let watch: RecordWatch;
let republisher: Republisher;

beforeEach(async () => {
  self = await rig();
  await open();
});

afterEach(async () => {
  await shut();
  await self.close();
});

async function open(): Promise<void> {
  log = await databaseAt(self).openRepublished();
  watch = await databaseAt(self).openWatch();
  republisher = new Republisher(self.store.read, watch, log);
}

async function shut(): Promise<void> {
  await watch.close();
  await log.close();
}

const follow = () => republisher.follow(self.clock.now);

async function objects(feed: RepublishedFeed): Promise<JsonObject[]> {
  const entries = await log.page(feed, 0, 10_000);
  return entries.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data) as JsonObject]));
}

async function states(feed: RepublishedFeed): Promise<[id: string, deleted: boolean][]> {
  return (await log.page(feed, 0, 10_000)).map(({ id, data }) => [id, data === undefined]);
}

function idOf(data: JsonObject | undefined): string {
  return data?.['@id'] as string;
}

let modified = 0;
function item(data: JsonObject | undefined, id = idOf(data)) {
  modified += 1;
  const kind = 'SessionSeries';
  return data === undefined ? { state: 'deleted', kind, id, modified } : { state: 'updated', kind, id, modified, data };
}

const feed = (...items: ReturnType<typeof item>[]) => self.feed(items as never);

/** The feed as anybody may see it. */
const SHOWN = 'https://feeds.example.org (feed 1)';
const ID = 'https://club.example/yoga';
const SERIES = {
  type: 'SessionSeries',
  id: ID,
  name: 'Yoga',
  activity: [
    { type: 'Concept', id: 'https://list.example/yoga', prefLabel: 'Yoga', inScheme: 'https://list.example/' },
  ],
  eventSchedule: {
    type: 'Schedule',
    repeatFrequency: 'P7D',
    byDay: 'Monday',
    startDate: '2026-11-02',
    startTime: '18:00',
    duration: 'PT1H',
    scheduleTimezone: 'Europe/London',
  },
} as unknown as JsonObject;
const session = (name: string, more: object = {}): JsonObject => ({
  '@type': 'ScheduledSession',
  '@id': `${ID}/${name}`,
  superEvent: ID,
  startDate: '2026-07-06T19:00:00+01:00',
  duration: 'PT1H',
  ...more,
});

describe('an object', () => {
  test.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'java\tscript:x', 'data:text/html,<b>', 'vbscript:x'])(
    'whose id is %j is published under a name of ours, wherever it is named',
    async (active) => {
      const location = { '@type': 'Place', '@id': active, name: 'Hall' };
      const activity = [{ '@type': 'Concept', '@id': active, prefLabel: 'Yoga', inScheme: 'https://list.example/' }];
      const series = { '@type': 'SessionSeries', '@id': `${active}#1`, name: 'Yoga', location, activity };
      const schedule = { ...(SERIES.eventSchedule as JsonObject), idTemplate: `${active}{startDate}` };
      await feed(
        item(location, '1'),
        item({ ...series, eventSchedule: schedule, organizer: { '@type': 'Organization', '@id': active } }, '2'),
        item(session('a', { superEvent: `${active}#1` }), '3'),
      );
      await follow();
      const [one] = await objects('session-series');
      const [place] = await objects('places');
      const [part] = await objects('scheduled-sessions');
      expect(JSON.stringify([one, place, part])).not.toMatch(/script:|data:text/i);
      // What cannot be an id at all has a stand-in.
      const isId = !active.includes('\t');
      expect(idOf(place)).toMatch(isId ? /^urn:openactive-ical:[a-z2-7]{16}$/ : /^https:/);
      expect(idOf(one?.location as JsonObject)).toBe(idOf(place));
      if (isId) expect(part?.superEvent).toBe(idOf(one));
    },
  );

  test('is written in one spelling, and says where it comes from', async () => {
    await feed(item(SERIES, '1'), item(session('a', { eventStatus: 'EventScheduled' })));
    await follow();
    expect(await objects('session-series')).toEqual([
      {
        '@context': 'https://openactive.io/',
        '@type': 'SessionSeries',
        '@id': ID,
        identifier: [
          { '@type': 'PropertyValue', propertyID: 'https://schema.org/isBasedOn', name: 'isBasedOn', value: SHOWN },
          expect.objectContaining({ name: 'publisher', value: 'Example Leisure' }),
          expect.objectContaining({ name: 'license', value: 'https://creativecommons.org/licenses/by/4.0/' }),
        ],
        name: 'Yoga',
        activity: [
          {
            '@type': 'Concept',
            '@id': 'https://list.example/yoga',
            prefLabel: 'Yoga',
            inScheme: 'https://list.example/',
          },
        ],
        eventSchedule: [
          expect.objectContaining({ repeatFrequency: 'P1W', byDay: ['https://schema.org/Monday'], startTime: '18:00' }),
        ],
      },
    ]);
    expect(await objects('scheduled-sessions')).toEqual([
      expect.objectContaining({
        '@type': 'ScheduledSession',
        '@id': `${ID}/a`,
        superEvent: ID,
        startDate: '2026-07-06T18:00:00Z',
        endDate: '2026-07-06T19:00:00Z',
        eventStatus: 'https://schema.org/EventScheduled',
      }),
    ]);
  });

  test('moves to the end when it changes, and only then', async () => {
    await feed(item(session('a')), item(session('b')));
    await follow();
    await feed(item(session('a')));
    await follow();
    expect(await states('scheduled-sessions')).toEqual([
      [`${ID}/a`, false],
      [`${ID}/b`, false],
    ]);
    await feed(item(session('a', { eventStatus: 'EventCancelled' })));
    expect(await follow()).toBe(1);
    expect(await states('scheduled-sessions')).toEqual([
      [`${ID}/b`, false],
      [`${ID}/a`, false],
    ]);
  });

  test('becomes a tombstone when its item is deleted', async () => {
    await feed(item(session('a')), item(session('b')));
    await follow();
    await feed(item(undefined, `${ID}/a`));
    await follow();
    expect(await states('scheduled-sessions')).toEqual([
      [`${ID}/b`, false],
      [`${ID}/a`, true],
    ]);
  });

  test('goes to the feed of its new type, and is deleted from the old', async () => {
    await feed(item(SERIES, '1'));
    await follow();
    await feed(item({ ...SERIES, type: 'CourseInstance' }, '1'));
    await follow();
    expect(await states('session-series')).toEqual([[ID, true]]);
    expect(await states('course-instances')).toEqual([[ID, false]]);
  });

  test('a series without a schedule holds its first session', async () => {
    const { eventSchedule: _, ...bare } = SERIES;
    await feed(item(bare, '1'), item(session('a')));
    await follow();
    expect((await objects('session-series'))[0]?.subEvent).toMatchObject([{ '@id': `${ID}/a` }]);
    await feed(item(undefined, `${ID}/a`), item(session('b')));
    await follow();
    expect((await objects('session-series'))[0]?.subEvent).toMatchObject([{ '@id': `${ID}/b` }]);
  });

  test('an event that is its own session is one object', async () => {
    const event = { '@type': 'Event', '@id': ID, name: 'Gala', startDate: '2026-12-01T10:00:00Z', duration: 'PT2H' };
    await feed(item(event));
    await follow();
    expect(await objects('events')).toEqual([
      expect.objectContaining({ '@id': ID, name: 'Gala', endDate: '2026-12-01T12:00:00Z' }),
    ]);
  });

  test('an event that names a series is one object, whether that is there or not', async () => {
    const parent = 'https://club.example/gala';
    const event = { '@type': 'Event', '@id': ID, name: 'Gala', startDate: '2026-12-01T10:00:00Z', superEvent: parent };
    const group = { '@type': 'EventSeries', '@id': parent, name: 'Galas' };
    const isOne = async (superEvent: string | undefined): Promise<void> => {
      await follow();
      const found = await objects('events');
      expect(found).toMatchObject([{ '@id': ID, name: 'Gala' }]);
      expect(found[0]?.superEvent).toBe(superEvent);
    };
    await feed(item(event, '1'));
    await isOne(undefined);
    await feed(item(group, '2'));
    await isOne(parent);
    await feed(item(undefined, '2'));
    await isOne(undefined);
  });

  test('changes when its place does', async () => {
    const place = (name: string) => ({
      '@type': 'Place',
      '@id': 'https://club.example/hall',
      name,
      address: 'High Street',
    });
    const facility = {
      '@type': 'FacilityUse',
      '@id': ID,
      name: 'Hall',
      location: 'https://club.example/hall',
    };
    await feed(item(facility), item(place('Old hall')));
    await follow();
    await feed(item(place('New hall')));
    await follow();
    expect((await objects('facility-uses'))[0]?.location).toMatchObject({ name: 'New hall' });
  });
});

test('a court shows what it is part of, as that is now', async () => {
  const hall = { '@type': 'Place', '@id': 'https://club.example/hall', name: 'Hall', address: 'High Street' };
  const whole = (name: string) => ({ '@type': 'FacilityUse', '@id': ID, name, location: hall });
  const court = {
    '@type': 'IndividualFacilityUse',
    '@id': `${ID}/1`,
    name: 'Court 1',
    location: hall,
    aggregateFacilityUse: ID,
  };
  await feed(item(court), item(whole('Courts')));
  await follow();
  await feed(item(whole('Badminton courts')));
  await follow();
  expect((await objects('individual-facility-uses'))[0]?.aggregateFacilityUse).toMatchObject({
    name: 'Badminton courts',
  });
});

test('slots are of a kind that the data model lists for feeds', async () => {
  const cleanOptions: Rig['options']['cleanOptions'] = ({ url }) => ({ zone: 'Europe/London', feed: url, slots: true });
  self.ingest = createIngest(self.store, { ...self.options, cleanOptions });
  const span = { startDate: '2026-12-01T10:00:00Z', duration: 'PT1H', remainingUses: 1 };
  await feed(item({ '@type': 'Slot', '@id': `${ID}/slots/1`, facilityUse: ID, ...span }));
  await follow();
  expect((await log.page('slots', 0, 10)).map(({ kind }) => kind)).toEqual(['FacilityUse/Slot']);
});

describe('whatever happens', () => {
  test('a crash before the log was written loses nothing, one after it changes nothing', async () => {
    await feed(item(session('a')));
    await shut();
    await self.reopen();
    await open();
    await follow();
    const before = await log.page('scheduled-sessions', 0, 10);
    expect(before).toHaveLength(1);
    await shut();
    await open();
    expect(await follow()).toBe(0);
    await log.setValue({ key: 'seen', value: '' });
    expect(await follow()).toBe(1);
    expect(await log.page('scheduled-sessions', 0, 10)).toEqual(before);
  });

  test('what went while nobody watched is found when watching begins anew', async () => {
    await feed(item(session('a')), item(session('b')));
    await follow();
    await shut();
    await databaseAt(self).endWatch();
    await feed(item(undefined, `${ID}/a`), item(session('c')));
    await open();
    await follow();
    expect(await states('scheduled-sessions')).toEqual([
      [`${ID}/b`, false],
      [`${ID}/a`, true],
      [`${ID}/c`, false],
    ]);
  });

  test('what has another publisher now leaves one dataset for the other, its sessions too', async () => {
    await feed(item(SERIES, '1'), item(session('a')));
    await follow();
    const before = await log.feeds();
    const meta = { publisher: 'Another name', license: 'https://creativecommons.org/licenses/by/4.0/' };
    await self.feed([item(session('b'))] as never, 50, FEED, undefined, meta);
    await follow();
    const all = await log.feeds();
    const after = all.filter((name) => !before.includes(name));
    expect(after.map((name) => name.split('/')[1])).toEqual(['scheduled-sessions', 'session-series']);
    for (const name of before) expect((await log.count(name)).live, name).toBe(0);
    expect(await states('session-series')).toEqual([
      [ID, true],
      [ID, false],
    ]);
    expect(await follow()).toBe(0);
  });

  test('what an earlier release has published under no publisher is published again', async () => {
    await feed(item(session('a')));
    await log.replace({ 'scheduled-sessions': [{ id: `${ID}/a`, kind: 'ScheduledSession', data: '{}' }] }, 1);
    await log.setValue({ key: 'seen', value: `${watch.name} 1` });
    await log.setValue({ key: 'swept', value: watch.name });
    await follow();
    expect(await states('scheduled-sessions')).toEqual([
      [`${ID}/a`, true],
      [`${ID}/a`, false],
    ]);
  });

  test('a store that is not watched has nothing to do for it', async () => {
    await databaseAt(self).endWatch();
    await feed(item(session('a')));
    await expect(watch.since(0, 10)).rejects.toThrow(/no such table|has ended the watch/);
    await shut();
    await open();
  });
});

describe('any history', () => {
  /** All that is live, by feed and id; numbers aside. */
  async function published(): Promise<Record<string, unknown>> {
    const feeds = REPUBLISHED_FEEDS.map(async (name) => [name, await log.liveOf(name, '', 10_000)] as const);
    return Object.fromEntries(await Promise.all(feeds));
  }

  /** Reads on from where it stopped, as RPDE consumers do. */
  async function readOn(held: Map<string, string>, after: number): Promise<number> {
    let last = after;
    for (const name of REPUBLISHED_FEEDS) {
      for (const { id, data, number } of await log.page(name, after, 10_000)) {
        last = Math.max(last, number);
        if (data === undefined) held.delete(`${name} ${id}`);
        else held.set(`${name} ${id}`, data);
      }
    }
    return last;
  }

  test('ends in the feeds that a store read at once has, also for a client that polls rarely', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const { all } = history(seed);
        const random = new Random(seed + 3);
        const held = new Map<string, string>();
        let after = 0;
        for (let at = 0; at < all.length; at += 10) {
          await self.feed(all.slice(at, at + 10), 10);
          if (random.chance(0.5)) await follow();
          if (random.chance(0.3)) after = await readOn(held, after);
          // A crash that loses what was followed last.
          if (random.chance(0.2)) await log.setValue({ key: 'seen', value: '' });
        }
        await follow();
        await readOn(held, after);
        const stepwise = await published();
        expect(
          new Set(
            Object.entries(stepwise).flatMap(([name, list]) =>
              (list as { id: string }[]).map(({ id }) => `${name} ${id}`),
            ),
          ),
        ).toEqual(new Set(held.keys()));
        await shut();
        await rm(join(self.data, 'republished.sqlite'), { force: true });
        await rm(join(self.data, 'republished.sqlite-wal'), { force: true });
        await rm(join(self.data, 'republished.sqlite-shm'), { force: true });
        await open();
        await follow();
        expect(await published()).toEqual(stepwise);
        await shut();
        await self.close();
        self = await rig();
        await open();
      }),
      { numRuns: runs(8) },
    );
  });
});

describe('the sample feeds', () => {
  async function harvestSamples(): Promise<void> {
    const feeds = await sampleFeeds(join(packageFolder, 'fixtures', 'feeds'), () => self.clock.now);
    for (const one of feeds) await crawlOnce(one, { ingest: self.ingest, sleep: sleeper().sleep, random: () => 0 });
    await follow();
  }

  test('come out without a failure that the data-model-validator finds in what they say', async () => {
    await harvestSamples();
    const found: string[] = [];
    for (const name of REPUBLISHED_FEEDS) {
      for (const object of await objects(name)) {
        const id = idOf(object) ?? object.superEvent;
        // What its publisher has left out, and the ids of files, which have no address, are not ours to invent.
        const ours = (await failures(object)).filter(
          (one) => !(/fitbarn|^urn:/.test(id) && /missing_required|invalid_id/.test(one)),
        );
        found.push(...ours.map((one) => `${name} ${id} ${one}`));
      }
    }
    expect(found).toEqual([]);
  });

  test('read again by the reader, they give the same records', async () => {
    await harvestSamples();
    for (const name of REPUBLISHED_FEEDS) {
      for (const data of await objects(name)) {
        // A session that its publisher gave no @id has none here (semantics 4.8).
        if (idOf(data) === undefined) continue;
        const read = { state: 'updated' as const, kind: 'any', id: idOf(data), modified: '1', data };
        const { findings } = cleanWithHours(read, { zone: 'Europe/London', feed: FEED, slots: true });
        expect(
          findings.filter(({ code }) => /id-missing|invalid|not-url|unusable/.test(code)),
          read.id,
        ).toEqual([]);
      }
    }
  });
});
