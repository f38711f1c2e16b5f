import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyStore } from '../../src/harvest/ingest/verify.ts';
import { readInput } from '../../src/join/input.ts';
import { join as joined } from '../../src/join/join.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { occurrences } from '../../src/recurrence/overlay.ts';
import { cli } from '../cli/io.ts';
import type { RpdeJson } from '../generate/series.ts';
import { zonelessHistory } from '../generate/zoneless.ts';
import { type Rig, rig } from '../harvest/rig.ts';
import { runs } from '../runs.ts';
import { byPart, converted, FILE, feed, items, pairs, served, servedBy, wronglyMoved } from './paths.ts';

/** Times without a zone are of the place's, then of the Schedule's, wherever these are published (semantics 3). */

const RUNS = runs(4);

const id = (path: string) => `https://ex.org/${path}`;
const MADRID = { geo: { latitude: 40.42, longitude: -3.7 } };
const hall = { '@type': 'Place', '@id': id('p'), name: 'Hall', ...MADRID };
const india = { '@type': 'Place', '@id': id('p'), name: 'Hall', address: { addressCountry: 'IN' } };
const called = { '@type': 'Place', '@id': id('p'), name: 'Hall' };
const series = { '@type': 'SessionSeries', '@id': id('s'), name: 'Yoga' };
const named = { ...series, location: id('p') };
const session = {
  '@type': 'ScheduledSession',
  '@id': id('s/1'),
  superEvent: id('s'),
  startDate: '2026-12-07T18:00:00',
  endDate: '2026-12-07T19:00:00',
};
const inTokyo = [{ '@type': 'PartialSchedule', scheduleTimezone: 'Asia/Tokyo' }];

function joinedOf(all: readonly RpdeJson[]) {
  const live = all.filter(({ data }) => data !== undefined);
  return joined(readInput(JSON.stringify({ items: live }), { zone: 'Europe/London', feed: FILE }).records);
}

/** What `join` makes of the items: the start of each session in UTC, and whether its zone was assumed. */
function starts(all: readonly RpdeJson[]): string[] {
  const { series: found, orphans } = joinedOf(all);
  const sessions = [...found.flatMap((one) => one.sessions), ...orphans];
  return sessions.map(
    ({ start = 0, zone }) => `${new Date(start).toISOString().slice(5, 16)}${zone === '' ? '?' : ''}`,
  );
}

describe('the zone of times without one', () => {
  test.each<[name: string, start: string, objects: object[]]>([
    ['the Place that the series names', '12-07T17:00', [session, named, hall]],
    ['the country of the Place that the series names', '12-07T12:30', [session, named, india]],
    ['the place that the series describes', '12-07T17:00', [session, { ...series, location: hall }]],
    ['the country that the series describes', '12-07T12:30', [session, { ...series, location: india }]],
    [
      'the Place of what the series only calls by name',
      '12-07T17:00',
      [session, { ...series, location: called }, hall],
    ],
    ['the Place that the session names', '12-07T17:00', [{ ...session, location: id('p') }, series, hall]],
    ['the Place that the session calls by name', '12-07T17:00', [{ ...session, location: called }, series, hall]],
    ['the Place before the Schedule', '12-07T17:00', [session, { ...named, eventSchedule: inTokyo }, hall]],
    ['the Schedule', '12-07T09:00', [session, { ...series, eventSchedule: inTokyo }]],
    ['the Schedule, where the Place is not there', '12-07T09:00', [session, { ...named, eventSchedule: inTokyo }]],
    [
      'the Place of the EventSeries',
      '12-07T17:00',
      [
        session,
        { ...series, superEvent: id('g') },
        { '@type': 'EventSeries', '@id': id('g'), name: 'All', location: id('p') },
        hall,
      ],
    ],
    [
      'the item of the series before what the session embeds of it',
      '12-07T17:00',
      [{ ...session, superEvent: { ...series, location: { ...india, '@id': id('q') } } }, named, hall],
    ],
    [
      'the Place of a series that names the session',
      '12-07T17:00',
      [{ ...session, superEvent: undefined }, { ...named, subEvent: [id('s/1')] }, hall],
    ],
    ['the default, where nothing says it', '12-07T18:00?', [session, series]],
    ['the default, for a session whose series is not there', '12-07T18:00?', [session, hall]],
    [
      'its own place, for a session whose series is not there',
      '12-07T17:00',
      [{ ...session, location: id('p') }, hall],
    ],
    ['a stated zone before all', '12-07T18:00', [{ ...session, startDate: '2026-12-07T18:00:00Z' }, named, hall]],
    [
      'the Place of an Event of its own',
      '12-07T17:00',
      [{ ...session, '@type': 'Event', '@id': id('e'), name: 'Run', superEvent: undefined, location: id('p') }, hall],
    ],
  ])('%s', async (_name, start, objects) => {
    const all = items(...objects);
    expect(starts(all)).toEqual([start]);
    expect(starts(all.toReversed())).toEqual([start]);
    const memory = await converted(all);
    for (const stored of [
      await served(all),
      await served(...all.map((item) => [item])),
      await served(...all.toReversed().map((item) => [item])),
    ])
      for (const [is, expected] of pairs(memory, stored, all)) expect(is).toEqual(expected);
  });

  test('ends and earlier starts are of it too, and an end with an offset is as it is', () => {
    const moved = { ...session, previousStartDate: '2026-12-06T18:00:00', endDate: '2026-12-07T18:30:00Z' };
    const { series: found } = joinedOf(items(moved, named, hall));
    expect(found[0]?.sessions).toMatchObject([
      {
        start: Date.UTC(2026, 11, 7, 17),
        end: Date.UTC(2026, 11, 7, 18, 30),
        previousStart: Date.UTC(2026, 11, 6, 17),
      },
    ]);
  });
});

