import type { Length } from '../../../ical/content.ts';
import type { Schedule } from '../../../opportunity/records.ts';
import { type Expander, expanderOf, instancesOf } from '../../../recurrence/expand.ts';
import { MAX_CANDIDATES } from '../../../recurrence/generate.ts';
import { DAY_MS, dateOfDay, weekdayOf } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { dayAt, toInstant, type Wall } from '../../../time/zone.ts';
import { MAX_COUNT, MAX_SCHEDULES } from '../../limits.ts';
import type { RuleParts, Time } from '../../read/model.ts';
import { expandRule } from '../../read/rule.ts';
import { LAST } from '../../read/values.ts';
import { type Shape, shapesOf } from './shapes.ts';

/** Schedules that give exactly the dates of a rule; or the reason why there are none. */
type Expressed = { schedules: Expander[]; why?: undefined } | { schedules?: undefined; why: string };

/** The event that a rule repeats: its start, length and zone. */
interface Repeated {
  start: Time;
  length: Length;
  /** Whether the zone is an IANA one. */
  isNamed: boolean;
}

/** Dates of a Schedule that are compared with those of its rule: a year of workdays, twenty of months. */
const PROVED = 250;

/**
 * Turns a rule into Schedules, the inverse of semantics 3. Each Schedule is compared with the rule itself: one that would give
 * one date more or less is never published.
 */
export function expressRule(rule: RuleParts, repeated: Repeated): Expressed {
  if (!repeated.isNamed) return { why: 'a time zone of its own' };
  const shapes = shapesOf(rule, repeated.start.wall);
  if (typeof shapes === 'string') return { why: shapes };
  if (shapes.length > MAX_SCHEDULES) return { why: `${shapes.length} times a day` };
  const isEmpty = repeated.length.days + repeated.length.exact === 0;
  const ended = (isEmpty && countedUntil(rule, repeated.start)) || endOfRule(rule, repeated.start);
  const all = expandRule(rule, repeated.start.wall, LAST, ended.listed ? ended.count + 1 : PROVED).walls;
  const walls = wallsUntil(rule, repeated.start, all);
  const schedules = shapes.flatMap((shape) => scheduleOf(shape, walls, ended, repeated) ?? []);
  const expanders = schedules.flatMap((schedule) => expanderOf(schedule) ?? []);
  if (expanders.length !== schedules.length || !isProved(expanders, walls, all.length < PROVED, repeated))
    return { why: rule.text };
  return { schedules: expanders };
}

/** The end of a rule. `count`: its number of instances, where the rule states it and they were listed. */
type End = { listed: true; count: number } | { listed: false; lastDay?: (time: number) => number };

/** The end as a count of instances, because the model takes no `endDate` without a duration. */
function countedUntil(rule: RuleParts, start: Time): End | undefined {
  if (rule.until === undefined) return undefined;
  const last = 'instant' in rule.until ? rule.until.instant : rule.until.wall;
  const { walls } = expandRule(rule, start.wall, last + 2 * DAY_MS, MAX_COUNT);
  const { length } = wallsUntil(rule, start, walls);
  return length < MAX_COUNT ? { listed: true, count: length } : undefined;
}

/** The end of a rule: after a count, on a day, or never. */
function endOfRule(rule: RuleParts, start: Time): End {
  const { count, until } = rule;
  if (count !== undefined && count <= MAX_COUNT) return { listed: true, count };
  if (count !== undefined) {
    const { walls } = expandRule(rule, start.wall, LAST, Math.min(count, MAX_CANDIDATES));
    const last = walls.length === count ? walls.at(-1) : undefined;
    // So large a COUNT reaches beyond all years: the rule has no end.
    if (last === undefined) return { listed: false };
    return { listed: false, lastDay: (time) => Math.floor((last - time) / DAY_MS) };
  }
  return until === undefined ? { listed: false } : { listed: false, lastDay: (time) => lastDayOf(rule, start, time) };
}

