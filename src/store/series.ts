import { effectiveSeries as effective, effectiveSession, placeToFind } from '../opportunity/effective.ts';
import type { Place, Series, Session } from '../opportunity/records.ts';
import type { Reader, RecordBody, SessionRow, SessionWindow } from './contract/index.ts';
import { type IdentReader, recordOf, withFound } from './find.ts';

/** What a calendar shows of a session, and how often that changed (semantics 6). */
export interface StoredSession {
  row: SessionRow;
  session: Session;
}

/**
 * The series of a row that has been published, with the details of its parents and of a place it names by address
 * (semantics 2).
 */
export function effectiveSeries(reader: IdentReader, row: EffectiveRow): Promise<Series> {
  const record = recordOf(row) as Series;
  return withFound(reader, row, (find) => effective(record, find));
}

type EffectiveRow = Pick<RecordBody, 'body' | 'record'> & Partial<Pick<RecordBody, 'kind' | 'publisherId'>>;

/** The Place whose words are a record's too: the one that a series or session only names. */
export function namedPlace(reader: IdentReader, row: EffectiveRow): Promise<Place | undefined> {
  const id = placeToFind(recordOf(row) as Series | Session);
  return withFound(reader, row, (find) => (id === undefined ? undefined : find('place', id)));
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
  return storedSessions(reader, series, await reader.sessions(series, window));
}

/** `series`: the row of theirs, which says what they do not; undefined: they have none. */
export async function storedSessions<Row extends Pick<SessionRow, 'place' | 'body' | 'record'>>(
  reader: RowReader,
  series: number | undefined,
  rows: readonly Row[],
): Promise<{ row: Row; session: Session }[]> {
  const sessions: { row: Row; session: Session }[] = [];
  let around: Promise<Series | undefined> | undefined;
  for (const row of rows) {
    const record = recordOf(row) as Session;
    if (record.stated !== undefined && series !== undefined) around ??= publishedSeries(reader, series);
    const isWhole = row.place === undefined && record.stated === undefined;
    sessions.push({ row, session: isWhole ? record : await storedSession(reader, record, await around) });
  }
  return sessions;
}

/** A session over what it takes from others. `series`: as `effectiveSeries` gives it. */
export function storedSession(reader: IdentReader, record: Session, series: Series | undefined): Promise<Session> {
  return withFound(reader, {}, (find) => effectiveSession(record, find, series));
}

/** Where the rows of series are found too. */
type RowReader = IdentReader & Pick<Reader, 'recordById'>;

async function publishedSeries(reader: RowReader, id: number): Promise<Series | undefined> {
  const row = await reader.recordById(id);
  return row === undefined || row.body === '' ? undefined : effectiveSeries(reader, row);
}
