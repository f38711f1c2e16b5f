import type { TimedSession } from '../../opportunity/records.ts';

/** Why one schedule has become several events with a rule (feed rules 7 and 14). */
export type SplitCode =
  /** Every n days on given weekdays: Outlook has no such template, so each weekday has a rule of its own. */
  | 'weekday-of-interval'
  /** Outlook holds one day of the month in a rule, or one nth weekday, or one month of the year. */
  | 'month-day'
  | 'nth-weekday'
  | 'weekly-and-monthly'
  | 'month-of-year'
  /** DAILY and WEEKLY have no months: one rule for each run of months. */
  | 'season'
  /** Instances overlap: Outlook wants one to end before the next begins, so rules take turns. */
  | 'overlap'
  /** An earlier schedule gives the same dates for ever, which EXDATEs cannot say. */
  | 'same-as-earlier-schedule'
  /** The rule stops before a night on which programs disagree about its hour, and goes on after it. */
  | 'clock-change';

/** Why an occurrence is an event of its own, without a rule. */
export type AloneCode =
  /** A session that stands for no instance (semantics 4.3). */
  | 'no-instance'
  /** The clocks change in it. */
  | 'clock-change'
  /** Its start is a date: a rule of times can have no such override. */
  | 'whole-days'
  /** Old readers do not see an override of the first instance. */
  | 'first-instance'
  /** Old readers lose count over overrides of a rule with COUNT. */
  | 'counted-rule'
  /** Moved past a neighbour, or onto its day: Outlook's store cannot hold it (semantics 4.4). */
  | 'past-neighbour'
  /** Repeats within a day: no program's rule holds it. */
  | 'within-a-day'
  /** On a date that no Outlook template gives. */
  | 'no-template'
  /** An interval longer than Outlook takes. */
  | 'long-interval'
  /** Left over where an earlier schedule gives the other dates. */
  | 'same-as-earlier-schedule';

/** Why a session is not written. */
export type UnwrittenCode =
  /** Cancelled more than 30 days ago (semantics 4.5). */
  | 'cancelled-long-ago'
  /** Before 1970 or after 2200. */
  | 'implausible-date'
  /** Not asked for. */
  | 'outside-window';

/** A session that cannot be an override, and why. */
export interface Detached {
  session: TimedSession;
  because: AloneCode;
}
