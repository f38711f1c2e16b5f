import type { HoursRun } from '../../hours/runs.ts';
import { FREQUENCIES, type Recurrence, recurrenceValue } from '../../ical/recurrence.ts';
import { NO_PARTS } from '../../opportunity/records.ts';
import { ruleEnd } from '../../recurrence/rule.ts';
import type { Rule } from '../../recurrence/types.ts';
import { DAY_MS, type Day } from '../../time/days.ts';
import type { Instant, Weekday } from '../../time/instant.ts';
import { offsetAt, toInstant, toWall, type Wall, type Zone } from '../../time/zone.ts';
import { daysBetween } from './steps.ts';

/** A rule that fits Outlook, from one instance to another. */
export interface Range {
  rule: Rule;
  first: Day;
  last: Day | undefined;
  /** Whether the run ends by COUNT, because the publisher states a count and no end date. */
  counted: boolean;
}

/** The RRULE of a run of a rule, ended so that all readers end it alike. */
export function rruleOf(range: Range, z: Zone): Recurrence {
  return ruleWith(range.rule, rruleEnd(range, z));
}

/** The RRULE of any rule of a schedule, for people to read: not every rule may stand in a calendar. */
export function ruleText(rule: Rule, z: Zone): string {
  const { lastDay, count } = rule;
  const end = lastDay === undefined ? undefined : ruleEnd(rule);
  if (end !== undefined)
    return recurrenceValue(ruleWith(rule, { until: toInstant(z, end * DAY_MS + rule.time * 1000) }));
  return recurrenceValue(ruleWith(rule, count === undefined ? {} : { count }));
}

type End = Pick<Recurrence, 'until' | 'count'>;

/** The parts of a rule as those of an RRULE, with an end. */
function ruleWith({ unit, every, byMonth, byMonthDay, byDay }: Rule, end: End): Recurrence {
  return {
    freq: FREQUENCIES[unit],
    ...end,
    ...(every > 1 && { interval: every }),
    ...(byMonth.length > 0 && { byMonth }),
    ...(byMonthDay.length > 0 && { byMonthDay }),
    ...(byDay.length > 0 && { byDay }),
    // With an interval it matters where the week begins, and not all readers have the RFC's Monday as their default.
    ...(unit === 'week' && every > 1 && byDay.length > 1 && { weekStart: MONDAY }),
  };
}

const MONDAY: Weekday = 0;

/** UNTIL where all readers take it alike, else COUNT. Nothing for a run without end. */
function rruleEnd({ rule, first, last, counted }: Range, z: Zone): End {
  if (last === undefined) return {};
  const time = rule.time * 1000;
  const until = counted ? undefined : untilOf(z, first * DAY_MS + time, last * DAY_MS + time);
  return until === undefined ? { count: daysBetween(rule, first, last).length } : { until };
}

/** When a rule with an UNTIL is certainly over, read as wall time of any zone. */
export function untilOver(until: Instant): Wall {
  return (Math.floor(until / DAY_MS) + 2) * DAY_MS;
}

/**
 * UNTIL that all readers take alike. Some compare it with wall time, read as UTC or at DTSTART's offset, so UNTIL is the latest
 * of these (feed rule 10). It stays on the last instance's local date, for some readers compare only dates. Near midnight
 * there may be no such instant: then it is undefined, and all readers agree on COUNT.
 */
export function untilOf(z: Zone, first: Wall, last: Wall): Instant | undefined {
  const exact = toInstant(z, last);
  const atFirst = last - offsetAt(z, toInstant(z, first));
  const candidates = [Math.max(exact, atFirst, last), Math.max(exact, atFirst)];
  return candidates.find((until) => Math.floor(toWall(z, until) / DAY_MS) === Math.floor(last / DAY_MS));
}

/** The rule of a run of opening hours; undefined when it is of one day only. */
export function weeklyRule({ first, last, days, start }: HoursRun, zone: Zone): Recurrence | undefined {
  if (first === last) return undefined;
  const byDay = days.map((day) => ({ day }));
  const rule = { unit: 'week', every: 1, ...NO_PARTS, byDay, firstDay: first, time: start } as const;
  return rruleOf({ rule, first, last, counted: false }, zone);
}
