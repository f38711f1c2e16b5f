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

/** Days whose instance a rule of days leaves out: it is excluded, or an earlier schedule gives it. Ascending. */
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
    const removed = day === undefined ? daysAt(source, start) : [day].filter((one) => occursOn(rule, one));
    yield* removed;
    if (removed.length === 0) findings.push({ code: 'exception-matches-nothing', path, facts: { property, value } });
    else if (start !== undefined && start !== stated) {
      findings.push({ code: 'except-date-in-local-time', path, facts: { value, used: utcText(start) } });
    } else if (day !== undefined && typeof stated === 'number') {
      findings.push({ code: 'except-date-at-midnight', path, facts: { value, used: dateOfDay(day) } });
    }
  }
}

/** Days of the instances that start at an instant: one, except after an hour that the clocks skip. */
function daysAt({ rule, zone: z }: OrderedSchedule, instant: Instant): Day[] {
  const walls = wallsAt(z, instant).filter((wall) => occursAt(rule, wall));
  return walls.map((wall) => Math.floor(wall / DAY_MS));
}

/** Days of the instances that an earlier schedule gives too, with a finding for each such schedule. */
function repeatedDays(source: OrderedSchedule, findings: RawFinding[]): Day[] {
  const days: Day[] = [];
  const repeated = new Set<string>();
  for (const day of daysInCommon(source)) {
    const start = toInstant(source.zone, day * DAY_MS + source.rule.time * 1000);
    const earlier = earlierOf(source, start);
    if (earlier === undefined) continue;
    days.push(day);
    noteRepeated(source, start, earlier, findings, repeated);
  }
  return days;
}

/** Adds one finding for each earlier schedule and kind of sameness. `repeated`: the pairs that have one. */
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
function* daysInCommon(source: OrderedSchedule): Generator<Day> {
  const { rule, earlier } = source;
  if (earlier.some((one) => mayCoincide(source, one))) {
    const last = Math.min(ruleEnd(rule) ?? HORIZON, HORIZON);
    yield* ruleDays(rule, rule.firstDay, last, Number.POSITIVE_INFINITY);
  } else if (earlier.length > 0) yield* daysInCommonByClocks(source);
}

/** Rules of different times of day start together only after an hour that the clocks skip. */
function* daysInCommonByClocks(source: OrderedSchedule): Generator<Day> {
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
