import type { Change } from '../calendar/changes/changes.ts';
import type { ExplainedRow, ExplainedSchedule } from '../calendar/explain/explained.ts';
import type { Calendar, Revision } from '../calendar/objects.ts';
import type { ComposeOptions } from '../calendar/series/compose.ts';
import type { MoreComponents } from '../calendar/venue/venue-calendar.ts';
import type { When } from '../calendar/wording/when-words.ts';
import type { HolidayRegion } from '../hours/holidays.ts';
import type { OpenPeriod } from '../hours/periods.ts';
import type { DayHours, NextChange } from '../hours/questions.ts';
import type { Finding, FindingCode, Severity } from '../opportunity/findings.ts';
import type { Details, EventStatus, Offer, PlaceSummary } from '../opportunity/records.ts';
import type { FilterProblem } from '../search/query.ts';
import type { FeedReport, HeldSum, Loss, StoreVersions } from '../store/index.ts';
import type { Instant, InstantWindow } from '../time/instant.ts';
import type { Epoch } from './epoch.ts';
import type { CalendarHead, CalendarName } from './head.ts';
import type { KeptLists } from './lists/kept.ts';
import type { ChosenList } from './lists/list.ts';
import type { Objects } from './objects/types.ts';
import type { Collection, Search } from './search/types.ts';
import type { PageOccurrence, SeriesDates } from './series/types.ts';
import type { TimetableEntry, Timetables } from './timetable/timetable.ts';

export type { CalendarHead, CalendarName } from './head.ts';
export type { Collection, ListingRow } from './search/types.ts';

/** The calendars of a place or facility. `all`: what is on there, and its VAVAILABILITY. */
export const VENUE_PARTS = ['all', 'availability', 'freebusy', 'hours', 'sessions'] as const;
export type VenuePart = (typeof VENUE_PARTS)[number];

export function venueName(collection: 'places' | 'facilities', key: string, part: VenuePart): CalendarName {
  return `${collection}/${key}/${part}`;
}

/** The longest window. A leap year and a month: enough for "a year from any day", and it bounds what one request can cost. */
export const MOST_WINDOW_DAYS = 400;

/** What a calendar of several things depends on. */
export interface MergedParts {
  /** Why a search can find nothing: its calendar stays empty. */
  problem?: FilterProblem;
  /** Names of calendars and lists: a change of one of them may be one of the whole. `all`: so may any change. */
  parts: readonly CalendarName[] | 'all';
  /** Whether `changedAt` is the time of these octets. Otherwise only a comparison of octets shows when they changed (decision 22). */
  isDated: boolean;
}

/** Everything needed to render a calendar, read in one transaction; a pure function of stored data, without a clock. */
export interface StoredCalendar {
  head: CalendarHead;
  calendar: Calendar;
  /** VAVAILABILITY, VFREEBUSY: what a calendar of opening hours holds besides events. */
  more?: MoreComponents;
  revision: (uid: string) => Revision;
  /** Set for a calendar of several series, places and searches. */
  merged?: MergedParts;
  /** For the file name; the server reduces it to `[a-z0-9-]` again (SECURITY.md, "File names"). */
  slug: string;
}

export interface KeyPage {
  rows: { key: string; changedAt: Instant }[];
  next?: string;
}

/** The publisher of data, whom the licence demands to be named. */
export interface Publisher {
  name: string;
  url?: string;
  license?: string;
}

export interface SeriesPage {
  head: CalendarHead;
  id: string;
  type: string;
  url?: string;
  status: EventStatus;
  /** Effective, inheritance applied. */
  details: Details;
  /** False: only patterns of it are published, and its calendar is empty. */
  hasCalendar: boolean;
  /** Each schedule that has not ended in words: "Usually Mondays 18:00–19:00". */
  schedules: string[];
  /** The next stored occurrences, by start; the library decides how many. */
  upcoming: PageOccurrence[];
  zone: string;
  findings: Finding[];
  publisher?: Publisher;
}

/** A change of the dates of a series, as it was noted with the revision that made it. */
export interface ChangeEntry extends Change {
  /** A UUID; the same for ever. */
  id: string;
  at: Instant;
  series: { key: string; name: string };
  /** IANA zone of its times. */
  zone: string;
  publisher?: Publisher;
}

