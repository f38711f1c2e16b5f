import { describe, expect, test } from 'vitest';
import type { Schedule } from '../../src/opportunity/records.ts';
import { type Expander, expanderOf, instances, wallOfInstance, yieldsAny } from '../../src/recurrence/expand.ts';
import { byDay, schedule, utc, without } from './make.ts';

const at = (text: string) => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
const starts = (given: Partial<Schedule>, from: string, to: string) =>
  instances(schedule(given), at(from), at(to)).map(({ start, excluded }) => (excluded ? '-' : '') + utc(start));

test.each<[what: string, given: Partial<Schedule>, yields: boolean]>([
  ['weekly', {}, true],
  ['hourly', { frequency: { unit: 'hour', every: 1 } }, true],
  ['31 February', { frequency: { unit: 'year', every: 1 }, byMonth: [2], byMonthDay: [31] }, false],
  ['the sixth Monday', { frequency: { unit: 'month', every: 1 }, byDay: byDay('6MO') }, false],
  ['that ends before it begins', { endDate: '2026-01-04' }, false],
  ['with its only date excluded', { count: 1, except: [{ date: '2026-01-05' }] }, false],
  ['with one of two dates excluded', { count: 2, except: [{ date: '2026-01-05' }] }, true],
  ['with its first dates excluded', { except: [{ date: '2026-01-05' }, { date: '2026-01-12' }] }, true],
  [
    'within a day that is excluded',
    { frequency: { unit: 'hour', every: 1 }, count: 2, except: [{ date: '2026-01-05' }] },
    false,
  ],
  ['that may not be expanded', { expandable: false }, false],
])('whether any occurrence comes of a Schedule %s', (_, given, yields) => {
  expect(yieldsAny(schedule(given))).toBe(yields);
});

describe('worked examples', () => {
  test('daily, ten times from 2 September 1997 at 9 in New York', () => {
    const daily: Partial<Schedule> = {
      startDate: '1997-09-02',
      startTime: 9 * 3600,
      frequency: { unit: 'day', every: 1 },
      count: 10,
      zone: 'America/New_York',
    };
    expect(starts(daily, '1990-01-01', '2010-01-01')).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((day) => `1997-09-${String(day).padStart(2, '0')}T13:00:00Z`),
    );
  });

  test('a weekly hour in London keeps its wall time over both changes', () => {
    const thursdays = { startDate: '2018-03-01', startTime: 30_600, byDay: byDay('TH') };
    expect(starts(thursdays, '2018-03-20', '2018-04-01')).toEqual(['2018-03-22T08:30:00Z', '2018-03-29T07:30:00Z']);
    expect(starts(thursdays, '2018-10-20', '2018-11-02')).toEqual(['2018-10-25T07:30:00Z', '2018-11-01T08:30:00Z']);
  });
});

