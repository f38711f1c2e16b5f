import { civilOf, type Day, dayOf, monthLength, weekdayOf } from './days.ts';
import { dayFilter, monthPattern, monthsMask, weekdayMask, yearDays } from './patterns.ts';
import type { Rule } from './rule.ts';

/**
 * Candidates (days, weeks, months, years) that one call looks at when BY… parts may turn all of them down. 30 February is
 * never: the search must end. 100,000 days are 273 years.
 */
export const MAX_CANDIDATES = 100_000;

/** 9999-12-31: the last date that four digits can write. */
export const LAST_DAY: Day = 2_932_896;

/**
 * Days of a rule in the closed range, ascending, at most `limit`; `count` and `lastDay` are not looked at. Starts at the
 * range, not at the rule's first day. For units of a day and longer.
 */
export function generate(rule: Rule, fromDay: Day, toDay: Day, limit: number): Day[] {
  const from = Math.max(fromDay, rule.firstDay);
  const to = Math.min(toDay, LAST_DAY);
  if (!(from <= to) || limit <= 0) return [];
  if (rule.unit === 'day') return daily(rule, from, to, limit);
  if (rule.unit === 'week') return weekly(rule, from, to, limit);
  if (rule.unit === 'month') return ofMonths(rule, from, to, limit, monthly(rule, from, to));
  if (rule.unit !== 'year') return [];
  const ofYear = rule.byMonth.length === 0 && rule.byDay.some(({ ordinal }) => ordinal !== undefined);
  return ofYear ? yearly(rule, from, to, limit) : ofMonths(rule, from, to, limit, monthsOfYears(rule, from, to));
}

/** The first multiple of `every` steps after `origin` that is not before `from`. */
function firstStep(origin: number, from: number, every: number): number {
  return origin + Math.max(0, Math.ceil((from - origin) / every)) * every;
}

function daily(rule: Rule, from: Day, to: Day, limit: number): Day[] {
  const days: Day[] = [];
  const { every } = rule;
  const passes = dayFilter(rule, true);
  const first = firstStep(rule.firstDay, from, every);
  if (passes === undefined) {
    for (let day = first; day <= to && days.length < limit; day += every) days.push(day);
    return days;
  }
  const last = Math.min(to, first + MAX_CANDIDATES * every);
  for (let day = first; day <= last && days.length < limit; day += every) {
    if (passes(day)) days.push(day);
  }
  return days;
}

/** Weeks begin on Monday (WKST=MO): which weeks an INTERVAL skips depends on it. */
function weekly(rule: Rule, from: Day, to: Day, limit: number): Day[] {
  const days: Day[] = [];
  const step = rule.every * 7;
  const passes = dayFilter(rule, false);
  const offsets = weekOffsets(rule);
  const monday = rule.firstDay - weekdayOf(rule.firstDay);
  const first = firstStep(monday, from - 6, step);
  const last = passes === undefined ? to : Math.min(to, first + MAX_CANDIDATES * step);
  for (let week = first; week <= last; week += step) {
    for (const offset of offsets) {
      const day = week + offset;
      if (day < from || (passes !== undefined && !passes(day))) continue;
      if (day > to || days.length >= limit) return days;
      days.push(day);
    }
  }
  return days;
}

/** Distances from Monday of the rule's days of a week, ascending. */
export function weekOffsets(rule: Rule): number[] {
  // BYMONTHDAY is not for WEEKLY; where it comes all the same it picks from all days of the week, as other readers do.
  const own = rule.byMonthDay.length > 0 ? 127 : 1 << weekdayOf(rule.firstDay);
  const mask = rule.byDay.length > 0 ? weekdayMask(rule.byDay) : own;
  return [0, 1, 2, 3, 4, 5, 6].filter((offset) => mask & (1 << offset));
}

/** Months are counted from January of the year 0: `year * 12 + month - 1`. */
function monthOf(day: Day): number {
  const { year, month } = civilOf(day);
  return year * 12 + month - 1;
}

function* monthly(rule: Rule, from: Day, to: Day): Generator<number> {
  const last = monthOf(to);
  const allowed = monthsMask(rule.byMonth);
  let month = firstStep(monthOf(rule.firstDay), monthOf(from), rule.every);
  for (let looked = 0; month <= last && looked < MAX_CANDIDATES; month += rule.every, looked++) {
    if (allowed & (2 << (month % 12))) yield month;
  }
}

function* monthsOfYears(rule: Rule, from: Day, to: Day): Generator<number> {
  const start = civilOf(rule.firstDay);
  const onlyOwn = rule.byMonth.length === 0 && rule.byMonthDay.length === 0 && rule.byDay.length === 0;
  const allowed = onlyOwn ? 1 << start.month : monthsMask(rule.byMonth);
  const [earliest, last] = [monthOf(from), monthOf(to)];
  let year = firstStep(start.year, civilOf(from).year, rule.every);
  for (let looked = 0; year * 12 <= last && looked < MAX_CANDIDATES; year += rule.every, looked++) {
    for (let month = 0; month < 12; month++) {
      const index = year * 12 + month;
      if (allowed & (2 << month) && index >= earliest && index <= last) yield index;
    }
  }
}

function ofMonths(rule: Rule, from: Day, to: Day, limit: number, months: Iterable<number>): Day[] {
  const days: Day[] = [];
  const pattern = monthPattern(rule);
  for (const index of months) {
    const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
    const before = dayOf(year, month, 0);
    let mask = pattern(weekdayOf(before + 1), monthLength(year, month));
    while (mask !== 0) {
      const day = before + 31 - Math.clz32(mask & -mask);
      mask &= mask - 1;
      if (day < from) continue;
      if (day > to || days.length >= limit) return days;
      days.push(day);
    }
  }
  return days;
}

function yearly(rule: Rule, from: Day, to: Day, limit: number): Day[] {
  const days: Day[] = [];
  const last = civilOf(to).year;
  let year = firstStep(civilOf(rule.firstDay).year, civilOf(from).year, rule.every);
  for (; year <= last; year += rule.every) {
    for (const day of yearDays(rule, year)) {
      if (day < from) continue;
      if (day > to || days.length >= limit) return days;
      days.push(day);
    }
  }
  return days;
}
