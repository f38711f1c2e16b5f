import { perObject } from '../bounded-map.ts';
import { NO_PARTS, type RepeatUnit, type Schedule } from '../opportunity/records.ts';
import { DAY_MS, type Day, dayOfDate, weekdayOf } from '../time/days.ts';
import type { Wall } from '../time/zone.ts';
import { dayFilter } from './by-parts.ts';
import { generate, LAST_DAY, weekOffsets } from './generate.ts';
import { lastSubDay, subDayWalls } from './subday.ts';
import type { FullRule, Rule } from './types.ts';

type Frequency = Pick<Rule, 'unit' | 'every'>;

/** Lengths of the units that a wall clock measures evenly, in seconds. */
const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** More than the seconds of ten thousand years: in any unit, a rule with this INTERVAL has one instance. */
const MAX_EVERY = 400_000_000_000;

/**
 * The rule of a schedule (semantics 3); undefined when it may not be expanded (a PartialSchedule, no start date, no start time).
 *
 * @example
 * ```ts
 * const rules = series.schedules.map(ruleOf);
 * ```
 */
export function ruleOf(schedule: Schedule): Rule | undefined {
  return ruleOnce(schedule);
}

/** Each schedule has one rule, whose end by COUNT is counted once. */
const ruleOnce = perObject((schedule: Schedule): Rule | undefined => {
  const { startDate, startTime, endDate } = schedule;
  if (schedule.partial || !schedule.expandable || startDate === undefined || startTime === undefined) return undefined;
  const firstDay = dayOfDate(startDate);
  const lastDay = endDate === undefined ? undefined : dayOfDate(endDate);
  // All rules have all keys in one order, because V8 is quick with objects of one shape.
  const { frequency } = schedule;
  if (frequency === undefined) return { ...ONCE, firstDay, time: startTime, count: 1, lastDay };
  const { unit, every } = longest(frequency.unit, Math.min(frequency.every, MAX_EVERY));
  const { byDay, byMonth, byMonthDay, count, lastTime } = schedule;
  const rule = { unit, every, byDay, byMonth, byMonthDay, firstDay, time: startTime, count, lastDay };
  return lastTime === undefined ? rule : { ...rule, lastTime };
});

const ONCE = { unit: 'day', every: 1, ...NO_PARTS } as const;

/** PT48H is P2D and P14D is P2W: on wall time they are the same, and `byDay` is meant for weeks. */
function longest(unit: RepeatUnit, every: number): Frequency {
  if (unit === 'week' || unit === 'month' || unit === 'year') return { unit, every };
  const days = (every * SECONDS[unit]) / SECONDS.day;
  if (!Number.isInteger(days)) return { unit, every };
  return days % 7 === 0 ? { unit: 'week', every: days / 7 } : { unit: 'day', every: days };
}

/** Whether the rule repeats within a day (hour, minute, second): such rules have walls, not days. */
export function isSubDay(rule: FullRule): boolean {
  return rule.unit === 'hour' || rule.unit === 'minute' || rule.unit === 'second';
}

/**
 * Days of a rule in the closed range, ascending, at most `limit` of them (the earliest). COUNT is counted from the rule's
 * first day, whatever the range. Empty for rules that repeat within a day: see `ruleWalls`.
 *
 * @example
 * ```ts
 * const [from, to] = [Date.UTC(2026, 2, 1) / 86_400_000, Date.UTC(2026, 2, 31) / 86_400_000];
 * for (const rule of series.schedules.map(ruleOf)) if (rule) console.log(ruleDays(rule, from, to, 100));
 * ```
 */
export function ruleDays(rule: Rule, fromDay: Day, toDay: Day, limit: number): Day[] {
  if (isSubDay(rule)) return [];
  return generate(rule, Math.max(fromDay, rule.firstDay), Math.min(toDay, ruleEnd(rule) ?? toDay), limit);
}

/**
 * Starts of a rule's instances as wall times in the closed range, ascending, at most `limit`; for rules of every unit.
 * Of rules that repeat within a day no more than MAX_CANDIDATES are tested.
 */
export function ruleWalls(rule: Rule, from: Wall, to: Wall, limit: number): Wall[] {
  if (isSubDay(rule)) return subDayWalls(rule, from, to, limit);
  const time = rule.time * 1000;
  const walls = ruleDays(rule, Math.ceil((from - time) / DAY_MS), Math.floor((to - time) / DAY_MS), limit);
  for (let i = 0; i < walls.length; i++) walls[i] = (walls[i] as Day) * DAY_MS + time;
  return walls;
}

/**
 * The last day of a rule: by its COUNT or its `lastDay`, whichever is first; undefined when it goes on for ever. A
 * `lastDay` need not have an instance; a rule that ends before it begins has none.
 */
export function ruleEnd(rule: Rule): Day | undefined {
  if (rule.count === undefined) return rule.lastDay;
  return Math.min(countedEnd(rule), rule.lastDay ?? LAST_DAY);
}

/** The day of the last instance by COUNT alone; the day before the first when there is none. */
const countedEnd = perObject((rule: Rule): Day => {
  const { count = 1 } = rule;
  if (isSubDay(rule)) return Math.floor(lastSubDay(rule) / DAY_MS);
  if (rule.unit === 'day' && dayFilter(rule) === undefined) return rule.firstDay + (count - 1) * rule.every;
  if (rule.unit === 'week' && dayFilter(rule) === undefined) return countedWeeks(rule, count);
  const days = generate(rule, rule.firstDay, rule.lastDay ?? LAST_DAY, count);
  return days.at(-1) ?? rule.firstDay - 1;
});

/** The day of the last instance of a weekly rule. Its first week lacks the days before DTSTART; all others are whole. */
function countedWeeks(rule: Rule, count: number): Day {
  const offsets = weekOffsets(rule);
  const weekday = weekdayOf(rule.firstDay);
  const missing = offsets.filter((offset) => offset < weekday).length;
  const position = count - 1 + missing;
  const week = Math.floor(position / offsets.length) * rule.every;
  return rule.firstDay - weekday + week * 7 + (offsets[position % offsets.length] as number);
}

/** Whether a day has an instance of the rule (COUNT and end respected). */
export function occursOn(rule: Rule, day: Day): boolean {
  if (isSubDay(rule)) return subDayWalls(rule, day * DAY_MS, (day + 1) * DAY_MS - 1, 1).length > 0;
  if (day < rule.firstDay || day > (ruleEnd(rule) ?? day)) return false;
  return generate(rule, day, day, 1).length > 0;
}

/** Whether a wall time is the start of an instance of the rule (COUNT and end respected). */
export function occursAt(rule: Rule, wall: Wall): boolean {
  if (isSubDay(rule)) return subDayWalls(rule, wall, wall, 1).length > 0;
  const sinceMidnight = wall - rule.time * 1000;
  return sinceMidnight % DAY_MS === 0 && occursOn(rule, sinceMidnight / DAY_MS);
}
