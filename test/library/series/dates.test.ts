import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageDate, SeriesDates } from '../../../src/library/series/types.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { item, type Served, served } from '../../server/stored-rig.ts';

/** The dates of a series for its page, over a store. */

const ID = 'https://x.example/series/1';
const DAY = 86_400_000;
const weekly = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  startDate: '2026-11-24',
  startTime: '07:00',
  duration: 'PT1H',
  scheduleTimezone: 'Europe/London',
  idTemplate: 'https://x.example/sessions/{startDate}',
  scheduledEventType: 'ScheduledSession',
};
const PLACE = {
  '@type': 'Place',
  '@id': 'https://x.example/places/1',
  name: 'Old Mill',
  address: { '@type': 'PostalAddress', streetAddress: '3 Mill Street', addressLocality: 'Wexcombe' },
};

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const series = (more: object = {}, id = ID, name = 's1') =>
  item('SessionSeries', name, { '@id': id, name: 'Yoga', activity: [{ prefLabel: 'Yoga' }], ...more });
const session = (of: string, start: string, more: object = {}) =>
  item('ScheduledSession', of, {
    '@id': `https://x.example/sessions/${of}`,
    superEvent: ID,
    startDate: start,
    duration: 'PT1H',
    ...more,
  });

async function dates(from?: number): Promise<SeriesDates> {
  return (await one.library.seriesDates(keyOf('series', ID), from)) as SeriesDates;
}

function shownDate(date: PageDate | undefined): object {
  const { end: _, ...rest } = date as PageDate;
  return { ...rest, start: new Date(rest.start).toISOString().slice(0, 16) };
}

test('a date away from a series that is virtual says where it is, and one beside it says nothing', async () => {
  await one.feed(series({ location: { '@type': 'VirtualLocation', name: 'Teams' } }));
  await one.feed(session('a', '2026-12-01T10:00:00Z'), session('b', '2026-12-02T10:00:00Z', { location: PLACE }));
  await one.feed(session('c', '2026-12-03T10:00:00Z', { location: { '@type': 'VirtualLocation', name: 'Zoom' } }));
  expect((await dates()).dates.map(({ place }) => place)).toEqual([undefined, 'Old Mill', undefined]);
});

test('two who lead a date are not one whose name has a comma', async () => {
  const named = (name: string) => ({ '@type': 'Person', name });
  await one.feed(series({ leader: [named('Ann,Bo')] }));
  await one.feed(session('a', '2026-12-01T10:00:00Z', { leader: [named('Ann'), named('Bo')] }));
  await one.feed(session('b', '2026-12-02T10:00:00Z', { leader: [named('Ann,Bo')] }));
  expect((await dates()).dates.map(({ leader }) => leader)).toEqual([['Ann', 'Bo'], undefined]);
});

