import { perObject } from '../bounded-map.ts';
import type { Schedule } from '../opportunity/records.ts';
import { DAY_MS, type Day } from '../time/days.ts';
import type { Instant } from '../time/instant.ts';
import { toInstant, toWall, type Wall, wallsAt, wallsBetween, type Zone, zone } from '../time/zone.ts';
import { type Exclusion, excludedBy } from './excluded.ts';
import { LAST_DAY } from './generate.ts';
import { isSubDay, occursAt, ruleOf, ruleWalls } from './rule.ts';
import type { Rule } from './types.ts';

/** One instance of a schedule's rule. */
export interface Instance {
  /** Start in the schedule's zone. */
  wall: Wall;
  start: Instant;
  /** `start` plus the schedule's duration in exact elapsed time, or `endTime` by the clock; `start` itself without either. */
  end: Instant;
  /** Whether an exclusion of the schedule removes the instance (semantics 3.2). */
  excluded: boolean;
  /** `Schedule.index`. */
  schedule: number;
}

/** A schedule ready to be asked for instances: its rule, zone and exclusions read once. */
export interface Expander {
  readonly schedule: Schedule;
  readonly rule: Rule;
  readonly zone: Zone;
  /** Milliseconds; 0 without an end. With `endsByClock`, the length on days when the clocks do not change. */
  readonly duration: number;
  /** The end of the instance with this start. */
  endOf(start: Instant, wall: Wall): Instant;
  excludes(start: Instant, wall: Wall): boolean;
  exclusion(start: Instant, wall: Wall): Exclusion | undefined;
  /** Each exclusion removes one instance at most of a rule that does not repeat within a day. */
  readonly exclusions: readonly Exclusion[];
}

/**
 * The instances of a Schedule that overlap [from, to), ascending; none where it may not be expanded. An instance overlaps with
 * start < to and end > from, and one without length with from ≤ start < to. Excluded instances are listed, as `excluded`.
 *
 * @example
 * ```ts
 * for (const schedule of series.schedules) console.log(instances(schedule, Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)));
 * ```
 */
export function instances(schedule: Schedule, from: Instant, to: Instant): Instance[] {
  const expander = expanderOf(schedule);
  return expander === undefined ? [] : instancesOf(expander, from, to);
}

/** Undefined for a schedule that may not be expanded (semantics 3). */
export function expanderOf(schedule: Schedule): Expander | undefined {
  const rule = ruleOf(schedule);
  const z = zone(schedule.zone);
  if (rule === undefined || z === undefined) return undefined;
  const duration = Math.max(0, schedule.duration ?? 0);
  const endOf = schedule.endsByClock === true ? endByClock(z, duration) : (start: Instant) => start + duration;
  return { schedule, rule, zone: z, duration, endOf, ...exclusionIndex(excludedBy(schedule, rule, z)) };
}

/** The end at `endTime`, a wall time. Where the clocks skip the start, the end may precede it: then the length is exact. */
function endByClock(z: Zone, length: number): Expander['endOf'] {
  return (start, wall) => {
    const end = toInstant(z, wall + length);
    return end > start ? end : start + length;
  };
}

/** The longest an instance may last, in milliseconds: clocks go back by a day at most before an end by the clock. */
export function reachOf({ schedule, duration }: Expander): number {
  return duration + (schedule.endsByClock === true ? DAY_MS : 0);
}

type ExclusionIndex = Pick<Expander, 'excludes' | 'exclusion' | 'exclusions'>;

const NO_EXCLUSIONS: ExclusionIndex = { excludes: () => false, exclusion: () => undefined, exclusions: [] };

function exclusionIndex(exclusions: readonly Exclusion[]): ExclusionIndex {
  if (exclusions.length === 0) return NO_EXCLUSIONS;
  const starts = new Map<Instant, Exclusion>();
  const days = new Map<Day, Exclusion>();
  for (const one of exclusions) {
    if (one.day === undefined) starts.set(one.start, one);
    else days.set(one.day, one);
  }
  const exclusion: ExclusionIndex['exclusion'] = (start, wall) =>
    starts.get(start) ?? days.get(Math.floor(wall / DAY_MS));
  return { exclusion, excludes: (start, wall) => exclusion(start, wall) !== undefined, exclusions };
}

/** Most instances of a rule repeating within a day in one call: as single events they would fill a calendar (feed rule 29). */
export const MAX_WITHIN_DAY = 3000;

/** Like `instances`, for an expander that several windows share. `most` limits only rules that repeat within a day. */
export function instancesOf(expander: Expander, from: Instant, to: Instant, most: number = MAX_WITHIN_DAY): Instance[] {
  const { rule, zone: z, duration, schedule } = expander;
  const found: Instance[] = [];
  const [first, last] = wallsBetween(z, from - reachOf(expander), to);
  const enough = isSubDay(rule) ? most : Number.POSITIVE_INFINITY;
  let [starts, latest, isAscending] = [0, Number.NEGATIVE_INFINITY, true];
  for (const wall of wallsOf(rule, first, last, enough)) {
    const start = toInstant(z, wall);
    const end = expander.endOf(start, wall);
    if (start >= to || (duration === 0 ? start < from : end <= from)) continue;
    found.push({ wall, start, end, excluded: expander.excludes(start, wall), schedule: schedule.index });
    if (start <= latest) {
      isAscending = false;
      continue;
    }
    [starts, latest] = [starts + 1, start];
    // What comes later starts later, except where the clocks skip this wall time.
    if (starts >= enough && toWall(z, start) === wall) break;
  }
  const inOrder = isAscending ? found : ordered(found);
  return inOrder.length > enough ? inOrder.slice(0, enough) : inOrder;
}

/** The starts of a rule as wall times, worked out `some` at a time. */
function* wallsOf(rule: Rule, from: Wall, to: Wall, some: number): Generator<Wall> {
  for (let next: Wall | undefined = from; next !== undefined; ) {
    const walls = ruleWalls(rule, next, to, some);
    yield* walls;
    next = walls.length < some ? undefined : (walls.at(-1) as Wall) + 1;
  }
}

/** Sorts instances, one for each start. A wall time in a gap gives the start of a later one: hourly in March, daily in Apia 2011. */
function ordered(found: Instance[]): Instance[] {
  found.sort((a, b) => a.start - b.start || a.wall - b.wall);
  return found.filter((one, i) => i === 0 || (found[i - 1] as Instance).start !== one.start);
}

/** Whether a schedule generates an occurrence: its rule has an instance that is not excluded. */
export const yieldsAny = perObject((schedule: Schedule): boolean => {
  const expander = expanderOf(schedule);
  return expander !== undefined && hasStart(expander);
});

/** Whether a rule has a start that is not excluded. One start more than there are exclusions is enough to know. */
function hasStart({ rule, zone: z, excludes, exclusions }: Expander): boolean {
  const starts = (most: number) => ruleWalls(rule, rule.firstDay * DAY_MS, (LAST_DAY + 1) * DAY_MS, most);
  const isLeft = (wall: Wall) => !excludes(toInstant(z, wall), wall);
  const [first] = starts(1);
  if (first === undefined || isLeft(first)) return first !== undefined;
  const most = isSubDay(rule) ? MAX_WITHIN_DAY : exclusions.length + 1;
  const some = starts(most);
  return some.length === most || some.some(isLeft);
}

/** The wall time of the instance that starts at an instant, excluded ones too; undefined when there is none. */
export function wallOfInstance({ zone: z, rule }: Expander, start: Instant): Wall | undefined {
  return wallsAt(z, start).find((wall) => occursAt(rule, wall));
}
