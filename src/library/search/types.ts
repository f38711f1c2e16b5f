import type { NextChange } from '../../hours/questions.ts';
import type { Details, EventStatus, PlaceSummary } from '../../opportunity/records.ts';
import type { PriceRange } from '../../search/document.ts';
import type { FilterName, Filters } from '../../search/filters.ts';
import type { FilterProblem } from '../../search/query.ts';
import type { Understood } from '../../search/words.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';

/** The questions and answers of the search, which pages, calendars and JSON share. */

/** Collections with calendars of their own; also the first segment of their addresses. */
export type Collection = 'series' | 'places' | 'facilities';

/** A row of a list of series, places or facilities. */
export interface ListingRow {
  key: string;
  kind: Collection;
  /** Empty if the publisher gave none. */
  name: string;
  /** `SessionSeries`, `Event`, `Place`, … */
  type: string;
  place?: string;
  /** The name of the facility that a court is part of. */
  facility?: string;
  activity: string[];
  /** Start of the next stored occurrence that is not cancelled. */
  next?: Instant;
  /** Whether the next date is of whole days: `next` is the midnight in UTC of its first date. */
  nextAllDay?: true;
  /** IANA zone in which `next` is shown. */
  zone: string;
  /** Whether `/{kind}/{key}.ics` is served. */
  calendar: boolean;
  /** Whether a place or facility is open, and when that next changes; absent where no opening hours are published. */
  hours?: OpenNow;
}

export interface OpenNow {
  open: boolean;
  /** The next change; absent: none within a year. */
  next?: NextChange;
}

export interface ItemPlace extends Pick<PlaceSummary, 'id' | 'name' | 'address' | 'latitude' | 'longitude'> {
  /** The key in the address of its page; absent: no Place record is published. */
  key?: string;
  /** The distance from the position of `near`, to a tenth of a kilometre. */
  distanceKm?: number;
}

/** An activity, with its id in OpenActive's activity list. */
export interface ItemActivity {
  id?: string;
  name: string;
}

/** The range of all offers in one currency; `free`: one of them costs nothing. */
export interface ItemPrice extends PriceRange {
  free: boolean;
  /** The ranges of offers in other currencies (semantics 2.6). */
  others?: PriceRange[];
}

/** An occurrence that was found. Times, id, name, status and url are those that `expand` lists. */
export interface OccurrenceItem {
  /** `@id`; absent: neither a session nor an `idTemplate` gives one. */
  id?: string;
  start: Instant;
  /** `start` itself when the length is unknown. */
  end: Instant;
  /** Whole days: `start` and `end` are midnights in UTC of local dates, the end excluded. */
  allDay?: true;
  zone: string;
  /** Empty if the publisher gave none. */
  name: string;
  status: EventStatus;
  url?: string;
  series: { key: string; id: string; name: string };
  place?: ItemPlace;
  activity: ItemActivity[];
  price?: ItemPrice;
  age?: { min?: number; max?: number };
  level?: string[];
  organizer?: { id?: string; name: string };
  /** `remainingAttendeeCapacity` of the session. */
  placesLeft?: number;
  /** The start of the instance that was moved, or of the session before it was rescheduled. Not in JSON. */
  was?: Instant;
  /** Whether the session has another place than its series. Not in JSON. */
  elsewhere?: true;
  /** Whether the series was first published within the last seven days, in a feed that was known before. Not in JSON. */
  isNew?: true;
  /** All details, inheritance applied. Not in JSON. */
  details: Details;
  /** Rows of the store, from which calendars are made; `byItself` as in `FoundOccurrence`. Not in JSON. */
  rows: { series: number; session?: number; schedule?: number; byItself?: true };
}

/** Which page of a list is asked for. */
export interface PageQuery {
  /** `next` of the page before. */
  after?: string;
  limit: number;
  /**
   * Occurrences that have ended by this instant are left out. Without the filter `from`, the window begins here, and not now.
   */
  notBefore?: Instant;
}

/** A word that nothing has, and the one that was searched for instead. */
export interface ReplacedWord {
  word: string;
  by: string;
}

