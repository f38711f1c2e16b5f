import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { civilOf, dateOfDay, dayOf, dayOfDate, isLeap, monthLength, weekdayOf } from '../../src/time/days.ts';

/** Every day of the years 0 … 9999. */
const anyDay = fc.integer({ min: -719_528, max: 2_932_896 });

describe('days', () => {
  test.each([
    ['the epoch', '1970-01-01', 0, 3],
    ['the day before it', '1969-12-31', -1, 2],
    ['a leap day', '2024-02-29', 19_782, 3],
    ['a leap day of a century', '2000-02-29', 11_016, 1],
    ['the last four-digit date', '9999-12-31', 2_932_896, 4],
    ['a year that Date.UTC reads as 1999', '0099-03-01', -683_309, 6],
  ])('%s', (_name, date, day, weekday) => {
    expect(dayOfDate(date)).toBe(day);
    expect(dateOfDay(day)).toBe(date);
    expect(weekdayOf(day)).toBe(weekday);
  });

  test('are those of Date, in any year', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const date = new Date(day * 86_400_000);
        expect(civilOf(day)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          date: date.getUTCDate(),
        });
        expect(dateOfDay(day)).toBe(date.toISOString().slice(0, 10));
        expect(weekdayOf(day)).toBe((date.getUTCDay() + 6) % 7);
      }),
    );
  });

  test('months are as long as the step to the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9998 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const next = month === 12 ? dayOf(year + 1, 1, 1) : dayOf(year, month + 1, 1);
        expect(monthLength(year, month)).toBe(next - dayOf(year, month, 1));
        expect(isLeap(year)).toBe(dayOf(year + 1, 1, 1) - dayOf(year, 1, 1) === 366);
      }),
    );
  });

  test('what is no date is no day', () => {
    expect(dayOfDate('soon')).toBeNaN();
  });
});