test('the calendar of a series without a Schedule is in the zone of its place, and follows it', async () => {
  const stated = { ...session, startDate: '2026-12-07T18:00:00Z', endDate: '2026-12-07T19:00:00Z' };
  const all = items(stated, named, hall);
  const one = await rig();
  try {
    await feed(one, all);
    const inMadrid = [...(await servedBy(one)).values()].join('');
    expect(inMadrid).toContain('DTSTART;TZID=Europe/Madrid:20261207T190000');
    const moved = {
      ...(all[2] as RpdeJson),
      modified: 1e6,
      data: { ...hall, geo: { latitude: 35.68, longitude: 139.7 } },
    };
    await feed(one, [moved]);
    const inTokyo = await servedBy(one);
    expect([...inTokyo.values()].join('')).toContain('DTSTART;TZID=Asia/Tokyo:20261208T030000');
    const now = [all[0] as RpdeJson, all[1] as RpdeJson, moved];
    for (const [is, expected] of pairs(await converted(now), byPart(inTokyo), now)) expect(is).toEqual(expected);
  } finally {
    await one.close();
  }
});

const weekly = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  repeatCount: 3,
  startDate: '2026-12-07',
  startTime: '18:00',
  endTime: '19:00',
  scheduledEventType: 'ScheduledSession',
};
const scheduled = (schedule: object = {}, of: object = named) => ({
  ...of,
  eventSchedule: [{ ...weekly, ...schedule }],
});

/** All that is on, in UTC: what Schedules generate, and the sessions instead of it or beside it. */
function dates(all: readonly RpdeJson[]): string[] {
  const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];
  return joinedOf(all)
    .series.flatMap(({ series: one, sessions }) => occurrences(one, sessions, from, to))
    .map(({ start }) => new Date(start).toISOString().slice(5, 16));
}

