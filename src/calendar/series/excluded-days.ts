import { type RawFinding, shown } from '../../opportunity/findings.ts';
import { wallOfInstance } from '../../recurrence/expand.ts';
import { isSubDay, occursAt, occursOn, ruleDays, ruleEnd } from '../../recurrence/rule.ts';
import { type EarlierInstance, earlierOf, type OrderedSchedule } from '../../recurrence/same-instance.ts';
import { DAY_MS, type Day, dateOfDay } from '../../time/days.ts';
import { type Instant, utcText } from '../../time/instant.ts';
import { TABLE_END, toInstant, wallsAt } from '../../time/zone.ts';
import { irregularDays } from '../rule/irregular.ts';

/** The last day on which a rule without end is expanded. */
export const HORIZON: Day = Math.floor(TABLE_END / DAY_MS);

/** Days whose instance is not there: excluded, or an earlier schedule's. Ascending; for rules of days. */
export function excludedDays(source: OrderedSchedule, findings: RawFinding[]): Day[] {
  const days = new Set(exceptedDays(source, findings));
  for (const day of repeatedDays(source, findings)) days.add(day);
  return [...days].sort((a, b) => a - b);
}

function* exceptedDays(source: OrderedSchedule, findings: RawFinding[]): Generator<Day> {
  const { schedule, rule, exclusions } = source;
  for (const { property, day, start, at, stated } of exclusions) {
    const path = `$.eventSchedule[${schedule.index}].${at}`;
    const value = shown(typeof stated === 'string' ? stated : utcText(stated));
    const own = day === undefined ? daysAt(source, start) : [day].filter((one) => occursOn(rule, one));
    yield* own;
    if (own.length === 0) findings.push({ code: 'exception-matches-nothing', path, facts: { property, value } });
    else if (start !== undefined && start !== stated) {
      findings.push({ code: 'except-date-in-local-time', path, facts: { value, used: utcText(start) } });
    } else if (day !== undefined && typeof stated === 'number') {
      findings.push({ code: 'except-date-at-midnight', path, facts: { value, used: dateOfDay(day) } });
    }
  }
}

/** Days of the instances that start at an instant: one, but for the hours that clocks leave out. */
function daysAt({ rule, zone: z }: OrderedSchedule, instant: Instant): Day[] {
  const walls = wallsAt(z, instant).filter((wall) => occursAt(rule, wall));
  return walls.map((wall) => Math.floor(wall / DAY_MS));
}

/** Days of the instances that an earlier schedule gives too; the first of each of those is a finding. */
function repeatedDays(source: OrderedSchedule, findings: RawFinding[]): Day[] {
  const days: Day[] = [];
  const repeated = new Set<string>();
  for (const day of metDays(source)) {
    const start = toInstant(source.zone, day * DAY_MS + source.rule.time * 1000);
    const earlier = earlierOf(source, start);
    if (earlier === undefined) continue;
    days.push(day);
    noteRepeated(source, start, earlier, findings, repeated);
  }
  return days;
}

/** One finding for each earlier schedule, and what is the same. */
export function noteRepeated(
  { schedule: { index } }: OrderedSchedule,
  start: Instant,
  { by, same }: EarlierInstance,
  findings: RawFinding[],
  repeated: Set<string>,
): void {
  const earlier = by.schedule.index;
  const size = repeated.size;
  if (repeated.add(`${earlier} ${same}`).size === size) return;
  const facts = { start: utcText(start), earlier, same };
  findings.push({ code: 'same-instance-twice', path: `$.eventSchedule[${index}]`, facts });
}

/** Days on which an earlier schedule may have an instance that starts together with this one's. */
function* metDays(source: OrderedSchedule): Generator<Day> {
  const { rule, earlier } = source;
  if (earlier.some((one) => mayCoincide(source, one))) {
    const last = Math.min(ruleEnd(rule) ?? HORIZON, HORIZON);
    yield* ruleDays(rule, rule.firstDay, last, Number.POSITIVE_INFINITY);
  } else if (earlier.length > 0) yield* daysMetByClocks(source);
}

/** At different times of day two rules meet only in the hour that the clocks leave out. */
function* daysMetByClocks(source: OrderedSchedule): Generator<Day> {
  const { rule, zone: z, duration, earlier } = source;
  for (const { day, occurs } of irregularDays(rule, z, duration)) if (occurs) yield day;
  for (const one of earlier) {
    for (const { day, occurs } of irregularDays(one.rule, one.zone, 0)) {
      const start = toInstant(one.zone, day * DAY_MS + one.rule.time * 1000);
      const wall = occurs ? wallOfInstance(source, start) : undefined;
      if (wall !== undefined) yield Math.floor(wall / DAY_MS);
    }
  }
}

function mayCoincide(a: OrderedSchedule, b: OrderedSchedule): boolean {
  return isSubDay(b.rule) || a.schedule.zone !== b.schedule.zone || a.rule.time === b.rule.time;
}
