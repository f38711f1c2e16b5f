import { describe, expect, test } from 'vitest';
import { planSeries } from '../../src/calendar/series/plan.ts';
import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';

const BASE = 'https://api.example.org/session-series/1/';

/** The Schedules guide's worked example: Thursdays of March 2018 at 08:30 London; summer time begins before the 29th. */
const SCHEDULE = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Thursday'],
  startDate: '2018-03-01',
  endDate: '2018-03-29',
  startTime: '08:30',
  endTime: '09:30',
  duration: 'PT1H',
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
  idTemplate: `${BASE}{startDate}`,
  urlTemplate: 'https://example.org/book/{startDate}',
  exceptDate: ['2018-03-15T08:30:00Z'],
};
const SERIES = {
  '@type': 'SessionSeries',
  '@id': 'https://api.example.org/session-series/1',
  name: 'Keepfit',
  activity: [{ '@type': 'Concept', prefLabel: 'Keepfit' }],
  location: { '@type': 'Place', '@id': 'https://example.org/hall', name: 'Hall' },
  maximumAttendeeCapacity: 10,
  offers: [{ '@type': 'Offer', price: 3 }],
};
const STARTS = ['2018-03-01T08:30:00Z', '2018-03-08T08:30:00Z', '2018-03-22T08:30:00Z', '2018-03-29T07:30:00Z'];

type Data = Record<string, unknown>;

/** A session of the series, with nothing of its own. */
const session = (start: string, more: Data = {}): Data => ({
  '@type': 'ScheduledSession',
  '@id': BASE + start,
  superEvent: SERIES['@id'],
  startDate: start,
  duration: 'PT1H',
  remainingAttendeeCapacity: 10,
  ...more,
});
const BOOKED = { remainingAttendeeCapacity: 3 };
const booked = (start: string, more: Data = {}) => session(start, { ...BOOKED, ...more });

/** `code path {facts}` of what planning the series with its sessions finds. */
function found(sessions: Data[], schedule: Data = {}, series: Data = {}): string[] {
  const text = JSON.stringify([{ ...SERIES, eventSchedule: [{ ...SCHEDULE, ...schedule }], ...series }, ...sessions]);
  const { records } = readInput(text, { zone: 'Europe/London', feed: 'f' });
  return join(records).series.flatMap((one) =>
    planSeries(one.series, one.sessions, { zone: 'Europe/London' }).findings.map(({ code, path }) => `${code} ${path}`),
  );
}

test('the worked example keeps all rules', () => {
  const replacement = { '@id': `${BASE}2018-03-15T10:30:00Z` };
  expect(found([booked('2018-03-15T10:30:00Z', replacement), booked('2018-03-22T08:30:00Z')])).toEqual([]);
});

describe('a session beside a Schedule', () => {
  const KEPT: [name: string, more: Data][] = [
    ['has bookings', BOOKED],
    ['may have some: of an unknown number', { remainingAttendeeCapacity: 10, maximumAttendeeCapacity: 12 }],
    ['is cancelled', { eventStatus: 'https://schema.org/EventCancelled' }],
    ['is moved', { startDate: '2018-03-22T09:30:00Z' }],
    ['is longer', { duration: 'PT2H' }],
    ['has a name of its own', { name: 'Keepfit special' }],
    ['has another leader', { leader: [{ '@type': 'Person', name: 'Ann' }] }],
    ['is elsewhere', { location: { '@type': 'Place', '@id': 'https://example.org/park', name: 'Park' } }],
    ['has a page of its own', { url: 'https://example.org/special' }],
    ['has a price of its own', { offers: [{ '@type': 'Offer', price: 5 }] }],
    ['says something that is not read', { 'beta:registrationCount': 3 }],
  ];
  test.each(KEPT)('that %s', (_, more) => {
    expect(found([session('2018-03-22T08:30:00Z', more)])).toEqual([]);
  });

  const ADDS_NOTHING: [name: string, more: Data][] = [
    ['says nothing', {}],
    ['repeats its end', { endDate: '2018-03-22T09:30:00Z' }],
    ['repeats its status', { eventStatus: 'https://schema.org/EventScheduled' }],
    ['repeats the url of the template', { url: 'https://example.org/book/2018-03-22T08:30:00Z' }],
    ['repeats the name', { name: 'Keepfit', description: '' }],
    ['repeats the place', { location: { '@type': 'Place', '@id': 'https://example.org/hall' } }],
    ['has an identifier', { identifier: '17', '@context': 'https://openactive.io/' }],
    ['repeats the number of places', { maximumAttendeeCapacity: 10 }],
  ];
  test.each(ADDS_NOTHING)('that %s adds nothing', (_, more) => {
    expect(found([session('2018-03-22T08:30:00Z', more)])).toEqual(['session-adds-nothing $.eventSchedule[0]']);
  });

  test('without its places left', () => {
    const more = { remainingAttendeeCapacity: undefined, name: 'Special' };
    expect(found([session('2018-03-22T08:30:00Z', more)])).toEqual(['session-without-capacity $.eventSchedule[0]']);
  });

  test('cancelled needs none', () => {
    const more = { remainingAttendeeCapacity: undefined, eventStatus: 'https://schema.org/EventCancelled' };
    expect(found([session('2018-03-22T08:30:00Z', more)])).toEqual([]);
  });
});

