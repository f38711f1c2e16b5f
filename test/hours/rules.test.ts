import { describe, expect, test } from 'vitest';
import { decisions } from '../../src/hours/decide.ts';
import { openPeriods } from '../../src/hours/periods.ts';
import { dateOfDay, dayOfDate, WEEKDAYS } from '../../src/time/days.ts';
import { toWall } from '../../src/time/zone.ts';
import type { Specification } from './reference.ts';
import { venueOf } from './venue.ts';

const WORKDAYS = WEEKDAYS.slice(0, 5);
const all = (opens: string, closes: string, more: Partial<Specification> = {}): Specification => ({
  dayOfWeek: WEEKDAYS,
  opens,
  closes,
  ...more,
});
const on = (opens: string, closes: string, validFrom: string, validThrough = validFrom): Specification => ({
  opens,
  closes,
  validFrom,
  validThrough,
});
const from = (validFrom: string) => ({ validFrom });

/** The open periods that begin on some local dates, as the clock on the wall shows them. */
function shown(
  standard: Specification[],
  special: Specification[],
  first: string,
  last: string,
  nation?: string,
): string[] {
  const { hours, context } = venueOf({ standard, special }, 'Europe/London', nation);
  const text = (at: number): string => new Date(toWall(context.zone, at)).toISOString().slice(0, 16).replace('T', ' ');
  const week = 7 * 86_400_000;
  return openPeriods(hours, context, Date.parse(first) - week, Date.parse(last) + week)
    .map(({ start, end }) => [text(start), text(end)] as const)
    .filter(([start]) => start.slice(0, 10) >= first && start.slice(0, 10) <= last)
    .map(([start, end]) => `${start.slice(5)} to ${end.slice(5)}`);
}

