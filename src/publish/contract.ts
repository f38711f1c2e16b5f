import type { JsonObject } from '../opportunity/item/json.ts';
import type { PublishFinding } from './codes.ts';

/** The objects of calendars: the contract between reading and mapping (`read/`, `map/`) and publishing (`feed/`). */

/** The type of the objects of each feed, by the last part of its address `/rpde/{feed}`. */
export const FEED_TYPE = {
  'session-series': 'SessionSeries',
  'scheduled-sessions': 'ScheduledSession',
  'facility-uses': 'FacilityUse',
  'individual-facility-uses': 'IndividualFacilityUse',
  slots: 'Slot',
  places: 'Place',
  events: 'Event',
  'headline-events': 'HeadlineEvent',
  'course-instances': 'CourseInstance',
  'event-series': 'EventSeries',
} as const;

/** The feeds of calendars. */
export const PUBLISHED_FEEDS = ['session-series', 'scheduled-sessions', 'facility-uses'] as const;
export type PublishedFeed = (typeof PUBLISHED_FEEDS)[number];

/** One object to publish: the RPDE item's `kind` and `id`, and its `data`. */
export interface PublishedObject {
  kind: string;
  id: string;
  data: JsonObject;
}

/** All objects of the feeds, sorted by id; ids are unique within a feed. */
export type Published = Record<PublishedFeed, PublishedObject[]>;

/** One calendar: its address or file name without secrets, and its iCalendar text. */
export interface CalendarText {
  source: string;
  text: string;
  /** The encoding of its octets, if it is not UTF-8. */
  encoding?: string | undefined;
}

/** Counts of one calendar. */
export interface CalendarCount {
  source: string;
  /** VEVENTs that are masters or single events, VEVENTs that override an instance, VAVAILABILITYs. */
  events: number;
  overrides: number;
  availabilities: number;
  /** Number of components without an object: tasks, journals, broken ones. Each broken one has a finding. */
  skipped: number;
  /** Ids of its objects in the feeds, whether they fit now or stay from an earlier round. */
  ids: { series: string[]; facilities: string[] };
}

export interface PublishResult {
  published: Published;
  findings: PublishFinding[];
  calendars: CalendarCount[];
  /** Ids of series that did not fit; the objects published of them and of their sessions before stay. */
  overLimit: string[];
}

/**
 * Series that were published before, with their sessions. They give the `@id` of sessions that moved, and `exceptDate` where a
 * rule changed.
 */
export type Previous = readonly JsonObject[];
