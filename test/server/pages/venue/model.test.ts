import { describe, expect, test } from 'vitest';
import type { DayHours } from '../../../../src/hours/questions.ts';
import type { TimetableEntry } from '../../../../src/library/timetable/timetable.ts';
import { freeDays, freeTable, freeWords } from '../../../../src/server/pages/venue/free.ts';
import { axisOf, barOf } from '../../../../src/server/pages/venue/hours.ts';
import {
  ALL_DAY,
  entriesOf,
  hourName,
  hoursIn,
  timetableDays,
  weekOf,
} from '../../../../src/server/pages/venue/timetable.ts';
import { DAY_MS, dateOfDay, dayOfDate } from '../../../../src/time/days.ts';

const LONDON = 'Europe/London';
/** Tuesday. */
const NOW = Date.UTC(2026, 10, 24, 12, 5);

describe('the week that is shown', () => {
  const table: [title: string, asked: string | undefined, first: string][] = [
    ['today, where nothing is asked', undefined, '2026-11-24'],
    ['from a date', '2026-12-01', '2026-12-01'],
    ['an ISO week', '2026-W49', '2026-11-30'],
    ['week 53 of a year that has one', '2026-W53', '2026-12-28'],
    ['week 1 begins in the year before', '2027-W01', '2027-01-04'],
    ['what is no date', '2026-02-30', '2026-11-24'],
    ['what is no week', '2026-W54', '2026-11-24'],
    ['anything else', '"><script>', '2026-11-24'],
    ['years ahead', '2036-12-01', '2026-11-24'],
    ['long ago', '1970-01-01', '2026-11-24'],
  ];
  test.each(table)('%s', (_, asked, first) => expect(dateOfDay(weekOf(asked, LONDON, NOW).first)).toBe(first));

  test('begins today from midnight on, and reads from noon of the day before until 04:00', () => {
    const at = (hour: number) => {
      const { today, first, isNight, from } = weekOf(undefined, LONDON, Date.UTC(2026, 10, 25, hour));
      return [today, first].map(dateOfDay).concat(String(isNight), new Date(from).toISOString().slice(5, 16));
    };
    expect(at(0)).toEqual(['2026-11-25', '2026-11-25', 'true', '11-24T12:00']);
    expect(at(4)).toEqual(['2026-11-25', '2026-11-25', 'undefined', '11-25T00:00']);
    expect(weekOf('2026-12-01', LONDON, Date.UTC(2026, 10, 25, 1)).isNight).toBeUndefined();
  });

  test('its window holds all that begins on its days, in the east and in the west', () => {
    const window = (zone: string) => {
      const { from, to } = weekOf('2026-12-01', zone, NOW);
      return [from, to].map((at) => new Date(at).toISOString().slice(0, 16));
    };
    expect(window(LONDON)).toEqual(['2026-12-01T00:00', '2026-12-08T04:00']);
    expect(window('Pacific/Auckland')).toEqual(['2026-11-30T11:00', '2026-12-07T15:00']);
    expect(window('America/New_York')).toEqual(['2026-12-01T00:00', '2026-12-08T09:00']);
  });

  test('leads back to today and not past it, and to no week that is too far away', () => {
    const around = (asked?: string) => {
      const { before, after } = weekOf(asked, LONDON, NOW);
      return [before, after].map((day) => day && dateOfDay(day));
    };
    expect(around()).toEqual(['2026-11-17', '2026-12-01']);
    expect(around('2026-11-27')).toEqual(['2026-11-24', '2026-12-04']);
    expect(around('2027-11-20')).toEqual(['2027-11-13', undefined]);
    expect(around('2026-10-01')).toEqual([undefined, '2026-10-08']);
  });
});

const entry = (start: number, more: Partial<TimetableEntry> = {}): TimetableEntry => ({
  seriesKey: 'abc',
  name: 'Yoga',
  start,
  status: 'EventScheduled',
  ...more,
});

