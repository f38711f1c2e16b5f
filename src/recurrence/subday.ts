import { perObject } from '../bounded-map.ts';
import { DAY_MS } from '../time/days.ts';
import type { Wall } from '../time/zone.ts';
import { dayFilter } from './by-parts.ts';
import { firstStep, LAST_DAY, MAX_CANDIDATES } from './generate.ts';
import { startsWithin } from './times.ts';
import type { FullRule, Rule } from './types.ts';

const UNIT_MS: Partial<Record<Rule['unit'], number>> = { hour: 3_600_000, minute: 60_000, second: 1000 };

/** Starts that were found, ascending; not `complete`: there may be more within the range than were tested. */
export interface Starts {
  walls: Wall[];
  complete: boolean;
}

/** An hourly, minutely or secondly rule as steps of wall time; BY… parts limit whole days of them. */
interface Steps {
  origin: Wall;
  size: number;
  passes: ((day: number) => boolean) | undefined;
  /** Starts within the hour, minute or second that begins with a step; absent: the step itself. */
  within: ((step: Wall) => readonly Wall[]) | undefined;
  /** How far from its step a start may be. */
  reach: number;
}

function stepsOf(rule: FullRule): Steps {
  const unit = UNIT_MS[rule.unit] ?? DAY_MS;
  const start = rule.firstDay * DAY_MS + rule.time * 1000;
  const base = { size: rule.every * unit, passes: dayFilter(rule) };
  if (rule.more === undefined) return { ...base, origin: start, within: undefined, reach: 0 };
  const rest = (rule.time * 1000) % unit;
  return { ...base, origin: start - rest, within: startsWithin(rule, rule.more), reach: unit - 1 };
}

/** Starts in the closed range, ascending, at most `limit` and MAX_CANDIDATES. */
export function subDayWalls(rule: Rule, from: Wall, to: Wall, limit: number): Wall[] {
  return stepWalls(rule, from, Math.min(to, rule.count === undefined ? lastWall(rule) : lastSubDay(rule)), limit).walls;
}

/** The starts of a full rule; the caller applies COUNT and UNTIL. */
export function stepWalls(rule: FullRule, from: Wall, to: Wall, limit: number): Starts {
  return walk(stepsOf(rule), from, to, limit);
}

/** Last wall time by the rule's last day, and by its last time on that day. */
function lastWall({ lastDay = LAST_DAY, lastTime }: Rule): Wall {
  return lastTime === undefined ? (lastDay + 1) * DAY_MS - 1 : lastDay * DAY_MS + lastTime * 1000;
}

/** The last instance by COUNT and last day; before the first when there is none. */
export const lastSubDay = perObject((rule: Rule): Wall => countedLast(stepsOf(rule), lastWall(rule), rule.count ?? 1));

/** The last start of a rule with a COUNT, no later than `last`. */
function countedLast(steps: Steps, last: Wall, count: number): Wall {
  if (steps.passes === undefined) return Math.min(last, steps.origin + (count - 1) * steps.size);
  return walk(steps, steps.origin, last, count).walls.at(-1) ?? steps.origin - 1;
}

/** Steps that fall on a day that does not pass are not tested one by one: the walk goes on at the next midnight. */
function walk(steps: Steps, from: Wall, to: Wall, limit: number): Starts {
  const { origin, size, passes, within, reach } = steps;
  const walls: Wall[] = [];
  let step = firstStep(origin, from - reach, size);
  for (let tried = 0; step <= to && walls.length < limit && tried < MAX_CANDIDATES; tried++) {
    const day = Math.floor(step / DAY_MS);
    if (passes !== undefined && !passes(day)) {
      step = firstStep(origin, (day + 1) * DAY_MS, size);
      continue;
    }
    for (const wall of within?.(step) ?? [step]) {
      if (wall >= from && wall <= to && walls.length < limit) walls.push(wall);
    }
    step += size;
  }
  return { walls, complete: step > to && walls.length < limit };
}
