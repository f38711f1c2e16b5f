import { describe, expect, test } from 'vitest';
import { seriesCalendar } from '../../../src/calendar/header.ts';
import { planSeries } from '../../../src/calendar/series/plan.ts';
import { currentTimes, hasOnlyPatterns, mayChangeByItself } from '../../../src/calendar/wording/partial-schedules.ts';
import type { Schedule } from '../../../src/opportunity/records.ts';
import { schedule, series, session } from '../../recurrence/make.ts';

const TODAY = '2026-11-22';
const pattern = (hour: number, more: Partial<Schedule> = {}): Schedule => {
  const {
    startDate: _,
    frequency: __,
    ...rest
  } = schedule({ partial: true, expandable: false, startTime: hour * 3600 });
  return { ...rest, ...more };
};

describe('times that are shown as current', () => {
  test.each<[string, Schedule[], string[]]>([
    ['not a pattern that has ended', [pattern(6, { endDate: '2022-06-06' }), pattern(9)], ['Usually 09:00–10:00']],
    ['on its last day still', [pattern(6, { endDate: TODAY })], ['Usually 06:00–07:00']],
    ['not a Schedule that has ended', [schedule({ endDate: '2026-11-21' })], []],
    ['nor one whose count has', [schedule({ count: 3 })], []],
    ['nor one occurrence that is over', [schedule({ count: 1, startDate: '2026-11-20' })], []],
    ['nor one that yields no occurrence, whose days cannot be used', [schedule({ expandable: false, byDay: [] })], []],
    ['nor one that ends before it begins', [schedule({ startDate: '2027-02-01', endDate: '2027-01-01' })], []],
    ['a Schedule that goes on', [schedule({ startTime: 7 * 3600 })], ['Every week 07:00–08:00']],
    [
      'those that have begun first',
      [pattern(6, { startDate: '2027-01-01', byDay: [{ day: 0 }] }), pattern(9)],
      ['Usually 09:00–10:00', 'Usually Mondays 06:00–07:00'],
    ],
    ['each once', [pattern(9), pattern(9)], ['Usually 09:00–10:00']],
  ])('%s', (_, schedules, expected) => {
    expect(currentTimes(schedules, TODAY)).toEqual(expected);
  });

  test('the current one was cut off behind eight dead ones; what is cut off is counted', () => {
    const dead = Array.from({ length: 8 }, (_, hour) => pattern(hour, { endDate: '2022-06-06' }));
    const descriptionOf = (schedules: Schedule[]) =>
      seriesCalendar(series({ schedules }), [], { zone: 'Europe/London', today: TODAY }).description;
    expect(descriptionOf([...dead, pattern(18)])).toBe('Usually 18:00–19:00');
    const many = Array.from({ length: 13 }, (_, hour) => pattern(hour));
    expect(descriptionOf(many)?.split('\n').slice(7)).toEqual(['Usually 07:00–08:00', 'and 5 more']);
  });

  test('without a day the endless one was cut off behind the dead ones, and these read as current', () => {
    const schedules = [
      pattern(6, { endDate: '2022-06-06' }),
      pattern(7, { endDate: '2023-06-06' }),
      pattern(18),
      schedule({ startDate: '2021-01-04', count: 2 }),
      schedule({ count: 1, startDate: '2020-11-20' }),
    ];
    expect(currentTimes(schedules, undefined)).toEqual([
      'Usually 18:00–19:00',
      'Usually 07:00–08:00 until 6 June 2023',
      'Usually 06:00–07:00 until 6 June 2022',
      'Every week 18:00–19:00 until 11 January 2021',
      '20 November 2020 18:00–19:00',
    ]);
  });

  test.each<[string, Schedule[], boolean]>([
    ['a pattern without dates', [pattern(9)], false],
    ['one that is to end', [pattern(9, { endDate: TODAY })], true],
    ['one that has ended, for the clock may be ahead', [pattern(9, { endDate: '2026-11-21' })], true],
    ['one of two that is to begin', [pattern(9, { startDate: '2026-11-23' }), pattern(8)], true],
    ['one alone that is to begin', [pattern(9, { startDate: '2026-11-23' })], false],
  ])('may change by themselves: %s', (_, schedules, may) => {
    expect(mayChangeByItself(schedules)).toBe(may);
  });
});

test('a series with only patterns offered an empty calendar without a word', () => {
  const only = series({ schedules: [pattern(9)] });
  const found = (sessions: Parameters<typeof planSeries>[1]) =>
    planSeries(only, sessions, { zone: 'Europe/London' }).findings.map(({ code }) => code);
  expect(found([])).toEqual(['only-patterns']);
  expect(found([session('s', '2026-11-23T09:00:00Z')])).toEqual([]);
  expect([hasOnlyPatterns(only, 0), hasOnlyPatterns(only, 1), hasOnlyPatterns(series(), 0)]).toEqual([
    true,
    false,
    false,
  ]);
});
