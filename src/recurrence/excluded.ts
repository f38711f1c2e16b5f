import type { Schedule } from '../opportunity/records.ts';
import { DAY_MS, type Day, dayOfDate } from '../time/days.ts';
import type { Instant, LocalDate } from '../time/instant.ts';
import { toInstant, toWall, wallsAt, type Zone } from '../time/zone.ts';
import { occursAt, occursOn } from './rule.ts';
import type { Rule } from './types.ts';

/** A local day, whose instances are taken away, or the start of the one that is. */
type Excluded = { day: Day; start?: undefined } | { start: Instant; day?: undefined };

/** What takes instances away from a rule. */
export type Exclusion = Excluded & {
  /** The property that states it, and its path in the Schedule: `exceptDate[0]`. */
  property: string;
  at: string;
  /** The date or instant as it is written. */
  stated: LocalDate | Instant;
};

/**
 * All that takes instances away from the rule of a Schedule (semantics 3.2). Occurrences, EXDATE, findings and explanations
 * ask this alone: a property that takes dates away adds its exclusions here. Pure.
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
    return { ...meantBy(rule, zone, one.instant), ...from, stated: one.instant };
  });
}

/**
 * What an instant in `exceptDate` means. Where no instance starts then but one starts at that local time, the publisher wrote
 * local time with a Z, and means that one. Where none does, a midnight in UTC or there is its date (semantics 3.2).
 */
function meantBy(rule: Rule, zone: Zone, instant: Instant): Excluded {
  const isInstance = wallsAt(zone, instant).some((wall) => occursAt(rule, wall));
  if (isInstance) return { start: instant };
  if (occursAt(rule, instant)) return { start: toInstant(zone, instant) };
  const midnight = [instant, toWall(zone, instant)].find((wall) => wall % DAY_MS === 0);
  const day = midnight === undefined ? undefined : midnight / DAY_MS;
  return day !== undefined && occursOn(rule, day) ? { day } : { start: instant };
}
