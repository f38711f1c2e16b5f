import { DAY_MS, type Day } from '../recurrence/days.ts';
import { occursOn, type Rule } from '../recurrence/rule.ts';
import { isRegular, TABLE_END, toInstant, toWall, type Wall, type Zone } from '../recurrence/zone.ts';

/**
 * Instances that calendar programs read differently, because the clocks change in them (the judges' notes; clients.md 4):
 * a start that does not exist or comes twice, and a span whose end is not what the wall clock says it is. They are
 * written as single events in UTC, which all read alike.
 */
export type Regularity = 'regular' | 'hour' | 'span';

/** `hour`: the start lies in a gap or a fold. `span`: the clocks change between start and end, or the end comes twice. */
export function regularityOf(z: Zone, wall: Wall, length: number): Regularity {
  if (!isRegular(z, wall)) return 'hour';
  if (length === 0) return 'regular';
  const end = toWall(z, toInstant(z, wall) + length);
  return end - wall === length && isRegular(z, end) ? 'regular' : 'span';
}

/**
 * Days of a rule whose instances are not regular, ascending. Known as far as the zone table goes; a rule without end is
 * looked at until there.
 */
export function irregularDays(rule: Rule, z: Zone, length: number): { day: Day; kind: 'hour' | 'span' }[] {
  const found: { day: Day; kind: 'hour' | 'span' }[] = [];
  const time = rule.time * 1000;
  const last = rule.lastDay ?? Math.floor(TABLE_END / DAY_MS);
  let from = rule.firstDay;
  for (const [index, change] of z.transitions.entries()) {
    const [before, after] = [z.offsets[index] as number, z.offsets[index + 1] as number];
    // Starts from which a span could reach the change, and those in the hours that it adds or takes.
    const earliest = Math.floor((change + Math.min(before, after) - length - time) / DAY_MS);
    const latest = Math.floor((change + Math.max(before, after) - time) / DAY_MS);
    if (earliest > last) break;
    for (let day = Math.max(from, earliest); day <= Math.min(latest, last); day++) {
      const kind = regularityOf(z, day * DAY_MS + time, length);
      if (kind !== 'regular' && occursOn(rule, day)) found.push({ day, kind });
      from = day + 1;
    }
  }
  return found;
}
