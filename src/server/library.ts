import type { Calendar, Revision } from '../calendar/objects.ts';
import type { Finding } from '../opportunity/findings.ts';
import type { Details, EventStatus, Instant } from '../opportunity/records.ts';

/**
 * What the HTTP side needs to know, and nothing about where it is kept. The store implements it; tests hand in a
 * library in memory. Every method may reject; the server then serves the last good bytes or says 503, never a stack.
 */

/** Collections with calendars of their own; also the first segment of their addresses. */
export type Collection = 'series';

/** The revision of a calendar, without the calendar: enough to answer a conditional request (semantics 6). */
export interface CalendarHead {
  key: string;
  kind: Collection;
  /** `deleted`: inside its 90-day tail and still served. `gone`: after it, answered with 410 for ever. */
  state: 'live' | 'deleted' | 'gone';
  /** Moves exactly when the bytes that would be served change. Compared for equality only. */
  revision: number;
  /**
   * When these bytes first existed. Must not move back, and must differ by a whole second between two revisions:
   * clients that revalidate by date alone see nothing smaller (RFC 9110 8.8.2, clients.md 2.1).
   */
  changedAt: Instant;
  /** The calendar lives under this key now: answered with 308 for ever (feed rule 22). */
  movedTo?: string;
}

/** Everything needed to render a calendar, read in one transaction; a pure function of stored data, without a clock. */
export interface StoredCalendar {
  head: CalendarHead;
  calendar: Calendar;
  revision: (uid: string) => Revision;
  /** For the file name; the server reduces it to `[a-z0-9-]` again (peers.md C2 25). */
  slug: string;
}

/** A line of the lists on the pages. */
export interface ListingRow {
  key: string;
  kind: 'series' | 'places';
  /** Empty if the publisher gave none. */
  name: string;
  /** `SessionSeries`, `Event`, `Place`, … */
  type: string;
  /** Where, in one line. */
  place?: string;
  activity: string[];
  /** Start of the next stored occurrence that is not cancelled. */
  next?: Instant;
  /** IANA zone in which `next` is shown. */
  zone: string;
  /** Whether `/{kind}/{key}.ics` is served. */
  calendar: boolean;
}

export interface ListQuery {
  kind: 'series' | 'places';
  /** Words to find; already trimmed and cut to 200 characters. */
  q?: string;
  /** Only series at the place with this key. */
  place?: string;
  /** `next` of the page before: opaque to the server, hostile until the library has checked it. */
  after?: string;
  /** 0 asks for the total only. */
  limit: number;
}

export interface Listing {
  rows: ListingRow[];
  /** Present when there are more rows. */
  next?: string;
  total: number;
}

/** Who published the data; the licence demands that they are named (surface.md). */
export interface Publisher {
  name: string;
  url?: string;
  /** Address of the licence. */
  license?: string;
}

export interface PageOccurrence {
  start: Instant;
  end?: Instant;
  status: EventStatus;
  name?: string;
  url?: string;
}

/** What the page of a series shows. */
export interface SeriesPage {
  head: CalendarHead;
  /** Its `@id`. */
  id: string;
  type: string;
  url?: string;
  status: EventStatus;
  /** Effective, inheritance applied. */
  details: Details;
  /** Each schedule in words: "Usually Mondays 18:00–19:00". */
  schedules: string[];
  /** The next stored occurrences, by start; the library decides how many. */
  upcoming: PageOccurrence[];
  zone: string;
  findings: Finding[];
  publisher?: Publisher;
}

export interface Health {
  ready: boolean;
  /** Why it is not ready, in one line that may be public. */
  reason?: string;
  /** Facts for operators (counts, ages); numbers and short public texts only. */
  facts?: Record<string, number | string>;
}

/**
 * The contract between HTTP and the store. A `key` given to a method is always `[a-z0-9]{1,64}`.
 */
export interface Library {
  head(key: string): Promise<CalendarHead | undefined>;
  calendar(key: string): Promise<StoredCalendar | undefined>;
  keyOfId(kind: Collection, id: string): Promise<string | undefined>;
  list(query: ListQuery): Promise<Listing>;
  series(key: string): Promise<SeriesPage | undefined>;
  /** Every publisher whose data is shown, for the foot of pages that mix them. */
  publishers(): Promise<Publisher[]>;
  /**
   * Called after each commit that changed calendars, with their keys, also when the commit was another process's and
   * when a calendar passes from `deleted` to `gone` by age: cached calendars are served without asking again.
   * Returns the function that ends it.
   */
  onChange(listener: (keys: readonly string[] | 'all') => void): () => void;
  health(): Promise<Health>;
}
