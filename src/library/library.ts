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

/** The calendars of a place or facility. `all`: the events there, and its VAVAILABILITY. */
export const VENUE_PARTS = ['all', 'availability', 'freebusy', 'hours', 'sessions'] as const;
export type VenuePart = (typeof VENUE_PARTS)[number];

export function venueName(collection: 'places' | 'facilities', key: string, part: VenuePart): CalendarName {
  return `${collection}/${key}/${part}`;
}

/** The longest window of a request, which bounds its cost: a leap year and a month, enough for "a year from any day". */
export const MOST_WINDOW_DAYS = 400;

/** The calendars on which a merged calendar depends. */
export interface MergedParts {
  /** Why a search can never find anything, so that its calendar is empty. */
  problem?: FilterProblem;
  /** Names of calendars and lists whose changes may change the merged calendar. `all`: any change may. */
  parts: readonly CalendarName[] | 'all';
  /** Whether `changedAt` is the time of these octets. Otherwise only a comparison of octets shows when they changed (decision 22). */
  isDated: boolean;
}

/** Everything needed to render a calendar, read in one transaction; a pure function of stored data, without a clock. */
export interface StoredCalendar {
  head: CalendarHead;
  calendar: Calendar;
  /** VAVAILABILITY and VFREEBUSY of a calendar of opening hours. */
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

/** The publisher of data, whose name the licence demands. */
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

/** A change of the dates of a series, noted with the revision that it made. */
export interface ChangeEntry extends Change {
  /** A UUID; the same for ever. */
  id: string;
  at: Instant;
  series: { key: string; name: string };
  /** IANA zone of its times. */
  zone: string;
  publisher?: Publisher;
}

/** The changes of a series or a place, with its name and publisher. */
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
  /** Days and times of each Schedule in words, by its path; absent: it states neither. */
  when: Record<string, When>;
  rows: ExplainedRow[];
  total: number;
  events: number;
  /** The number of sessions that were read, where the series has more. */
  sessions?: number;
  publisher?: Publisher;
}

/** The contents of the page of a place or facility, and of its JSON. */
export interface VenuePage extends Omit<PlaceSummary, 'zone'> {
  collection: 'places' | 'facilities';
  key: string;
  id: string;
  type: string;
  description?: string;
  /** Prices, of a facility alone. */
  offers?: Offer[];
  zone: string;
  /** The region of its public holidays: `GB-ENG`. */
  holidays?: string;
  /** Absent: no opening hours are published. */
  hours?: {
    at: Instant;
    open: boolean;
    because: readonly string[];
    /** The next time it opens or closes; absent: none within 400 days. */
    next?: NextChange;
    /** Seven days from the day of `at`. */
    week: DayHours[];
    /** Days of the five weeks after `week` with other hours than usual. */
    exceptions: DayHours[];
    /** Milliseconds open within the seven days from `at`. */
    openSevenDays: number;
  };
  /** The next entries of its timetable within the horizon; at most 20. */
  upcoming: TimetableEntry[];
  /** Numbers of series and facilities at the place. */
  series: number;
  facilities: number;
  /** The place around a facility. */
  placeKey?: string;
  placeName?: string;
  publisher?: Publisher;
}

type FeedNumbers = 'id' | 'failures' | 'totalFailures' | 'pages' | 'taken' | 'items' | 'deleted' | 'findings';

/** A feed and its health. What is public of it has neither keys nor folders of the operator (`shownHealth`). */
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
  /** The loss that its held deletions would cause. */
  held?: HeldSum & { of: Loss; since: Instant };
  resync?: { since: Instant; reason: string };
}

