import { civilOf, DAY_MS, type Day, dayOf, monthLength, weekdayOf } from './days.ts';
import type { Instant, Weekday } from './instant.ts';
import type { Wall, Zone } from './zone.ts';

/** Yearly changes of the clocks, as in zone rules and VTIMEZONE (RFC 5545 3.6.5). */

/** One onset that returns every year: `n`th (or last) weekday of a month at a wall time. */
export interface YearlyRule {
  month: number;
  weekday: Weekday;
  /** Milliseconds after local midnight, by the offset before the change. */
  time: number;
  before: number;
  after: number;
  /** Which ordinals fit all onsets so far, as bits 1 … 4, and bit 5 for the last. */
  ordinals: number;
  year: number;
}

const LAST = 1 << 5;

/** The yearly rule that fits a single transition. */
export function ruleAt(z: Zone, index: number): YearlyRule {
  const before = z.offsets[index] as number;
  const onset = onsetAt(z, index);
  const day = Math.floor(onset / DAY_MS);
  const { year, month, date } = civilOf(day);
  const isLast = date > monthLength(year, month) - 7;
  const ordinals = (date <= 28 ? 1 << Math.ceil(date / 7) : 0) | (isLast ? LAST : 0);
  const after = z.offsets[index + 1] as number;
  return { month, weekday: weekdayOf(day), time: onset - day * DAY_MS, before, after, ordinals, year };
}

/** Wall time of a change, by the offset before it, in whole minutes. ICU has some changes of Jerusalem a second late. */
export function onsetAt(z: Zone, index: number): Wall {
  const wall = (z.transitions[index] as Instant) + (z.offsets[index] as number);
  return Math.floor(wall / 60_000) * 60_000;
}

/** The rule with one more onset a year earlier; undefined where the earlier onset follows another rule. */
export function join(rule: YearlyRule, earlier: YearlyRule): YearlyRule | undefined {
  const ordinals = rule.ordinals & earlier.ordinals;
  const same =
    ordinals !== 0 &&
    earlier.year === rule.year - 1 &&
    earlier.month === rule.month &&
    earlier.weekday === rule.weekday &&
    earlier.time === rule.time &&
    earlier.before === rule.before &&
    earlier.after === rule.after;
  return same ? { ...earlier, ordinals } : undefined;
}

/** The ordinal of the weekday within its month: 1 … 4, or -1 for the last. */
export function ordinalOf({ ordinals }: YearlyRule): number {
  return ordinals & LAST ? -1 : Math.log2(ordinals & -ordinals);
}

/** Wall time of the onset in a year, by the offset before it. */
export function onsetIn(year: number, rule: YearlyRule): Wall {
  return dayInYear(year, rule) * DAY_MS + rule.time;
}

function dayInYear(year: number, rule: YearlyRule): Day {
  const ordinal = ordinalOf(rule);
  // The first of the seven days that hold the nth weekday.
  const week = ordinal === -1 ? monthLength(year, rule.month) - 6 : ordinal * 7 - 6;
  const day = dayOf(year, rule.month, week);
  return day + ((rule.weekday - weekdayOf(day) + 7) % 7);
}
