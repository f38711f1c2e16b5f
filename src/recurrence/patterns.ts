import type { ByDay } from '../opportunity/records.ts';
import { type Civil, civilOf, type Day, dayOf, isLeap, monthLength, weekdayOf } from './days.ts';
import type { Rule } from './rule.ts';

/**
 * The BY… parts of a rule as bit masks. RFC 5545 3.3.10 gives each part a meaning per FREQ: it either limits the days that
 * FREQ and INTERVAL give, or expands a period into days.
 */

/** Days of a month as bits: bit 1 is the 1st. */
type MonthMask = number;

/** For DAILY and WEEKLY, where every BY… part limits (BYDAY of a week is expanded before). Undefined: every day passes. */
export function dayFilter(rule: Rule, withByDay: boolean): ((day: Day) => boolean) | undefined {
  const { byMonth, byMonthDay } = rule;
  // An ordinal has no meaning here ("MUST NOT be specified … when FREQ is not MONTHLY or YEARLY"): the weekday counts.
  const weekdays = withByDay && rule.byDay.length > 0 ? weekdayMask(rule.byDay) : 127;
  const civil = byMonth.length > 0 || byMonthDay.length > 0 ? civilFilter(rule) : undefined;
  if (civil === undefined && weekdays === 127) return undefined;
  return (day) => (weekdays & (1 << weekdayOf(day))) !== 0 && (civil === undefined || civil(civilOf(day)));
}

function civilFilter(rule: Rule): (civil: Civil) => boolean {
  const months = monthsMask(rule.byMonth);
  const dates = [28, 29, 30, 31].map((length) => datesMask(rule.byMonthDay, length));
  const anyDate = rule.byMonthDay.length === 0;
  return ({ year, month, date }) =>
    (months & (1 << month)) !== 0 &&
    (anyDate || ((dates[monthLength(year, month) - 28] as number) & (1 << date)) !== 0);
}

/** Monday is bit 0; ordinals are not looked at. */
export function weekdayMask(byDay: readonly ByDay[]): number {
  return byDay.reduce((mask, { day }) => mask | (1 << day), 0);
}

/** January is bit 1; no month named is every month. */
export function monthsMask(byMonth: readonly number[]): number {
  return byMonth.length === 0 ? -1 : byMonth.reduce((mask, month) => mask | (1 << month), 0);
}

/** BYMONTHDAY in a month of a length; days that the month lacks are ignored, as the RFC says of invalid dates. */
function datesMask(byMonthDay: readonly number[], length: number): MonthMask {
  let mask = 0;
  for (const given of byMonthDay) {
    const date = given > 0 ? given : length + 1 + given;
    if (date >= 1 && date <= length) mask |= 1 << date;
  }
  return mask;
}

/**
 * For MONTHLY, and YEARLY where it falls apart into months: the days of a month with the weekday of its first and its length.
 * BYMONTHDAY expands; BYDAY limits it, or expands when alone; without both the date of DTSTART.
 */
export function monthPattern(rule: Rule): (firstWeekday: number, length: number) => MonthMask {
  const startDate = civilOf(rule.firstDay).date;
  const make = (firstWeekday: number, length: number): MonthMask => {
    if (rule.byDay.length === 0) return datesMask(rule.byMonthDay.length > 0 ? rule.byMonthDay : [startDate], length);
    const days = byDayMask(rule.byDay, firstWeekday, length);
    return rule.byMonthDay.length === 0 ? days : days & datesMask(rule.byMonthDay, length);
  };
  // There are only 28 different months.
  const known = new Array<number | undefined>(28);
  return (firstWeekday, length) => {
    const index = (length - 28) * 7 + firstWeekday;
    let mask = known[index];
    if (mask === undefined) {
      mask = make(firstWeekday, length);
      known[index] = mask;
    }
    return mask;
  };
}

function byDayMask(byDay: readonly ByDay[], firstWeekday: number, length: number): MonthMask {
  let mask = 0;
  for (const { day, ordinal } of byDay) {
    const first = 1 + ((day - firstWeekday + 7) % 7);
    const days = nths(first, length, ordinal);
    for (const date of days) mask |= 1 << date;
  }
  return mask;
}

/** Of first, first + 7, … up to `length`: all, the nth, or the nth from the end. */
function nths(first: number, length: number, ordinal: number | undefined): number[] {
  const last = first + Math.floor((length - first) / 7) * 7;
  if (ordinal === undefined) return Array.from({ length: (last - first) / 7 + 1 }, (_, i) => first + i * 7);
  const date = ordinal > 0 ? first + (ordinal - 1) * 7 : last + (ordinal + 1) * 7;
  return date >= first && date <= last ? [date] : [];
}

/** For YEARLY with ordinals and no BYMONTH, where `20MO` is the twentieth Monday of the year: its days, ascending. */
export function yearDays(rule: Rule, year: number): Day[] {
  const first = dayOf(year, 1, 1);
  const length = isLeap(year) ? 366 : 365;
  const firstWeekday = weekdayOf(first);
  const days = new Set<Day>();
  for (const { day, ordinal } of rule.byDay) {
    const found = nths(1 + ((day - firstWeekday + 7) % 7), length, ordinal);
    for (const dayOfYear of found) days.add(first + dayOfYear - 1);
  }
  const limit = dayFilter(rule, false);
  const kept = limit === undefined ? [...days] : [...days].filter(limit);
  return kept.sort((a, b) => a - b);
}
