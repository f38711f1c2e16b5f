import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Timetable } from '../../../src/library/timetable/timetable.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { item, type Served, served } from '../../server/stored-rig.ts';

const HALL = 'https://example.org/places/hall';
const YOGA = 'https://example.org/series/yoga';
const COURTS = 'https://example.org/facilities/courts';
const hall = keyOf('place', HALL);
const courts = keyOf('facility', COURTS);

/** Monday 23 November to Sunday 29 November in London. */
const WEEK = { from: Date.UTC(2026, 10, 23), to: Date.UTC(2026, 10, 30) };

const place = (over: object = {}): RpdeJson => item('Place', HALL, { '@id': HALL, name: 'Town Hall', ...over });
const series = (id: string, over: object = {}): RpdeJson =>
  item('SessionSeries', id, {
    '@id': id,
    name: 'Yoga',
    activity: [{ '@type': 'Concept', prefLabel: 'Hatha Yoga' }],
    location: { '@type': 'Place', '@id': HALL, name: 'Town Hall' },
    ...over,
  });
const weekly = (id: string, startTime = '18:00', over: object = {}): RpdeJson =>
  series(id, {
    eventSchedule: {
      '@type': 'Schedule',
      repeatFrequency: 'P1D',
      startDate: '2026-11-02',
      startTime,
      duration: 'PT1H',
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
      idTemplate: `${id}/{startDate}`,
    },
    ...over,
  });
const session = (id: string, startDate: string, over: object = {}): RpdeJson =>
  item('ScheduledSession', `${id}/${startDate}`, {
    '@id': `${id}/${startDate}`,
    superEvent: id,
    startDate,
    duration: 'PT1H',
    ...over,
  });

let one: Served;
beforeEach(async () => {
  one = await served();
  await one.feed(place());
});
afterEach(() => one.close());

const lines = ({ entries }: Timetable) =>
  entries.map(({ start, name, status }) => `${new Date(start).toISOString().slice(5, 16)} ${name} ${status.slice(5)}`);
const week = async (more: object = {}) => (await one.library.timetables.at(hall, { ...WEEK, ...more })) as Timetable;

