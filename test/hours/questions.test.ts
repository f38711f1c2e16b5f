import { describe, expect, test } from 'vitest';
import { openPeriods } from '../../src/hours/periods.ts';
import { dayTable, localDay, nextChange, openAt, openTime } from '../../src/hours/questions.ts';
import { dayOfDate, WEEKDAYS } from '../../src/time/days.ts';
import { Random } from '../generate/random.ts';
import { randomHours } from './random-place.ts';
import { venueOf } from './venue.ts';

const WORKDAYS = WEEKDAYS.slice(0, 5);
const HOUR = 3_600_000;

describe('is it open, and when does that change', () => {
  const { hours, context } = venueOf({
    standard: [
      { dayOfWeek: WORKDAYS, opens: '09:00', closes: '17:00' },
      { dayOfWeek: ['Friday'], opens: '22:00', closes: '02:00' },
    ],
    special: [{ opens: '00:00', closes: '00:00', validFrom: '2026-12-24', validThrough: '2027-01-03' }],
  });
  const at = (text: string) => Date.parse(text);

  // London winter: wall time is UTC.
  test.each([
    ['2026-11-20T08:59:59Z', false, '2026-11-20T09:00:00.000Z opens'],
    ['2026-11-20T09:00:00Z', true, '2026-11-20T17:00:00.000Z closes'],
    ['2026-11-20T17:00:00Z', false, '2026-11-20T22:00:00.000Z opens'],
    ['2026-11-21T01:59:59Z', true, '2026-11-21T02:00:00.000Z closes'],
    ['2026-11-21T02:00:00Z', false, '2026-11-23T09:00:00.000Z opens'],
    ['2026-12-23T18:00:00Z', false, '2027-01-04T09:00:00.000Z opens'],
    ['2026-12-25T12:00:00Z', false, '2027-01-04T09:00:00.000Z opens'],
  ])('%s', (text, open, next) => {
    expect(openAt(hours, context, at(text)) !== undefined).toBe(open);
    const change = nextChange(hours, context, at(text));
    expect(change && `${new Date(change.at).toISOString()} ${change.opens ? 'opens' : 'closes'}`).toBe(next);
  });

  test('what never closes and what never opens do not change', () => {
    const always = venueOf({ standard: [{ dayOfWeek: WEEKDAYS, opens: '00:00', closes: '23:59' }], special: [] });
    expect(openAt(always.hours, always.context, 0)).toBeDefined();
    expect(nextChange(always.hours, always.context, 0)).toBeUndefined();
    const never = venueOf({ standard: [{ dayOfWeek: WEEKDAYS, opens: '00:00', closes: '00:00' }], special: [] });
    expect(openAt(never.hours, never.context, 0)).toBeUndefined();
    expect(nextChange(never.hours, never.context, 0)).toBeUndefined();
  });

  test('a change months ahead is found', () => {
    const season = {
      dayOfWeek: WEEKDAYS,
      opens: '00:00',
      closes: '24:00',
      validFrom: '2026-01-01',
      validThrough: '2026-09-30',
    };
    const venue = venueOf({ standard: [season], special: [] });
    expect(nextChange(venue.hours, venue.context, at('2026-01-10T00:00:00Z'))?.at).toBe(at('2026-09-30T23:00:00Z'));
  });

  test('for random places both agree with the open periods', () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed);
      const venue = venueOf(randomHours(random), random.pick(['Europe/London', 'America/New_York']));
      const periods = openPeriods(venue.hours, venue.context, at('2026-01-01T00:00:00Z'), at('2028-06-01T00:00:00Z'));
      for (let n = 0; n < 10; n++) {
        const moment = at('2026-02-01T00:00:00Z') + random.int(0, 300 * 24) * HOUR;
        const now = periods.find(({ start, end }) => start <= moment && moment < end);
        expect(openAt(venue.hours, venue.context, moment) !== undefined).toBe(now !== undefined);
        const next = now?.end ?? periods.find(({ start }) => start > moment)?.start;
        const expected = next !== undefined && next < moment + 400 * 24 * HOUR ? next : undefined;
        expect(nextChange(venue.hours, venue.context, moment)?.at).toBe(expected);
      }
    }
  });
});

describe('the week as a table', () => {
  test('with closed days, nights, holidays and exceptions', () => {
    const { hours, context } = venueOf({
      standard: [
        { dayOfWeek: WORKDAYS, opens: '06:30', closes: '12:59' },
        { dayOfWeek: ['Saturday'], opens: '18:00', closes: '02:30:30' },
        { dayOfWeek: ['PublicHolidays'], opens: '00:00', closes: '00:00' },
      ],
      special: [{ opens: '16:00', closes: '24:00', validFrom: '2026-05-27', validThrough: '2026-05-27' }],
    });
    const lines = dayTable(hours, context, dayOfDate('2026-05-25')).map(({ date, open, holiday, exceptional }) => {
      const spans = open.map(({ opens, closes, nextDay }) => `${opens}-${closes}${nextDay ? '+' : ''}`);
      return [date, ...spans, ...(exceptional ? ['!'] : []), ...(holiday === undefined ? [] : [holiday])].join(' ');
    });
    expect(lines).toEqual([
      '2026-05-25 ! Spring bank holiday',
      '2026-05-26 06:30-13:00',
      '2026-05-27 16:00-24:00 !',
      '2026-05-28 06:30-13:00',
      '2026-05-29 06:30-13:00',
      '2026-05-30 18:00-02:30:30+',
      '2026-05-31',
    ]);
  });

  test('today is the date at the place', () => {
    const { context } = venueOf({ standard: [], special: [] }, 'Australia/Sydney');
    expect(localDay(context, Date.UTC(2026, 5, 15, 20))).toBe(dayOfDate('2026-06-16'));
  });
});

test('total time is real time: a week with a change of clocks has an hour less or more', () => {
  const { hours, context } = venueOf({
    standard: [{ dayOfWeek: WEEKDAYS, opens: '00:00', closes: '24:00' }],
    special: [],
  });
  const local = (date: string, summer: boolean) => Date.parse(`${date}T00:00:00Z`) - (summer ? HOUR : 0);
  expect(openTime(hours, context, local('2026-03-23', false), local('2026-03-30', true)) / HOUR).toBe(167);
  expect(openTime(hours, context, local('2026-10-19', true), local('2026-10-26', false)) / HOUR).toBe(169);
});
