import type { HoursRun } from '../../hours/runs.ts';
import { utcValue } from '../../ical/values.ts';
import type { ByDay } from '../../opportunity/records.ts';
import type { Rule } from '../../recurrence/patterns.ts';
import { ruleEnd } from '../../recurrence/rule.ts';
import { DAY_MS, type Day } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { offsetAt, toInstant, toWall, type Wall, type Zone } from '../../time/zone.ts';
import { daysBetween } from './steps.ts';

/** A rule that fits Outlook, from one instance to another. */
export interface Range {
  rule: Rule;
  first: Day;
  /** Undefined: for ever. */
  last: Day | undefined;
  /** End it by COUNT: the publisher said how many, not until when. */
  counted: boolean;
}

const FREQ: Record<Rule['unit'], string> = {
  second: 'SECONDLY',
  minute: 'MINUTELY',
  hour: 'HOURLY',
  day: 'DAILY',
  week: 'WEEKLY',
  month: 'MONTHLY',
  year: 'YEARLY',
};
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The RRULE value (RFC 5545 3.3.10). */
export function rruleValue(range: Range, z: Zone): string {
  return ruleWith(range.rule, rruleEnd(range, z));
}

/** Any rule of a schedule as it stands, for people to read: not all of them may be written into a calendar. */
export function ruleText(rule: Rule, z: Zone): string {
  const end = rule.lastDay === undefined ? undefined : ruleEnd(rule);
  if (end !== undefined) return ruleWith(rule, `;UNTIL=${utcValue(toInstant(z, end * DAY_MS + rule.time * 1000))}`);
  return ruleWith(rule, rule.count === undefined ? '' : `;COUNT=${rule.count}`);
}

function ruleWith({ unit, every, byMonth, byMonthDay, byDay }: Rule, end: string): string {
  let value = `FREQ=${FREQ[unit]}${end}`;
  if (every > 1) value += `;INTERVAL=${every}`;
  if (byMonth.length > 0) value += `;BYMONTH=${byMonth.join()}`;
  if (byMonthDay.length > 0) value += `;BYMONTHDAY=${byMonthDay.join()}`;
  if (byDay.length > 0) value += `;BYDAY=${byDay.map(dayValue).join()}`;
  // With an interval it matters where the week begins, and not all readers have the RFC's Monday as their default.
  return unit === 'week' && every > 1 && byDay.length > 1 ? `${value};WKST=MO` : value;
}

function dayValue({ day, ordinal }: ByDay): string {
  return `${ordinal ?? ''}${DAYS[day]}`;
}

function rruleEnd({ rule, first, last, counted }: Range, z: Zone): string {
  if (last === undefined) return '';
  const time = rule.time * 1000;
  const until = counted ? undefined : untilOf(z, first * DAY_MS + time, last * DAY_MS + time);
  if (until !== undefined) return `;UNTIL=${utcValue(until)}`;
  return `;COUNT=${daysBetween(rule, first, last).length}`;
}

/**
 * UNTIL that all readers take alike: some compare it with wall time, read as UTC or at DTSTART's offset, so it is that late
 * where it can be (feed rule 10). It stays on the last instance's local date, for some look only at the date. Near
 * midnight there may be no such instant: undefined, and COUNT is what all agree on.
 */
export function untilOf(z: Zone, first: Wall, last: Wall): Instant | undefined {
  const exact = toInstant(z, last);
  const atFirst = last - offsetAt(z, toInstant(z, first));
  const candidates = [Math.max(exact, atFirst, last), Math.max(exact, atFirst)];
  return candidates.find((until) => Math.floor(toWall(z, until) / DAY_MS) === Math.floor(last / DAY_MS));
}

/** The RRULE of a run of opening hours; undefined when it is of one day only. */
export function weeklyRule({ first, last, days, start }: HoursRun, zone: Zone): string | undefined {
  if (first === last) return undefined;
  const byDay = days.map((day) => ({ day }));
  const rule = { unit: 'week', every: 1, byDay, byMonth: [], byMonthDay: [], firstDay: first, time: start } as const;
  return rruleValue({ rule, first, last, counted: false }, zone);
}