describe('the zone of a Schedule that states none', () => {
  const weeks = (time: string) => ['12-07', '12-14', '12-21'].map((day) => `${day}T${time}`);
  const madrid = weeks('17:00');
  const group = { '@type': 'EventSeries', '@id': id('g'), name: 'All', location: id('p') };
  const templated = { idTemplate: `${id('x')}/{startDate}` };
  const unnamed = { ...session, '@id': `${id('x')}/2026-12-14T17:00:00Z`, superEvent: undefined, name: 'Late' };
  const late = { startDate: '2026-12-14T20:00:00', endDate: '2026-12-14T21:00:00', location: id('p') };

  test.each<[name: string, starts: string[], objects: object[]]>([
    ['the Place that the series names', madrid, [scheduled(), hall]],
    ['the Place of what the series only calls by name', madrid, [scheduled({}, { ...series, location: called }), hall]],
    ['the country that the series describes', weeks('12:30'), [scheduled({}, { ...series, location: india })]],
    ['the Place of the EventSeries', madrid, [scheduled({}, { ...series, superEvent: id('g') }), group, hall]],
    ['one session and one instance of its date', madrid, [session, scheduled(), hall]],
    ['one session and one instance, where nothing says it', weeks('18:00'), [session, scheduled({}, series)]],
    ['what it states', weeks('09:00'), [scheduled({ scheduleTimezone: 'Asia/Tokyo' }), hall]],
    ['the place, where no such zone is known', madrid, [scheduled({ scheduleTimezone: 'Nowhere/Land' }), hall]],
    [
      'one session and one instance, where another Schedule states it',
      weeks('09:00'),
      [session, { ...series, eventSchedule: [weekly, ...inTokyo] }],
    ],
    [
      'one session and one instance, where the place of the session says nothing',
      madrid,
      [{ ...session, location: { ...called, '@id': id('q') } }, scheduled(), hall],
    ],
    [
      'that of the exceptions that state none',
      [madrid[0], madrid[2]] as string[],
      [scheduled({ exceptDate: ['2026-12-14T18:00:00'] }), hall],
    ],
    [
      'that of exceptions in India',
      [weeks('12:30')[0], weeks('12:30')[2]] as string[],
      [scheduled({ exceptDate: ['2026-12-14T18:00:00'] }), india],
    ],
    ['the date that an instant has there', madrid, [scheduled({ startDate: '2026-12-06T23:30:00Z' }), hall]],
    [
      'that of the ids that it generates',
      ['12-07T17:00', '12-14T19:00', '12-21T17:00'],
      [{ ...unnamed, ...late }, scheduled(templated), hall],
    ],
  ])('%s', async (_name, expected, objects) => {
    const all = items(...objects);
    expect(dates(all)).toEqual(expected);
    expect(dates(all.toReversed())).toEqual(expected);
    const memory = await converted(all);
    for (const stored of [
      await served(all),
      await served(...all.map((item) => [item])),
      await served(...all.toReversed().map((item) => [item])),
    ])
      for (const [is, as] of pairs(memory, stored, all)) expect(is).toEqual(as);
  });

  test('a pattern is of the place too', () => {
    const partial = [{ '@type': 'PartialSchedule', byDay: ['https://schema.org/Monday'], startTime: '18:00' }];
    const [found] = joinedOf(items({ ...named, eventSchedule: partial }, hall)).series;
    expect(found?.series.schedules).toMatchObject([{ zone: 'Europe/Madrid', zoneStated: false }]);
  });

  test('a session leaves and joins the series that generates its @id as the place says another zone', async () => {
    const one = await rig();
    try {
      const [place, inheriting, inherited] = items(hall, scheduled(templated), { ...unnamed, ...late }) as [
        RpdeJson,
        RpdeJson,
        RpdeJson,
      ];
      const parentOf = async () => (await one.store.read.recordByIdent('session', unnamed['@id']))?.parent;
      const inJapan = { geo: { latitude: 35.68, longitude: 139.7 } };
      const japan = { ...place, modified: 1e6, data: { ...place.data, ...inJapan } };
      await feed(one, [place, inheriting, inherited]);
      expect(await parentOf()).toBeDefined();
      await feed(one, [japan]);
      expect(await parentOf()).toBeUndefined();
      await asItsRawItems(one);
      await feed(one, [{ ...place, modified: 1e6 + 1 }]);
      expect(await parentOf()).toBeDefined();
      await asItsRawItems(one);
    } finally {
      await one.close();
    }
  });

  test.each<[name: string, isAssumed: boolean, objects: object[]]>([
    ['the place says it', false, [scheduled(), hall]],
    ['it is stated', false, [scheduled({ scheduleTimezone: 'Asia/Tokyo' }, series)]],
    ['nothing says it', true, [scheduled({}, series)]],
  ])('zone-assumed where %s: %s', async (_name, isAssumed, objects) => {
    const all = items(...objects);
    const { out } = await cli(['check', '--format', 'jsonl', '-'], { stdin: [JSON.stringify({ items: all })] });
    expect(out.includes('"zone-assumed"')).toBe(isAssumed);
    const one = await rig();
    try {
      await feed(one, all);
      const [row] = await one.store.read.calendars({ kind: 'series', limit: 1 });
      const page = await (await openLibrary(one.store, { ...one.options, rendering: 'test' })).series(row?.key ?? '');
      expect(page?.findings.some(({ code }) => code === 'zone-assumed')).toBe(isAssumed);
    } finally {
      await one.close();
    }
  });
});