/** The changes of a series or a place, with whose they are. */
export interface ChangeFeed {
  head: CalendarHead;
  name: string;
  publisher?: Publisher;
  entries: ChangeEntry[];
}

export interface ExplainQuery {
  window: InstantWindow;
  after: number;
  limit: number;
}

/** Where the occurrences of a series come from (`calendar/explain/explain.ts`). */
export interface SeriesExplanation {
  head: CalendarHead;
  /** The `@id`. */
  id: string;
  name?: string;
  zone: string;
  schedules: ExplainedSchedule[];
  /** What each Schedule says, by its path; absent: neither day nor time. */
  when: Record<string, When>;
  rows: ExplainedRow[];
  total: number;
  events: number;
  /** There are more sessions than were read. */
  sessions?: number;
  publisher?: Publisher;
}

/** What the page of a place or facility shows, and what the JSON API says of it. */
export interface VenuePage extends Omit<PlaceSummary, 'zone'> {
  collection: 'places' | 'facilities';
  key: string;
  id: string;
  type: string;
  description?: string;
  /** Prices, of a facility alone. */
  offers?: Offer[];
  zone: string;
  /** Public holidays it goes by: `GB-ENG`. */
  holidays?: string;
  /** Absent: nothing is published of when it is open. */
  hours?: {
    at: Instant;
    open: boolean;
    because: readonly string[];
    /** When that next changes; absent: not within a year. */
    next?: NextChange;
    /** Seven days from the day of `at`. */
    week: DayHours[];
    /** Days of the five weeks after it that are not as usual. */
    exceptions: DayHours[];
    /** Milliseconds open within the seven days from `at`. */
    openSevenDays: number;
  };
  /** What is on: the next entries of its timetable, those of a year; at most 20. */
  upcoming: TimetableEntry[];
  /** How many series are on, and facilities are listed, at the place. */
  series: number;
  facilities: number;
  /** The place around a facility. */
  placeKey?: string;
  placeName?: string;
  publisher?: Publisher;
}

type FeedNumbers = 'id' | 'failures' | 'totalFailures' | 'pages' | 'taken' | 'items' | 'deleted' | 'findings';

/** A feed and how it is doing, as anybody may know it: without keys and folders of the operator's. */
export interface FeedHealth extends Pick<FeedReport, FeedNumbers> {
  /** The name that the operator gives it, else its address. */
  name: string;
  address: string;
  publisher?: Publisher;
  license?: string;
  /** `paused` in place of the state that it had before. */
  state: FeedReport['state'] | 'paused';
  /** Since when it is paused by an operator. */
  paused?: Instant;
  lastAttempt?: Instant;
  lastSuccess?: Instant;
  lastChange?: Instant;
  /** `modified` of the last item that was read. */
  modified?: string;
  /** The last error in words, also after it is over. */
  lastError?: string;
  lastErrorAt?: Instant;
  nextVisit?: Instant;
  /** What its deletions that are held back would take away. */
  held?: HeldSum & { of: Loss; since: Instant };
  resync?: { since: Instant; reason: string };
}

/** What publishers could mend, of one kind, over all feeds. */
export interface FindingKind {
  code: FindingCode;
  severity: Severity;
  /** What to change, with `…` for what differs from one to the next. */
  words: string;
  /** The sentence of one of them, where it says more. */
  example?: string;
  count: number;
  /** There are more than were counted. */
  isMore: boolean;
  feeds: { id: number; name: string }[];
}

/** Some of the findings of a feed: those of its pages first, then item by item. */
export interface FeedFindings {
  feed: FeedHealth;
  findings: Finding[];
  next?: number;
}

export interface Health {
  ready: boolean;
  /** Why it is not ready, in one line that may be public. */
  reason?: string;
  /** Facts for operators (counts, ages); numbers and short public texts only. */
  facts?: Record<string, number | string>;
}

/**
 * What is known of calendars and feeds, for everything that answers: pages, JSON, CalDAV. `StoredLibrary` reads it from a store,
 * and tests of the server have one in memory. Every method may reject, with a StoreError where the database gives no answer.
 */
