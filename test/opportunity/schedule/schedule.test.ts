import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/opportunity/item/json.ts';
import type { Series } from '../../../src/opportunity/records.ts';
import { scheduleWith, seriesWith, through } from '../reader.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

test('a proper Schedule has no findings', () => {
  const { schedule, codes } = scheduleWith({ byDay: ['https://schema.org/Thursday', 'https://schema.org/Monday'] });
  expect(codes).toEqual([]);
  expect(schedule).toEqual({
    partial: false,
    expandable: true,
    index: 0,
    startDate: '2027-03-01',
    startTime: 36_000,
    endTime: 39_600,
    duration: HOUR,
    frequency: { unit: 'week', every: 1 },
    byDay: [{ day: 0 }, { day: 3 }],
    byMonth: [],
    byMonthDay: [],
    except: [],
    zone: 'Europe/London',
    zoneStated: true,
    eventType: 'ScheduledSession',
  });
});

describe('repeatFrequency', () => {
  test.each([
    ['P1D', 'day', 1],
    ['P7D', 'week', 1],
    ['P14D', 'week', 2],
    ['P10D', 'day', 10],
    ['P1W', 'week', 1],
    ['P2W', 'week', 2],
    ['P1W1D', 'day', 8],
    ['P1M', 'month', 1],
    ['P12M', 'month', 12],
    ['P1Y', 'year', 1],
    ['P1Y6M', 'month', 18],
    ['PT24H', 'day', 1],
    ['PT48H', 'day', 2],
    ['PT168H', 'week', 1],
    ['PT1440M', 'day', 1],
    [' P1W ', 'week', 1],
  ])('%s is every %s × %i', (repeatFrequency, unit, every) => {
    const { schedule, codes } = scheduleWith({ repeatFrequency });
    expect(schedule.frequency).toEqual({ unit, every });
    expect(codes).toEqual([]);
  });

  test.each([
    ['PT1H', 'hour', 1],
    ['PT90M', 'minute', 90],
    ['PT36H', 'hour', 36],
    ['PT30S', 'second', 30],
    ['P1.5D', 'hour', 36],
  ])('%s is within a day: kept, with a finding', (repeatFrequency, unit, every) => {
    const { schedule, findings } = scheduleWith({ repeatFrequency });
    expect(schedule).toMatchObject({ frequency: { unit, every }, expandable: true });
    expect(findings).toEqual(['schedule-frequency-within-day repeatFrequency']);
  });

  test.each(['P0D', 'PT0S', 'P', 'PT', '-P1W', 'P1001W', 'P0.5M', 'P1M1D', 'weekly', 'FREQ=WEEKLY', 7, {}])(
    '%j is not guessed: no occurrences',
    (repeatFrequency) => {
      const { schedule, findings } = scheduleWith({ repeatFrequency });
      expect(schedule).toMatchObject({ expandable: false, unusable: 'repeatFrequency' });
      expect(findings).toEqual(['schedule-frequency-invalid repeatFrequency']);
    },
  );

  test.each([undefined, null, '', []])('%j with byDay is weekly', (repeatFrequency) => {
    const { schedule, findings } = scheduleWith({ repeatFrequency, byDay: ['https://schema.org/Monday'] });
    expect(schedule).toMatchObject({ expandable: true, byDay: [{ day: 0 }], frequency: { unit: 'week', every: 1 } });
    expect(findings).toEqual(['frequency-inferred']);
  });

  const MONDAY = ['https://schema.org/Monday'];
  const WEEKLY = { unit: 'week', every: 1 };
  const MONTHLY = { unit: 'month', every: 1 };
  const YEARLY = { unit: 'year', every: 1 };

  test.each<[string, Record<string, unknown>, object | undefined, string[]]>([
    ['byDay: weekly', { byDay: MONDAY }, WEEKLY, ['frequency-inferred']],
    ['byDay and byMonth: weekly', { byDay: MONDAY, byMonth: [6] }, WEEKLY, ['frequency-inferred']],
    ['a numbered day: monthly', { byDay: ['2TH'] }, MONTHLY, ['frequency-inferred']],
    ['byMonthDay: monthly', { byMonthDay: [15] }, MONTHLY, ['frequency-inferred']],
    ['byMonthDay with byDay: monthly', { byMonthDay: [13], byDay: ['FR'] }, MONTHLY, ['frequency-inferred']],
    ['byMonthDay with byMonth: monthly', { byMonthDay: [1], byMonth: [1, 7] }, MONTHLY, ['frequency-inferred']],
    ['byMonth alone: yearly', { byMonth: [6] }, YEARLY, ['frequency-inferred']],
    ['nothing: once', {}, undefined, ['schedule-without-rule']],
  ])('without it, %s', (_name, parts, frequency, expected) => {
    const { schedule, codes } = scheduleWith({ repeatFrequency: undefined, ...parts });
    expect(schedule.expandable).toBe(true);
    expect(schedule.frequency).toEqual(frequency);
    expect(codes.filter((code) => code !== 'vocabulary-spelling')).toEqual(expected);
  });

  test('the usual misspelling `frequency` is read', () => {
    const { schedule, findings } = scheduleWith({ repeatFrequency: undefined, frequency: 'P2W' });
    expect(schedule.frequency).toEqual({ unit: 'week', every: 2 });
    expect(findings).toEqual(['property-misnamed frequency']);
  });
});

