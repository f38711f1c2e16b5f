import { type ByDay, type ByParts, type RulePart, statedParts } from '../opportunity/records.ts';
import { type Civil, civilOf, type Day, dayOf, isLeap, monthLength, weekdayOf } from '../time/days.ts';
import type { FullRule, Rule } from './types.ts';

/**
 * The BY… parts of a rule as bit masks. RFC 5545 3.3.10 gives each part a meaning per FREQ: it either limits the days that
 * FREQ and INTERVAL give, or expands a period into days.
 */

/** Days of a month as bits: bit 1 is the 1st. */
type MonthMask = number;

type DayTest = (day: Day) => boolean;

/** Whether a day has the month, the date and the nth weekday of its month that are stated, as a PartialSchedule states them. */
export function hasParts(rule: ByParts<Rule>, day: Day): boolean {
  const { year, month, date } = civilOf(day);
  const length = monthLength(year, month);
  const onDate = (dates: MonthMask) => (dates & (1 << date)) !== 0;
  const fitting: Record<RulePart, boolean> = {
    byDay: onDate(byDayMask(rule.byDay, weekdayOf(day + 1 - date), length)),
    byMonth: (monthsMask(rule.byMonth) & (1 << month)) !== 0,
    byMonthDay: onDate(datesMask(rule.byMonthDay, length)),
  };
  return statedParts(rule).every((part) => fitting[part]);
}

/** The test of a day of a WEEKLY or shorter rule, where every BY… part limits. Undefined: every day passes. */
export function dayFilter(rule: FullRule): DayTest | undefined {
  const dates = dateFilter(rule);
  const inYear = yearFilter(rule);
  return dates === undefined || inYear === undefined ? (dates ?? inYear) : (day) => dates(day) && inYear(day);
}

function dateFilter(rule: FullRule): DayTest | undefined {
  const { unit, byDay, byMonth, byMonthDay } = rule;
  // WEEKLY expands BYDAY itself (`weekOffsets`). An ordinal is ignored, for RFC 5545 allows it in MONTHLY and YEARLY alone.
  const weekdays = unit !== 'week' && byDay.length > 0 ? weekdayMask(byDay) : 127;
  const civil = byMonth.length > 0 || byMonthDay.length > 0 ? civilFilter(rule) : undefined;
  if (civil === undefined && weekdays === 127) return undefined;
  return (day) => (weekdays & (1 << weekdayOf(day))) !== 0 && (civil === undefined || civil(civilOf(day)));
}

function civilFilter(rule: FullRule): (civil: Civil) => boolean {
  const months = monthsMask(rule.byMonth);
  const dates = [28, 29, 30, 31].map((length) => datesMask(rule.byMonthDay, length));
  const anyDate = rule.byMonthDay.length === 0;
  return ({ year, month, date }) =>
    (months & (1 << month)) !== 0 &&
    (anyDate || ((dates[monthLength(year, month) - 28] as number) & (1 << date)) !== 0);
}