export interface Library {
  head(name: CalendarName): Promise<CalendarHead | undefined>;
  calendar(name: CalendarName): Promise<StoredCalendar | undefined>;
  /** Free/busy of another window than the usual; never kept. `query`: that of the address that was asked, for SOURCE. */
  freeBusy(
    collection: 'places' | 'facilities',
    key: string,
    window: InstantWindow,
    query?: string,
  ): Promise<StoredCalendar | undefined>;
  keyOfId(kind: Collection, id: string): Promise<string | undefined>;
  /** Keys of all that is live, by name, and when each changed last. `after`: `next` of the page before. */
  keys(kind: Collection, query: { after?: string; limit: number }): Promise<KeyPage>;
  /** What is on, by filters. */
  readonly search: Search;
  series(key: string): Promise<SeriesPage | undefined>;
  /** The dates of a live series; `from`: what has not ended then, default now. */
  seriesDates(key: string, from?: Instant): Promise<SeriesDates | undefined>;
  /** What changed lately of a series, or of all that is on at a place, the newest first; of what has gone or moved, the head says where. */
  changeFeed(kind: Collection, key: string, limit: number): Promise<ChangeFeed | undefined>;
  /** What a token names; undefined: nothing. */
  chosenList(token: string): Promise<ChosenList | undefined>;
  /** Whether the key may change the list that is kept under the token. */
  isEditKey(token: string, key: string): Promise<boolean>;
  /** Lists that people keep here; absent where the store is only read. */
  readonly lists: KeptLists | undefined;
  /** Calendars as CalDAV has them: collections of objects, with their changes. */
  readonly objects: Objects;
  /** The address of the image that a live record shows, as its publisher has it. */
  image(collection: 'series' | 'facilities', key: string): Promise<string | undefined>;
  /** Undefined of a series that was withdrawn, as `series` is. */
  explain(key: string, query: ExplainQuery): Promise<SeriesExplanation | undefined>;
  /** `at`: the instant the questions are about; default now. */
  venue(collection: 'places' | 'facilities', key: string, at?: Instant): Promise<VenuePage | undefined>;
  /** What could be better about its data; dearer than its page where much is on. */
  venueFindings(collection: 'places' | 'facilities', key: string): Promise<Finding[] | undefined>;
  readonly timetables: Timetables;
  /** Opening times between two instants, merged and clipped, with what decided. */
  periods(collection: 'places' | 'facilities', key: string, window: InstantWindow): Promise<OpenPeriod[] | undefined>;
  /** All feeds there ever were, and how they are. Cheap: counts are kept, not made. */
  feeds(): Promise<FeedHealth[]>;
  /** What publishers could mend, by kind, in all feeds or in one; counted no further than is quick. */
  findingKinds(feed?: number): Promise<FindingKind[]>;
  feedFindings(feed: number, query: { after?: number; limit: number }): Promise<FeedFindings | undefined>;
  /** Every publisher whose data is shown, for the foot of pages that mix them. */
  publishers(): Promise<Publisher[]>;
  /**
   * Called after each commit that changed calendars, with their names, also when the commit was another process's. It is called
   * too when a calendar passes from `deleted` to `gone` by age, and when the day moves free/busy on. Cached calendars are
   * served without asking again. Returns the function that ends it.
   */
  onChange(listener: (names: readonly CalendarName[] | 'all') => void): () => void;
  /** Called where what `feeds` gives may be another, and not for the times of visits that brought nothing. As `onChange`. */
  onFeeds(listener: () => void): () => void;
  health(): Promise<Health>;
  /** Notes an error. The result is one line for anybody, where a trouble of the store lasts until an operator helps. */
  noteError(error: unknown): string | undefined;
}

export interface LibraryOptions {
  now(): Instant;
  compose: Omit<ComposeOptions, 'attribution' | 'today'>;
  horizonDays: number;
  /** Public holidays of places that do not say where they are. */
  holidays?: HolidayRegion | undefined;
  /** Stands for all that shapes a calendar's bytes besides stored data: release, settings, zone data. */
  rendering: string;
  facts?: (() => Record<string, number | string>) | undefined;
  /** The newest versions, by a cache; it may not know, or be behind for a second. Absent: the database is asked. */
  versions?: (() => Promise<StoreVersions | undefined>) | undefined;
  /** The address the service is known by, without a slash at its end; calendars name their own address by it. */
  baseUrl?: string | undefined;
}

/** The library over a store; `notify` passes on what a harvester in the same process changed. */
export interface StoredLibrary extends Library {
  notify(keys: readonly string[]): void;
  /** Reads what other processes changed since the last call. */
  poll(): Promise<void>;
  readonly epoch: Epoch;
}
