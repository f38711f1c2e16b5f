import type { When } from '../../calendar/wording/when-words.ts';
import type { EventStatus, Place } from '../../opportunity/records.ts';
import type { Instant } from '../../time/instant.ts';
import type { ListingRow } from '../search/types.ts';

/** The dates of a series, as lists and its page show them. */

export interface PageOccurrence {
  start: Instant;
  end?: Instant;
  /** Whole days: `start` and `end` are midnights in UTC of local dates, the end excluded. */
  allDay?: true;
  status: EventStatus;
  name?: string;
  url?: string;
}

/** A date of a series, with details that only its session has. */
export interface PageDate extends PageOccurrence {
  /** The start before it was moved, by its session or the rule; absent: no other start is known. */
  was?: Instant;
  placesLeft?: number;
  /** The scheduling note that only its session has. */
  note?: string;
  /** The leaders, where they differ from those of the series. */
  leader?: string[];
  /** The name of its place, or `Online`, where that differs from the series. */
  place?: string;
}

export type SimilarSeries = Pick<ListingRow, 'key' | 'name' | 'place' | 'nextAllDay' | 'zone'> & { next: Instant };

export interface SeriesDates {
  /** Dates that have not ended, by start. */
  dates: PageDate[];
  /** Start of the first date after `dates`. */
  next?: Instant;
  /** The last date that was not cancelled, where none is to come. */
  last?: PageDate;
  times: When[];
  /** The Place record, and the key of its page. */
  place?: Partial<Place> & { key?: string };
  /** Series at the same place or with the same activity, where this one has no date. */
  similar: SimilarSeries[];
  /** The zone of the place, else of the Schedules. */
  zone: string;
  /** The configured default. */
  homeZone: string;
}
