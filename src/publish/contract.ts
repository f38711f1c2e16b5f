import type { Severity } from '../opportunity/findings.ts';
import type { JsonObject } from '../opportunity/item/json.ts';

/** What calendars become, before it is a feed: the seam between reading and mapping (`read/`, `map/`) and publishing (`feed/`). */

/** The published feeds, by the last part of their address `/rpde/{feed}`. */
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
}

/** What is odd about a calendar or the mapping file; the same shape as the reader's findings. */
export interface PublishFinding {
  code: string;
  severity: Severity;
  /** `CalendarText.source`, or `mapping`. */
  feed: string;
  /** The UID of the event, where there is one. */
  item: string;
  /** Line and property (`line 12 RRULE`), or a JSON path into the mapping. */
  path: string;
  message: string;
  rule: string;
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
}

export interface PublishResult {
  published: Published;
  findings: PublishFinding[];
  calendars: CalendarCount[];
}

/** What was published before, by feed and id: needed for `exceptDate` where a series' rule has changed. */
export type Previous = Record<PublishedFeed, ReadonlyMap<string, JsonObject>>;

export const NOTHING_BEFORE: Previous = {
  'session-series': new Map(),
  'scheduled-sessions': new Map(),
  'facility-uses': new Map(),
};