describe('byDay', () => {
  test.each([
    ['https', ['https://schema.org/Wednesday'], []],
    ['http', ['http://schema.org/Wednesday'], ['vocabulary-spelling byDay']],
    ['a prefix', ['schema:Wednesday'], ['vocabulary-spelling byDay']],
    ['a bare name', ['Wednesday'], ['vocabulary-spelling byDay']],
    ['small letters', ['wednesday'], ['vocabulary-spelling byDay']],
    ['an abbreviation', ['Wed'], ['vocabulary-spelling byDay']],
    ['iCalendar’s', ['WE'], ['vocabulary-spelling byDay']],
    ['blanks around', [' https://schema.org/Wednesday '], ['vocabulary-spelling byDay']],
    ['a slash behind', ['https://schema.org/Wednesday/'], []],
    ['twice', ['https://schema.org/Wednesday', 'https://schema.org/Wednesday'], []],
    ['no array', 'https://schema.org/Wednesday', ['single-value byDay']],
  ])('Wednesday: %s', (_name, byDay, expected) => {
    const { schedule, findings } = scheduleWith({ byDay });
    expect(schedule.byDay).toEqual([{ day: 2 }]);
    expect(findings).toEqual(expected);
  });

  test('a list in one element is taken apart', () => {
    const { schedule, codes } = scheduleWith({ byDay: ['MO,WE , FR'] });
    expect(schedule.byDay).toEqual([{ day: 0 }, { day: 2 }, { day: 4 }]);
    expect(codes).toContain('by-day-comma');
  });

  test.each([
    ['2TH', { day: 3, ordinal: 2 }],
    ['+1MO', { day: 0, ordinal: 1 }],
    ['-1FR', { day: 4, ordinal: -1 }],
    ['-1fr', { day: 4, ordinal: -1 }],
  ])('%s within a month', (word, day) => {
    const { schedule, codes } = scheduleWith({ repeatFrequency: 'P1M', byDay: [word] });
    expect(schedule.byDay).toEqual([day]);
    expect(codes).toEqual([]);
  });

  test('a day may be an object', () => {
    const { schedule, codes } = scheduleWith({ byDay: [{ '@id': 'https://schema.org/Tuesday' }] });
    expect(schedule.byDay).toEqual([{ day: 1 }]);
    expect(codes).toEqual([]);
  });

  test('in weeks a number says nothing', () => {
    const { schedule, findings } = scheduleWith({ byDay: ['2TH'] });
    expect(schedule.byDay).toEqual([{ day: 3 }]);
    expect(findings).toEqual(['by-day-ordinal-ignored byDay']);
  });

  test('PublicHolidays is ignored', () => {
    const { schedule, findings } = scheduleWith({
      byDay: ['https://schema.org/PublicHolidays', 'https://schema.org/Monday'],
    });
    expect(schedule).toMatchObject({ expandable: true, byDay: [{ day: 0 }] });
    expect(findings).toEqual(['by-day-public-holidays byDay']);
  });

  test.each([
    ['https://schema.org/PublicHolidays', ['by-day-public-holidays', 'by-day-unusable']],
    ['Someday', ['by-day-unknown', 'by-day-unusable']],
  ])('%s alone made a class of every Monday: it makes none', (word, expected) => {
    const { schedule, codes } = scheduleWith({ byDay: [word] });
    expect(schedule).toMatchObject({ expandable: false, byDay: [] });
    expect(codes).toEqual(expected);
  });

  test.each(['Someday', '0TH', '99MO', '', 5, {}])('%j among others is left out', (word) => {
    const { schedule, codes } = scheduleWith({ byDay: [word, 'https://schema.org/Monday'] });
    expect(schedule).toMatchObject({ expandable: true, byDay: [{ day: 0 }] });
    expect(codes).toEqual(['by-day-unknown']);
  });
});

