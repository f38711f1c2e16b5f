import type { NextChange } from '../../hours/questions.ts';
import type { Details, EventStatus, PlaceSummary } from '../../opportunity/records.ts';
import type { PriceRange } from '../../search/document.ts';
import type { FilterName, Filters } from '../../search/filters.ts';
import type { FilterProblem } from '../../search/query.ts';
import type { Understood } from '../../search/words.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';

/** What a search answers: pages, calendars and JSON ask for the same. */

/** Collections with calendars of their own; also the first segment of their addresses. */
export type Collection = 'series' | 'places' | 'facilities';

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
  /** Whether a place or facility is open, and when that next changes; absent: nobody says when it is open. */
  hours?: OpenNow;
}

export interface OpenNow {
  open: boolean;
  /** Absent: not within a year. */
  next?: NextChange;
}

export interface ItemPlace extends Pick<PlaceSummary, 'id' | 'name' | 'address' | 'latitude' | 'longitude'> {
  /** The key in the address of its page; absent: no Place record is published. */
  key?: string;
  /** From what `near` names, to a tenth. */
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
  /** `@id`; absent: neither a session nor an idTemplate says one. */
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
  /** The places left that the session says: `remainingAttendeeCapacity`. */
  placesLeft?: number;
  /** Start of the instance that was moved, or of the session before it was rescheduled. Not in JSON. */
  was?: Instant;
  /** Whether the session says another place than its series. Not in JSON. */
  elsewhere?: true;
  /** Whether the series came within the last seven days, from a feed that was there before. Not in JSON. */
  isNew?: true;
  /** Everything that is known of it, inheritance applied. Not in JSON. */
  details: Details;
  /** Rows of the store, for those who make calendars; `byItself` as in `FoundOccurrence`. Not in JSON. */
  rows: { series: number; session?: number; schedule?: number; byItself?: true };
}

export interface PageQuery {
  /** `next` of the page before. */
  after?: string;
  limit: number;
  /** Nothing that has ended by then, whatever `from` says; where it says nothing, the window begins then, and not now. */
  notBefore?: Instant;
}

/** A word that nothing has, and the one that was searched for instead. */
export interface ReplacedWord {
  word: string;
  by: string;
}

/** A part of the words that is asked for as a filter is. */
export interface TypedFilter {
  /** The part as it was typed: `not yoga`. */
  text: string;
  /** The words without it. */
  rest: string;
}

/** A page of what was found. */
export interface FoundPage<Item> {
  items: Item[];
  /** The number on all pages; absent: it was not counted whole. */
  total?: number;
  /** A cursor, for `after` of the same search. */
  next?: string;
  replaced: ReplacedWord[];
  /** Parts of the words that are asked for as filters are. Absent: none. */
  understood?: TypedFilter[];
  /** Parts of the words that cannot be asked for, and were not searched for: `not free`. Absent: none. */
  leftOut?: string[];
  /** Parts of the words that nothing has beside the others, which were searched for without them. Absent: none. */
  unmatched?: string[];
  /** A length among these is that of sessions for children alone, of whom the words do not speak. */
  forChildren?: true;
  /** Values that nothing here can be: an unknown place, a cursor of another search. Then there are no items. */
  problems: FilterProblem[];
  /** Words say "near me", and nothing says where that is: a page asks the device, and others refuse. */
  nowhere?: FilterProblem;
}

/** A row of a list of series, places or facilities, with how far away it is. */
export interface FoundRow extends ListingRow {
  distanceKm?: number;
}

export interface Counted {
  name: string;
  count: number;
}

/** How many of the occurrences that were found there are by weekday, activity and place. */
export interface Facets {
  /** By weekday of the local start, `mon` to `sun`; none is left out. */
  day: Record<string, number>;
  /** The most frequent first; broader activities count what is narrower too. */
  activity: (Counted & { id?: string })[];
  place: (Counted & { key: string })[];
  /** Occurrences that were counted. */
  counted: number;
  /** False: there are more than were counted. */
  whole: boolean;
}

/** How many there are, or at least how many where not all were counted. */
interface LeastCount {
  count: number;
  /** There may be more. */
  isLeast?: true;
}

export interface DayCount extends LeastCount {
  date: LocalDate;
}

export interface PopularActivity extends LeastCount {
  name: string;
  id?: string;
}

export interface Suggestions {
  /** Spellings of `q` that find something. */
  didYouMean: string[];
  /**
   * Filters without which something is found, with how many occurrences; the most first. `part`: the words that name it.
   * `also`: a second filter, where none alone is the cause.
   */
  without: {
    name: FilterName;
    also?: FilterName | undefined;
    filters: Filters;
    count: number;
    part?: string | undefined;
  }[];
  /** No more were counted. */
  most: number;
}

/** The one search: the same filters find the same things wherever they are asked for. */
export interface Search {
  /** By start, then id. Cancelled ones only with `cancelled`. */
  occurrences(filters: Filters, query: PageQuery): Promise<FoundPage<OccurrenceItem>>;
  /** By rank where there are words, else by next start; those without dates come last, and never with filters of time. */
  series(filters: Filters, query: PageQuery): Promise<FoundPage<FoundRow>>;
  /** Places and facilities, by rank or by name. */
  venues(kind: 'places' | 'facilities', filters: Filters, query: PageQuery): Promise<FoundPage<FoundRow>>;
  /** With `notBefore`, as for pages: kept for a minute. */
  facets(filters: Filters, query?: Pick<PageQuery, 'notBefore'>): Promise<Facets>;
  /** How many occurrences are on, by local date, from today on, of as many days; dates without any are there too. */
  days(filters: Filters, days: number): Promise<DayCount[]>;
  /** The activities that are on most in the next days, the most frequent first. */
  popular(limit?: number): Promise<PopularActivity[]>;
  /** `beside`: the filters of the address, with which the words have to find something. */
  understood(q: string, beside?: Filters): Promise<Understood>;
  /** The details of a session by which it may be left out though its series is found. */
  detailsAsked(filters: Filters): Promise<readonly (keyof Details)[]>;
  suggestions(filters: Filters): Promise<Suggestions>;
}