/** Vectors of the validator's schedule rules: which instants are occurrences across the change of March 2021. */
describe('exceptions as instants', () => {
  const saturdayInVain: Partial<Schedule> = { startDate: '2021-03-19', startTime: 30_600, count: 10 };
  const mornings: Partial<Schedule> = { startDate: '2021-02-18', startTime: 27_000, count: 20 };
  test.each<[string, Partial<Schedule>, string, string | undefined]>([
    ['a Saturday of a Friday class', saturdayInVain, '2021-03-27T08:30:00Z', undefined],
    // Local time labelled as UTC was no exception to us: a cancelled class was on (semantics 3).
    ['the wall time of a summer day read as UTC', saturdayInVain, '2021-04-02T08:30:00Z', '2021-04-02T07:30:00Z'],
    ['that summer day', saturdayInVain, '2021-04-02T07:30:00Z', '2021-04-02T07:30:00Z'],
    ['the first', mornings, '2021-02-18T07:30:00.000Z', '2021-02-18T07:30:00Z'],
    ['the last of winter', mornings, '2021-03-25T07:30:00.000Z', '2021-03-25T07:30:00Z'],
    ['the first of summer', mornings, '2021-04-01T06:30:00.000Z', '2021-04-01T06:30:00Z'],
    ['the first of summer, an hour late', mornings, '2021-04-01T07:30:00.000Z', '2021-04-01T06:30:00Z'],
    // A cancelled class was on: the date of an exception was written with a time.
    ['a summer day as its midnight in UTC', mornings, '2021-04-01T00:00:00.000Z', '2021-04-01T06:30:00Z'],
    ['a summer day as its midnight', mornings, '2021-03-31T23:00:00.000Z', '2021-04-01T06:30:00Z'],
    ['the midnight of a day without a class', mornings, '2021-04-02T00:00:00.000Z', undefined],
    ['the twentieth', mornings, '2021-07-01T06:30:00.000Z', '2021-07-01T06:30:00Z'],
    ['the twenty-first', mornings, '2021-07-08T06:30:00.000Z', undefined],
    ['the twenty-first, in local time', mornings, '2021-07-08T07:30:00.000Z', undefined],
  ])('%s', (_name, given, except, excepted) => {
    const all = instances(
      schedule({ ...given, except: [{ instant: at(except) }] }),
      at('2021-01-01'),
      at('2022-01-01'),
    );
    const found = all.filter(({ excluded }) => excluded).map(({ start }) => utc(start));
    expect(found).toEqual(excepted === undefined ? [] : [excepted]);
    expect(all).toHaveLength(given.count as number);
  });

  test('an instant that starts an instance excepts that one, and not another at that local time', () => {
    const hourly: Partial<Schedule> = { startDate: '2021-07-01', frequency: { unit: 'hour', every: 1 }, count: 4 };
    const except = [{ instant: at('2021-07-01T18:00:00Z') }];
    expect(starts({ ...hourly, except }, '2021-07-01', '2021-07-02')).toEqual([
      '2021-07-01T17:00:00Z',
      '-2021-07-01T18:00:00Z',
      '2021-07-01T19:00:00Z',
      '2021-07-01T20:00:00Z',
    ]);
  });
});

describe('exceptions as dates', () => {
  test('a date excludes every start on that local day', () => {
    const thrice: Partial<Schedule> = {
      startDate: '2026-06-01',
      startTime: 3600,
      frequency: { unit: 'hour', every: 8 },
      except: [{ date: '2026-06-02' }],
    };
    expect(starts(thrice, '2026-06-01T20:00:00Z', '2026-06-03T01:00:00Z')).toEqual([
      '-2026-06-02T00:00:00Z',
      '-2026-06-02T08:00:00Z',
      '-2026-06-02T16:00:00Z',
      '2026-06-03T00:00:00Z',
    ]);
  });

  test('the day is that of the zone, not of UTC', () => {
    const early = { startTime: 9 * 3600, zone: 'Pacific/Auckland', except: [{ date: '2026-01-12' }] };
    expect(starts(early, '2026-01-04', '2026-01-20')).toEqual([
      '2026-01-04T20:00:00Z',
      '-2026-01-11T20:00:00Z',
      '2026-01-18T20:00:00Z',
    ]);
  });

  test('excluded ones count', () => {
    const two = { count: 2, except: [{ date: '2026-01-05' }] };
    expect(starts(two, '2026-01-01', '2027-01-01')).toEqual(['-2026-01-05T18:00:00Z', '2026-01-12T18:00:00Z']);
  });
});

