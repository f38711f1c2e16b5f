import type { When } from '../../calendar/wording/when-words.ts';
import type { EventStatus, Place } from '../../opportunity/records.ts';
import type { Instant } from '../../time/instant.ts';
import type { ListingRow } from '../search/types.ts';

/** When a series takes place, as lists and its page show it. */

export interface PageOccurrence {
  start: Instant;
  end?: Instant;
  /** Whole days: `start` and `end` are midnights in UTC of local dates, the end excluded. */
  allDay?: true;
  status: EventStatus;
  name?: string;
  url?: string;
}

/** A date of a series, with what its session says that is not so of all. */
export interface PageDate extends PageOccurrence {
  /** When the rule has it, or it was to start before it was rescheduled; absent: no other time is known. */
  was?: Instant;
  placesLeft?: number;
  /** What its session alone says of its scheduling. */
  note?: string;
  /** Who leads it, where that is not who leads the series. */
  leader?: string[];
  /** Name of its place, or that it is online, where the series is not there. */
  place?: string;
}

export type SimilarSeries = Pick<ListingRow, 'key' | 'name' | 'place' | 'nextAllDay' | 'zone'> & { next: Instant };

export interface SeriesDates {
  /** What has not ended, by start. */
  dates: PageDate[];
  /** Start of the first that is not among `dates`. */
  next?: Instant;
  /** Where nothing is to come: the last there was and was not cancelled. */
  last?: PageDate;
  times: When[];
  /** The Place record, and the key of its page. */
  place?: Partial<Place> & { key?: string };
  /** Others at the place or of the activity, where this one has no date. */
  similar: SimilarSeries[];
  /** The zone of the place, else of the Schedules. */
  zone: string;
  /** The configured default. */
  homeZone: string;
}
