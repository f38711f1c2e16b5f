import { civilOf, DAY_MS, type Day, dayOf, monthLength } from '../time/days.ts';
import type { Wall } from '../time/zone.ts';
import { generate, weekOf } from './generate.ts';
import { isSubDay } from './rule.ts';
import { type Starts, stepWalls } from './subday.ts';
import { positioned, timesOfDay } from './times.ts';
import type { FullRule } from './types.ts';

/**
 * Starts of a rule with any part of RFC 5545 3.3.10, as wall times in the closed range, ascending, at most `limit`. None is
 * before DTSTART, and DTSTART itself is one only where the rule gives it. COUNT and UNTIL are the caller's.
 */
export function starts(rule: FullRule, from: Wall, to: Wall, limit: number): Starts {
  const first = Math.max(from, rule.firstDay * DAY_MS + rule.time * 1000);
  if (isSubDay(rule)) return stepWalls(rule, first, to, limit);
  const walls: Wall[] = [];
  for (const wall of dayWalls(rule, first, to, limit)) {
    if (wall < first) continue;
    if (wall > to) break;
    if (walls.push(wall) >= limit) return { walls, complete: false };
  }
  return { walls, complete: true };
}

/** The starts of whole days. BYSETPOS counts within whole periods, so the period of DTSTART is read from its beginning. */
function* dayWalls(rule: FullRule, from: Wall, to: Wall, limit: number): Generator<Wall> {
  const times = timesOfDay(rule.time, rule.more);
  const wallsOf = (days: readonly Day[]) => days.flatMap((day) => times.map((time) => day * DAY_MS + time * 1000));
  const [firstDay, lastDay] = [Math.floor(from / DAY_MS), Math.floor(to / DAY_MS)];
  const bySetPos = rule.more?.bySetPos ?? [];
  // Two days more than `limit` needs, because times of the first day may precede the range.
  if (bySetPos.length === 0) return yield* wallsOf(generate(rule, firstDay, lastDay, limit / times.length + 2));
  for (let from = firstDay; ; ) {
    const [day] = generate(rule, from, lastDay, 1);
    if (day === undefined) return;
    const period = periodOf(rule, day);
    yield* positioned(bySetPos, wallsOf(generate(rule, period.first, period.last, 366)));
    from = period.last + 1;
  }
}

/** The day, week, month or year of a rule's unit that holds a day. */
function periodOf(rule: FullRule, day: Day): { first: Day; last: Day } {
  if (rule.unit === 'day') return { first: day, last: day };
  if (rule.unit === 'week') return { first: weekOf(rule, day), last: weekOf(rule, day) + 6 };
  const { year, month } = civilOf(day);
  if (rule.unit === 'year') return { first: dayOf(year, 1, 1), last: dayOf(year, 12, 31) };
  return { first: dayOf(year, month, 1), last: dayOf(year, month, monthLength(year, month)) };
}
