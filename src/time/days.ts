import type { LocalDate, Weekday } from './instant.ts';

/** Days since 1970-01-01 in the proleptic Gregorian calendar, without a zone. */
export type Day = number;

export const HOUR_MS = 3_600_000;
/** Milliseconds of a day without a clock change, and so of every day of wall time. */
export const DAY_MS = 86_400_000;
/** Seconds of a day without a clock change. */
export const DAY_SECONDS = 86_400;

export const EVERY_DAY: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
/** Weekdays as schema.org names them. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Weekdays as recurrence rules name them (RFC 5545 3.3.10). */
export const WEEKDAY_CODES: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Months in English; the first three letters are those of HTTP dates. */
export const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');

/** A day as people write it: `month` 1 … 12, `date` 1 … 31. */
export interface Civil {
  year: number;
  month: number;
  date: number;
}

/** Day number of a civil date. `date` may lie outside the month and is carried on, as `Date.UTC` does. */
export function dayOf(year: number, month: number, date: number): Day {
  // Howard Hinnant's days_from_civil: Date.UTC would read the years 0 … 99 as 1900 … 1999.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The civil date of a day number. */
export function civilOf(day: Day): Civil {
  const z = day + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const date = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date };
}

/** Monday = 0 … Sunday = 6. */
export function weekdayOf(day: Day): Weekday {
  return ((((day + 3) % 7) + 7) % 7) as Weekday;
}

/** Saturday and Sunday of a week, without those before the day; the end excluded. */
export function weekendFrom(day: Day): [from: Day, to: Day] {
  const monday = day - weekdayOf(day);
  return [Math.max(day, monday + 5), monday + 7];
}

/** Number of days of a month, 28 … 31. */
export function monthLength(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether a year has a 29 February. */
export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Day number of `YYYY-MM-DD`; NaN for anything else. */
export function dayOfDate(date: LocalDate): Day {
  return dayOf(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)));
}

/** `YYYY-MM-DD` of a day number between the years 0 and 9999. */
export function dateOfDay(day: Day): LocalDate {
  const { year, month, date } = civilOf(day);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
}
