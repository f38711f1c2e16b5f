import type { Offer } from '../../opportunity/records.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import type { Family } from '../../vocabulary/families.ts';
import type { PageOccurrence } from '../series/types.ts';

/** The sessions at a place in a window, and the free times of its courts, for pages and embeds. */

/** One session at a place. */
export interface TimetableEntry extends PageOccurrence {
  seriesKey: string;
  /** The name of the session, else of its series, else the activities; absent: there is none of them. */
  name?: string;
  /** The start before it was moved. */
  previousStart?: Instant;
  /** The family of its activity. */
  family?: Family;
  room?: string;
  /** Names of its leaders. */
  leader?: string[];
  ages?: { min?: number; max?: number };
  placesLeft?: number;
}

export interface TimetableQuery extends InstantWindow {
  /** At most this many entries; default and most: `MOST_ENTRIES`. */
  limit?: number;
}

export interface MoreEntries {
  /** Whether sessions that began before the window and go on in it are listed too. */
  isRunning?: boolean;
}

export interface Timetable {
  /** By start, then by name. */
  entries: TimetableEntry[];
  /** The publishers of its series. */
  publishers: { name: string; url?: string; license?: string }[];
  /** Absent: the entries are all. Otherwise those that start from this instant on are left out. */
  until?: Instant;
}

/** A time at which a facility can be booked, all its courts together. */
export interface FreeTime {
  start: Instant;
  end: Instant;
  /** Courts, lanes or places that are left. */
  free: number;
  /** Uses in all; absent: the number is unknown. */
  of?: number;
  /** Offers of its free uses, each once. */
  offers: Offer[];
}

/** A facility with its times in a window. */
export interface FacilityTimes {
  key: string;
  name?: string;
  url?: string;
  /** Offers of the facility itself; its times have their own. */
  offers: Offer[];
  /** Whether times can be booked, in this window or another; otherwise free times are unknown. */
  publishesTimes: boolean;
  /** By start. */
  times: FreeTime[];
  /** Absent: the times are all. Otherwise those that start from this instant on are left out. */
  until?: Instant;
}

/** Facilities at a place, each with its courts. */
export interface FacilitiesHere {
  /** By name. */
  shown: FacilityTimes[];
  /** The number of further facilities. */
  left: number;
}

export interface Timetables {
  /** The timetable of a place, by its key, with `MOST_ENTRIES` entries at most; undefined: there is no such place. */
  at(key: string, query: TimetableQuery, more?: MoreEntries): Promise<Timetable | undefined>;
  /** The facilities at a place, by name, with their times in a window; at most `limit`. */
  facilitiesAt(key: string, window: InstantWindow, limit: number): Promise<FacilitiesHere>;
  facility(key: string, window: InstantWindow): Promise<FacilityTimes | undefined>;
}