/** Monday is bit 0; ordinals are ignored. */
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
export function monthPattern(rule: FullRule): (firstWeekday: number, length: number) => MonthMask {
  const byDay = isOfYear(rule) ? rule.byDay.map(({ day }) => ({ day })) : rule.byDay;
  const dates =
    rule.byMonthDay.length > 0 ? rule.byMonthDay : hasDaysOfYear(rule) ? EVERY_DATE : [civilOf(rule.firstDay).date];
  const make = (firstWeekday: number, length: number): MonthMask => {
    if (rule.byDay.length === 0) return datesMask(dates, length);
    const days = byDayMask(byDay, firstWeekday, length);
    return rule.byMonthDay.length === 0 ? days : days & datesMask(rule.byMonthDay, length);
  };
  // Four lengths and seven first weekdays make 28 different months.
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

const EVERY_DATE = Array.from({ length: 31 }, (_, index) => index + 1);

function byDayMask(byDay: readonly ByDay[], firstWeekday: number, length: number): MonthMask {
  let mask = 0;
  for (const { day, ordinal } of byDay) {
    const first = 1 + ((day - firstWeekday + 7) % 7);
    const days = nths(first, length, ordinal);
    for (const date of days) mask |= 1 << date;
  }
  return mask;
}

/** The dates first, first + 7, … up to `length`: all of them, the nth, or the nth from the end. */
function nths(first: number, length: number, ordinal: number | undefined): number[] {
  const last = first + Math.floor((length - first) / 7) * 7;
  if (ordinal === undefined) return Array.from({ length: (last - first) / 7 + 1 }, (_, i) => first + i * 7);
  const date = ordinal > 0 ? first + (ordinal - 1) * 7 : last + (ordinal + 1) * 7;
  return date >= first && date <= last ? [date] : [];
}

/** Whether days are named by their place in the year, so that no month or date is taken from DTSTART. */
export function hasDaysOfYear({ more }: FullRule): boolean {
  return more !== undefined && more.byYearDay.length + more.byWeekNo.length > 0;
}

/** Whether an ordinal counts within the year, where `20MO` is its twentieth Monday; beside BYWEEKNO it has no meaning. */
function isOfYear({ unit, byMonth, byDay, more }: FullRule): boolean {
  if (unit !== 'year' || !byDay.some(({ ordinal }) => ordinal !== undefined)) return false;
  return byMonth.length === 0 || (more !== undefined && more.byWeekNo.length > 0);
}

/** The test of parts that count within the year: BYYEARDAY, BYWEEKNO, ordinals. Undefined: every day passes. */
export function yearFilter(rule: FullRule): DayTest | undefined {
  const { byYearDay, byWeekNo, weekStart } = rule.more ?? NO_MORE;
  const tests: DayTest[] = [];
  if (isOfYear(rule) && byWeekNo.length === 0) tests.push((day) => isNthOfYear(day, rule.byDay));
  if (byYearDay.length > 0) tests.push((day) => isYearDay(day, byYearDay));
  if (byWeekNo.length > 0) tests.push((day) => isInWeeks(day, byWeekNo, weekStart));
  const isOpen = rule.byDay.length + rule.byMonthDay.length + byYearDay.length === 0;
  if (byWeekNo.length > 0 && isOpen) tests.push((day) => weekdayOf(day) === weekdayOf(rule.firstDay));
  return tests.length === 0 ? undefined : (day) => tests.every((test) => test(day));
}

const NO_MORE = { byYearDay: [], byWeekNo: [], weekStart: 0 } as const;

function isNthOfYear(day: Day, byDay: readonly ByDay[]): boolean {
  const { year } = civilOf(day);
  const nth = Math.floor((day - dayOf(year, 1, 1)) / 7) + 1;
  const fromEnd = -(Math.floor((dayOf(year, 12, 31) - day) / 7) + 1);
  return byDay.some(
    (one) =>
      one.day === weekdayOf(day) && (one.ordinal === undefined || one.ordinal === nth || one.ordinal === fromEnd),
  );
}

function isYearDay(day: Day, yearDays: readonly number[]): boolean {
  const { year } = civilOf(day);
  const nth = day - dayOf(year, 1, 1) + 1;
  return yearDays.includes(nth) || yearDays.includes(nth - (isLeap(year) ? 367 : 366));
}

/** Week numbers as ISO 8601 counts them, but with the rule's first day of the week. */
function isInWeeks(day: Day, weeks: readonly number[], weekStart: number): boolean {
  const fourth = day - ((weekdayOf(day) - weekStart + 7) % 7) + 3;
  const { year } = civilOf(fourth);
  const [start, end] = [firstWeek(year, weekStart), firstWeek(year + 1, weekStart)];
  const number = Math.floor((day - start) / 7) + 1;
  return weeks.includes(number) || weeks.includes(number - (end - start) / 7 - 1);
}

/** The first day of the week that has at least four days in the year. */
function firstWeek(year: number, weekStart: number): Day {
  const fourth = dayOf(year, 1, 4);
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7);
}