/** 2026-06-15 is a Monday. */
const RULES: [
  name: string,
  standard: Specification[],
  special: Specification[],
  dates: [string, string],
  expected: string[],
][] = [
  [
    'several periods a day',
    [all('06:00', '13:00'), all('16:00', '20:00')],
    [],
    ['2026-06-15', '2026-06-15'],
    ['06-15 06:00 to 06-15 13:00', '06-15 16:00 to 06-15 20:00'],
  ],
  [
    'touching periods are one',
    [all('06:00', '13:00'), all('13:00', '20:00')],
    [],
    ['2026-06-15', '2026-06-15'],
    ['06-15 06:00 to 06-15 20:00'],
  ],
  [
    'overlapping periods are one',
    [all('06:00', '13:00'), all('11:00', '20:00')],
    [],
    ['2026-06-15', '2026-06-15'],
    ['06-15 06:00 to 06-15 20:00'],
  ],
  [
    'an end one minute short is the full hour',
    [all('09:00', '12:59'), all('13:00', '16:59')],
    [],
    ['2026-06-15', '2026-06-15'],
    ['06-15 09:00 to 06-15 17:00'],
  ],
  [
    'an end one second short too',
    [all('09:00:00', '12:59:59')],
    [],
    ['2026-06-15', '2026-06-15'],
    ['06-15 09:00 to 06-15 13:00'],
  ],
  [
    '24 hours a day is one period',
    [all('00:00', '23:59', { validFrom: '2026-06-15', validThrough: '2026-06-17' })],
    [],
    ['2026-06-15', '2026-06-17'],
    ['06-15 00:00 to 06-18 00:00'],
  ],
  ['24:00 is midnight', [all('18:00', '24:00')], [], ['2026-06-15', '2026-06-15'], ['06-15 18:00 to 06-16 00:00']],
  [
    '00:00 as an end is midnight',
    [all('18:00', '00:00')],
    [],
    ['2026-06-15', '2026-06-15'],
    ['06-15 18:00 to 06-16 00:00'],
  ],
  ['00:00 to 00:00 is closed', [all('00:00', '00:00')], [], ['2026-06-15', '2026-06-17'], []],
  [
    'closed adds nothing to open',
    [all('00:00', '00:00'), all('09:00', '17:00')],
    [],
    ['2026-06-15', '2026-06-15'],
    ['06-15 09:00 to 06-15 17:00'],
  ],
  [
    'an end before the start is of the next day',
    [all('18:00', '03:00', { dayOfWeek: ['Monday'] })],
    [],
    ['2026-06-15', '2026-06-16'],
    ['06-15 18:00 to 06-16 03:00'],
  ],
  [
    'an end equal to the start is a whole day on',
    [all('10:00', '10:00', { dayOfWeek: ['Monday'] })],
    [],
    ['2026-06-15', '2026-06-16'],
    ['06-15 10:00 to 06-16 10:00'],
  ],
  [
    'the night before stays when the day itself is closed',
    [all('18:00', '03:00')],
    [on('00:00', '00:00', '2026-06-16')],
    ['2026-06-15', '2026-06-17'],
    ['06-15 18:00 to 06-16 03:00', '06-17 18:00 to 06-18 03:00'],
  ],
  [
    'a closed day takes its night with it',
    [all('18:00', '03:00', { dayOfWeek: ['Monday'] })],
    [on('00:00', '00:00', '2026-06-15')],
    ['2026-06-15', '2026-06-16'],
    [],
  ],
  [
    'validity is inclusive at both ends',
    [all('09:00', '10:00', { validFrom: '2026-06-16', validThrough: '2026-06-17' })],
    [],
    ['2026-06-15', '2026-06-18'],
    ['06-16 09:00 to 06-16 10:00', '06-17 09:00 to 06-17 10:00'],
  ],
  [
    'without an end it is valid for ever',
    [all('09:00', '10:00', from('2026-06-16'))],
    [],
    ['2026-06-15', '2026-06-16'],
    ['06-16 09:00 to 06-16 10:00'],
  ],
  [
    'without a start it always was',
    [all('09:00', '10:00', { validThrough: '2026-06-15' })],
    [],
    ['2026-06-15', '2026-06-16'],
    ['06-15 09:00 to 06-15 10:00'],
  ],
  [
    'overlapping seasons add up',
    [all('09:00', '10:00'), all('20:00', '21:00', from('2026-06-01'))],
    [],
    ['2026-06-15', '2026-06-15'],
    ['06-15 09:00 to 06-15 10:00', '06-15 20:00 to 06-15 21:00'],
  ],
  [
    'the shorter special range wins',
    [],
    [on('09:00', '10:00', '2026-06-01', '2026-06-30'), on('11:00', '12:00', '2026-06-15')],
    ['2026-06-15', '2026-06-16'],
    ['06-15 11:00 to 06-15 12:00', '06-16 09:00 to 06-16 10:00'],
  ],
  [
    'equally short ones add up',
    [],
    [on('09:00', '10:00', '2026-06-15'), on('11:00', '12:00', '2026-06-15')],
    ['2026-06-15', '2026-06-15'],
    ['06-15 09:00 to 06-15 10:00', '06-15 11:00 to 06-15 12:00'],
  ],
  [
    'a range with one end loses to one with two',
    [],
    [{ opens: '09:00', closes: '10:00', ...from('2026-06-15') }, on('11:00', '12:00', '2026-01-01', '2026-12-31')],
    ['2026-06-15', '2026-06-15'],
    ['06-15 11:00 to 06-15 12:00'],
  ],
  [
    'special hours that name days count on those only',
    [all('09:00', '10:00')],
    [{ ...on('11:00', '12:00', '2026-06-15', '2026-06-16'), dayOfWeek: ['Tuesday'] }],
    ['2026-06-15', '2026-06-16'],
    ['06-15 09:00 to 06-15 10:00', '06-16 11:00 to 06-16 12:00'],
  ],
  [
    'a public holiday has the hours that name it',
    [all('09:00', '10:00', { dayOfWeek: WORKDAYS }), all('11:00', '12:00', { dayOfWeek: ['PublicHolidays'] })],
    [],
    ['2026-05-25', '2026-05-26'],
    ['05-25 11:00 to 05-25 12:00', '05-26 09:00 to 05-26 10:00'],
  ],
  [
    'a public holiday nobody names is a weekday',
    [all('09:00', '10:00', { dayOfWeek: WORKDAYS })],
    [],
    ['2026-05-25', '2026-05-25'],
    ['05-25 09:00 to 05-25 10:00'],
  ],
  [
    'holiday hours out of season do not count',
    [all('09:00', '10:00'), all('11:00', '12:00', { dayOfWeek: ['PublicHolidays'], validThrough: '2026-05-01' })],
    [],
    ['2026-05-25', '2026-05-25'],
    ['05-25 09:00 to 05-25 10:00'],
  ],
  [
    'special hours go before a public holiday',
    [all('11:00', '12:00', { dayOfWeek: ['PublicHolidays'] })],
    [on('13:00', '14:00', '2026-05-25')],
    ['2026-05-25', '2026-05-25'],
    ['05-25 13:00 to 05-25 14:00'],
  ],
  [
    'a holiday on a Saturday and its substitute on Monday both count',
    [all('11:00', '12:00', { dayOfWeek: ['PublicHolidays'] })],
    [],
    ['2026-12-26', '2026-12-28'],
    ['12-26 11:00 to 12-26 12:00', '12-28 11:00 to 12-28 12:00'],
  ],
  [
    'the night the clocks go forward is an hour shorter',
    [all('00:00', '24:00', { dayOfWeek: ['Sunday'] })],
    [],
    ['2026-03-29', '2026-03-29'],
    ['03-29 00:00 to 03-30 00:00'],
  ],
];