/** A start in a gap takes the offset before it, in a fold the first (semantics 3). Each weekly, over the change. */
describe('gaps and folds', () => {
  test.each<[string, string, string, number, string[]]>([
    ['London, gap', 'Europe/London', '2026-03-22', 1.5, ['03-22T01:30', '03-29T01:30', '04-05T00:30']],
    ['London, fold', 'Europe/London', '2026-10-18', 1.5, ['10-18T00:30', '10-25T00:30', '11-01T01:30']],
    ['New York, gap', 'America/New_York', '2026-03-01', 2.5, ['03-01T07:30', '03-08T07:30', '03-15T06:30']],
    ['New York, fold', 'America/New_York', '2026-10-25', 1.5, ['10-25T05:30', '11-01T05:30', '11-08T06:30']],
    ['Sydney, gap', 'Australia/Sydney', '2026-09-27', 2.5, ['09-26T16:30', '10-03T16:30', '10-10T15:30']],
    ['Sydney, fold', 'Australia/Sydney', '2026-03-29', 2.5, ['03-28T15:30', '04-04T15:30', '04-11T16:30']],
    ['Lord Howe, gap', 'Australia/Lord_Howe', '2026-09-27', 2.25, ['09-26T15:45', '10-03T15:45', '10-10T15:15']],
    ['Lord Howe, fold', 'Australia/Lord_Howe', '2026-03-29', 1.75, ['03-28T14:45', '04-04T14:45', '04-11T15:15']],
    ['Auckland, gap', 'Pacific/Auckland', '2026-09-20', 2.5, ['09-19T14:30', '09-26T14:30', '10-03T13:30']],
    ['Auckland, fold', 'Pacific/Auckland', '2026-03-29', 2.5, ['03-28T13:30', '04-04T13:30', '04-11T14:30']],
    ['Kolkata', 'Asia/Kolkata', '2026-03-22', 1.5, ['03-21T20:00', '03-28T20:00', '04-04T20:00']],
    ['UTC', 'UTC', '2026-03-22', 1.5, ['03-22T01:30', '03-29T01:30', '04-05T01:30']],
  ])('%s', (_name, zone, startDate, hour, expected) => {
    const found = instances(schedule({ zone, startDate, startTime: hour * 3600, count: 3 }), 0, at('2030-01-01'));
    expect(found.map(({ start }) => utc(start).slice(5, 16))).toEqual(expected);
    expect(found.map(({ wall }) => (wall / 3_600_000) % 24)).toEqual([hour, hour, hour]);
  });

  test('lengths are elapsed time: a night over the change is an hour longer on the clock', () => {
    const night = schedule({ startDate: '2026-10-24', startTime: 22 * 3600, duration: 8 * 3_600_000, count: 1 });
    expect(instances(night, 0, at('2030-01-01')).map(({ end }) => utc(end))).toEqual(['2026-10-25T05:00:00Z']);
  });

  test('a rule within a day ends at its last time on the last day', () => {
    const hourly: Partial<Schedule> = { startDate: '2021-07-01', frequency: { unit: 'hour', every: 1 } };
    const found = starts({ ...hourly, endDate: '2021-07-01', lastTime: 20 * 3600 }, '2021-07-01', '2021-07-03');
    expect(found.at(-1)).toBe('2021-07-01T19:00:00Z');
  });

  test('an hourly rule has each instant once, in order, over the gap', () => {
    const half: Partial<Schedule> = {
      startDate: '2026-03-29',
      startTime: 0,
      frequency: { unit: 'minute', every: 30 },
    };
    const found = starts(half, '2026-03-29T00:00:00Z', '2026-03-29T03:00:00Z');
    expect(found).toEqual(['00:00', '00:30', '01:00', '01:30', '02:00', '02:30'].map((t) => `2026-03-29T${t}:00Z`));
  });

  test('the day that Apia left out falls together with the next', () => {
    const daily: Partial<Schedule> = {
      startDate: '2011-12-29',
      startTime: 9 * 3600,
      frequency: { unit: 'day', every: 1 },
      count: 4,
      zone: 'Pacific/Apia',
    };
    expect(starts(daily, '2011-12-01', '2012-02-01')).toEqual([
      '2011-12-29T19:00:00Z',
      '2011-12-30T19:00:00Z',
      '2011-12-31T19:00:00Z',
    ]);
  });
});

