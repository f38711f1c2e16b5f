import { describe, expect, test } from 'vitest';
import { scheduleWords } from '../../../src/calendar/wording/schedule-words.ts';
import { type WordingOptions, wordsOf } from '../../../src/calendar/wording/wording.ts';
import { type Details, NO_PARTS, type Schedule, type Series, type Session } from '../../../src/opportunity/records.ts';

const SCHEDULE: Schedule = {
  partial: true,
  expandable: false,
  index: 0,
  ...NO_PARTS,
  except: [],
  zone: 'Europe/London',
  zoneStated: true,
  eventType: 'ScheduledSession',
};

describe('a schedule in words', () => {
  const [mon, wed, sun] = [{ day: 0 as const }, { day: 2 as const }, { day: 6 as const }];
  const evening = { startTime: 18 * 3600, endTime: 19 * 3600 };
  test.each<[string, Partial<Schedule>]>([
    ['Usually Mondays 18:00–19:00', { byDay: [mon], ...evening }],
    [
      'Usually Mondays and Wednesdays 18:00–19:00',
      { byDay: [wed, mon], ...evening, frequency: { unit: 'week', every: 1 } },
    ],
    ['Mondays, Wednesdays and Sundays 18:00', { partial: false, byDay: [mon, wed, sun], startTime: 18 * 3600 }],
    [
      'Every second week on Mondays 18:00–19:00',
      { partial: false, byDay: [mon], frequency: { unit: 'week', every: 2 }, ...evening },
    ],
    [
      '2 November 2026 18:00–19:00',
      { partial: false, startDate: '2026-11-02', frequency: { unit: 'day', every: 1 }, count: 1, ...evening },
    ],
    ['Every day 18:00–19:00', { partial: false, frequency: { unit: 'day', every: 1 }, ...evening }],
    ['Every 10 days', { partial: false, frequency: { unit: 'day', every: 10 } }],
    [
      'The second Wednesday 18:00–19:00',
      { partial: false, byDay: [{ day: 2, ordinal: 2 }], frequency: { unit: 'month', every: 1 }, ...evening },
    ],
    [
      'The last Sunday and the 2nd last Monday',
      {
        partial: false,
        byDay: [
          { day: 6, ordinal: -1 },
          { day: 0, ordinal: -2 },
        ],
        frequency: { unit: 'month', every: 1 },
      },
    ],
    [
      'On the 1st, 22nd and last day of the month',
      { partial: false, byMonthDay: [1, 22, -1], frequency: { unit: 'month', every: 1 } },
    ],
    ['Every year in June and July', { partial: false, byMonth: [6, 7], frequency: { unit: 'year', every: 1 } }],
    ['2 March 2026 18:00–19:00', { partial: false, startDate: '2026-03-02', ...evening }],
    ['Usually 18:00–19:00', evening],
    ['Usually Mondays 23:00–01:00', { byDay: [mon], startTime: 23 * 3600, duration: 7_200_000 }],
    ['Usually Mondays 18:00', { byDay: [mon], startTime: 18 * 3600, duration: 86_400_000 }],
  ])('%s', (words, schedule) => {
    expect(scheduleWords({ ...SCHEDULE, ...schedule })).toBe(words);
  });

  test('is nothing where it says nothing', () => {
    expect(scheduleWords(SCHEDULE)).toBeUndefined();
  });
});

function seriesOf(details: Details, more: Partial<Series> = {}): Series {
  return { kind: 'series', id: 's', type: 'SessionSeries', status: 'EventScheduled', details, schedules: [], ...more };
}

function session(more: Partial<Session> = {}): Session {
  return {
    kind: 'session',
    id: 'x',
    idStated: true,
    type: 'ScheduledSession',
    start: 0,
    status: 'EventScheduled',
    details: {},
    ...more,
  };
}

const descriptionOf = (details: Details, options: WordingOptions = {}, more: Partial<Series> = {}) =>
  wordsOf(seriesOf(details, more), options).master.description;

