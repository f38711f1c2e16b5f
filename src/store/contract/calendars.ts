import type { RecordKind } from '../../opportunity/records.ts';
import type { Instant } from '../../time/instant.ts';
import type { StoredEvents } from './stored-hash.ts';

export type CalendarState = 'live' | 'deleted' | 'gone';

/**
 * The part of a record that a calendar shows. '': a series, or the opening hours of a place or facility. 'sessions': the
 * events at a place. 'slots': the bookable times of a facility.
 */
export type CalendarPart = '' | 'sessions' | 'slots';

/** A calendar's revision, and the hashes and stamps that it was computed from (semantics 6). */
export interface CalendarRow {
  record: number;
  part: CalendarPart;
  kind: RecordKind;
  key: string;
  state: CalendarState;
  revision: number;
  changed: Instant;
  /** The number of the last change, in the order of all changes of all calendars (`changesSince`). */
  seq: number;
  /** The name that lists are sorted by. */
  name: string;
  /** Hash of the search document; empty: there is none. */
  search: string;
  /** Hash of the header: name, description and all that is not an event; undefined: deferred. */
  header: string | undefined;
  events: StoredEvents;
  /** The last state of a withdrawn series or venue (JSON of `Tail` in tail.ts). */
  tail: string | undefined;
  deletedAt: Instant | undefined;
  /** The new key of a calendar that has moved, and is `gone` under this one. */
  movedTo: string | undefined;
  /** Sessions of the series: an upper bound, so that few calendars need be counted again. */
  sessions: number;
  /** The calendar depends on the stored day, and is revised when the day moves. */
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

/** `document`: replaces the one in the search index. A calendar that is not live has none there. */
export type CalendarWrite = Omit<CalendarRow, 'seq'> & { document?: DocumentRow };

/** The search document of a live calendar that is otherwise unchanged. */
export type DocumentWrite = Required<Pick<CalendarWrite, 'record' | 'kind' | 'search' | 'document'>>;

/** The columns of a calendar to write where only its events changed. */
export type CalendarTouch = Pick<CalendarRow, 'record' | 'part' | 'revision' | 'changed' | 'sessions'>;

export interface CalendarQuery {
  kind: RecordKind;
  /** Only records at that place. */
  venue?: number;
}

export interface CalendarReader {
  calendarOf(record: number, part?: CalendarPart): Promise<CalendarRow | undefined>;
  /** All parts of a record's calendar. */
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
  /** The sessions of the series; for a visiting series, those at the place alone. */
  sessions: number;
  /** Length of the series' record. */
  weight: number;
  isVisiting?: true;
}

export interface CalendarWriter {
  calendarsOf(records: readonly number[], part?: CalendarPart): Promise<(CalendarRow | undefined)[]>;
  /** Gives each the next seq. */
  saveCalendars(rows: readonly CalendarWrite[]): Promise<void>;
  /** Saves search documents; revision and seq stay. */
  saveDocuments(rows: readonly DocumentWrite[]): Promise<void>;
  /** Saves the revision and the number of sessions, and gives the next seq. */
  touchCalendars(rows: readonly CalendarTouch[]): Promise<void>;
  /** Records whose calendar rolls with the day, after the given id. */
  rolling(after: number, limit: number): Promise<number[]>;
  /** The series at each place with their sizes, for places after the given id. */
  loads(after: number, limit: number): Promise<{ venue: number; series: SeriesLoad[] }[]>;
  /** All series, places and facilities that an item of the feed owns, by id. */
  calendarsOfFeed(feed: number): Promise<number[]>;
  /** Records after the given id whose calendar was withdrawn and is still served; `gone`: or is gone already. */
  withdrawn(after: number, limit: number, gone: boolean): Promise<number[]>;
}
