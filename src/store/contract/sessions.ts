import type { Instant } from '../../time/instant.ts';
import type { DocumentRow } from './calendars.ts';
import type { RecordBody, RecordWrite, SessionStamp } from './records.ts';

/** What planning needs of a session. */
export type SessionRow = Pick<RecordBody, 'id' | 'place' | 'hash' | 'sequence' | 'changed' | 'body' | 'record'> &
  Pick<RecordWrite, 'start' | 'end' | 'cancelled'>;

/** A session as its row has it, without its text, which most plans do not ask for. */
export type BareSession = Omit<SessionRow, 'body'> & Partial<Pick<SessionRow, 'body'>>;

export interface SessionWindow {
  /** At most this many; those from `around` on first, then the latest before it, then those without a start. Absent: all. */
  limit?: number;
  /** Absent: from the first one on. */
  around?: Instant;
  /** Rows of sessions, where these alone are wanted. */
  rows?: readonly number[];
}

/** A generated occurrence (semantics 4.10). */
export interface OccurrenceRow {
  start: Instant;
  end: Instant;
  schedule: number;
  /** Row of the explicit session that replaces it. */
  session: number | undefined;
}

/** `instance`: what a session replaces that does not say when it starts or ends. */
export type Upcoming =
  | { source: 'generated'; row: OccurrenceRow }
  | { source: 'explicit'; body: string; instance?: Pick<OccurrenceRow, 'start' | 'end'> };

/** When a session takes place whose times name no zone, and the zone that they were read in. */
export type SessionTimes = Pick<RecordWrite, 'start' | 'end' | 'zone'> & { id: number };

/** A session whose times name no zone, with its series. */
export type ZonedSession = SessionTimes & Pick<RecordBody, 'place' | 'body' | 'record'> & { parent: number };

export interface SessionDocument {
  record: number;
  document: DocumentRow;
  /** Terms that it adds to the document of its series (`addedTerms`): the session is found by them. */
  added: string;
}

/** A session away from the usual place of its series: rows of both, and when it is. */
export interface VisitingSession {
  id: number;
  series: number;
  start?: Instant;
}

export interface SessionReader {
  /** Published sessions that are at a place as they say themselves, and whose series is not; by series, then start. */
  sessionsAt(venue: number): Promise<VisitingSession[]>;
  /** The published sessions of a series, by start then id. */
  sessions(series: number, window?: SessionWindow): Promise<SessionRow[]>;
  bareSessions(series: number, window?: SessionWindow): Promise<BareSession[]>;
  /** When the instances start that these sessions replace, by row of the session. */
  replacedStarts(sessions: readonly number[]): Promise<Map<number, Instant>>;
  /** Whether sessions of a series, or slots of a facility, name no zone for their times, and nothing says it. */
  assumesZone(parent: number): Promise<boolean>;
  /** Generated occurrences that no session replaces, and explicit sessions, of one series, overlapping [from, to), by start. */
  upcoming(series: number, from: Instant, to: Instant, limit: number): Promise<Upcoming[]>;
  /** All stored occurrences of a series, replaced ones too, with the stamp they carry. */
  occurrences(series: number): Promise<(OccurrenceRow & { stamp: string })[]>;
}

export interface SessionWriter {
  /** Published sessions of these series, or slots of these facilities, whose times name no zone. */
  zonedSessions(parents: readonly number[]): Promise<ZonedSession[]>;
  saveTimes(rows: readonly SessionTimes[]): Promise<void>;
  /** Published sessions of these series that are searched by themselves (`RecordRow.own`), those of one series side by side. */
  ownSessions(series: readonly number[]): Promise<number[]>;
  /** Places at which sessions of these series are as they say themselves. */
  venuesOfSessions(series: readonly number[]): Promise<number[]>;
  /** Documents of some sessions, of which those have none that are given none here. Nothing is written that is there. */
  saveSessionDocuments(sessions: readonly number[], documents: readonly SessionDocument[]): Promise<void>;
  /** Finds again the lowest price that a session of each of these series says itself. */
  countSessionPrices(series: readonly number[]): Promise<void>;
  /** A price that one of the sessions of a series says, by series. */
  lowerSessionPrices(prices: ReadonlyMap<number, number>): Promise<void>;
  stampSessions(stamps: readonly SessionStamp[]): Promise<void>;
  /** Upserts, stamped; then deletes what does not carry the stamp (semantics 4.10). */
  replaceOccurrences(series: number, stamp: string, rows: readonly OccurrenceRow[]): Promise<void>;
  /** Series with sessions that start in [from, to) and are cancelled, by themselves or with their series or what is above it. */
  seriesWithCancelled(from: Instant, to: Instant): Promise<number[]>;
}