describe('what is on at a place', () => {
  test('occurrences of Schedules and sessions of all series there, by start', async () => {
    await one.feed(series(YOGA), session(YOGA, '2026-11-24T10:00:00Z', { name: 'Chair yoga' }));
    await one.feed(weekly(`${YOGA}2`, '23:30', { name: 'Spin' }));
    expect(lines(await week({ to: Date.UTC(2026, 10, 25) }))).toEqual([
      '11-23T23:30 Spin Scheduled',
      '11-24T10:00 Chair yoga Scheduled',
      '11-24T23:30 Spin Scheduled',
    ]);
  });

  test('a session whose location is a VirtualLocation is not there', async () => {
    const location = { '@type': 'VirtualLocation', name: 'Teams' };
    await one.feed(series(YOGA), session(YOGA, '2026-11-24T10:00:00Z', { location }));
    await one.feed(session(YOGA, '2026-11-25T10:00:00Z', { 'beta:virtualLocation': location }));
    expect(lines(await week())).toEqual(['11-25T10:00 Yoga Scheduled']);
  });

  test('a session replaces what its Schedule says, and is shown as it is: cancelled, moved, full, elsewhere in the house', async () => {
    const over = (day: number, more: object) => session(YOGA, `2026-11-${day}T18:00:00Z`, more);
    await one.feed(weekly(YOGA));
    await one.feed(
      over(23, { eventStatus: 'https://schema.org/EventCancelled' }),
      over(24, {
        startDate: '2026-11-24T14:00:00Z',
        previousStartDate: '2026-11-24T18:00:00Z',
        eventStatus: 'https://schema.org/EventRescheduled',
      }),
      over(25, { remainingAttendeeCapacity: 2, 'beta:sportsActivityLocation': { name: 'Studio 1' } }),
    );
    const { entries } = await week({ to: Date.UTC(2026, 10, 27) });
    expect(entries).toMatchObject([
      { status: 'EventCancelled', start: Date.UTC(2026, 10, 23, 18) },
      { status: 'EventRescheduled', start: Date.UTC(2026, 10, 24, 14), previousStart: Date.UTC(2026, 10, 24, 18) },
      { placesLeft: 2, room: 'Studio 1', end: Date.UTC(2026, 10, 25, 19) },
      { status: 'EventScheduled', family: 'mind', seriesKey: keyOf('series', YOGA) },
    ]);
    expect(entries[3]).not.toHaveProperty('previousStart');
  });

  test('a session that is moved and says no end is as long as what it replaces', async () => {
    await one.feed(
      weekly(YOGA),
      session(YOGA, '2026-11-23T18:00:00Z', { startDate: '2026-11-23T10:00:00Z', duration: undefined }),
    );
    expect((await week()).entries[0]).toMatchObject({
      start: Date.UTC(2026, 10, 23, 10),
      end: Date.UTC(2026, 10, 23, 11),
    });
  });

  test('who leads a session, else its series', async () => {
    const by = (name: string) => ({ leader: { '@type': 'Person', name } });
    await one.feed(weekly(YOGA, '18:00', by('Priya')), session(YOGA, '2026-11-24T18:00:00Z', by('Tom')));
    const { entries } = await week({ to: Date.UTC(2026, 10, 25) });
    expect(entries.map(({ leader }) => leader)).toEqual([['Priya'], ['Tom']]);
  });

  test('what began before the window is not in it, nor what begins when it ends', async () => {
    await one.feed(weekly(YOGA));
    const from = Date.UTC(2026, 10, 23, 18);
    expect(lines(await week({ from, to: Date.UTC(2026, 10, 24, 18) }))).toEqual(['11-23T18:00 Yoga Scheduled']);
    expect(lines(await week({ from: from + 1, to: Date.UTC(2026, 10, 24, 18) }))).toEqual([]);
  });

  test('what runs when the window begins is in it where it is asked for, and not what is over then', async () => {
    await one.feed(weekly(YOGA));
    const window = { from: Date.UTC(2026, 10, 23, 18, 30), to: Date.UTC(2026, 10, 24, 18) };
    const at = async (from: number) =>
      lines((await one.library.timetables.at(hall, { ...window, from }, { isRunning: true })) as Timetable);
    expect(await at(window.from)).toEqual(['11-23T18:00 Yoga Scheduled']);
    expect(await at(Date.UTC(2026, 10, 23, 19))).toEqual([]);
  });

  test('what goes beyond the limit is left out from one instant on, and that is told', async () => {
    await one.feed(weekly(YOGA), weekly(`${YOGA}2`, '18:00', { name: 'Spin' }), weekly(`${YOGA}3`, '07:00'));
    const some = await week({ limit: 5 });
    expect(some.entries).toHaveLength(4);
    expect(some.until).toBe(Date.UTC(2026, 10, 24, 18));
    expect(await week()).not.toHaveProperty('until');
  });

  test('a series that is withdrawn is not on', async () => {
    await one.feed(weekly(YOGA));
    await one.feed(item('SessionSeries', YOGA));
    expect(await week()).toEqual({ entries: [], publishers: [] });
  });

  test('who published it is named, each once', async () => {
    await one.feed(weekly(YOGA), weekly(`${YOGA}2`));
    expect((await week()).publishers.length).toBe(1);
  });

  test('a place that is not here has no timetable', async () => {
    expect(await one.library.timetables.at('nothing', WEEK)).toBeUndefined();
    expect(await one.library.timetables.facilitiesAt('nothing', WEEK, 9)).toEqual({ shown: [], left: 0 });
  });
});

const facility = (over: object = {}): RpdeJson =>
  item('FacilityUse', COURTS, {
    '@id': COURTS,
    name: 'Badminton',
    location: { '@type': 'Place', '@id': HALL, name: 'Town Hall' },
    ...over,
  });
const slot = (
  of: string,
  startDate: string,
  remainingUses: number,
  maximumUses?: number,
  over: object = {},
): RpdeJson =>
  item('Slot', `${of}/${startDate}`, {
    '@id': `${of}/${startDate}`,
    facilityUse: of,
    startDate,
    duration: 'PT1H',
    remainingUses,
    ...(maximumUses !== undefined && { maximumUses }),
    ...over,
  });

