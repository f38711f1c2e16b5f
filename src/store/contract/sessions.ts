import type { Instant } from '../../time/instant.ts';
import type { DocumentRow } from './calendars.ts';
import type { RecordBody, RecordWrite, SessionStamp } from './records.ts';

/** The columns of a session that planning needs. */
export type SessionRow = Pick<RecordBody, 'id' | 'place' | 'hash' | 'sequence' | 'changed' | 'body' | 'record'> &
  Pick<RecordWrite, 'start' | 'end' | 'cancelled'>;

/** A session without its text, which most plans do not need. */
export type BareSession = Omit<SessionRow, 'body'> & Partial<Pick<SessionRow, 'body'>>;

export interface SessionWindow {
  /** The most sessions: those from `around` on first, then the latest before it, then those without a start. Absent: all. */
  limit?: number;
  /** Absent: from the first session on. */
  around?: Instant;
  /** Only sessions with these rows. */
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

/** A future occurrence. `instance`: the one that a session without a start or end replaces. */
export type Upcoming =
  | { source: 'generated'; row: OccurrenceRow }
  | { source: 'explicit'; body: string; instance?: Pick<OccurrenceRow, 'start' | 'end'> };

/** The times of a session without a zone of its own, and the zone that they were read in. */
export type SessionTimes = Pick<RecordWrite, 'start' | 'end' | 'zone'> & { id: number };

/** A session whose times name no zone, with its series. */
export type ZonedSession = SessionTimes & Pick<RecordBody, 'place' | 'body' | 'record'> & { parent: number };

export interface SessionDocument {
  record: number;
  document: DocumentRow;
  /** Terms that are not in the document of its series (`addedTerms`): the session is found by them. */
  added: string;
}

/** A session at another place than its series: rows of both, and its start. */
export interface VisitingSession {
  id: number;
  series: number;
  start?: Instant;
}

export interface SessionReader {
  /** Published sessions with a place of their own, whose series is elsewhere; by series, then start. */
  sessionsAt(venue: number): Promise<VisitingSession[]>;
  /** The published sessions of a series, by start then id. */
  sessions(series: number, window?: SessionWindow): Promise<SessionRow[]>;
  bareSessions(series: number, window?: SessionWindow): Promise<BareSession[]>;
  /** Starts of the instances that sessions replace, by row of the session. */
  replacedStarts(sessions: readonly number[]): Promise<Map<number, Instant>>;
  /** Whether times of a series' sessions, or of a facility's slots, were read in the configured default zone. */
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
  /** Published sessions of these series with details of their own (`RecordRow.own`), grouped by series. */
  ownSessions(series: readonly number[]): Promise<number[]>;
  /** Places that sessions of these series have of their own. */
  venuesOfSessions(series: readonly number[]): Promise<number[]>;
  /** Saves documents of sessions, and drops those of sessions without one in `documents`. Unchanged ones are not written. */
  saveSessionDocuments(sessions: readonly number[], documents: readonly SessionDocument[]): Promise<void>;
  /** Counts the lowest price of each series anew, among the own prices of its sessions. */
  countSessionPrices(series: readonly number[]): Promise<void>;
  /** Lowers the lowest price of each series to the given one, where that is lower. */
  lowerSessionPrices(prices: ReadonlyMap<number, number>): Promise<void>;
  stampSessions(stamps: readonly SessionStamp[]): Promise<void>;
  /** Upserts occurrences with a stamp, then deletes those of the series with another stamp (semantics 4.10). */
  replaceOccurrences(series: number, stamp: string, rows: readonly OccurrenceRow[]): Promise<void>;
  /** Series with sessions that start in [from, to) and are cancelled, themselves or by a series above them. */
  seriesWithCancelled(from: Instant, to: Instant): Promise<number[]>;
}
