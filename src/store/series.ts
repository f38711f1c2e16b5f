import { effectiveSeries as effective, effectiveSession, placeToFind } from '../opportunity/effective.ts';
import type { Place, Series, Session } from '../opportunity/records.ts';
import type { Reader, RecordBody, SessionRow, SessionWindow } from './contract/index.ts';
import { type IdentReader, recordOf, withFound } from './find.ts';

/** A session over what it inherits, with its row and stamp (semantics 6). */
export interface StoredSession {
  row: SessionRow;
  session: Session;
}

/**
 * The series of a published row, with the details of its parents and of a Place that it only names (semantics 2).
 */
export function effectiveSeries(reader: IdentReader, row: EffectiveRow): Promise<Series> {
  const record = recordOf(row) as Series;
  return withFound(reader, row, (find) => effective(record, find));
}

type EffectiveRow = Pick<RecordBody, 'body' | 'record'> & Partial<Pick<RecordBody, 'kind' | 'publisherId'>>;

/** The Place that a series or session only names, and inherits its location from. */
export function namedPlace(reader: IdentReader, row: EffectiveRow): Promise<Place | undefined> {
  const id = placeToFind(recordOf(row) as Series | Session);
  return withFound(reader, row, (find) => (id === undefined ? undefined : find('place', id)));
}

/** The most sessions of a series that are counted; a calendar with more states a least number. */
const MOST_COUNTED = 50_000;

/** The number of sessions of a series besides the `read` ones, of at most `limit`. */
export async function unreadSessions(reader: Reader, series: number, read: number, limit: number): Promise<number> {
  // Fewer rows than the limit are all rows.
  return read < limit ? 0 : (await reader.countChildren('session', series, MOST_COUNTED)) - read;
}

/** The published sessions of a series, by start, over what they inherit. */
export async function sessionsOf(reader: Reader, series: number, window?: SessionWindow): Promise<StoredSession[]> {
  return storedSessions(reader, series, await reader.sessions(series, window));
}

/** Sessions of rows over what they inherit. `series`: the row of their series; undefined: they have none. */
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

/** A session over what it inherits. `series`: as `effectiveSeries` returns it. */
export function storedSession(reader: IdentReader, record: Session, series: Series | undefined): Promise<Session> {
  return withFound(reader, {}, (find) => effectiveSession(record, find, series));
}

/** A reader that also finds rows of series. */
type RowReader = IdentReader & Pick<Reader, 'recordById'>;

async function publishedSeries(reader: RowReader, id: number): Promise<Series | undefined> {
  const row = await reader.recordById(id);
  return row === undefined || row.body === '' ? undefined : effectiveSeries(reader, row);
}
