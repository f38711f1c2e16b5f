import type { ByDay, RepeatUnit } from '../opportunity/records.ts';
import type { Day } from '../time/days.ts';
import type { Weekday } from '../time/instant.ts';

/**
 * A recurrence rule as RFC 5545 3.3.10 means it, WKST=MO, on wall time. DTSTART = `firstDay` + `time`.
 * A first day that does not match the rule is not an instance.
 */
export interface Rule {
  readonly unit: RepeatUnit;
  /** INTERVAL, at least 1. */
  readonly every: number;
  readonly byDay: readonly ByDay[];
  /** 1 … 12. */
  readonly byMonth: readonly number[];
  /** ±1 … ±31. */
  readonly byMonthDay: readonly number[];
  readonly firstDay: Day;
  /** Seconds since local midnight. */
  readonly time: number;
  /** COUNT: instances, excluded ones too. */
  readonly count?: number | undefined;
  /** Last local day on which an instance may start, inclusive. With `count`: whichever ends first. */
  readonly lastDay?: Day | undefined;
  /** Last time on `lastDay`, in seconds since local midnight, of a rule that repeats within a day; absent: its end. */
  readonly lastTime?: number;
  /** Only a `FullRule` has more parts. */
  readonly more?: undefined;
}

/** The parts of RFC 5545 3.3.10 that no Schedule has; an empty list is an absent part. */
export interface MoreParts {
  readonly byHour: readonly number[];
  readonly byMinute: readonly number[];
  readonly bySecond: readonly number[];
  readonly byYearDay: readonly number[];
  readonly byWeekNo: readonly number[];
  readonly bySetPos: readonly number[];
  /** WKST. */
  readonly weekStart: Weekday;
}

/** A rule of any calendar, for `starts`. Its COUNT and UNTIL are the caller's. */
export interface FullRule extends Omit<Rule, 'count' | 'lastDay' | 'lastTime' | 'more'> {
  readonly more?: MoreParts | undefined;
}
