import { withPlace } from '../opportunity/join.ts';
import {
  type Details,
  inherit,
  type OpportunityRecord,
  type Place,
  type Series,
  type Session,
} from '../opportunity/records.ts';
import type { BareSession, Reader, RecordBody, SessionRow, SessionWindow } from './contract.ts';

/**
 * A series as its calendar needs it, put together from the store: the record with everything it inherits (semantics 2).
 */
export interface StoredSeries {
  /** Row of the series. */
  row: RecordBody;
  /** With effective details. */
  series: Series;
}

/** What a calendar shows of a session, and how often that changed (semantics 6). */
export interface StoredSession {
  row: SessionRow;
  session: Session;
}

/** Where a record finds the others that it takes details from. */
export type RecordReader = Pick<Reader, 'recordById'>;

/** What a row that has been published says. */
export function recordOf(row: Pick<RecordBody, 'body' | 'record'>): OpportunityRecord {
  row.record ??= JSON.parse(row.body) as OpportunityRecord;
  return row.record;
}

/** An EventSeries may have a parent of its own; a chain of links that never ends, or runs in a circle, does. */
const MOST_PARENTS = 4;

/** The series of a row that has been published, with the details of its parents and of a place it names by address. */
export async function effectiveSeries(reader: RecordReader, row: RecordBody): Promise<StoredSeries> {
  const series = recordOf(row) as Series;
  let details = series.details;
  let parent = row.parent;
  for (let depth = 0; parent !== undefined && depth < MOST_PARENTS; depth += 1) {
    const found = await reader.recordById(parent);
    if (found === undefined) break;
    details = inherit((recordOf(found) as Series).details, details, false);
    parent = found.parent;
  }
  return { row, series: { ...series, details: await located(reader, details, row.place) } };
}

/** Sessions of one series counted; beyond, a calendar says how many there are at least. */
const MOST_COUNTED = 50_000;

/** How many sessions a series has besides those that were read under this limit. */
export async function unreadSessions(reader: Reader, series: number, read: number, limit: number): Promise<number> {
  // Fewer than were asked for are all there are.
  return read < limit ? 0 : (await reader.countChildren('session', series, MOST_COUNTED)) - read;
}

/** The published sessions of a series, by start; a session's own place, if named by address only, is resolved. */
export async function sessionsOf(reader: Reader, series: number, window?: SessionWindow): Promise<StoredSession[]> {
  return storedSessions(reader, await reader.sessions(series, window));
}

/** With what those say of which it was not read yet. */
export async function withBodies(
  reader: Pick<Reader, 'bodies'>,
  rows: readonly BareSession[],
): Promise<readonly SessionRow[]> {
  const bare = rows.filter((row) => row.body === undefined);
  if (bare.length === 0) return rows as readonly SessionRow[];
  const bodies = await reader.bodies(bare.map(({ id }) => id));
  return rows.map((row) => (row.body === undefined ? { ...row, body: bodies.get(row.id) ?? '' } : (row as SessionRow)));
}

export async function storedSessions<Row extends Pick<SessionRow, 'place' | 'body' | 'record'>>(
  reader: RecordReader,
  rows: readonly Row[],
): Promise<{ row: Row; session: Session }[]> {
  const sessions: { row: Row; session: Session }[] = [];
  for (const row of rows) {
    const session = recordOf(row) as Session;
    const details = row.place === undefined ? session.details : await located(reader, session.details, row.place);
    sessions.push({ row, session: details === session.details ? session : { ...session, details } });
  }
  return sessions;
}

async function located(reader: RecordReader, details: Details, place: number | undefined): Promise<Details> {
  const row = place === undefined ? undefined : await reader.recordById(place);
  return row === undefined ? details : withPlace(details, recordOf(row) as Place);
}