describe('the days of a timetable', () => {
  const first = dayOfDate('2026-11-24');
  const lines = (entries: TimetableEntry[], zone = LONDON) =>
    timetableDays(entries, zone, { first }).flatMap(({ day, hours }) =>
      hours.map(({ hour, entries: own }) => `${dateOfDay(day).slice(8)} ${hour} ${own.length}`),
    );

  test('one list for each hour that something begins in', () => {
    const at = (day: number, hour: number, minute = 0) => entry(Date.UTC(2026, 10, day, hour, minute));
    expect(lines([at(24, 7), at(24, 7, 45), at(24, 18), at(25, 7)])).toEqual(['24 7 2', '24 18 1', '25 7 1']);
  });

  test('after midnight belongs to the evening before until 04:00, and stands last', () => {
    const [night, late, early] = [1, 3.99, 4].map((hour) => entry(Date.UTC(2026, 10, 26) + hour * 3_600_000));
    expect(lines([night, late, early] as TimetableEntry[])).toEqual(['25 25 1', '25 27 1', '26 4 1']);
    expect([24, 27, 7].map(hourName)).toEqual(['00', '03', '07']);
  });

  test('the evening before has a day until nothing of it runs any more', () => {
    const now = Date.UTC(2026, 10, 24, 0, 18);
    const week = weekOf(undefined, LONDON, now);
    const at = (day: number, from: number, to: number) =>
      entry(Date.UTC(2026, 10, day, from), { end: Date.UTC(2026, 10, day, to) });
    const [over, runs, tonight, today] = [at(23, 22, 24), at(23, 22, 25), at(24, 1, 2), at(24, 9, 10)];
    const shown = (entries: TimetableEntry[]) =>
      timetableDays(entriesOf(entries, LONDON, week, now), LONDON, week).map(
        ({ day, count }) => `${day - first} ${count}`,
      );
    expect(shown([over, runs, tonight, today])).toEqual(['-1 2', '0 1', '1 0', '2 0', '3 0', '4 0', '5 0', '6 0']);
    expect(shown([over, today])).toEqual(['0 1', '1 0', '2 0', '3 0', '4 0', '5 0', '6 0']);
  });

  test('what lasts for days is on each of them, and what ends by 04:00 is not on the last', () => {
    const lasts = (from: number, to: number) =>
      entry(Date.UTC(2026, 10, 24, from), { end: Date.UTC(2026, 10, 24, to) });
    expect(lines([lasts(10, 65)])).toEqual(['24 10 1', '25 -1 1', '26 -1 1']);
    expect(lines([lasts(-40, 28), lasts(2, 6)])).toEqual(['24 -1 1']);
    expect(lines([lasts(22, 29)])).toEqual(['24 22 1', '25 -1 1']);
    expect(lines([entry(first * DAY_MS, { allDay: true, end: (first + 2) * DAY_MS })])).toEqual(['24 -1 1', '25 -1 1']);
  });

  test('an evening before has no column for what is on today too', () => {
    const now = Date.UTC(2026, 10, 24, 0, 18);
    const week = weekOf(undefined, LONDON, now);
    const camp = entry(Date.UTC(2026, 10, 23, 10), { end: Date.UTC(2026, 10, 25, 17) });
    const days = timetableDays(entriesOf([camp], LONDON, week, now), LONDON, week);
    expect(days.slice(0, 3).map(({ day, count }) => `${day - first} ${count}`)).toEqual(['0 1', '1 1', '2 0']);
  });

  test('by the clock of the place', () => {
    expect(lines([entry(Date.UTC(2026, 10, 24, 20))], 'Pacific/Auckland')).toEqual(['25 9 1']);
  });

  test('whole days stand first, on their date in every zone', () => {
    const whole = entry(first * DAY_MS, { allDay: true });
    for (const zone of [LONDON, 'America/New_York', 'Pacific/Auckland'])
      expect(timetableDays([whole, entry(Date.UTC(2026, 10, 24, 12))], zone, { first })[0]?.hours[0]?.hour).toBe(
        ALL_DAY,
      );
  });

  test('what belongs to none of the days is left out', () => {
    expect(lines([entry(Date.UTC(2026, 10, 24, 3)), entry(Date.UTC(2026, 11, 1, 4))])).toEqual([]);
  });

  test('the hour rail has each hour once, in order', () => {
    const days = timetableDays(
      [8, 7, 26, 7 + 24].map((hour) => entry(first * DAY_MS + hour * 3_600_000)),
      LONDON,
      { first },
    );
    expect(hoursIn(days)).toEqual([7, 8, 26]);
  });
});

