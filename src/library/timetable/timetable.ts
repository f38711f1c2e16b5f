import type { Offer } from '../../opportunity/records.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import type { Family } from '../../vocabulary/families.ts';
import type { PageOccurrence } from '../series/types.ts';

/** What is on at a place in a window, and when its courts are free: as pages and embeds show it. */

/** One session at a place. */
export interface TimetableEntry extends PageOccurrence {
  seriesKey: string;
  /** The name of the session, else of its series, else the activities; absent: nobody gave one. */
  name?: string;
  /** When it was to start before it was moved. */
  previousStart?: Instant;
  /** The family of its activity. */
  family?: Family;
  room?: string;
  /** Names of who leads it. */
  leader?: string[];
  ages?: { min?: number; max?: number };
  placesLeft?: number;
}

export interface TimetableQuery extends InstantWindow {
  /** At most this many entries; default and most: `MOST_ENTRIES`. */
  limit?: number;
}

export interface MoreEntries {
  /** With what began before the window and is not over when it begins. */
  isRunning?: boolean;
}

export interface Timetable {
  /** By start, then by name. */
  entries: TimetableEntry[];
  /** Who publishes the series that are in it. */
  publishers: { name: string; url?: string; license?: string }[];
  /** Absent: all there is. Else: all that starts before this instant; what starts from it on is left out. */
  until?: Instant;
}

/** A time at which a facility can be booked, all its courts together. */
export interface FreeTime {
  start: Instant;
  end: Instant;
  /** Courts, lanes or places that are left. */
  free: number;
  /** Uses in all; absent: nobody says it. */
  of?: number;
  /** Offers of what is free of it, each once. */
  offers: Offer[];
}

/** A facility with its times in a window. */
export interface FacilityTimes {
  key: string;
  name?: string;
  url?: string;
  /** Offers of the facility itself; its times have their own. */
  offers: Offer[];
  /** Times can be booked, in this window or another; without them nobody knows what is free. */
  publishesTimes: boolean;
  /** By start. */
  times: FreeTime[];
  /** Absent: all there is. Else: all that starts before this instant; what starts from it on is left out. */
  until?: Instant;
}

/** Facilities at a place, without the courts of those that are there. */
export interface FacilitiesHere {
  /** By name. */
  shown: FacilityTimes[];
  /** How many more there are. */
  left: number;
}

export interface Timetables {
  /** What is on at a place, by its key: by index, and at most `MOST_ENTRIES`; undefined: there is no such place. */
  at(key: string, query: TimetableQuery, more?: MoreEntries): Promise<Timetable | undefined>;
  /** The facilities at a place, by name, with their times in a window; at most `limit`. */
  facilitiesAt(key: string, window: InstantWindow, limit: number): Promise<FacilitiesHere>;
  facility(key: string, window: InstantWindow): Promise<FacilityTimes | undefined>;
}