describe('byMonthWeek was ignored: a monthly class was on every Monday', () => {
  const byDay = ['https://schema.org/Monday'];
  const second = [{ day: 0, ordinal: 2 }];
  const plain = [{ day: 0 }];
  test.each<[string, Record<string, unknown>, object[], object | undefined, string[]]>([
    ['P1M', { repeatFrequency: 'P1M', byDay, byMonthWeek: [2] }, second, { unit: 'month', every: 1 }, []],
    ['P3M', { repeatFrequency: 'P3M', byDay, byMonthWeek: [2] }, second, { unit: 'month', every: 3 }, []],
    ['P1W', { byDay, byMonthWeek: [2] }, second, { unit: 'month', every: 1 }, ['frequency-inferred']],
    [
      'no frequency',
      { repeatFrequency: undefined, byDay, byMonthWeek: [2] },
      second,
      { unit: 'month', every: 1 },
      ['frequency-inferred'],
    ],
    [
      'the first and last of two days, no array',
      {
        repeatFrequency: 'P1M',
        byDay: ['https://schema.org/Tuesday', 'https://schema.org/Monday'],
        byMonthWeek: ['1', -1],
      },
      [
        { day: 0, ordinal: -1 },
        { day: 0, ordinal: 1 },
        { day: 1, ordinal: -1 },
        { day: 1, ordinal: 1 },
      ],
      { unit: 'month', every: 1 },
      [],
    ],
    ['a number', { repeatFrequency: 'P1M', byDay, byMonthWeek: 2 }, second, { unit: 'month', every: 1 }, []],
    [
      'P2W',
      { repeatFrequency: 'P2W', byDay, byMonthWeek: [2] },
      plain,
      { unit: 'week', every: 2 },
      ['by-month-week-ignored'],
    ],
    [
      'P1D',
      { repeatFrequency: 'P1D', byDay, byMonthWeek: [2] },
      plain,
      { unit: 'day', every: 1 },
      ['by-month-week-ignored'],
    ],
    [
      'P1Y',
      { repeatFrequency: 'P1Y', byDay, byMonthWeek: [2] },
      plain,
      { unit: 'year', every: 1 },
      ['by-month-week-ignored'],
    ],
    [
      'no byDay',
      { repeatFrequency: 'P1M', byMonthWeek: [2] },
      [],
      { unit: 'month', every: 1 },
      ['by-month-week-ignored'],
    ],
    [
      'a sixth week',
      { repeatFrequency: 'P1M', byDay, byMonthWeek: [6, 2] },
      second,
      { unit: 'month', every: 1 },
      ['by-month-week-ignored'],
    ],
    [
      'no number',
      { repeatFrequency: 'P1M', byDay, byMonthWeek: ['all'] },
      plain,
      { unit: 'month', every: 1 },
      ['by-month-week-ignored'],
    ],
    [
      'numbered days',
      { repeatFrequency: 'P1M', byDay: ['2MO'], byMonthWeek: [3] },
      second,
      { unit: 'month', every: 1 },
      ['by-month-week-ignored'],
    ],
    ['an empty list', { repeatFrequency: 'P1M', byDay, byMonthWeek: [] }, plain, { unit: 'month', every: 1 }, []],
  ])('%s', (_name, changes, days, frequency, expected) => {
    const { schedule, codes } = scheduleWith(changes);
    expect(schedule.byDay).toEqual(days);
    expect(schedule.frequency).toEqual(frequency);
    expect(codes).toEqual(expected);
  });
});

describe('byMonth and byMonthDay', () => {
  test.each([
    [{ byMonth: [12, 1, '6', 1] }, { byMonth: [1, 6, 12], expandable: true }, []],
    [{ byMonth: 3 }, { byMonth: [3], expandable: true }, []],
    [{ byMonth: [0, 13, 2] }, { byMonth: [2], expandable: true }, ['by-month-invalid', 'by-month-invalid']],
    [
      { byMonth: [13] },
      { byMonth: [], expandable: false, unusable: 'byMonth' },
      ['by-month-invalid', 'rule-part-unusable'],
    ],
    [{ byMonthDay: [31, 1, -1] }, { byMonthDay: [-1, 1, 31], expandable: true }, []],
    [
      { byMonthDay: [0, 32, 1.5] },
      { byMonthDay: [], expandable: false, unusable: 'byMonthDay' },
      ['by-month-day-invalid', 'by-month-day-invalid', 'by-month-day-invalid', 'rule-part-unusable'],
    ],
  ])('%j', (changes, expected, found) => {
    const { schedule, codes } = scheduleWith({ repeatFrequency: 'P1Y', ...changes });
    expect(schedule).toMatchObject(expected);
    expect(codes).toEqual(found);
  });
});