const span = (opens: string, closes: string, nextDay = false) => ({ opens, closes, nextDay });
const hours = (...open: DayHours['open']): DayHours => ({
  date: '2026-11-24',
  weekday: 1,
  open,
  exceptional: false,
  because: [],
});

describe('the axis of the hours', () => {
  const table: [title: string, week: DayHours[], labels: number[]][] = [
    [
      'from the earliest to the latest',
      [hours(span('06:00', '12:00')), hours(span('14:00', '22:00'))],
      [6, 10, 14, 18, 22],
    ],
    ['in whole hours', [hours(span('06:30', '21:30'))], [6, 10, 14, 18, 22]],
    ['an hour more where labels would not part it', [hours(span('06:00', '23:00'))], [6, 12, 18, 24]],
    ['an hour earlier where there is none after', [hours(span('07:00', '24:00'))], [6, 12, 18, 24]],
    ['past midnight ends at midnight', [hours(span('18:00', '03:00', true))], [18, 20, 22, 24]],
    ['all day', [hours(span('00:00', '24:00'))], [0, 6, 12, 18, 24]],
    ['one hour', [hours(span('09:00', '09:30'))], [9, 10]],
    ['closed all week', [hours()], [6, 10, 14, 18, 22]],
  ];
  test.each(table)('%s', (_, week, labels) => {
    const axis = axisOf(week);
    expect(axis.labels).toEqual(labels);
    expect([axis.from, axis.to]).toEqual([(labels[0] as number) * 60, (labels.at(-1) as number) * 60]);
  });

  test('a bar is in minutes, and ends at the edge where it goes on', () => {
    expect(barOf(span('06:30', '22:00'))).toEqual({ from: 390, to: 1320 });
    expect(barOf(span('18:00', '03:00', true))).toEqual({ from: 1080, to: 1440 });
  });
});

describe('free times', () => {
  const time = (day: number, hour: number, free: number, of?: number) => {
    const start = Date.UTC(2026, 10, day, hour);
    return { start, end: start + 3_600_000, free, ...(of !== undefined && { of }), offers: [] };
  };
  const first = dayOfDate('2026-11-24');
  const days = freeDays(
    { times: [time(24, 10, 1, 4), time(24, 14, 0, 4), time(24, 15, 2, 4), time(26, 15, 1, 4)] },
    LONDON,
    {
      first,
      count: 3,
      now: NOW,
    },
  );

  test('by day, without what has begun', () => {
    expect(days.map(({ times, free }) => [times.length, free])).toEqual([
      [2, 1],
      [0, 0],
      [1, 1],
    ]);
  });

  test('as a table: days across, times down', () => {
    const rows = freeTable(days, LONDON).map(({ time: at, cells }) => [at, ...cells.map((cell) => cell?.free)]);
    expect(rows).toEqual([
      ['14:00', 0, undefined, undefined],
      ['15:00', 2, undefined, 1],
    ]);
  });

  test.each([
    [time(24, 9, 2, 4), '2 of 4 free'],
    [time(24, 9, 0, 4), 'taken'],
    [time(24, 9, 7), '7 free'],
    [time(24, 9, 1, 1), 'free'],
    [time(24, 9, 6, 4), '6 of 6 free'],
  ])('%o', (one, words) => expect(freeWords(one)).toBe(words));
});