describe('the description of an event', () => {
  test.each<[string, Details, string | undefined]>([
    ['is left out where there is nothing to say', {}, undefined],
    [
      'begins with the publisher’s own',
      { description: 'Slow.\n\nBring a mat.', level: ['Beginner'] },
      'Slow.\n\nBring a mat.\n\nLevel: Beginner',
    ],
    [
      'tells prices',
      {
        offers: [
          { name: 'Adult', price: 5.5, currency: 'GBP' },
          { price: 3, currency: 'EUR' },
          { name: 'Under 5', price: 0 },
        ],
      },
      'Price: £5.50 (Adult), €3, free (Under 5)',
    ],
    [
      'tells a price without a currency beside two as a bare amount',
      { offers: [{ price: 4 }, { price: 5, currency: 'GBP' }, { price: 6, currency: 'EUR' }] },
      'Price: 4, £5, €6',
    ],
    [
      'does not round a price to nothing',
      {
        offers: [
          { price: 0.004, currency: 'GBP' },
          { price: 4.999999, currency: 'GBP' },
        ],
      },
      'Price: £0.004, £5.00',
    ],
    [
      'tells prices in any currency',
      { offers: [{ price: 12.5, currency: 'CHF' }, { name: 'Ask us' }] },
      'Price: 12.50 CHF',
    ],
    [
      'tells a price without a currency in that of the others',
      {
        offers: [
          { name: 'A', price: 12.5 },
          { name: 'B', price: 10, currency: 'EUR' },
        ],
      },
      'Price: €12.50 (A), €10 (B)',
    ],
    [
      'tells each price once',
      {
        offers: [
          { price: 5, currency: 'GBP' },
          { price: 5, currency: 'GBP' },
        ],
      },
      'Price: £5',
    ],
    ['tells who leads', { leader: ['Sam', 'Kit'] }, 'Leader: Sam, Kit'],
    ['tells ages from', { ageRange: { min: 16 } }, 'Ages: 16 and over'],
    ['tells ages to', { ageRange: { max: 11 } }, 'Ages: up to 11'],
    ['tells one age once', { ageRange: { min: 8, max: 8 } }, 'Ages: 8'],
    ['tells ages between', { ageRange: { min: 5, max: 11 } }, 'Ages: 5–11'],
    ['says nothing of any age', { ageRange: { min: 0 } }, undefined],
    ['tells whom it is for', { gender: 'FemaleOnly' }, 'For: women and girls'],
    ['says nothing of everybody', { gender: 'NoRestriction' }, undefined],
    [
      'tells where in the place',
      { room: 'Court 1', meetingPoint: 'By the gate' },
      'Where: Court 1\nMeeting point: By the gate',
    ],
    [
      'tells how to join online',
      { attendance: 'mixed', virtualLocation: { url: 'https://meet.example.org' } },
      'Online: https://meet.example.org',
    ],
    ['says that it is online', { attendance: 'online' }, 'Online: yes'],
    [
      'tells what else to know',
      { schedulingNote: 'Not in August', attendeeInstructions: 'Bring a towel' },
      'Note: Not in August\nInstructions: Bring a towel',
    ],
    [
      'tells whom to ask',
      { organizer: { name: 'Active', telephone: '01234', email: 'a@example.org' } },
      'Organiser: Active, 01234, a@example.org',
    ],
  ])('%s', (_, details, expected) => {
    expect(descriptionOf(details)).toBe(expected);
  });

  test('ends with where to read on and who published it', () => {
    const more = { url: 'https://example.org/yoga' };
    expect(descriptionOf({ level: ['All'] }, { attribution: 'Source: Active, CC BY 4.0' }, more)).toBe(
      'Level: All\nDetails: https://example.org/yoga\n\nSource: Active, CC BY 4.0',
    );
    expect(descriptionOf({ description: 'Slow.' }, {}, more)).toBe('Slow.\n\nDetails: https://example.org/yoga');
    expect(descriptionOf({}, { attribution: 'Source: Active' })).toBe('Source: Active');
  });

  describe('has the words of the pattern that the event itself fits: it had those of all', () => {
    const mon = [{ day: 0 as const }];
    const partial = (more: Partial<Schedule>): Schedule => ({ ...SCHEDULE, byDay: mon, startTime: 18 * 3600, ...more });
    const descriptionOf = (schedule: Schedule, start: string) =>
      wordsOf(seriesOf({}, { schedules: [schedule] }), {}).of(session({ start: Date.parse(start) })).description;
    test.each<[string, Partial<Schedule>, string, boolean]>([
      ['on its day, at its time', {}, '2026-11-23T18:00:00Z', true],
      ['at its time in summer', {}, '2026-06-01T17:00:00Z', true],
      ['at another time', {}, '2026-11-23T19:00:00Z', false],
      ['on another day', {}, '2026-11-24T18:00:00Z', false],
      ['without a day, on any', { byDay: [] }, '2026-11-24T18:00:00Z', true],
      ['in the week it numbers', { byDay: [{ day: 0, ordinal: -1 }] }, '2026-11-30T18:00:00Z', true],
      ['in another week', { byDay: [{ day: 0, ordinal: 2 }] }, '2026-11-30T18:00:00Z', false],
      ['on its last day', { endDate: '2026-11-23' }, '2026-11-23T18:00:00Z', true],
      ['after it has ended', { endDate: '2026-11-22' }, '2026-11-23T18:00:00Z', false],
      ['before it begins', { startDate: '2026-11-24' }, '2026-11-23T18:00:00Z', false],
      ['on its date of the month', { byDay: [], byMonthDay: [-1] }, '2026-11-30T18:00:00Z', true],
      ['in another month', { byMonth: [5] }, '2026-11-23T18:00:00Z', false],
      ['a Schedule says its times itself', { partial: false }, '2026-11-23T18:00:00Z', false],
    ])('%s', (_, more, start, fits) => {
      const schedule = partial(more);
      expect(descriptionOf(schedule, start)).toBe(fits ? scheduleWords(schedule) : undefined);
    });
  });

  test('tells places left only where that is asked for', () => {
    const series = seriesOf({ name: 'Yoga', maximumAttendeeCapacity: 12, level: ['All'] });
    const one = session({ remainingAttendeeCapacity: 3 });
    expect(wordsOf(series, {}).of(one).description).toBe('Level: All');
    expect(wordsOf(series, { placesLeft: true }).of(one).description).toBe('Level: All\nPlaces left: 3 of 12');
  });
});