/** The last local day on which an instance at a time of day does not start after UNTIL. */
function lastDayOf({ until }: RuleParts, { zone: z, allDay }: Time, time: number): number {
  if (until === undefined) return Number.POSITIVE_INFINITY;
  if ('wall' in until) return until.isDate ? Math.floor(until.wall / DAY_MS) : Math.floor((until.wall - time) / DAY_MS);
  // Dates have no zone, so an UNTIL in UTC is compared as it stands.
  if (allDay) return Math.floor(until.instant / DAY_MS);
  const day = dayAt(z, until.instant) + 1;
  return [day, day - 1, day - 2].find((one) => toInstant(z, one * DAY_MS + time) <= until.instant) ?? day - 2;
}

/** Starts of a rule within its COUNT and UNTIL. */
export function wallsUntil(rule: RuleParts, start: Time, walls: readonly Wall[]): Wall[] {
  const within = rule.count === undefined ? walls : walls.slice(0, rule.count);
  if (rule.until === undefined) return [...within];
  return within.filter((wall) => {
    const day = Math.floor(wall / DAY_MS);
    return day <= lastDayOf(rule, start, wall - day * DAY_MS);
  });
}

/** The Schedule of one shape of a rule; undefined: no start of the rule has that shape. */
function scheduleOf(shape: Shape, walls: readonly Wall[], end: End, { start, length }: Repeated): Schedule | undefined {
  const own = walls.filter((wall) => belongs(shape, wall));
  const [first] = own;
  if (first === undefined) return undefined;
  const firstDay = Math.floor(first / DAY_MS);
  const lastDay = end.listed ? undefined : end.lastDay?.(shape.time * 1000);
  const duration = length.days * DAY_MS + length.exact;
  const { unit, every, byDay, byMonth, byMonthDay } = shape;
  return {
    partial: false,
    expandable: true,
    index: 0,
    startDate: dateOfDay(firstDay),
    ...(lastDay !== undefined && lastDay < LAST / DAY_MS && { endDate: dateOfDay(lastDay) }),
    startTime: shape.time,
    // Equal `startTime` and `endTime` would mean the next day, so an event without a length gets no `endTime`.
    ...(duration > 0 && { endTime: (shape.time + duration / 1000) % 86_400, duration }),
    frequency: { unit, every },
    byDay,
    byMonth,
    byMonthDay,
    ...(end.listed && { count: own.length }),
    except: [],
    zone: start.zone.id,
    zoneStated: true,
    eventType: 'ScheduledSession',
  };
}

/** Whether a start has the time and the weekday of a shape. */
function belongs({ time, weekday }: Shape, wall: Wall): boolean {
  const day = Math.floor(wall / DAY_MS);
  return wall - day * DAY_MS === time * 1000 && (weekday === undefined || weekdayOf(day) === weekday);
}

/** Whether the Schedules together have the starts of the rule, as far as these are known, and no others. */
function isProved(
  schedules: readonly Expander[],
  walls: readonly Wall[],
  isWhole: boolean,
  { start }: Repeated,
): boolean {
  const expected = instantsOf(walls, start);
  // A list that was cut shows nothing after its last start, and years after `LAST` do not count.
  const further = (expected.at(-1) ?? start.instant) + (isWhole ? 400 * DAY_MS : 1);
  const to = Math.min(further, toInstant(start.zone, LAST));
  const found = new Set<Instant>();
  for (const schedule of schedules) {
    for (const instance of instancesOf({ ...schedule, duration: 0 }, start.instant, to)) found.add(instance.start);
  }
  return found.size === expected.length && expected.every((instant) => found.has(instant));
}

function instantsOf(walls: readonly Wall[], { zone: z }: Time): Instant[] {
  return [...new Set(walls.map((wall) => toInstant(z, wall)))].sort((a, b) => a - b);
}
