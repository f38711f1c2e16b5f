import type { ByDay, RepeatUnit, Schedule } from '../opportunity/records.ts';
import type { Day } from './days.ts';
import type { Wall } from './zone.ts';

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
  readonly count?: number;
  /** Last local day on which an instance may start, inclusive. With `count`: whichever ends first. */
  readonly lastDay?: Day;
}

/** The rule of a schedule; undefined when it may not be expanded (a PartialSchedule, no start date, no start time). */
export function ruleOf(_schedule: Schedule): Rule | undefined {
  throw new Error('to come');
}

/** Whether the rule repeats within a day (hour, minute, second): such rules have walls, not days. */
export function isSubDay(rule: Rule): boolean {
  return rule.unit === 'hour' || rule.unit === 'minute' || rule.unit === 'second';
}

/**
 * Days of a rule in the closed range, ascending, at most `limit` of them (the earliest). COUNT is counted from the rule's
 * first day, whatever the range. Empty for rules that repeat within a day: see `ruleWalls`.
 */
export function ruleDays(_rule: Rule, _fromDay: Day, _toDay: Day, _limit: number): Day[] {
  throw new Error('to come');
}

/** Starts of a rule's instances as wall times in the closed range, ascending, at most `limit`; for rules of every unit. */
export function ruleWalls(_rule: Rule, _from: Wall, _to: Wall, _limit: number): Wall[] {
  throw new Error('to come');
}

/** The last day of a rule: by its COUNT or its `lastDay`, whichever is first; undefined when it goes on for ever. */
export function ruleEnd(_rule: Rule): Day | undefined {
  throw new Error('to come');
}

/** Whether a day has an instance of the rule (COUNT and end respected). */
export function occursOn(_rule: Rule, _day: Day): boolean {
  throw new Error('to come');
}

/** Whether a wall time is the start of an instance of the rule (COUNT and end respected). */
export function occursAt(_rule: Rule, _wall: Wall): boolean {
  throw new Error('to come');
}
