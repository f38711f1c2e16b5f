import type { RecordKind } from '../../opportunity/records.ts';
import type { Instant } from '../../time/instant.ts';
import type { StoredEvents } from './stored-hash.ts';

export type CalendarState = 'live' | 'deleted' | 'gone';

/**
 * What a revision is of. '': the series; the opening hours of a place or facility. 'sessions': what is on at a place.
 * 'slots': the bookable times of a facility.
 */
export type CalendarPart = '' | 'sessions' | 'slots';

/** A calendar's revision and what it was computed from (semantics 6). */
export interface CalendarRow {
  record: number;
  part: CalendarPart;
  kind: RecordKind;
  key: string;
  state: CalendarState;
  revision: number;
  changed: Instant;
  /** Orders all changes of all calendars; what a reader asks for with `changesSince`. */
  seq: number;
  /** What lists are sorted by. */
  name: string;
  /** Hash of the document that is searched; empty: there is none. */
  search: string;
  /** Hash of the header: name, description and all that is not an event; undefined: deferred. */
  header: string | undefined;
  events: StoredEvents;
  /** The calendar as last shown, once its series is deleted (JSON of Calendar). */
  tail: string | undefined;
  deletedAt: Instant | undefined;
  /** The key it has now: its publisher gave it another `@id`. It is `gone` itself. */
  movedTo: string | undefined;
  /** Sessions of the series: no less than there are, so that few calendars need be counted again. */
  sessions: number;
  /** Holds generated occurrences, or more than is served: rolls forward with the day. */
  rolling: boolean;
  findings: string | undefined;
}

/** A document as the rows of the search index have it (`documentRow` makes it). */
export interface DocumentRow {
  /** A line for each field, and one for its keys; a blank before and after each term. */
  terms: string;
  /** Words of names as they are written, with blanks between them. */
  words: string;
  zone: string | undefined;
  latitude: number | undefined;
  longitude: number | undefined;
  /** Years. */
  ageMin: number | undefined;
  ageMax: number | undefined;
  gender: string | undefined;
  /** The lowest price; 0: something is free. */
  price: number | undefined;
  online: boolean;
}

/** `document`: takes the place of the one in the search index. That of a calendar that is not live leaves it. */
export type CalendarWrite = Omit<CalendarRow, 'seq'> & { document?: DocumentRow };

/** What is searched of a live calendar, where nothing that it shows changed. */
export type DocumentWrite = Required<Pick<CalendarWrite, 'record' | 'kind' | 'search' | 'document'>>;

/** A calendar of which only events changed. */
export type CalendarTouch = Pick<CalendarRow, 'record' | 'part' | 'revision' | 'changed' | 'sessions'>;

export interface CalendarQuery {
  kind: RecordKind;
  /** Only what is at that place. */
  venue?: number;
}

export interface CalendarReader {
  calendarOf(record: number, part?: CalendarPart): Promise<CalendarRow | undefined>;
  /** All parts there are of a record's calendar. */
  calendarParts(record: number): Promise<CalendarRow[]>;
  /** All parts of the calendars of many records, that of the record itself first; those without any are left out. */
  partsOfCalendars(records: readonly number[]): Promise<Map<number, CalendarRow[]>>;
  calendarByKey(key: string): Promise<CalendarRow | undefined>;
  /** Calendars changed after `seq`, ascending, with the newest seq. */
  changesSince(seq: number, limit: number): Promise<{ key: string; seq: number }[]>;
  lastSeq(): Promise<number>;
  /** Live calendars by name then key. */
  calendars(query: CalendarQuery & { after?: { name: string; key: string }; limit: number }): Promise<CalendarRow[]>;
  countCalendars(query: CalendarQuery): Promise<number>;
}

export interface SeriesLoad {
  /** All, or those at the place where the series is usually elsewhere. */
  sessions: number;
  /** Length of its record. */
  weight: number;
  isVisiting?: true;
}

export interface CalendarWriter {
  calendarsOf(records: readonly number[], part?: CalendarPart): Promise<(CalendarRow | undefined)[]>;
  /** Gives each the next seq. */
  saveCalendars(rows: readonly CalendarWrite[]): Promise<void>;
  /** Neither moves the revision nor gives the next seq. */
  saveDocuments(rows: readonly DocumentWrite[]): Promise<void>;
  /** Only moves the revision, and gives the next seq. */
  touchCalendars(rows: readonly CalendarTouch[]): Promise<void>;
  /** Records whose calendar rolls with the day, after the given id. */
  rolling(after: number, limit: number): Promise<number[]>;
  /** What series bring to the calendar of each place, for places after the given id. */
  loads(after: number, limit: number): Promise<{ venue: number; series: SeriesLoad[] }[]>;
  /** All series, places and facilities that an item of the feed owns, by id. */
  calendarsOfFeed(feed: number): Promise<number[]>;
  /** Records after the given id whose calendar was withdrawn and is still served; `gone`: or is gone already. */
  withdrawn(after: number, limit: number, gone: boolean): Promise<number[]>;
}
