import type { ByDay } from '../../opportunity/records.ts';
import { civilOf, DAY_MS, type Day, dayOf, isLeap, monthLength, weekdayOf } from '../../recurrence/days.ts';
import type { Wall } from '../../recurrence/zone.ts';
import { MAX_CANDIDATES } from '../limits.ts';
import type { RuleParts } from './model.ts';

/**
 * Every start that an RRULE gives, whatever its parts (RFC 5545 3.3.10, its table of what expands and what limits): what the
 * recurrence room, which knows what a Schedule can say, does not do. Period by period, day by day, so that the work is
 * bounded by the time looked at, not by what the rule finds (a 30 February finds nothing for ever).
 */

/** What a rule gave until the work had its end. */
export interface Expansion {
  /** Ascending, each once, none before DTSTART; DTSTART itself only if the rule gives it. */
  walls: Wall[];
  /** False: there may be more within the range than was looked at. */
  complete: boolean;
}

/** Starts from DTSTART through `through`, at most `most` of them. COUNT and UNTIL are the caller's. */
export function expandRule(rule: RuleParts, start: Wall, through: Wall, most: number): Expansion {
  const walls: Wall[] = [];
  const work = { left: MAX_CANDIDATES };
  for (const wall of periods(rule, start, through, work)) {
    if (wall < start) continue;
    if (wall > through) break;
    if (walls.length >= most) return { walls, complete: false };
    walls.push(wall);
  }
  return { walls, complete: work.left > 0 };
}

interface Work {
  left: number;
}

function periods(rule: RuleParts, start: Wall, through: Wall, work: Work): Iterable<Wall> {
  return rule.unit in SECONDS ? withinDay(rule, start, through, work) : ofDays(rule, start, through, work);
}

/** Rules of days and longer: the days of each period, at the times of day. */
function* ofDays(rule: RuleParts, start: Wall, through: Wall, work: Work): Generator<Wall> {
  const startDay = Math.floor(start / DAY_MS);
  const lastDay = Math.floor(through / DAY_MS);
  const times = timesOf(rule, start - startDay * DAY_MS);
  const days = daysOfPeriod(rule, startDay);
  for (let index = 0; work.left > 0; index++) {
    const period = periodOf(rule, startDay, index);
    if (period.first > lastDay) return;
    work.left -= period.last - period.first + 1;
    const walls: Wall[] = [];
    for (let day = period.first; day <= period.last; day++) {
      if (days(day)) for (const time of times) walls.push(day * DAY_MS + time);
    }
    yield* positioned(rule, walls);
  }
}

/** BYSETPOS (RFC 5545 3.3.10): of the period's starts those at the positions. */
function positioned({ bySetPos }: RuleParts, walls: Wall[]): Wall[] {
  if (bySetPos.length === 0) return walls;
  const kept = new Set(bySetPos.map((position) => walls[position > 0 ? position - 1 : walls.length + position]));
  return walls.filter((wall) => kept.has(wall));
}

/** Times of day in ms, ascending. */
function timesOf({ byHour, byMinute, bySecond }: RuleParts, time: number): number[] {
  const [hour, minute, second] = [
    Math.floor(time / 3_600_000),
    Math.floor(time / 60_000) % 60,
    Math.floor(time / 1000) % 60,
  ];
  const hours = byHour.length > 0 ? byHour : [hour];
  const minutes = byMinute.length > 0 ? byMinute : [minute];
  // A leap second is no second of this program.
  const seconds = bySecond.length > 0 ? [...new Set(bySecond.map((one) => Math.min(one, 59)))] : [second];
  return hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => (h * 3600 + m * 60 + s) * 1000)));
}

interface Period {
  first: Day;
  last: Day;
}

/** The nth period that the rule's INTERVAL comes to, from the one of DTSTART. */
function periodOf({ unit, every, weekStart }: RuleParts, startDay: Day, index: number): Period {
  const step = index * every;
  if (unit === 'day') return { first: startDay + step, last: startDay + step };
  if (unit === 'week') {
    const first = startDay - ((weekdayOf(startDay) - weekStart + 7) % 7) + step * 7;
    return { first, last: first + 6 };
  }
  const { year, month } = civilOf(startDay);
  if (unit === 'year') return { first: dayOf(year + step, 1, 1), last: dayOf(year + step, 12, 31) };
  const months = year * 12 + month - 1 + step;
  const [y, m] = [Math.floor(months / 12), (months % 12) + 1];
  return { first: dayOf(y, m, 1), last: dayOf(y, m, monthLength(y, m)) };
}

type Test = (day: Day) => boolean;

