import type { EventStatus, Instant, Series, Session } from '../opportunity/records.ts';
import type { Wall } from './zone.ts';

/** The generated instance an explicit session stands for. */
export interface Match {
  /** `Schedule.index`. */
  schedule: number;
  /** Original start in the schedule's zone. */
  wall: Wall;
  /** Original start. */
  start: Instant;
}

/** One occurrence of a series as a reader of the feed sees it. */
export interface Occurrence {
  /** `@id`: filled from the template, or the session's if it states one. */
  id?: string;
  type: string;
  start: Instant;
  end: Instant;
  url?: string;
  name?: string;
  status: EventStatus;
  source: 'generated' | 'explicit';
  /** `Schedule.index` of what generated it, or of the instance the explicit session stands for. */
  schedule?: number;
  /** Start of the generated instance, also where the explicit session has moved. */
  original?: Instant;
  /** `Session.id` of an explicit occurrence, stated or standing in. */
  session?: string;
}

/** Which generated instance each explicit session of the series stands for (semantics 4.1, 4.2), keyed by `Session.id`. */
export function matchSessions(_series: Series, _sessions: readonly Session[]): Map<string, Match> {
  throw new Error('to come');
}

/**
 * The occurrences of a series that overlap [from, to), explicit sessions laid over generated ones (semantics 4), sorted by
 * start, then id. `series.details` must be the effective ones (inherited).
 */
export function occurrences(_series: Series, _sessions: readonly Session[], _from: Instant, _to: Instant): Occurrence[] {
  throw new Error('to come');
}