describe('windows', () => {
  test.each<[string, number | undefined, string, string, number]>([
    ['one that lies inside', 3_600_000, '2026-01-05T17:00:00Z', '2026-01-05T20:00:00Z', 1],
    ['one that begins before and lasts into it', 3_600_000, '2026-01-05T18:59:59Z', '2026-01-05T20:00:00Z', 1],
    ['one that ends as it begins', 3_600_000, '2026-01-05T19:00:00Z', '2026-01-05T20:00:00Z', 0],
    ['one that begins as it ends', 3_600_000, '2026-01-05T17:00:00Z', '2026-01-05T18:00:00Z', 0],
    ['one that is longer than it', 3_600_000, '2026-01-05T18:10:00Z', '2026-01-05T18:20:00Z', 1],
    ['three that last ten days and overlap', 10 * 86_400_000, '2026-01-19T00:00:00Z', '2026-01-20T00:00:00Z', 2],
    ['one without length, at its beginning', undefined, '2026-01-05T18:00:00Z', '2026-01-05T20:00:00Z', 1],
    ['one without length, at its end', undefined, '2026-01-05T17:00:00Z', '2026-01-05T18:00:00Z', 0],
    ['a moment within it', 3_600_000, '2026-01-05T18:30:00Z', '2026-01-05T18:30:00Z', 1],
    ['a window turned round', 3_600_000, '2026-01-06T18:30:00Z', '2026-01-05T18:30:00Z', 0],
  ])('%s', (_name, duration, from, to, count) => {
    const bare = without(schedule(), 'duration');
    const found = instances({ ...bare, ...(duration !== undefined && { duration }) }, at(from), at(to));
    expect(found).toHaveLength(count);
    for (const { start, end } of found) expect(end - start).toBe(duration ?? 0);
  });

  test('without ends', () => {
    const twice = schedule({ count: 2 });
    expect(instances(twice, -Infinity, Infinity)).toHaveLength(2);
    expect(instances(schedule({ count: 2, frequency: { unit: 'hour', every: 5 } }), -Infinity, Infinity)).toHaveLength(
      2,
    );
  });
});

describe('what is not expanded', () => {
  test.each<[string, Partial<Schedule>]>([
    ['a PartialSchedule', { partial: true }],
    ['one that lacks something', { expandable: false }],
    ['one of a zone that nobody knows', { zone: 'Europe/Atlantis' }],
    ['one that ends before it begins', { endDate: '2025-12-31' }],
  ])('%s', (_name, given) => {
    expect(instances(schedule(given), -Infinity, at('2030-01-01'))).toEqual([]);
  });

  test('a rule every second is cut off', () => {
    const found = instances(schedule({ frequency: { unit: 'second', every: 1 } }), at('2026-02-01'), at('2027-02-01'));
    expect(found).toHaveLength(3000);
    expect(utc(found[0]?.end as number)).toBe('2026-02-01T00:00:01Z');
  });
});

describe('which instance starts at an instant', () => {
  const weekly = expanderOf(schedule({ startDate: '2026-03-22', startTime: 5400 })) as Expander;
  test.each([
    ['one of them', '2026-03-22T01:30:00Z', '2026-03-22T01:30:00Z'],
    ['the one in the gap, by its wall time there', '2026-03-29T01:30:00Z', '2026-03-29T01:30:00Z'],
    ['one of summer', '2026-04-05T00:30:00Z', '2026-04-05T01:30:00Z'],
    ['the one in the fold', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['the second half of the fold', '2026-10-25T01:30:00Z', undefined],
    ['another hour', '2026-04-05T01:30:00Z', undefined],
    ['another day', '2026-04-06T00:30:00Z', undefined],
    ['before the first', '2026-03-15T01:30:00Z', undefined],
  ])('%s', (_name, start, wall) => {
    expect(wallOfInstance(weekly, at(start))).toBe(wall === undefined ? undefined : at(wall));
  });
});
