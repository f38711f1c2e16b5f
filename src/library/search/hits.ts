import type { Details, TimedSession } from '../../opportunity/records.ts';
import type { Occurrence } from '../../recurrence/overlay.ts';
import type { FoundOccurrence, SearchQuery } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { KnownSeries } from './known-series.ts';
import type { LocalTimes } from './query/local-times.ts';
import type { Order } from './ties.ts';

/** The questions and answers of `Finder`. */

/** An occurrence that all filters accept. */
export interface Hit {
  found: FoundOccurrence;
  known: KnownSeries;
  occurrence: Occurrence;
  session?: TimedSession;
  /** Details of the occurrence, with everything inherited. */
  details: Details;
  /** The zone of its local times. */
  zone: string;
  /** The key that orders hits with the same start (`tieOf`). */
  tie: string;
}

/** Hits in their order. */
export interface Batch {
  hits: Hit[];
  /** All hits that start by this instant have been found; undefined: all hits have. */
  upTo?: Instant;
}

/** An occurrence without its record. */
export interface BareOccurrence extends FoundOccurrence {
  /** The zone of its local times. */
  zone: string;
  /** The row of the Place of its series. */
  venue?: number;
}

/** Occurrences to count. */
export interface CountedBatch {
  /** Occurrences with the details of their series. */
  bare: BareOccurrence[];
  hits: Hit[];
  /** Whether this is the last batch. */
  isEnd: boolean;
}

/** The last hit of a page, behind which the next page begins: its start and its tie. */
export interface ListPosition {
  at: Instant;
  tie?: string;
}

/** A search for occurrences. */
export interface Wanted {
  query: SearchQuery;
  times: LocalTimes;
  cancelled: boolean;
  /** Series that do not match themselves: only those of their sessions are found that match by their own details. */
  bySessions?: ReadonlySet<number>;
  /** How hits with the same start are ordered; default `id`. */
  order?: Order;
}