describe('all occurrences published', () => {
  test('though a Schedule generates them', () => {
    expect(found(STARTS.map((start) => session(start)))).toEqual(['sessions-cover-schedule $.eventSchedule[0]']);
  });

  test('with bookings in all but one', () => {
    const [first, ...rest] = STARTS as [string, ...string[]];
    expect(found([session(first), ...rest.map((start) => booked(start))])).toEqual([
      'sessions-cover-schedule $.eventSchedule[0]',
    ]);
  });

  test('each with bookings: each has its reason', () => {
    expect(found(STARTS.map((start) => booked(start)))).toEqual([]);
  });

  test('but one in the middle', () => {
    const some = STARTS.filter((_, i) => i !== 1).map((start) => session(start));
    expect(found(some)).toEqual(['session-adds-nothing $.eventSchedule[0]']);
  });

  test('of a part of a Schedule without end, by any number', () => {
    const day = (i: number) => `${new Date(Date.UTC(2018, 4, 1 + i, 8, 30)).toISOString().slice(0, 19)}Z`;
    const daily = {
      repeatFrequency: 'P1D',
      byDay: undefined,
      endDate: undefined,
      scheduleTimezone: 'UTC',
      exceptDate: undefined,
    };
    expect(
      found(
        Array.from({ length: 500 }, (_, i) => session(day(i))),
        daily,
      ),
    ).toEqual(['sessions-cover-schedule $.eventSchedule[0]']);
  });
});

describe('idTemplate', () => {
  test('is missing', () => {
    expect(found([booked('2018-03-22T08:30:00Z')], { idTemplate: undefined })).toEqual([
      'id-template-missing $.eventSchedule[0]',
    ]);
  });

  test('is missing, and nothing needs it', () => {
    expect(found([], { idTemplate: undefined })).toEqual([]);
  });

  test('cannot be used: the reader has a finding for it', () => {
    expect(found([booked('2018-03-22T08:30:00Z')], { idTemplate: `${BASE}{date}` })).toEqual([]);
  });

  test('is of another pattern than the ids', () => {
    const odd = { '@id': 'https://api.example.org/sessions/17' };
    expect(found([booked('2018-03-22T08:30:00Z', odd)])).toEqual([
      'id-differs-from-template $.eventSchedule[0].idTemplate',
    ]);
  });

  const ODD_FORMS: [name: string, id: string][] = [
    ['percent-encoded', `${BASE}2018-03-22T08%3A30%3A00Z`],
    ['with dashes', `${BASE}2018-03-22T08-30-00Z`],
  ];
  test.each(ODD_FORMS)('is filled in %s', (_, id) => {
    expect(found([booked('2018-03-22T08:30:00Z', { '@id': id })])).toEqual([
      'id-time-spelling $.eventSchedule[0].idTemplate',
    ]);
  });

  test('of a PartialSchedule beside: sessions at other times may be its own', () => {
    const partial = { '@type': 'PartialSchedule', startTime: '18:00' };
    const odd = (start: string) => booked(start, { '@id': 'https://api.example.org/sessions/17' });
    const both = { eventSchedule: [SCHEDULE, partial] };
    expect(found([odd('2018-03-23T18:00:00Z')], {}, both)).toEqual([]);
    expect(found([odd('2018-03-22T08:30:00Z')], {}, both)).toEqual([
      'id-differs-from-template $.eventSchedule[0].idTemplate',
    ]);
  });
});

