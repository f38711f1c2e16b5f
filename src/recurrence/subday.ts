import { DAY_MS } from './days.ts';
import { LAST_DAY, MAX_CANDIDATES } from './generate.ts';
import { dayFilter } from './patterns.ts';
import type { Rule } from './rule.ts';
import type { Wall } from './zone.ts';

const UNIT_MS: Partial<Record<Rule['unit'], number>> = { hour: 3_600_000, minute: 60_000, second: 1000 };

/** An hourly, minutely or secondly rule as steps of wall time; BY… parts limit whole days of them. */
interface Steps {
  origin: Wall;
  size: number;
  /** Last wall time by the rule's last day. */
  last: Wall;
  passes: ((day: number) => boolean) | undefined;
}

function stepsOf(rule: Rule): Steps {
  return {
    origin: rule.firstDay * DAY_MS + rule.time * 1000,
    size: rule.every * (UNIT_MS[rule.unit] ?? DAY_MS),
    last: ((rule.lastDay ?? LAST_DAY) + 1) * DAY_MS - 1,
    passes: dayFilter(rule, true),
  };
}

/** Starts in the closed range, ascending, at most `limit` and MAX_CANDIDATES. */
export function subDayWalls(rule: Rule, from: Wall, to: Wall, limit: number): Wall[] {
  const end = rule.count === undefined ? stepsOf(rule).last : lastSubDay(rule);
  return walk(stepsOf(rule), from, Math.min(to, end), limit);
}

/** Whether a wall time is the start of an instance. */
export function occursWithinDay(rule: Rule, wall: Wall): boolean {
  return subDayWalls(rule, wall, wall, 1).length > 0;
}

const lasts = new WeakMap<Rule, Wall>();

/** The last instance by COUNT and last day; before the first when there is none. */
export function lastSubDay(rule: Rule): Wall {
  let last = lasts.get(rule);
  if (last === undefined) {
    last = countedLast(stepsOf(rule), rule.count ?? 1);
    lasts.set(rule, last);
  }
  return last;
}

function countedLast(steps: Steps, count: number): Wall {
  if (steps.passes === undefined) return Math.min(steps.last, steps.origin + (count - 1) * steps.size);
  const walls = walk(steps, steps.origin, steps.last, count);
  return walls.at(-1) ?? steps.origin - 1;
}

/** Steps that fall on a day that does not pass are not looked at one by one: the walk goes on at the next midnight. */
function walk(steps: Steps, from: Wall, to: Wall, limit: number): Wall[] {
  const { origin, size, passes } = steps;
  const walls: Wall[] = [];
  let wall = stepFrom(steps, from);
  for (let looked = 0; wall <= to && walls.length < limit && looked < MAX_CANDIDATES; looked++) {
    const day = Math.floor(wall / DAY_MS);
    if (passes === undefined || passes(day)) {
      walls.push(wall);
      wall += size;
    } else wall = stepFrom({ origin, size }, (day + 1) * DAY_MS);
  }
  return walls;
}

/** The first step that is not before `from`. */
function stepFrom({ origin, size }: Pick<Steps, 'origin' | 'size'>, from: Wall): Wall {
  return origin + Math.max(0, Math.ceil((from - origin) / size)) * size;
}