describe('dates to come', () => {
  test('all of seven weeks, fifty at least, and whether there are more', async () => {
    await one.feed(series({ eventSchedule: [weekly] }));
    const found = await dates();
    expect(found.dates).toHaveLength(50);
    expect(found.next).toBe((found.dates.at(-1) as PageDate).start + 7 * DAY);
    expect(found.times).toMatchObject([{ days: 'Every Tuesday', time: '07:00–08:00' }]);
  });

  test('a series of many a day ends with the most that a page has', async () => {
    const hours = Array.from({ length: 10 }, (_, at) => ({
      ...weekly,
      repeatFrequency: 'P1D',
      startTime: `${String(at + 8).padStart(2, '0')}:00`,
    }));
    await one.feed(series({ eventSchedule: hours }));
    const found = await dates();
    expect(found.dates).toHaveLength(150);
    expect(found.next).toBeGreaterThan((found.dates.at(-1) as PageDate).start);
  });

  test('from another day', async () => {
    await one.feed(series({ eventSchedule: [weekly] }));
    const from = Date.UTC(2027, 2, 1);
    expect(shownDate((await dates(from)).dates[0])).toMatchObject({ start: '2027-03-02T07:00' });
  });

  test('a date says what its session does: its old time, its name, places left, a note, its leader, another place', async () => {
    await one.feed(
      series({ eventSchedule: [weekly], location: PLACE }),
      session('2026-12-01T07:00:00Z', '2026-12-01T18:30:00Z', {
        '@id': 'https://x.example/sessions/2026-12-01T07:00:00Z',
        name: 'Yoga at dusk',
        remainingAttendeeCapacity: 0,
        schedulingNote: 'Hall in use',
        leader: { '@type': 'Person', name: 'Tom' },
        location: { ...PLACE, '@id': 'https://x.example/places/2', name: 'Town Hall' },
      }),
    );
    expect(shownDate((await dates()).dates[1])).toEqual({
      start: '2026-12-01T18:30',
      status: 'EventScheduled',
      name: 'Yoga at dusk',
      was: Date.UTC(2026, 11, 1, 7),
      placesLeft: 0,
      note: 'Hall in use',
      leader: ['Tom'],
      place: 'Town Hall',
    });
  });

  test('a session past midnight that has begun is among them', async () => {
    await one.feed(series(), session('a', '2026-11-01T23:30:00Z', { duration: 'P40D' }));
    expect(shownDate((await dates()).dates[0])).toMatchObject({ start: '2026-11-01T23:30' });
  });
});

describe('where and when', () => {
  test('the place is its record with the key of its page', async () => {
    await one.feed(series({ eventSchedule: [weekly], location: PLACE }));
    expect((await dates()).place).toMatchObject({
      key: keyOf('place', PLACE['@id']),
      street: '3 Mill Street',
      locality: 'Wexcombe',
    });
  });

  test('the zone is that of the place, else of the Schedules, else the default', async () => {
    const geo = { '@type': 'GeoCoordinates', latitude: 40.7, longitude: -74 };
    await one.feed(series({ eventSchedule: [weekly], location: { ...PLACE, geo } }));
    expect(await dates()).toMatchObject({ zone: 'America/New_York', homeZone: 'Europe/London' });
    await one.feed(series({ eventSchedule: [{ ...weekly, scheduleTimezone: 'Europe/Paris' }] }));
    expect((await dates()).zone).toBe('Europe/Paris');
    await one.feed(series());
    expect((await dates()).zone).toBe('Europe/London');
  });
});

describe('a series that is past', () => {
  const old = 'https://x.example/series/2';
  test('says when it was last on, of a Schedule or a session, and not a cancelled one', async () => {
    await one.feed(series({ eventSchedule: [{ ...weekly, startDate: '2026-01-06', endDate: '2026-03-03' }] }));
    expect(shownDate((await dates()).last)).toMatchObject({ start: '2026-03-03T07:00' });
    await one.feed(
      session('x', '2026-05-05T10:00:00Z'),
      session('y', '2026-05-06T10:00:00Z', { eventStatus: 'https://schema.org/EventCancelled' }),
    );
    expect(shownDate((await dates()).last)).toMatchObject({ start: '2026-05-05T10:00' });
  });

  test('names others of its activity that have dates', async () => {
    await one.feed(
      series({ eventSchedule: [{ ...weekly, startDate: '2026-01-06', endDate: '2026-03-03' }], location: PLACE }),
      series({ eventSchedule: [weekly], location: PLACE, name: 'Dawn yoga' }, old, 's2'),
    );
    expect((await dates()).similar).toMatchObject([
      { key: keyOf('series', old), name: 'Dawn yoga', place: 'Old Mill' },
    ]);
  });

  test('nothing is known of one that was never on', async () => {
    await one.feed(series());
    const found = await dates();
    expect([found.dates, found.last, found.times]).toEqual([[], undefined, []]);
  });

  test('withdrawn: nothing', async () => {
    await one.feed(series({ eventSchedule: [weekly] }));
    await one.feed(item('SessionSeries', 's1'));
    expect(await dates()).toBeUndefined();
  });
});
