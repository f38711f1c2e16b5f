import { occursOn, ruleDays } from '../../recurrence/rule.ts';
import type { Rule } from '../../recurrence/types.ts';
import { DAY_MS, type Day } from '../../time/days.ts';
import { formerGaps } from '../../time/former-gaps.ts';
import { isRegular, TABLE_END, toInstant, toWall, type Wall, type Zone } from '../../time/zone.ts';

/**
 * Instances that calendar programs read differently, because the clocks change in them (semantics 3.6). Their start does not
 * exist or comes twice, or their span ends at another time than the wall clock says. They are written as single events in UTC,
 * which all read alike.
 */
export type Regularity = 'regular' | 'gap' | 'fold' | 'span';

/** `gap`, `fold`: the start does not exist, or comes twice. `span`: the clocks change before the end, or the end comes twice. */
export function regularityOf(z: Zone, wall: Wall, length: number): Regularity {
  const start = toInstant(z, wall);
  if (!isRegular(z, wall)) return toWall(z, start) === wall ? 'fold' : 'gap';
  if (length === 0) return 'regular';
  const end = toWall(z, start + length);
  return end - wall === length && isRegular(z, end) ? 'regular' : 'span';
}

export interface IrregularDay {
  day: Day;
  kind: Exclude<Regularity, 'regular'>;
  /** False: the rule has no instance on it, but its time of day is one that the clocks leave out. */
  occurs: boolean;
}

/**
 * Days within a rule on which an instance is not regular, or would not exist, ascending. The zone table has an end, and a
 * rule without end is followed until there.
 */
export function irregularDays(rule: Rule, z: Zone, length: number): IrregularDay[] {
  const found: IrregularDay[] = [];
  const time = rule.time * 1000;
  const last = rule.lastDay ?? Math.floor(TABLE_END / DAY_MS);
  let from = rule.firstDay;
  for (const [index, change] of z.transitions.entries()) {
    const [before, after] = [z.offsets[index] as number, z.offsets[index + 1] as number];
    // Starts from which a span could reach the change, and those in the hours that it adds or takes.
    const earliest = Math.floor((change + Math.min(before, after) - length - time) / DAY_MS);
    const nearest = Math.max(from, Math.floor((change + Math.min(before, after) - time) / DAY_MS));
    const latest = Math.min(last, Math.floor((change + Math.max(before, after) - time) / DAY_MS));
    if (earliest > last) break;
    const reaching = ruleDays(rule, Math.max(from, earliest), Math.min(last, nearest - 1), Number.POSITIVE_INFINITY);
    for (let day = nearest; day <= latest; day++) reaching.push(day);
    for (const day of reaching) {
      const kind = regularityOf(z, day * DAY_MS + time, length);
      if (kind === 'regular') continue;
      const occurs = day < nearest || occursOn(rule, day);
      if (occurs || kind === 'gap') found.push({ day, kind, occurs });
    }
    from = Math.max(nearest, latest + 1);
  }
  return withFormerGaps(found, rule, z, last);
}

/** Adds starts in former gaps: they exist by the zone's rules of today, and not for readers with older rules. */
function withFormerGaps(found: IrregularDay[], rule: Rule, z: Zone, last: Day): IrregularDay[] {
  const former = formerGaps(z).flatMap(({ from, to }): IrregularDay[] => {
    const day = Math.floor((to - 1 - rule.time * 1000) / DAY_MS);
    const isIn = day * DAY_MS + rule.time * 1000 >= from && day >= rule.firstDay && day <= last;
    return isIn && found.every((one) => one.day !== day) ? [{ day, kind: 'gap', occurs: occursOn(rule, day) }] : [];
  });
  return former.length === 0 ? found : [...found, ...former].sort((a, b) => a.day - b.day);
}