describe('repeatCount', () => {
  test.each([
    [10, 10, []],
    ['10', 10, []],
    [10_000, 10_000, []],
    [10_001, 10_000, ['schedule-count-too-large repeatCount']],
    [1e9, 10_000, ['schedule-count-too-large repeatCount']],
    [0, undefined, ['schedule-count-invalid repeatCount']],
    [-1, undefined, ['schedule-count-invalid repeatCount']],
    [2.5, undefined, ['schedule-count-invalid repeatCount']],
    [null, undefined, []],
  ])('%j', (repeatCount, count, found) => {
    const { schedule, findings } = scheduleWith({ repeatCount });
    expect(schedule.count).toBe(count);
    expect(schedule.expandable).toBe(true);
    expect(findings).toEqual(found);
  });

  test('an integer past 2^53 is too large too', () => {
    const { value } = parseJson('{"repeatCount":12345678901234567890}');
    expect(scheduleWith(value as Record<string, unknown>).schedule.count).toBe(10_000);
  });

  test('words are not guessed', () => {
    expect(scheduleWith({ repeatCount: 'ten' })).toMatchObject({
      schedule: { expandable: false, unusable: 'repeatCount' },
      codes: ['schedule-count-unreadable'],
    });
  });

  test('the words of a pattern are ignored: no date would come of it', () => {
    const { schedule, codes } = scheduleWith({ '@type': 'PartialSchedule', repeatCount: 'ten' });
    expect(schedule).not.toHaveProperty('unusable');
    expect(codes).toEqual(['schedule-count-invalid']);
  });

  test('with an endDate both stand, and a finding', () => {
    const { schedule, codes } = scheduleWith({ repeatCount: 3, endDate: '2027-04-01' });
    expect(schedule).toMatchObject({ count: 3, endDate: '2027-04-01' });
    expect(codes).toEqual(['schedule-count-and-end']);
  });
});

const NO_START_DATE = ['date-invalid startDate', 'schedule-start-date-unusable'];

