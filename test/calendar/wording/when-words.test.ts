import { describe, expect, test } from 'vitest';
import { currentWhen, type When } from '../../../src/calendar/wording/when-words.ts';
import { NO_PARTS, type Schedule } from '../../../src/opportunity/records.ts';

const TODAY = '2026-11-24';
const schedule = (more: Partial<Schedule>): Schedule => ({
  partial: false,
  expandable: true,
  index: 0,
  startDate: '2025-01-06',
  startTime: 7 * 3600,
  duration: 3_600_000,
  ...NO_PARTS,
  except: [],
  zone: 'Europe/London',
  zoneStated: true,
  eventType: 'ScheduledSession',
  ...more,
});
const week = { unit: 'week', every: 1 } as const;
const month = { unit: 'month', every: 1 } as const;
const mon = { day: 0 } as const;
const wed = { day: 2 } as const;
const fri = { day: 4 } as const;
const sun = { day: 6 } as const;

function line({ days, date, time, begins, ends }: When): string {
  return [days, date, time, begins && `from ${begins}`, ends && `until ${ends}`].filter((part) => part).join(', ');
}

function lines(...given: Partial<Schedule>[]): string[] {
  return currentWhen(
    given.map((one, index) => schedule({ index, ...one })),
    TODAY,
  ).map(line);
}

describe('when a series takes place, in words', () => {
  test.each<[string, Partial<Schedule>]>([
    ['Every Monday, Wednesday and Friday, 07:00–08:00', { frequency: week, byDay: [wed, mon, fri] }],
    ['Every Monday, 07:00–08:00', { frequency: week }],
    ['Every day, 07:00–08:00', { frequency: { unit: 'day', every: 1 } }],
    ['Monday to Friday, 07:00–08:00', { frequency: week, byDay: ([0, 1, 2, 3, 4] as const).map((day) => ({ day })) }],
    ['Every second Monday, 07:00–08:00', { frequency: { unit: 'week', every: 2 }, byDay: [mon] }],
    ['Second Sunday of the month, 07:00–08:00', { frequency: month, byDay: [{ ...sun, ordinal: 2 }] }],
    [
      'First and last Sunday of the month, 07:00–08:00',
      {
        frequency: month,
        byDay: [
          { ...sun, ordinal: 1 },
          { ...sun, ordinal: -1 },
        ],
      },
    ],
    [
      'Second Sunday of every third month, 07:00–08:00',
      { frequency: { unit: 'month', every: 3 }, byDay: [{ ...sun, ordinal: 2 }] },
    ],
    ['On the 1st and 15th of the month, 07:00–08:00', { frequency: month, byMonthDay: [1, 15] }],
    ['Every Monday in June and July, 07:00–08:00', { frequency: week, byDay: [mon], byMonth: [6, 7] }],
    ['Every Monday, 07:00–08:00, until 2026-12-18', { frequency: week, byDay: [mon], endDate: '2026-12-18' }],
    ['Every Monday, 07:00–08:00, from 2027-01-04', { frequency: week, byDay: [mon], startDate: '2027-01-04' }],
    ['Every Monday, 07:00–08:00, until 2026-12-07', { frequency: week, count: 101 }],
    ['2026-12-05, 07:00–08:00', { startDate: '2026-12-05' }],
    ['Usually every Monday, 07:00–08:00', { partial: true, expandable: false, byDay: [mon] }],
    [
      'Usually Monday to Friday, 07:00–08:00',
      { partial: true, byDay: ([0, 1, 2, 3, 4] as const).map((day) => ({ day })) },
    ],
    ['07:00–08:00', { partial: true, startDate: undefined as never }],
  ])('%s', (words, given) => {
    expect(lines(given)).toEqual([words]);
  });

  test('of what has ended nothing is said, and of what no date is made neither', () => {
    expect(lines({ frequency: week, endDate: '2026-11-23' }, { frequency: week, expandable: false })).toEqual([]);
  });

  test('Schedules that differ in their weekdays alone are one line; others are lines of their own', () => {
    const weekly = { frequency: week };
    const later = { startTime: 18 * 3600 };
    expect(
      lines({ ...weekly, byDay: [wed] }, { ...weekly, byDay: [mon] }, { ...weekly, ...later, byDay: [mon] }),
    ).toEqual(['Every Monday and Wednesday, 07:00–08:00', 'Every Monday, 18:00–19:00']);
  });

  test('what has not begun comes after what has', () => {
    expect(lines({ frequency: week, startDate: '2027-01-04' }, { frequency: week, byDay: [fri] })).toEqual([
      'Every Friday, 07:00–08:00',
      'Every Monday, 07:00–08:00, from 2027-01-04',
    ]);
  });
});