/** Which days of a period the rule gives. What DTSTART tells where no part does: RFC 5545, "information … from DTSTART". */
function daysOfPeriod(rule: RuleParts, startDay: Day): Test {
  const { unit, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule;
  const start = civilOf(startDay);
  const tests: Test[] = [];
  const none = byWeekNo.length + byYearDay.length + byMonthDay.length + byDay.length === 0;
  const months = unit === 'year' && none && byMonth.length === 0 ? [start.month] : byMonth;
  const dates = none && (unit === 'year' || unit === 'month') ? [start.date] : byMonthDay;
  const isWeekday =
    (none && unit === 'week') || (byWeekNo.length > 0 && byDay.length + byMonthDay.length + byYearDay.length === 0);
  if (months.length > 0) tests.push((day) => months.includes(civilOf(day).month));
  if (dates.length > 0) tests.push((day) => isDateOf(day, dates));
  if (byYearDay.length > 0) tests.push((day) => isYearDay(day, byYearDay));
  if (byWeekNo.length > 0) tests.push((day) => isInWeeks(day, byWeekNo, rule.weekStart));
  if (isWeekday) tests.push((day) => weekdayOf(day) === weekdayOf(startDay));
  if (byDay.length > 0) tests.push(weekdayTest(rule));
  return (day) => tests.every((test) => test(day));
}

function isDateOf(day: Day, dates: readonly number[]): boolean {
  const { year, month, date } = civilOf(day);
  return dates.includes(date) || dates.includes(date - monthLength(year, month) - 1);
}

function isYearDay(day: Day, yearDays: readonly number[]): boolean {
  const { year } = civilOf(day);
  const nth = day - dayOf(year, 1, 1) + 1;
  return yearDays.includes(nth) || yearDays.includes(nth - (isLeap(year) ? 367 : 366));
}

/** Week numbers as ISO 8601 has them, but with the rule's first day of the week. */
function isInWeeks(day: Day, weeks: readonly number[], weekStart: number): boolean {
  const { year } = civilOf(day);
  const first = firstWeek(year, weekStart);
  const start =
    day < first
      ? firstWeek(year - 1, weekStart)
      : day >= firstWeek(year + 1, weekStart)
        ? firstWeek(year + 1, weekStart)
        : first;
  const end = start === first ? firstWeek(year + 1, weekStart) : start < first ? first : firstWeek(year + 2, weekStart);
  const number = Math.floor((day - start) / 7) + 1;
  return weeks.includes(number) || weeks.includes(number - (end - start) / 7 - 1);
}

/** The first day of the week that has at least four days in the year. */
function firstWeek(year: number, weekStart: number): Day {
  const fourth = dayOf(year, 1, 4);
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7);
}

/** BYDAY: with ordinals within the month, or within the year where neither the unit nor BYMONTH names one. */
function weekdayTest({ unit, byDay, byMonth, byWeekNo }: RuleParts): Test {
  const ofMonth = unit === 'month' || (unit === 'year' && byMonth.length > 0);
  const plain = byWeekNo.length > 0 || (unit !== 'month' && unit !== 'year');
  return (day) => {
    const weekday = weekdayOf(day);
    const own = byDay.filter((one) => one.day === weekday);
    if (own.length === 0) return false;
    if (plain || own.some(({ ordinal }) => ordinal === undefined)) return true;
    return isNth(day, own, ofMonth);
  };
}

function isNth(day: Day, byDay: readonly ByDay[], ofMonth: boolean): boolean {
  const { year, month } = civilOf(day);
  const first = ofMonth ? dayOf(year, month, 1) : dayOf(year, 1, 1);
  const last = ofMonth ? dayOf(year, month, monthLength(year, month)) : dayOf(year, 12, 31);
  const nth = Math.floor((day - first) / 7) + 1;
  const fromEnd = -(Math.floor((last - day) / 7) + 1);
  return byDay.some(({ ordinal }) => ordinal === nth || ordinal === fromEnd);
}

const SECONDS: Record<string, number> = { second: 1, minute: 60, hour: 3600 };

/** HOURLY, MINUTELY, SECONDLY: every step is looked at; smaller BY… parts expand it, larger ones limit it. */
function* withinDay(rule: RuleParts, start: Wall, through: Wall, work: Work): Generator<Wall> {
  const unit = SECONDS[rule.unit] as number;
  const step = rule.every * unit * 1000;
  const isDay = daysOfPeriod(rule, Math.floor(start / DAY_MS));
  // A period begins with its own hour or minute; what is smaller is DTSTART's or expanded.
  const rest = modulo(start, unit * 1000);
  for (let at = start - rest; at <= through && work.left > 0; at += step, work.left--) {
    const walls = isDay(Math.floor(at / DAY_MS)) ? within(rule, at, rest) : [];
    yield* positioned(rule, walls);
  }
}

function within({ unit, byHour, byMinute, bySecond }: RuleParts, at: Wall, rest: number): Wall[] {
  const sinceMidnight = Math.floor(modulo(at, DAY_MS) / 1000);
  const [hour, minute, second] = [
    Math.floor(sinceMidnight / 3600),
    Math.floor(sinceMidnight / 60) % 60,
    sinceMidnight % 60,
  ];
  if (byHour.length > 0 && !byHour.includes(hour)) return [];
  if (unit !== 'hour' && byMinute.length > 0 && !byMinute.includes(minute)) return [];
  if (unit === 'second') return bySecond.length > 0 && !bySecond.includes(second) ? [] : [at];
  const seconds = bySecond.length > 0 ? bySecond.map((one) => Math.min(one, 59)) : [Math.floor(rest / 1000) % 60];
  if (unit === 'minute') return seconds.map((one) => at + one * 1000);
  const minutes = byMinute.length > 0 ? byMinute : [Math.floor(rest / 60_000) % 60];
  return minutes.flatMap((one) => seconds.map((two) => at + one * 60_000 + two * 1000));
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