describe('dates', () => {
  test.each([
    ['startDate missing', { startDate: undefined }, { expandable: false }, ['schedule-start-date-missing']],
    ['startDate unreadable', { startDate: '01/03/2027' }, { expandable: false }, NO_START_DATE],
    ['no such day', { startDate: '2027-02-29' }, { expandable: false }, NO_START_DATE],
    [
      'startDate of .NET’s MinValue',
      { startDate: '0001-01-01' },
      { expandable: false },
      ['date-out-of-range startDate', 'schedule-start-date-missing'],
    ],
    [
      'startDate with a time',
      { startDate: '2027-03-01T00:00:00' },
      { expandable: true, startDate: '2027-03-01' },
      ['date-with-time startDate'],
    ],
    [
      'startDate as an instant: the date there',
      { startDate: '2027-06-30T23:00:00Z' },
      { expandable: true, startDate: '2027-07-01' },
      ['date-with-time startDate'],
    ],
    [
      'startDate as a midnight: the date as written, wherever that is',
      { startDate: '2027-03-01T00:00:00Z', scheduleTimezone: 'America/New_York' },
      { expandable: true, startDate: '2027-03-01' },
      ['date-with-time startDate'],
    ],
    ['endDate', { endDate: '2027-03-29' }, { expandable: true, endDate: '2027-03-29' }, []],
    [
      'endDate in the last second of a day in UTC: not the next local day',
      { endDate: '2027-06-30T23:59:59Z' },
      { endDate: '2027-06-30' },
      ['date-with-time endDate'],
    ],
    [
      'endDate as a midnight in UTC: the date as written, included',
      { endDate: '2027-06-30T00:00:00Z' },
      { endDate: '2027-06-30' },
      ['date-with-time endDate'],
    ],
    [
      'endDate as a local midnight: that date, included',
      { endDate: '2027-06-30T23:00:00Z' },
      { endDate: '2027-07-01' },
      ['date-with-time endDate'],
    ],
    [
      'endDate at the last start',
      { endDate: '2027-06-30T09:00:00Z' },
      { endDate: '2027-06-30' },
      ['date-with-time endDate'],
    ],
    [
      'endDate a second before a start',
      { endDate: '2027-06-30T08:59:59Z' },
      { endDate: '2027-06-29' },
      ['date-with-time endDate'],
    ],
    [
      'endDate as local time before the start',
      { endDate: '2027-06-30T09:30:00' },
      { endDate: '2027-06-29' },
      ['date-with-time endDate'],
    ],
    [
      'endDate with a time, of one that repeats within a day',
      { endDate: '2027-06-30T12:00:00Z', repeatFrequency: 'PT1H' },
      { endDate: '2027-06-30', lastTime: 46_800 },
      ['date-with-time endDate', 'schedule-frequency-within-day repeatFrequency'],
    ],
    [
      'endDate before the first start',
      { endDate: '2027-03-01T09:00:00Z' },
      { endDate: '2027-02-28' },
      ['date-with-time endDate', 'schedule-ends-before-start'],
    ],
    [
      'endDate that means never',
      { endDate: '9999-12-31' },
      { expandable: true, endDate: undefined },
      ['date-out-of-range endDate'],
    ],
    [
      'endDate unreadable: not for ever',
      { endDate: 'soon' },
      { expandable: false, endDate: undefined, unusable: 'endDate' },
      ['date-invalid endDate', 'schedule-end-date-unusable'],
    ],
    ['endDate before startDate', { endDate: '2027-02-01' }, { endDate: '2027-02-01' }, ['schedule-ends-before-start']],
  ])('%s', (_name, changes, expected, found) => {
    const { schedule, findings } = scheduleWith(changes);
    expect(schedule).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    );
    for (const [name, value] of Object.entries(expected))
      if (value === undefined) expect(schedule).not.toHaveProperty(name);
    expect(findings).toEqual(found);
  });
});

