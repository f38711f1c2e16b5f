import { civilOf, type Day, dayOf, monthLength, weekdayOf } from '../time/days.ts';
import { dayFilter, hasDaysOfYear, monthPattern, monthsMask, weekdayMask, yearFilter } from './by-parts.ts';
import type { FullRule } from './types.ts';

/**
 * Most candidates (days, weeks, months, years) that one call tests. BY… parts may refuse all, as 30 February does, and the
 * search must end. 100,000 days are 273 years.
 */
export const MAX_CANDIDATES = 100_000;

/** 9999-12-31: the last date that four digits can write. */
export const LAST_DAY: Day = 2_932_896;

/**
 * Days of a rule in the closed range, ascending, at most `limit`, for units of a day and longer. `count` and `lastDay` are
 * ignored, and so is `firstDay` within its week, month or year: days before it are given too.
 */
export function generate(rule: FullRule, from: Day, toDay: Day, limit: number): Day[] {
  const to = Math.min(toDay, LAST_DAY);
  if (!(from <= to) || limit <= 0) return [];
  if (rule.unit === 'day') return daily(rule, from, to, limit);
  if (rule.unit === 'week') return weekly(rule, from, to, limit);
  if (rule.unit === 'month') return ofMonths(rule, from, to, limit, monthly(rule, from, to));
  if (rule.unit !== 'year') return [];
  return ofMonths(rule, from, to, limit, monthsOfYears(rule, from, to));
}

/** The first multiple of `every` steps after `origin` that is not before `from`. */
export function firstStep(origin: number, from: number, every: number): number {
  return origin + Math.max(0, Math.ceil((from - origin) / every)) * every;
}

function daily(rule: FullRule, from: Day, to: Day, limit: number): Day[] {
  const days: Day[] = [];
  const { every } = rule;
  const passes = dayFilter(rule);
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

/** Which weeks an INTERVAL skips depends on the day on which weeks begin: WKST. */
function weekly(rule: FullRule, from: Day, to: Day, limit: number): Day[] {
  const days: Day[] = [];
  const step = rule.every * 7;
  const passes = dayFilter(rule);
  const offsets = weekOffsets(rule);
  const first = firstStep(weekOf(rule, rule.firstDay), from - 6, step);
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

/** The first day of a day's week. */
export function weekOf({ more }: FullRule, day: Day): Day {
  return day - ((weekdayOf(day) - (more?.weekStart ?? 0) + 7) % 7);
}

/** Distances of the rule's days of a week from its first day, ascending. */
export function weekOffsets(rule: FullRule): number[] {
  // RFC 5545 forbids BYMONTHDAY and BYYEARDAY in WEEKLY. Where a rule has them, they pick from all days of the week.
  const isOpen = rule.byMonthDay.length > 0 || hasDaysOfYear(rule);
  const withoutByDay = isOpen ? 127 : 1 << weekdayOf(rule.firstDay);
  const mask = rule.byDay.length > 0 ? weekdayMask(rule.byDay) : withoutByDay;
  const first = rule.more?.weekStart ?? 0;
  return [0, 1, 2, 3, 4, 5, 6].filter((offset) => mask & (1 << ((first + offset) % 7)));
}

/** Months are counted from January of the year 0: `year * 12 + month - 1`. */
function monthOf(day: Day): number {
  const { year, month } = civilOf(day);
  return year * 12 + month - 1;
}

function* monthly(rule: FullRule, from: Day, to: Day): Generator<number> {
  const last = monthOf(to);
  const allowed = monthsMask(rule.byMonth);
  let month = firstStep(monthOf(rule.firstDay), monthOf(from), rule.every);
  for (let tried = 0; month <= last && tried < MAX_CANDIDATES; month += rule.every, tried++) {
    if (allowed & (2 << (month % 12))) yield month;
  }
}

/** The months of the years of a yearly rule, between two days, as `monthOf` numbers them. */
function* monthsOfYears(rule: FullRule, from: Day, to: Day): Generator<number> {
  const start = civilOf(rule.firstDay);
  const hasDays = rule.byMonthDay.length > 0 || rule.byDay.length > 0 || hasDaysOfYear(rule);
  const onlyFirstMonth = rule.byMonth.length === 0 && !hasDays;
  const allowed = onlyFirstMonth ? 1 << start.month : monthsMask(rule.byMonth);
  const [earliest, last] = [monthOf(from), monthOf(to)];
  let year = firstStep(start.year, civilOf(from).year, rule.every);
  for (let tried = 0; year * 12 <= last && tried < MAX_CANDIDATES; year += rule.every, tried++) {
    for (let month = 0; month < 12; month++) {
      const index = year * 12 + month;
      if (allowed & (2 << month) && index >= earliest && index <= last) yield index;
    }
  }
}

function ofMonths(rule: FullRule, from: Day, to: Day, limit: number, months: Iterable<number>): Day[] {
  const days: Day[] = [];
  const pattern = monthPattern(rule);
  const passes = yearFilter(rule);
  for (const index of months) {
    const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
    const before = dayOf(year, month, 0);
    let mask = pattern(weekdayOf(before + 1), monthLength(year, month));
    while (mask !== 0) {
      const day = before + 31 - Math.clz32(mask & -mask);
      mask &= mask - 1;
      if (day < from || (passes !== undefined && !passes(day))) continue;
      if (day > to || days.length >= limit) return days;
      days.push(day);
    }
  }
  return days;
}
