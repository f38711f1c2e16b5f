import { type RawFinding, shown } from '../opportunity/findings.ts';
import type { Instant, Series } from '../opportunity/records.ts';
import { DAY_MS, type Day, dayOfDate } from '../recurrence/days.ts';
import { type Expander, exceptedStart, expanderOf, wallOfInstance } from '../recurrence/expand.ts';
import { isSubDay, occursAt, occursOn, ruleDays, ruleEnd } from '../recurrence/rule.ts';
import { canonicalId, utcText } from '../recurrence/templates.ts';
import { TABLE_END, toInstant, wallsAt } from '../recurrence/zone.ts';
import { irregularDays } from './irregular.ts';

/** A schedule of a series, with the ones before it that may give the same occurrences. */
export interface Source extends Expander {
  /** An occurrence that one of these gives too is theirs (recurrence/overlay.ts). */
  earlier: readonly Source[];
}

/** As far as a rule without end is looked at day by day. */
export const HORIZON: Day = Math.floor(TABLE_END / DAY_MS);

export function sourcesOf({ schedules }: Series): Source[] {
  const groups = new Map<string, Source[]>();
  const sources: Source[] = [];
  for (const schedule of schedules) {
    const expander = expanderOf(schedule);
    if (expander === undefined) continue;
    const group = groupOf(expander);
    const earlier = groups.get(group) ?? [];
    const source = { ...expander, earlier };
    sources.push(source);
    groups.set(group, [...earlier, source]);
  }
  return sources;
}

/** Schedules of one group give the same occurrence when they give the same start, as the overlay has it. */
function groupOf({ schedule: { idTemplate }, duration }: Expander): string {
  if (idTemplate === undefined) return '';
  return `${idTemplate.includes('{endDate}') ? duration : ''} ${canonicalId(idTemplate)}`;
}

/** Whether an earlier schedule gives the occurrence that starts at an instant. */
export function isTaken({ earlier }: Source, start: Instant): boolean {
  return earlier.some((one) => {
    const wall = wallOfInstance(one, start);
    return wall !== undefined && !one.excludes(start, wall);
  });
}

/** Days whose instance is not there: named by exceptDate, or an earlier schedule's. Ascending; for rules of days. */
export function excludedDays(source: Source, findings: RawFinding[]): Day[] {
  const days = new Set(exceptedDays(source, findings));
  for (const day of takenDays(source)) days.add(day);
  return [...days].sort((a, b) => a - b);
}

function* exceptedDays(source: Source, findings: RawFinding[]): Generator<Day> {
  const { schedule, rule, zone: z } = source;
  for (const [index, one] of schedule.except.entries()) {
    const path = `$.eventSchedule[${schedule.index}].exceptDate[${index}]`;
    const value = shown('date' in one ? one.date : utcText(one.instant));
    const start = 'date' in one ? undefined : exceptedStart(rule, z, one.instant);
    const own =
      'date' in one ? [dayOfDate(one.date)].filter((day) => occursOn(rule, day)) : daysAt(source, start as Instant);
    yield* own;
    if (own.length === 0) findings.push({ code: 'exception-matches-nothing', path, facts: { value } });
    else if ('instant' in one && start !== one.instant) {
      const facts = { value, used: utcText(start as Instant) };
      findings.push({ code: 'except-date-in-local-time', path, facts });
    }
  }
}

/** Days of the instances that start at an instant: one, but for the hours that clocks leave out. */
function daysAt({ rule, zone: z }: Source, instant: Instant): Day[] {
  const walls = wallsAt(z, instant).filter((wall) => occursAt(rule, wall));
  return walls.map((wall) => Math.floor(wall / DAY_MS));
}

function* takenDays(source: Source): Generator<Day> {
  const { rule, zone: z, earlier } = source;
  const startOf = (day: Day): Instant => toInstant(z, day * DAY_MS + rule.time * 1000);
  if (earlier.some((one) => mayCoincide(source, one))) {
    for (const day of ruleDays(
      rule,
      rule.firstDay,
      Math.min(ruleEnd(rule) ?? HORIZON, HORIZON),
      Number.POSITIVE_INFINITY,
    )) {
      if (isTaken(source, startOf(day))) yield day;
    }
    return;
  }
  if (earlier.length > 0) yield* takenByClocks(source);
}

/** At different times of day two rules meet only in the hour that the clocks leave out. */
function* takenByClocks(source: Source): Generator<Day> {
  const { rule, zone: z, duration, earlier } = source;
  for (const { day, occurs } of irregularDays(rule, z, duration)) {
    if (occurs && isTaken(source, toInstant(z, day * DAY_MS + rule.time * 1000))) yield day;
  }
  for (const one of earlier) {
    for (const { day, occurs } of irregularDays(one.rule, one.zone, 0)) {
      const start = toInstant(one.zone, day * DAY_MS + one.rule.time * 1000);
      const wall = occurs && isTaken(source, start) ? wallOfInstance(source, start) : undefined;
      if (wall !== undefined) yield Math.floor(wall / DAY_MS);
    }
  }
}

function mayCoincide(a: Source, b: Source): boolean {
  return isSubDay(b.rule) || a.schedule.zone !== b.schedule.zone || a.rule.time === b.rule.time;
}