/** The findings of one kind, over all feeds. */
export interface FindingKind {
  code: FindingCode;
  severity: Severity;
  /** What to change, with `…` for facts that differ between findings. */
  words: string;
  /** The sentence of one finding, where it differs from `words`. */
  example?: string;
  count: number;
  /** Whether there are more findings than were counted. */
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
 * Calendars and feeds for pages, JSON and CalDAV. `StoredLibrary` reads them from a store, and tests of the server have a library
 * in memory. Every method may reject, with a StoreError where the database gives no answer.
 */
export interface Library {
  head(name: CalendarName): Promise<CalendarHead | undefined>;
  calendar(name: CalendarName): Promise<StoredCalendar | undefined>;
  /** Free/busy of a window of the caller; never cached. `query`: of the requested address, for SOURCE. */
  freeBusy(
    collection: 'places' | 'facilities',
    key: string,
    window: InstantWindow,
    query?: string,
  ): Promise<StoredCalendar | undefined>;
  keyOfId(kind: Collection, id: string): Promise<string | undefined>;
  /** Keys of all live calendars of a kind, by name, with their last changes. `after`: `next` of the page before. */
  keys(kind: Collection, query: { after?: string; limit: number }): Promise<KeyPage>;
  /** Series, occurrences and venues, by filters. */
  readonly search: Search;
  series(key: string): Promise<SeriesPage | undefined>;
  /** The dates of a live series that have not ended at `from`; default now. */
  seriesDates(key: string, from?: Instant): Promise<SeriesDates | undefined>;
  /** Recent changes of a series, or of all series at a place, the newest first. The head shows whether it has gone or moved. */
  changeFeed(kind: Collection, key: string, limit: number): Promise<ChangeFeed | undefined>;
  /** The list of a token; undefined: there is none. */
  chosenList(token: string): Promise<ChosenList | undefined>;
  /** Whether the key may change the list that is kept under the token. */
  isEditKey(token: string, key: string): Promise<boolean>;
  /** Lists that are stored; absent where the store is only read. */
  readonly lists: KeptLists | undefined;
  /** Calendars as CalDAV has them: collections of objects, with their changes. */
  readonly objects: Objects;
  /** The address of the image that a live record shows, as its publisher has it. */
  image(collection: 'series' | 'facilities', key: string): Promise<string | undefined>;
  /** Undefined for a withdrawn series, as in `series`. */
  explain(key: string, query: ExplainQuery): Promise<SeriesExplanation | undefined>;
  /** `at`: the instant for opening hours and upcoming entries; default now. */
  venue(collection: 'places' | 'facilities', key: string, at?: Instant): Promise<VenuePage | undefined>;
  /** Findings about its data. They cost more than its page where the place has many series. */
  venueFindings(collection: 'places' | 'facilities', key: string): Promise<Finding[] | undefined>;
  readonly timetables: Timetables;
  /** Opening times between two instants, merged and clipped, with their reasons. */
  periods(collection: 'places' | 'facilities', key: string, window: InstantWindow): Promise<OpenPeriod[] | undefined>;
  /** All feeds there ever were, with their health. Cheap: counts are stored. */
  feeds(): Promise<FeedHealth[]>;
  /** Findings by kind, in all feeds or in one. Counts are limited, so that they are quick. */
  findingKinds(feed?: number): Promise<FindingKind[]>;
  feedFindings(feed: number, query: { after?: number; limit: number }): Promise<FeedFindings | undefined>;
  /** Every publisher whose data is shown, for the foot of pages that mix them. */
  publishers(): Promise<Publisher[]>;
  /**
   * Calls `listener` after each commit that changed calendars, of this process or another, with their names. So it does when a
   * calendar passes from `deleted` to `gone` by age, and when the day moves free/busy on. Caches depend on these calls. Returns
   * the function that ends them.
   */
  onChange(listener: (names: readonly CalendarName[] | 'all') => void): () => void;
  /** Like `onChange`, for changes of `feeds` other than the times of visits without changes. */
  onFeeds(listener: () => void): () => void;
  health(): Promise<Health>;
  /** Notes an error. The result is a public line, where a trouble of the store lasts until an operator helps. */
  noteError(error: unknown): string | undefined;
}

export interface LibraryOptions {
  now(): Instant;
  compose: Omit<ComposeOptions, 'attribution' | 'today'>;
  horizonDays: number;
  /** Public holidays of places that do not state their country. */
  holidays?: HolidayRegion | undefined;
  /** A text of everything besides stored data that the octets of calendars depend on: release, settings, zone data. */
  rendering: string;
  facts?: (() => Record<string, number | string>) | undefined;
  /** The newest versions in a cache, which may lack them, or be a second behind. Absent: the database is read. */
  versions?: (() => Promise<StoreVersions | undefined>) | undefined;
  /** The public address of the service, without a slash at its end, for the SOURCE of calendars. */
  baseUrl?: string | undefined;
}

/** The library over a store; `notify` announces the changes of a harvester in the same process. */
export interface StoredLibrary extends Library {
  notify(keys: readonly string[]): void;
  /** Reads and announces the changes of other processes since the last call. */
  poll(): Promise<void>;
  readonly epoch: Epoch;
}
