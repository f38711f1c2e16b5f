import { IANAZone } from 'luxon';

/**
 * The recurrence rules of RFC 5545 3.3.10 by asking every day in turn "does it happen on you?": slow, and hard to get
 * wrong. The step to instants asks luxon for offsets. Nothing here may be shared with the program under test.
 */

export const DAY = 86_400_000;

/** What a Schedule asks for; days are whole days since 1970-01-01, weekdays Monday = 0. */
export interface Pattern {
  unit: 'once' | 'day' | 'week' | 'month' | 'year';
  every: number;
  byDay: { day: number; ordinal?: number }[];
  byMonth: number[];
  byMonthDay: number[];
  startDay: number;
  /** Last day, inclusive. */
  lastDay?: number;
  /** How many days at most, counted from the first. */
  count?: number;
}

/** Days since 1970-01-01 of `YYYY-MM-DD`. */
export function dayNumber(date: string): number {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return Date.UTC(year, month - 1, day) / DAY;
}

/** `YYYY-MM-DD` of days since 1970-01-01. */
export function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** Monday = 0; 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

function parts(day: number): { year: number; month: number; date: number } {
  const utc = new Date(day * DAY);
  return { year: utc.getUTCFullYear(), month: utc.getUTCMonth() + 1, date: utc.getUTCDate() };
}

/** Whether `day` is the nth of its weekday between `first` and `last` (negative: from the end). */
function isNth(day: number, ordinal: number, first: number, last: number): boolean {
  const fromStart = Math.floor((day - first) / 7) + 1;
  const fromEnd = -(Math.floor((last - day) / 7) + 1);
  return ordinal === fromStart || ordinal === fromEnd;
}

function weekdayFits(pattern: Pattern, day: number, first: number, last: number): boolean {
  return pattern.byDay.some(
    (by) => by.day === weekdayOf(day) && (by.ordinal === undefined || isNth(day, by.ordinal, first, last)),
  );
}

function monthFits(pattern: Pattern, day: number): boolean {
  return pattern.byMonth.length === 0 || pattern.byMonth.includes(parts(day).month);
}

function monthDayFits(pattern: Pattern, day: number): boolean {
  if (pattern.byMonthDay.length === 0) return true;
  const { year, month, date } = parts(day);
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return pattern.byMonthDay.some((by) => (by < 0 ? length + by + 1 : by) === date);
}

function fitsWeek(pattern: Pattern, day: number): boolean {
  const monday = pattern.startDay - weekdayOf(pattern.startDay);
  if (Math.floor((day - monday) / 7) % pattern.every !== 0) return false;
  const days = pattern.byDay.length === 0 ? [weekdayOf(pattern.startDay)] : pattern.byDay.map((by) => by.day);
  return days.includes(weekdayOf(day)) && monthFits(pattern, day);
}

function fitsMonth(pattern: Pattern, day: number): boolean {
  const [start, at] = [parts(pattern.startDay), parts(day)];
  const months = (at.year - start.year) * 12 + at.month - start.month;
  if (months % pattern.every !== 0 || !monthFits(pattern, day)) return false;
  if (pattern.byDay.length === 0 && pattern.byMonthDay.length === 0) return at.date === start.date;
  const first = Date.UTC(at.year, at.month - 1, 1) / DAY;
  const last = Date.UTC(at.year, at.month, 0) / DAY;
  return monthDayFits(pattern, day) && (pattern.byDay.length === 0 || weekdayFits(pattern, day, first, last));
}

function fitsYear(pattern: Pattern, day: number): boolean {
  const [start, at] = [parts(pattern.startDay), parts(day)];
  if ((at.year - start.year) % pattern.every !== 0 || !monthFits(pattern, day)) return false;
  if (pattern.byDay.length === 0 && pattern.byMonthDay.length === 0) {
    return at.date === start.date && (pattern.byMonth.length > 0 || at.month === start.month);
  }
  // RFC 5545 3.3.10, BYDAY note 2: with BYMONTH the ordinal is within the month, without it within the year.
  const inMonth = pattern.byMonth.length > 0;
  const first = Date.UTC(at.year, inMonth ? at.month - 1 : 0, 1) / DAY;
  const last = Date.UTC(at.year, inMonth ? at.month : 12, 0) / DAY;
  return monthDayFits(pattern, day) && (pattern.byDay.length === 0 || weekdayFits(pattern, day, first, last));
}

/** Whether the rule names this day, its ends aside. */
function fits(pattern: Pattern, day: number): boolean {
  switch (pattern.unit) {
    case 'once':
      return day === pattern.startDay;
    case 'day':
      return (
        (day - pattern.startDay) % pattern.every === 0 &&
        monthFits(pattern, day) &&
        monthDayFits(pattern, day) &&
        (pattern.byDay.length === 0 || pattern.byDay.some((by) => by.day === weekdayOf(day)))
      );
    case 'week':
      return fitsWeek(pattern, day);
    case 'month':
      return fitsMonth(pattern, day);
    case 'year':
      return fitsYear(pattern, day);
  }
}

/** Every day of the rule from its start up to and including `until`. */
export function patternDays(pattern: Pattern, until: number): number[] {
  const days: number[] = [];
  const last = Math.min(until, pattern.lastDay ?? until);
  for (let day = pattern.startDay; day <= last && days.length < (pattern.count ?? Infinity); day++) {
    if (fits(pattern, day)) days.push(day);
  }
  return days;
}

/** ms east of UTC. */
function offset(zone: string, instant: number): number {
  return IANAZone.create(zone).offset(instant) * 60_000;
}

/** The instant of a wall time (given as if it were UTC): in a gap the offset before it, in a fold the first (semantics 3). */
export function instantOf(zone: string, wall: number): number {
  const before = offset(zone, wall - DAY);
  const after = offset(zone, wall + DAY);
  const early = wall - before;
  const late = wall - after;
  if (offset(zone, early) === before) return early;
  return offset(zone, late) === after ? late : early;
}

/** The wall time of an instant, as if it were UTC. */
export function wallOf(zone: string, instant: number): number {
  return instant + offset(zone, instant);
}

/** `YYYY-MM-DDThh:mm:ssZ`. */
export function utc(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