/** A part of the words that is searched for as a filter. */
export interface TypedFilter {
  /** The part as it was typed: `not yoga`. */
  text: string;
  /** The words without this part. */
  rest: string;
}

/** A page of what was found. */
export interface FoundPage<Item> {
  items: Item[];
  /** The number of items on all pages; absent where they were not counted to the end. */
  total?: number;
  /** A cursor, for `after` of the same search. */
  next?: string;
  replaced: ReplacedWord[];
  /** Parts of the words that are searched for as filters. Absent: none. */
  understood?: TypedFilter[];
  /** Parts of the words that no query can express, and that were left out: `not free`. Absent: none. */
  leftOut?: string[];
  /** Parts of the words that nothing has beside the others, which were searched for without them. Absent: none. */
  unmatched?: string[];
  /** A length among these is that of sessions for children alone, of whom the words do not speak. */
  forChildren?: true;
  /** Values that nothing here can be: an unknown place, a cursor of another search. Then there are no items. */
  problems: FilterProblem[];
  /** The problem of "near me" without a position: a page asks the device for it, and other answers are refusals. */
  nowhere?: FilterProblem;
}

/** A row of a list, with its distance from the position of `near`. */
export interface FoundRow extends ListingRow {
  distanceKm?: number;
}

/** A name with the number of its occurrences. */
export interface Counted {
  name: string;
  count: number;
}

/** The numbers of found occurrences by weekday, activity and place. */
export interface Facets {
  /** By weekday of the local start, `mon` to `sun`, each of them. */
  day: Record<string, number>;
  /** By activity, the most frequent first; an occurrence also counts for broader activities. */
  activity: (Counted & { id?: string })[];
  place: (Counted & { key: string })[];
  /** The number of occurrences that were counted. */
  counted: number;
  /** Whether all found occurrences were counted. */
  whole: boolean;
}

/** A number that may be too low. */
interface LeastCount {
  count: number;
  /** Whether there may be more. */
  isLeast?: true;
}

/** The occurrences of a local date. */
export interface DayCount extends LeastCount {
  date: LocalDate;
}

/** The occurrences of an activity. */
export interface PopularActivity extends LeastCount {
  name: string;
  id?: string;
}

/** Searches that find something, for one that finds nothing. */
export interface Suggestions {
  /** Spellings of `q` that find something. */
  didYouMean: string[];
  /**
   * Filters without which something is found, with the number of occurrences, the highest first. `part`: the words that name
   * the filter. `also`: a second filter, where no filter alone is the cause.
   */
  without: {
    name: FilterName;
    also?: FilterName | undefined;
    filters: Filters;
    count: number;
    part?: string | undefined;
  }[];
  /** The bound of these counts. */
  most: number;
}

/** The search. Equal filters find the same on pages, in calendars and in JSON. */
export interface Search {
  /** Occurrences by start, then by id. Cancelled ones are found only with the filter `cancelled`. */
  occurrences(filters: Filters, query: PageQuery): Promise<FoundPage<OccurrenceItem>>;
  /**
   * Series by rank where there are words, else by next start. Series without dates come last, and are left out by filters of
   * time.
   */
  series(filters: Filters, query: PageQuery): Promise<FoundPage<FoundRow>>;
  /** Places and facilities, by rank or by name. */
  venues(kind: 'places' | 'facilities', filters: Filters, query: PageQuery): Promise<FoundPage<FoundRow>>;
  /** Counts of the occurrences that filters find. With `notBefore`, as pages ask, they may be a minute old. */
  facets(filters: Filters, query?: Pick<PageQuery, 'notBefore'>): Promise<Facets>;
  /** The number of occurrences on each of `days` local dates from today on, also where it is 0. */
  days(filters: Filters, days: number): Promise<DayCount[]>;
  /** The activities with most occurrences in the next days, the most frequent first. */
  popular(limit?: number): Promise<PopularActivity[]>;
  /** Words read as filters. `beside`: the filters of the address, with which the words have to find something. */
  understood(q: string, beside?: Filters): Promise<Understood>;
  /** The details by which a session may be left out although its series is found. */
  detailsAsked(filters: Filters): Promise<readonly (keyof Details)[]>;
  suggestions(filters: Filters): Promise<Suggestions>;
}
