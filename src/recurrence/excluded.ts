import type { Schedule } from '../opportunity/records.ts';
import { DAY_MS, type Day, dayOfDate } from '../time/days.ts';
import type { Instant, LocalDate } from '../time/instant.ts';
import { toInstant, toWall, wallsAt, type Zone } from '../time/zone.ts';
import { occursAt, occursOn } from './rule.ts';
import type { Rule } from './types.ts';

/** What an exclusion removes: the instances of a local day, or the instance that begins at `start`. */
type Excluded = { day: Day; start?: undefined } | { start: Instant; day?: undefined };

/** A date or instant of the Schedule that removes instances of its rule. */
export type Exclusion = Excluded & {
  /** The property that states it, and its path in the Schedule: `exceptDate[0]`. */
  property: string;
  at: string;
  /** The date or instant as it is written. */
  stated: LocalDate | Instant;
};

/**
 * The exclusions of a Schedule (semantics 3.2). Occurrences, EXDATE, findings and explanations all read this list, so a
 * new property that removes dates adds its exclusions here. Pure.
 *
 * @example
 * ```ts
 * for (const { at, stated } of excludedBy(schedule, rule, zone)) console.log(at, stated);
 * ```
 */
export function excludedBy({ except }: Schedule, rule: Rule, zone: Zone): Exclusion[] {
  return except.map((one, index): Exclusion => {
    const from = { property: 'exceptDate', at: one.at ?? `exceptDate[${index}]` };
    if ('date' in one) return { day: dayOfDate(one.date), ...from, stated: one.date };
    return { ...removedBy(one.instant, rule, zone), ...from, stated: one.instant };
  });
}

/**
 * What an instant in `exceptDate` removes (semantics 3.2): the instance that starts at it. Some publishers write local time
 * with a Z, so the instance at that local time comes next. A midnight, in UTC or local time, then removes its whole day.
 */
function removedBy(instant: Instant, rule: Rule, zone: Zone): Excluded {
  const isInstance = wallsAt(zone, instant).some((wall) => occursAt(rule, wall));
  if (isInstance) return { start: instant };
  if (occursAt(rule, instant)) return { start: toInstant(zone, instant) };
  const midnight = [instant, toWall(zone, instant)].find((wall) => wall % DAY_MS === 0);
  const day = midnight === undefined ? undefined : midnight / DAY_MS;
  return day !== undefined && occursOn(rule, day) ? { day } : { start: instant };
}