describe('semantics 5', () => {
  test.each(RULES)('%s', (_, standard, special, [first, last], expected) => {
    expect(shown(standard, special, first, last)).toEqual(expected);
  });

  test('Scotland rests on its own days', () => {
    const hours = [all('11:00', '12:00', { dayOfWeek: ['PublicHolidays'] })];
    expect(shown(hours, [], '2026-01-01', '2026-01-02', 'SCT')).toHaveLength(2);
    expect(shown(hours, [], '2026-01-01', '2026-01-02', 'ENG')).toHaveLength(1);
  });
});

describe('clock changes (London: forward 2026-03-29 01:00, back 2026-10-25 02:00)', () => {
  const utc = (opens: string, closes: string, date: string): string[] => {
    const { hours, context } = venueOf({ standard: [], special: [on(opens, closes, date)] });
    const day = Date.parse(`${date}T00:00:00Z`);
    return openPeriods(hours, context, day - 86_400_000, day + 3 * 86_400_000).map(
      ({ start, end }) => `${new Date(start).toISOString().slice(11, 16)}-${new Date(end).toISOString().slice(11, 16)}`,
    );
  };

  test.each([
    ['a start that is skipped takes the offset before', '01:30', '05:00', '2026-03-29', ['01:30-04:00']],
    ['an end that is skipped too', '00:15', '01:30', '2026-03-29', ['00:15-01:30']],
    ['what lies in the skipped hour keeps its length', '01:15', '01:45', '2026-03-29', ['01:15-01:45']],
    ['what ends before it begins is not there', '01:30', '02:15', '2026-03-29', []],
    ['a start that comes twice is the first', '01:30', '05:00', '2026-10-25', ['00:30-05:00']],
    ['an end that comes twice is the first', '00:15', '01:30', '2026-10-25', ['23:15-00:30']],
    ['a night over the change', '22:00', '06:00', '2026-10-24', ['21:00-06:00']],
  ])('%s', (_, opens, closes, date, expected) => {
    expect(utc(opens, closes, date)).toEqual(expected);
  });
});

describe('every day says why', () => {
  const standard = [all('09:00', '17:00'), all('10:00', '14:00', { dayOfWeek: ['PublicHolidays'] })];
  const special = [on('00:00', '00:00', '2026-12-27'), on('11:00', '12:00', '2026-12-30')];
  const { hours, context } = venueOf({ standard, special });

  test('open or closed, with the entry that decided and the name of the holiday', () => {
    const days = decisions(hours, context.holidays, dayOfDate('2026-12-24'), dayOfDate('2026-12-30'));
    expect(days.map(({ day, rule }) => `${dateOfDay(day)} ${rule.because.join('; ')}`)).toEqual([
      '2026-12-24 standard hours, $.openingHoursSpecification[0]',
      '2026-12-25 Christmas Day (public holiday), $.openingHoursSpecification[1]',
      '2026-12-26 Boxing Day (public holiday), $.openingHoursSpecification[1]',
      '2026-12-27 special hours, $.specialOpeningHoursSpecification[0]: closed',
      '2026-12-28 Boxing Day (substitute day) (public holiday), $.openingHoursSpecification[1]',
      '2026-12-29 standard hours, $.openingHoursSpecification[0]',
      '2026-12-30 special hours, $.specialOpeningHoursSpecification[1]',
    ]);
  });

  test('a merged period gives the reasons of all its parts, once', () => {
    const venue = venueOf({ standard: [all('00:00', '24:00')], special: [on('00:00', '24:00', '2026-06-16')] });
    const [period] = openPeriods(venue.hours, venue.context, Date.UTC(2026, 5, 15), Date.UTC(2026, 5, 18));
    expect(period?.because).toEqual([
      'standard hours, $.openingHoursSpecification[0]',
      'special hours, $.specialOpeningHoursSpecification[0]',
    ]);
  });

  test('a date that no entry covers', () => {
    const venue = venueOf({ standard: [all('09:00', '10:00', from('2027-01-01'))], special: [] });
    expect(decisions(venue.hours, undefined, 0, 0)[0]?.rule.because).toEqual(['no opening hours cover this date']);
  });
});

describe('hostile hours', () => {
  test('thousands of entries that all apply on each of many days end, in memory that stays small', () => {
    const standard = Array.from({ length: 600 }, (_, i) =>
      all(`00:${String(i % 60).padStart(2, '0')}`, `${10 + (i % 12)}:00`),
    );
    const { hours, context } = venueOf({ standard, special: standard });
    const [period, ...others] = openPeriods(hours, context, Date.UTC(2026, 0, 1), Date.UTC(2030, 0, 1));
    expect(others).toHaveLength(1460);
    expect(period?.because.length).toBeLessThan(30);
  });

  test('an empty or reversed window has no periods', () => {
    const { hours, context } = venueOf({ standard: [all('09:00', '10:00')], special: [] });
    expect(openPeriods(hours, context, 5, 5)).toEqual([]);
    expect(openPeriods(hours, context, 6, 5)).toEqual([]);
    expect(openPeriods(hours, context, Number.NaN, 5)).toEqual([]);
  });
});