describe('times and lengths', () => {
  test.each([
    ['seconds', { startTime: '10:00:30', endTime: undefined }, { startTime: 36_030, duration: HOUR }, []],
    ['fractions', { startTime: '10:00:00.000' }, { startTime: 36_000 }, []],
    [
      'one digit',
      { startTime: '9:00', endTime: undefined },
      { startTime: 32_400 },
      ['time-without-leading-zero startTime'],
    ],
    ['Z', { startTime: '10:00Z' }, { startTime: 36_000 }, ['time-with-zone startTime']],
    ['an offset', { startTime: '10:00:00+01:00' }, { startTime: 36_000 }, ['time-with-zone startTime']],
    [
      'endTime before startTime is past midnight',
      { startTime: '23:00', endTime: '01:00', duration: undefined },
      { duration: 2 * HOUR },
      [],
    ],
    ['endTime 24:00', { startTime: '22:00', endTime: '24:00', duration: undefined }, { duration: 2 * HOUR }, []],
    ['endTime alone', { duration: undefined }, { duration: HOUR }, []],
    ['duration wins', { duration: 'PT2H' }, { duration: 2 * HOUR }, ['schedule-duration-conflict']],
    ['duration of a day more is no conflict', { duration: 'PT25H' }, { duration: 25 * HOUR }, []],
    ['duration alone', { endTime: undefined, duration: 'PT1H0M' }, { duration: HOUR }, []],
    ['duration in decimals', { endTime: undefined, duration: 'PT1.5H' }, { duration: 90 * MINUTE }, []],
    ['duration in decimals with a comma', { endTime: undefined, duration: 'PT0,5H' }, { duration: 30 * MINUTE }, []],
    ['duration in days', { endTime: undefined, duration: 'P2D' }, { duration: 48 * HOUR }, []],
    ['duration PT115M', { endTime: undefined, duration: 'PT115M' }, { duration: 115 * MINUTE }, []],
    ['PT0S: the times say it', { duration: 'PT0S' }, { duration: HOUR }, ['duration-zero duration']],
    ['P1M has no length', { duration: 'P1M' }, { duration: HOUR }, ['duration-calendar-units duration']],
    ['P126D is fine, P400D is not', { duration: 'P400D' }, { duration: HOUR }, ['duration-too-long duration']],
    ['a negative duration', { duration: '-PT1H' }, { duration: HOUR }, ['duration-invalid duration']],
    ['a duration that is none', { duration: '1 hour' }, { duration: HOUR }, ['duration-invalid duration']],
  ])('%s', (_name, changes, expected, found) => {
    const { schedule, findings } = scheduleWith(changes);
    expect(schedule).toMatchObject({ ...expected, expandable: true });
    expect(findings).toEqual(found);
  });

  test('an endTime that is the startTime is the next day’s', () => {
    const { schedule, findings } = scheduleWith({ startTime: '16:20', endTime: '16:20', duration: undefined });
    expect(schedule).toMatchObject({ duration: 24 * HOUR, endsByClock: true });
    expect(findings).toEqual(['schedule-same-times']);
    expect(scheduleWith({ startTime: '16:20', endTime: '16:20', duration: 'PT24H' }).findings).toEqual([]);
  });

  test('neither an endTime nor a duration is no length', () => {
    const { schedule, findings } = scheduleWith({ endTime: undefined, duration: undefined });
    expect(schedule).not.toHaveProperty('duration');
    expect(findings).toEqual(['schedule-without-length']);
  });

  test.each([
    [{ startTime: '22:00', endTime: '06:00', duration: undefined }, true],
    [{ startTime: '22:00', endTime: '06:00', duration: 'PT8H' }, undefined],
    [{ startTime: '22:00', endTime: undefined, duration: 'PT8H' }, undefined],
  ])('%j: only an endTime alone is a time on the wall', (changes, endsByClock) => {
    expect(scheduleWith(changes).schedule).toMatchObject({ duration: 8 * HOUR });
    expect(scheduleWith(changes).schedule.endsByClock).toBe(endsByClock);
  });

  test.each(['', ' ', [], null])('%j is no duration, and no finding', (duration) => {
    expect(scheduleWith({ duration })).toMatchObject({ schedule: { duration: HOUR }, codes: [] });
  });

  test('no startTime, no occurrences', () => {
    expect(scheduleWith({ startTime: undefined })).toMatchObject({
      schedule: { expandable: false },
      findings: ['schedule-start-time-missing'],
    });
  });

  test.each(['24:00', '25:00', '10:60', '10', '10am', '10.30', '', 1000, {}])(
    'startTime %j cannot be read',
    (startTime) => {
      const { schedule, codes } = scheduleWith({ startTime });
      expect(codes.some((code) => /^schedule-start-time-(unusable|missing)$/.test(code))).toBe(true);
      expect(schedule).not.toHaveProperty('startTime');
      expect(schedule.expandable).toBe(false);
    },
  );
});

describe('the zone', () => {
  test.each([
    ['stated', { scheduleTimezone: 'America/New_York' }, 'America/New_York', true, []],
    ['with blanks', { scheduleTimezone: ' Europe/Paris ' }, 'Europe/Paris', true, []],
    [
      'beta:timeZone',
      { scheduleTimezone: undefined, 'beta:timeZone': 'Europe/Paris' },
      'Europe/Paris',
      true,
      ["property-misnamed['beta:timeZone']"],
    ],
    ['missing', { scheduleTimezone: undefined }, 'Europe/London', false, ['schedule-timezone-missing']],
    [
      'unknown',
      { scheduleTimezone: 'Europe/Londinium' },
      'Europe/London',
      false,
      ['timezone-unknown scheduleTimezone'],
    ],
    ['a fixed offset', { scheduleTimezone: '+01:00' }, 'Europe/London', false, ['timezone-unknown scheduleTimezone']],
    [
      'a Windows name',
      { scheduleTimezone: 'GMT Standard Time' },
      'Europe/London',
      false,
      ['timezone-unknown scheduleTimezone'],
    ],
    ['a number', { scheduleTimezone: 0 }, 'Europe/London', false, ['timezone-unknown scheduleTimezone']],
  ])('%s', (_name, changes, zone, zoneStated, found) => {
    const { schedule, findings } = scheduleWith(changes);
    expect(schedule).toMatchObject({ zone, zoneStated, expandable: true });
    expect(findings).toEqual(found);
  });
});