describe('a session of an earlier Schedule', () => {
  // It was at 18:00 before the Schedule was moved to 08:30.
  const earlier = booked('2018-03-22T18:00:00Z');
  test('on a day of the new one', () => {
    expect(found([earlier])).toEqual(['earlier-session-not-excepted $.eventSchedule[0].exceptDate']);
  });

  test('with that day excepted', () => {
    expect(found([earlier], { exceptDate: ['2018-03-22T08:30:00Z'] })).toEqual([]);
    expect(found([earlier], { exceptDate: ['2018-03-22'] })).toEqual([]);
  });

  test('on a day of its own', () => {
    expect(found([booked('2018-03-23T18:00:00Z')])).toEqual([]);
  });

  test('on a day whose occurrence is explicit too', () => {
    expect(found([earlier, booked('2018-03-22T08:30:00Z')])).toEqual([]);
  });
});

describe('a rescheduled session', () => {
  const moved = { startDate: '2018-03-22T18:00:00Z', eventStatus: 'https://schema.org/EventRescheduled' };
  test('keeps its id', () => {
    expect(found([booked('2018-03-22T08:30:00Z', moved)])).toEqual([]);
  });

  test('with a new one', () => {
    expect(found([booked('2018-03-22T18:00:00Z', moved)])).toEqual([
      'rescheduled-id-not-kept $.eventSchedule[0].idTemplate',
    ]);
  });
});

describe('exceptDate', () => {
  const summer = { startDate: '2018-05-03', endDate: '2018-05-31' };
  test.each([
    ['the instant of an occurrence', '2018-05-10T07:30:00Z', []],
    [
      'its local time, labelled as UTC',
      '2018-05-10T08:30:00Z',
      ['except-date-in-local-time $.eventSchedule[0].exceptDate[0]'],
    ],
    [
      'its date, as a midnight in UTC',
      '2018-05-10T00:00:00Z',
      ['except-date-at-midnight $.eventSchedule[0].exceptDate[0]'],
    ],
    [
      'its date, as a local midnight',
      '2018-05-09T23:00:00Z',
      ['except-date-at-midnight $.eventSchedule[0].exceptDate[0]'],
    ],
    [
      'a midnight of a date without occurrences',
      '2018-05-11T00:00:00Z',
      ['exception-matches-nothing $.eventSchedule[0].exceptDate[0]'],
    ],
    ['nothing of either', '2018-05-10T09:30:00Z', ['exception-matches-nothing $.eventSchedule[0].exceptDate[0]']],
  ])('names %s', (_, exceptDate, expected) => {
    expect(found([], { ...summer, exceptDate: [exceptDate] })).toEqual(expected);
  });

  test.each(['exceptDate', 'exceptDates'])(
    'is named by its own place behind one that cannot be read: %s',
    (property) => {
      const exceptions = { ...summer, [property]: ['14/12/2026', '2018-05-10T09:30:00Z'] };
      expect(found([], exceptions)).toContain(`exception-matches-nothing $.eventSchedule[0].${property}[1]`);
    },
  );
});

test('sessions of a PartialSchedule are all there is: every one is published', () => {
  const partial = { ...SCHEDULE, '@type': 'PartialSchedule' };
  expect(
    found(
      STARTS.map((start) => session(start)),
      {},
      { eventSchedule: [partial] },
    ),
  ).toEqual([]);
});
