import type { OccurrenceCode } from '../../recurrence/explain.ts';
import type { AbsentCode, EventCode, ScheduleCode, StatusCode } from '../rule/reasons.ts';

export interface Item {
  feed: string;
  kind: string;
  id: string;
}

export interface ExplainedEvent {
  uid: string;
  /** `rule`: an event with RRULE; `override`: of one instance of such an event; `single`: neither. */
  form: 'rule' | 'override' | 'single';
  rrule?: string;
  /** TZID of its times, or UTC. */
  timezone: string;
  because: EventCode[];
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
  /** Start of the instance by the rule. */
  original?: string;
  exception?: { value: string; type: 'Date' | 'DateTime' };
  /** The item behind the occurrence: of the series for a generated one, of the session for an explicit one. */
  item?: Item;
  /** The item of the session that replaces or moves the instance. */
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
  /** The events of its rule; instances that are single events are left out. */
  events: ExplainedEvent[];
}

export type ItemOf = (kind: 'series' | 'session', id: string) => Item | undefined;