describe('exceptDate', () => {
  const at = (text: string) => ({ instant: Date.parse(text) });

  test.each([
    ['an instant', ['2027-03-08T10:00:00Z'], [at('2027-03-08T10:00:00Z')], []],
    ['fractions', ['2027-03-08T10:00:00.000Z'], [at('2027-03-08T10:00:00Z')], []],
    ['an offset', ['2027-07-05T10:00:00+01:00'], [at('2027-07-05T09:00:00Z')], []],
    ['a date', ['2027-03-08'], [{ date: '2027-03-08' }], []],
    ['one, no array', '2027-03-08T10:00:00Z', [at('2027-03-08T10:00:00Z')], []],
    [
      'several in one text',
      '2027-03-08, 2027-03-15T14:00:00,000Z',
      [{ date: '2027-03-08' }, { ...at('2027-03-15T14:00:00Z'), at: 'exceptDate[0]' }],
      ['single-value exceptDate'],
    ],
    [
      'several in one text, some of them empty or unreadable',
      '2027-03-08,garbage,,2027-03-15;2027-03-22,',
      [
        { date: '2027-03-08' },
        { date: '2027-03-15', at: 'exceptDate[0]' },
        { date: '2027-03-22', at: 'exceptDate[0]' },
      ],
      ['single-value exceptDate', 'date-invalid exceptDate[0]'],
    ],
    [
      'several in one text, with blanks between them, and a time behind a blank',
      ' 2027-03-08 2027-03-15T14:00:00Z\n2027-03-22 ; 2027-03-29 ',
      [
        { date: '2027-03-08' },
        { ...at('2027-03-15T14:00:00Z'), at: 'exceptDate[0]' },
        { date: '2027-03-22', at: 'exceptDate[0]' },
        { date: '2027-03-29', at: 'exceptDate[0]' },
      ],
      ['single-value exceptDate'],
    ],
    [
      'several in one text, with words between them',
      '2027-03-08 and 2027-03-15',
      [{ date: '2027-03-15' }],
      ['single-value exceptDate', 'date-invalid exceptDate[0]'],
    ],
    [
      'without Z: the Schedule’s wall time',
      ['2027-07-05T10:00:00'],
      [at('2027-07-05T14:00:00Z')],
      ['except-date-without-zone exceptDate[0]'],
    ],
    [
      'unreadable among others, which stay where they are',
      ['tomorrow', '2027-03-08'],
      [{ date: '2027-03-08', at: 'exceptDate[1]' }],
      ['date-invalid exceptDate[0]'],
    ],
  ])('%s', (_name, exceptDate, except, found) => {
    const { schedule, findings } = scheduleWith({ exceptDate, scheduleTimezone: 'America/New_York' });
    expect(schedule.except).toEqual(except);
    expect(findings).toEqual(found);
  });

  test('exceptDates, as the guide also calls it, is read besides', () => {
    const { schedule, findings } = scheduleWith({ exceptDate: ['2027-03-08'], exceptDates: ['2027-03-15'] });
    expect(schedule.except).toEqual([{ date: '2027-03-08' }, { date: '2027-03-15', at: 'exceptDates[0]' }]);
    expect(findings).toEqual(['property-misnamed exceptDates']);
  });

  test('a hundred thousand are cut', () => {
    const { schedule, codes } = scheduleWith({ exceptDate: Array.from({ length: 100_000 }, () => '2027-03-08') });
    expect(schedule.except).toHaveLength(4000);
    expect(codes).toEqual(['capped']);
  });

  test('a hundred thousand in texts are cut', () => {
    const text = Array.from({ length: 250 }, () => '2027-03-08').join();
    const { schedule, codes } = scheduleWith({ exceptDate: Array.from({ length: 400 }, () => text) });
    expect(schedule.except).toHaveLength(4000);
    expect(codes).toEqual(['single-value', 'capped']);
  });
});

describe('templates and event types', () => {
  test('templates are kept as they are', () => {
    const templates = {
      idTemplate: 'https://x.org/s/{startDate}',
      urlTemplate: 'https://x.org/s/{startDate}/{endDate}',
    };
    expect(scheduleWith(templates)).toMatchObject({ schedule: templates, codes: [] });
  });

  test.each([
    'https://x.org/s',
    'https://x.org/{endDate}',
    'https://x.org/{startDate}/{id}',
    'https://x.org/{startDate',
    '',
    7,
  ])('idTemplate %j cannot be used', (idTemplate) => {
    const { schedule, codes } = scheduleWith({ idTemplate });
    expect(schedule).not.toHaveProperty('idTemplate');
    expect(codes).toEqual(idTemplate === '' ? [] : ['template-unusable']);
  });

  test('urlTemplate must be an address', () => {
    expect(scheduleWith({ urlTemplate: 'javascript:alert("{startDate}")' }).findings).toEqual([
      'template-unusable urlTemplate',
    ]);
  });

  test.each([
    ['ScheduledSession', 'ScheduledSession', []],
    ['https://openactive.io/ScheduledSession', 'ScheduledSession', []],
    ['Event', 'Event', ['scheduled-event-type-unexpected scheduledEventType']],
    ['CourseInstanceSubEvent', 'ScheduledSession', ['scheduled-event-type-unexpected scheduledEventType']],
    ['</script>', 'ScheduledSession', ['scheduled-event-type-unexpected scheduledEventType']],
    [undefined, 'ScheduledSession', ['scheduled-event-type-missing']],
  ])('scheduledEventType %j', (scheduledEventType, eventType, found) => {
    const { schedule, findings } = scheduleWith({ scheduledEventType });
    expect(schedule.eventType).toBe(eventType);
    expect(findings).toEqual(found);
  });
});