describe('a store follows the zone of times without one', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(() => one.close());

  const whole = items({ ...session, previousStartDate: '2026-12-06T18:00:00' }, named, hall);
  const changed = (index: number, data: object): RpdeJson => {
    const item = whole[index] as RpdeJson;
    return { ...item, modified: item.modified + 1000, data: { ...item.data, ...data } };
  };
  const gone = (index: number): RpdeJson => {
    const { data: _, ...item } = changed(index, {});
    return { ...item, state: 'deleted' };
  };

  test.each<[name: string, first: RpdeJson[], then: RpdeJson, start: string]>([
    ['the series comes last', [whole[0], whole[2]] as RpdeJson[], whole[1] as RpdeJson, '12-07T17:00'],
    ['the Place comes last', whole.slice(0, 2), whole[2] as RpdeJson, '12-07T17:00'],
    ['the session comes last', whole.slice(1), whole[0] as RpdeJson, '12-07T17:00'],
    ['the Place says another zone', whole, changed(2, { geo: { latitude: 35.68, longitude: 139.7 } }), '12-07T09:00'],
    ['the Place goes', whole, gone(2), '12-07T18:00?'],
    ['the series says another place', whole, changed(1, { location: india }), '12-07T12:30'],
    ['the series goes', whole, gone(1), '12-07T18:00?'],
    ['the session says its own place', whole, changed(0, { location: india }), '12-07T12:30'],
  ])('%s', async (_name, first, then, start) => {
    await feed(one, first);
    const before = await servedBy(one);
    one.changed.clear();
    one.clock.now += 60_000;
    await feed(one, [then]);
    const after = await servedBy(one);
    const now = [...first.filter(({ kind, id: rpdeId }) => kind !== then.kind || rpdeId !== then.id), then];
    const live = now.filter(({ data }) => data !== undefined);
    expect(starts(now)).toEqual([start]);
    if (then.kind !== 'SessionSeries' || then.data !== undefined) {
      expect(wronglyMoved(before, after, one.changed)).toEqual([]);
      for (const [is, expected] of pairs(await converted(live), byPart(after), live)) expect(is).toEqual(expected);
    }
    await asItsRawItems(one);
    if (then.kind !== 'SessionSeries' || then.data !== undefined) expect(await columnsOf(one)).toEqual(columnsIn(now));
    one.changed.clear();
    await feed(one, [{ ...then, modified: then.modified + 1 }]);
    expect([...one.changed]).toEqual([]);
  });

  test('lists and the findings of a series say the times that its calendar does', async () => {
    await feed(one, whole.slice(0, 2));
    const [row] = await one.store.read.calendars({ kind: 'series', limit: 1 });
    const read = async () => {
      const page = await (await openLibrary(one.store, { ...one.options, rendering: 'test' })).series(row?.key ?? '');
      return [page?.upcoming.map(({ start }) => start), page?.findings.some(({ code }) => code === 'zone-assumed')];
    };
    expect(await read()).toEqual([[Date.UTC(2026, 11, 7, 18)], true]);
    await feed(one, whole.slice(2));
    expect(await read()).toEqual([[Date.UTC(2026, 11, 7, 17)], false]);
  });
});

/** When the sessions of each series are, by the columns that windows of time are read by. */
async function columnsOf({ store: { read } }: Rig): Promise<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  for (const { record } of await read.calendars({ kind: 'series', limit: 1000 })) {
    const row = await read.recordById(record);
    const sessions = await read.sessions(record);
    if (sessions.length > 0) found.set(row?.ident ?? '', sessions.map(({ start, end }) => [start, end]).sort());
  }
  return found;
}

function columnsIn(all: readonly RpdeJson[]): Map<string, unknown[]> {
  const held = joinedOf(all).series.filter(({ sessions }) => sessions.length > 0);
  return new Map(
    held.map(({ series: { id: own }, sessions }) => [
      own,
      sessions.map(({ start, end = start }) => [start, end]).sort(),
    ]),
  );
}

/** Everything stored is as a rebuild from the raw items makes it. */
async function asItsRawItems(one: Rig): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'oai-zones-'));
  try {
    const { differences } = await verifyStore(one, scratch, one.options, async () => {});
    expect(differences).toEqual([]);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

test('whatever comes in whatever order, the store is as a rebuild makes it, as another order and as convert', async () => {
  const rigs: Rig[] = [];
  const fed = async (...pages: RpdeJson[][]): Promise<Rig> => {
    const one = await rig();
    rigs.push(one);
    for (const page of pages) await feed(one, page);
    return one;
  };
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 1_000_000 }),
    fc.integer({ min: 1, max: 9 }),
    async (seed, size) => {
      const { all, last } = zonelessHistory(seed);
      const pages = Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
      const one = await fed(...pages);
      await asItsRawItems(one);
      expect(await columnsOf(one)).toEqual(columnsIn(last));
      const live = last.filter(({ data }) => data !== undefined);
      const is = byPart(await servedBy(one));
      expect(byPart(await servedBy(await fed(last.toReversed())))).toEqual(is);
      for (const [stored, memory] of pairs(await converted(live), is, live)) expect(stored).toEqual(memory);
    },
  );
  try {
    await fc.assert(property, { numRuns: RUNS });
  } finally {
    for (const one of rigs) await one.close();
  }
});
