import type { Series, Session } from '../../opportunity/records.ts';
import type { OccurrenceCode } from '../../recurrence/explain.ts';
import type { CalendarEvent } from '../objects.ts';
import type { AloneCode, SplitCode, UnwrittenCode } from '../rule/reasons.ts';
import type { Trace } from '../series/trace.ts';

/** An RPDE item. */
export interface Item {
  feed: string;
  kind: string;
  id: string;
}

/** Why an occurrence that is shown is in no event of the calendar. */
export type AbsentCode =
  | UnwrittenCode
  /** Clients take no more (feed rule 29). */
  | 'calendar-too-large'
  /** A rule that no program's rule holds, beyond what is written one by one. */
  | 'too-many-single-events'
  /** Later than the years that are written one by one. */
  | 'beyond-horizon';

/** What a status, or a time that is the schedule's, adds to the reasons of a row. */
export type StatusCode =
  | 'time-from-schedule'
  | 'cancelled'
  | 'postponed'
  | 'rescheduled'
  | 'series-cancelled'
  | 'series-postponed';

/** Why a schedule gives no occurrence (semantics 3). */
export type ScheduleCode = 'partial-schedule' | 'no-start-date' | 'no-start-time' | 'too-many-schedules';

export interface ExplainedEvent {
  uid: string;
  /** `rule`: repeats; `override`: of one instance of such an event; `single`: stands alone. */
  form: 'rule' | 'override' | 'single';
  rrule?: string;
  /** TZID of its times, or UTC. */
  timezone: string;
  because: (SplitCode | AloneCode)[];
  sentence: string;
}

/** One row: the fields of an occurrence as `expand` lists it, and why. Moments are `YYYY-MM-DDThh:mm:ssZ`. */
export interface ExplainedRow {
  id: string | null;
  type: string;
  /** In UTC; of whole days their first date, and the one after the last. */
  start: string;
  end: string;
  allDay?: true;
  url: string | null;
  name: string | null;
  status: string;
  source: 'generated' | 'explicit';
  shown: boolean;
  because: (OccurrenceCode | StatusCode | AbsentCode)[];
  sentence: string;
  /** JSON path of the schedule in the item of the series. */
  schedule?: string;
  /** Start of the instance as the rule has it. */
  original?: string;
  exception?: { value: string; type: 'Date' | 'DateTime' };
  /** What says so: the item of the series for a generated occurrence, that of the session for an explicit one. */
  item?: Item;
  /** The item that replaces or moves it. */
  replacedBy?: Item;
  events: ExplainedEvent[];
}

export interface ExplainedSchedule {
  path: string;
  expanded: boolean;
  because: ScheduleCode[];
  words: string | null;
  rrule: string | null;
  timezone: string;
  sentence: string;
  /** The events that it has become, but for instances that stand alone. */
  events: ExplainedEvent[];
}

export interface Explainable {
  /** With effective details. */
  series: Series;
  sessions: readonly Session[];
  /** Of the plan whose events are `written`. */
  trace: Trace;
  written: readonly CalendarEvent[];
  /** The default zone. */
  zone: string;
}

/** Which item says a record. */
export type ItemOf = (kind: 'series' | 'session', id: string) => Item | undefined;

export interface Carried {
  event?: ExplainedEvent;
  absent?: AbsentCode;
}
