import type { Details, TimedSession } from '../../opportunity/records.ts';
import type { Occurrence } from '../../recurrence/overlay.ts';
import type { FoundOccurrence, SearchQuery } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { KnownSeries } from './known-series.ts';
import type { LocalTimes } from './query/local-times.ts';
import type { Order } from './ties.ts';

/** What a finder is asked for, and what it finds. */

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
  /** Orders it among those that start together. */
  tie: string;
}

/** Hits in their order. */
export interface Batch {
  hits: Hit[];
  /** All that start by then have been found; undefined: there are no more. */
  upTo?: Instant;
}

/** An occurrence without its record. */
export interface BareOccurrence extends FoundOccurrence {
  /** The zone of its local times. */
  zone: string;
  /** Row of the Place of its series. */
  venue?: number;
}

export interface CountedBatch {
  /** Occurrences that are as their series is. */
  bare: BareOccurrence[];
  hits: Hit[];
  /** There are no more. */
  isEnd: boolean;
}

/** Where a list goes on: after what starts then and has this tie, or before it. */
export interface ListPosition {
  at: Instant;
  tie?: string;
}

export interface Wanted {
  query: SearchQuery;
  times: LocalTimes;
  cancelled: boolean;
  /** Series of which it finds sessions by themselves alone. */
  bySessions?: ReadonlySet<number>;
  /** What orders those that start together: their ids, or those of one series beside each other. */
  order?: Order;
}