describe('when courts are free', () => {
  const times = async () => {
    const found = await one.library.timetables.facility(courts, WEEK);
    return found?.times.map(({ start, free, of }) => `${new Date(start).toISOString().slice(8, 13)} ${free} of ${of}`);
  };

  test('slots of the facility in the window, by start', async () => {
    await one.feed(
      facility(),
      slot(COURTS, '2026-11-24T10:00:00Z', 2, 4),
      slot(COURTS, '2026-11-23T10:00:00Z', 0, 4),
      slot(COURTS, '2026-11-30T10:00:00Z', 4, 4),
      slot(COURTS, '2026-11-25T10:00:00Z', 1),
    );
    expect(await times()).toEqual(['23T10 0 of 4', '24T10 2 of 4', '25T10 1 of undefined']);
  });

  test('slots of its courts are counted together', async () => {
    const court = (n: number) => `${COURTS}/${n}`;
    const individualFacilityUse = [1, 2].map((n) => ({
      '@type': 'IndividualFacilityUse',
      '@id': court(n),
      name: `Court ${n}`,
    }));
    await one.feed(facility({ individualFacilityUse }));
    await one.feed(slot(court(1), '2026-11-24T10:00:00Z', 1), slot(court(2), '2026-11-24T10:00:00Z', 0));
    expect(await times()).toEqual(['24T10 1 of 2']);
    const here = await one.library.timetables.facilitiesAt(hall, WEEK, 9);
    expect(here.shown.map(({ name }) => name)).toEqual(['Badminton']);
  });

  test('a time costs what is free of it, each offer once; where nothing is, what was', async () => {
    const court = (n: number) => `${COURTS}/${n}`;
    const individualFacilityUse = [1, 2, 3].map((n) => ({
      '@type': 'IndividualFacilityUse',
      '@id': court(n),
      name: `C ${n}`,
    }));
    const offer = (price: number) => ({ offers: [{ '@type': 'Offer', price, priceCurrency: 'GBP' }] });
    const at = (n: number, start: string, left: number, price?: number) =>
      slot(court(n), start, left, 1, price === undefined ? {} : offer(price));
    await one.feed(
      facility({ individualFacilityUse, ...offer(99) }),
      at(1, '2026-11-24T10:00:00Z', 0, 4),
      at(2, '2026-11-24T10:00:00Z', 1, 8),
      at(3, '2026-11-24T10:00:00Z', 1, 8),
      at(1, '2026-11-24T11:00:00Z', 0, 4),
      at(2, '2026-11-24T11:00:00Z', 0, 8),
      at(1, '2026-11-24T12:00:00Z', 1),
    );
    const found = await one.library.timetables.facility(courts, WEEK);
    expect(found?.offers.map(({ price }) => price)).toEqual([99]);
    expect(found?.times.map(({ offers }) => offers.map(({ price }) => price).sort())).toEqual([[8], [4, 8], []]);
  });

  test('a place has its facilities by name, however many courts they have, and says how many are left out', async () => {
    const named = (name: string, courtsHeld: number) => {
      const id = `https://example.org/facilities/${name}`;
      const individualFacilityUse = Array.from({ length: courtsHeld }, (_, n) => ({
        '@type': 'IndividualFacilityUse',
        '@id': `${id}/${n}`,
        name: `Court ${n}`,
      }));
      const location = { '@type': 'Place', '@id': HALL, name: 'Town Hall' };
      return item('FacilityUse', id, { '@id': id, name, location, ...(courtsHeld > 0 && { individualFacilityUse }) });
    };
    await one.feed(named('Tennis', 6), named('Squash', 3), named('Badminton', 2), named('Gym', 0));
    const here = async (limit: number) => {
      const { shown, left } = await one.library.timetables.facilitiesAt(hall, WEEK, limit);
      return [shown.map(({ name }) => name), left];
    };
    expect(await here(12)).toEqual([['Badminton', 'Gym', 'Squash', 'Tennis'], 0]);
    expect(await here(3)).toEqual([['Badminton', 'Gym', 'Squash'], 1]);
    const { items } = JSON.parse(await one.text(`/api/facilities?place=${hall}`));
    const ofCourts = items.filter(({ name }: { name: string }) => name === 'Court 0');
    expect(ofCourts.map(({ facility }: { facility: string }) => facility).sort()).toEqual([
      'Badminton',
      'Squash',
      'Tennis',
    ]);
    expect(items.find(({ name }: { name: string }) => name === 'Gym')).not.toHaveProperty('facility');
    const page = await one.text(`/search?kind=facilities&place=${hall}`);
    expect(page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain('Court 0 Badminton');
  });

  test('without slots nobody knows what is free', async () => {
    await one.feed(facility({ offers: [{ '@type': 'Offer', price: 11, priceCurrency: 'GBP' }] }));
    expect(await one.library.timetables.facility(courts, WEEK)).toEqual({
      key: courts,
      name: 'Badminton',
      offers: [{ price: 11, currency: 'GBP' }],
      publishesTimes: false,
      times: [],
    });
  });
});
