import type { JsonObject } from '../opportunity/item/json.ts';
import type { PublishFinding } from './codes.ts';

/** What calendars become, before it is a feed: the seam between reading and mapping (`read/`, `map/`) and publishing (`feed/`). */

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

/** Everything that is to be in the feeds, each sorted by id; ids are unique within a feed. */
export type Published = Record<PublishedFeed, PublishedObject[]>;

/** One calendar: the address or file name that people know it by (secrets cut), and its iCalendar text. */
export interface CalendarText {
  source: string;
  text: string;
  /** What its octets were read as, where that is not UTF-8. */
  encoding?: string | undefined;
}

/** What was read of one calendar. */
export interface CalendarCount {
  source: string;
  /** VEVENTs that are masters or single events, VEVENTs that override an instance, VAVAILABILITYs. */
  events: number;
  overrides: number;
  availabilities: number;
  /** Components that nothing was made of: tasks, journals, broken ones. Each broken one has a finding. */
  skipped: number;
  /** Ids of what it has in the feeds, whether it fits now or stays as it was. */
  ids: { series: string[]; facilities: string[] };
}

export interface PublishResult {
  published: Published;
  findings: PublishFinding[];
  calendars: CalendarCount[];
  /** Ids of series that did not fit: what was published of them and of their sessions before stays. */
  overLimit: string[];
}

/**
 * Series that were published before, with their sessions: for the `@id` of what has moved, and for `exceptDate` where a rule
 * has changed.
 */
export type Previous = readonly JsonObject[];