describe('entries of eventSchedule', () => {
  const schedules = (eventSchedule: unknown) => {
    const { series, codes } = through(seriesWith({ eventSchedule }));
    return { schedules: (series[0] as Series).schedules, codes };
  };

  test('a PartialSchedule is never expandable and may lack everything', () => {
    const found = schedules([{ '@type': 'PartialSchedule', startTime: '10:00', byDay: ['https://schema.org/Monday'] }]);
    expect(found).toMatchObject({
      schedules: [{ partial: true, expandable: false, startTime: 36_000, byDay: [{ day: 0 }] }],
      codes: [],
    });
  });

  test('an entry without a type is read as a Schedule', () => {
    expect(scheduleWith({ '@type': undefined })).toMatchObject({
      schedule: { partial: false, expandable: true },
      codes: ['schedule-type-missing'],
    });
  });

  test('an unknown type is not expanded', () => {
    expect(scheduleWith({ '@type': 'Timetable' })).toMatchObject({
      schedule: { partial: true, expandable: false },
      codes: ['schedule-type-unknown'],
    });
  });

  test('a prefixed type is known', () => {
    expect(scheduleWith({ '@type': 'oa:Schedule ' })).toMatchObject({ schedule: { partial: false }, codes: [] });
  });

  test('one entry without an array', () => {
    expect(schedules({ '@type': 'PartialSchedule' })).toMatchObject({
      schedules: [{ index: 0 }],
      codes: ['single-value'],
    });
  });

  test('`schedule` of version 1', () => {
    const { series, codes } = through({
      ...seriesWith({ eventSchedule: undefined }),
      schedule: [{ '@type': 'PartialSchedule' }],
    });
    expect([(series[0] as Series).schedules.length, codes]).toEqual([1, ['property-misnamed']]);
  });

  test('what is no object is left out, and positions stay', () => {
    expect(schedules(['P1W', null, { '@type': 'PartialSchedule' }])).toMatchObject({
      schedules: [{ index: 2 }],
      codes: ['schedule-not-an-object', 'schedule-not-an-object'],
    });
  });

  test('fifty partial ones are all kept; of many Schedules the first twenty are expanded', () => {
    const one = {
      '@type': 'Schedule',
      repeatFrequency: 'P1W',
      startDate: '2027-03-01',
      startTime: '10:00',
      duration: 'PT1H',
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
    };
    const found = schedules([
      ...Array.from({ length: 50 }, () => ({ '@type': 'PartialSchedule' })),
      ...Array.from({ length: 30 }, () => one),
    ]);
    expect(found.schedules).toHaveLength(80);
    expect(found.schedules.filter(({ expandable }) => expandable)).toHaveLength(20);
    expect(found.codes).toEqual(['schedules-not-expanded']);
  });
});

test.each([
  ['prefixes', 'schema:'],
  ['addresses', 'https://schema.org/'],
])('properties named by %s are read', (_, prefix) => {
  const plain = {
    startDate: '2027-03-15',
    startTime: '18:00',
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    scheduleTimezone: 'Europe/London',
  };
  const named = Object.fromEntries(Object.entries(plain).map(([name, value]) => [`${prefix}${name}`, value]));
  const item = { '@type': 'SessionSeries', '@id': 'https://x.org/1', name: 'Yoga' };
  const read = (properties: object) => through({ ...item, eventSchedule: [{ '@type': 'Schedule', ...properties }] });
  const { series, findings } = read(named);
  expect(series).toEqual(read(plain).series);
  expect(findings.filter((finding) => !read(plain).findings.includes(finding))).toEqual([
    `property-misnamed eventSchedule[0]['${prefix}startDate']`,
  ]);
});