describe('a session', () => {
  test('that says nothing of its own shares the words of its series', () => {
    const words = wordsOf(seriesOf({ name: 'Yoga' }), {});
    expect(words.of(session())).toBe(words.master);
  });

  test('says what it says itself over what its series says, but links to its own page', () => {
    const series = seriesOf({ name: 'Yoga', leader: ['Sam'] }, { url: 'https://example.org/yoga' });
    const one = session({ url: 'https://example.org/yoga/1', details: { name: 'Yoga, special', leader: ['Kit'] } });
    expect(wordsOf(series, {}).of(one)).toMatchObject({
      summary: 'Yoga, special',
      description: 'Leader: Kit\nDetails: https://example.org/yoga/1',
    });
  });

  test.each<[string, Details, string]>([
    ['its activity', { activity: ['Yoga', 'Pilates'] }, 'Yoga, Pilates'],
    ['its type', {}, 'Scheduled Session'],
  ])('without a name goes by %s', (_, details, summary) => {
    expect(wordsOf(seriesOf(details), {}).of(session()).summary).toBe(summary);
  });
});

describe('the location of an event', () => {
  const place = { name: 'Hall', address: '1 High Street, Town', latitude: 51.5, longitude: -0.1 };
  test.each<[string, Details, object | undefined]>([
    [
      'is the place',
      { location: place },
      { title: 'Hall', address: '1 High Street, Town', latitude: 51.5, longitude: -0.1 },
    ],
    ['is the address where there is no name', { location: { address: '1 High Street' } }, { title: '1 High Street' }],
    [
      'has no coordinates at 0, 0',
      { location: { ...place, latitude: 0.002, longitude: 0 } },
      { title: 'Hall', address: '1 High Street, Town' },
    ],
    [
      'has no coordinates off the globe',
      { location: { ...place, latitude: 512 } },
      { title: 'Hall', address: '1 High Street, Town' },
    ],
    [
      'is the coordinates where there is neither name nor address',
      { location: { latitude: 52.0383757, longitude: -0.7858541 } },
      { title: '52.03838, -0.78585', latitude: 52.0383757, longitude: -0.7858541 },
    ],
    ['is not made of coordinates off the globe', { location: { latitude: 512, longitude: 0 } }, undefined],
    [
      'is one line each',
      { location: { name: 'Hall\r\nNorth', address: 'A\nB' } },
      { title: 'Hall, North', address: 'A, B' },
    ],
    ['is Online where it is nowhere else', { attendance: 'online' }, { title: 'Online' }],
    ['is Online where its series is somewhere', { attendance: 'online', location: place }, { title: 'Online' }],
    [
      'is somewhere for those who come, and online for others',
      { attendance: 'mixed', location: { name: 'Hall' } },
      { title: 'Hall' },
    ],
    [
      'is where it is online, by its name',
      { attendance: 'online', virtualLocation: { name: 'Our channel' }, location: { name: 'Hall' } },
      { title: 'Our channel' },
    ],
    ['is unknown', {}, undefined],
    ['is virtual, where nothing says more', { virtualLocation: { name: 'Teams' } }, { title: 'Teams' }],
    ['is virtual without a name', { virtualLocation: { url: 'https://x.org/live' } }, { title: 'Online' }],
    ['is not virtual for those who come', { virtualLocation: { name: 'Teams' }, attendance: 'offline' }, undefined],
    [
      'is a place beside a virtual one',
      { virtualLocation: { name: 'Teams' }, location: { name: 'Hall' } },
      { title: 'Hall' },
    ],
  ])('%s', (_, details, expected) => {
    expect(wordsOf(seriesOf(details), {}).master.location).toEqual(expected);
  });
});

test('words are made once for a series, and anew for other options', () => {
  const series = seriesOf({ name: 'Yoga' });
  expect(wordsOf(series, { attribution: 'a' })).toBe(wordsOf(series, { attribution: 'a' }));
  expect(wordsOf(series, { attribution: 'b' }).master.description).toBe('b');
});
