import { HOUR_MS } from '../../../time/days.ts';
import type { FoundOccurrence, OccurrenceWindow, SearchQuery } from '../../contract/index.ts';
import { firstOf, PRICED } from '../../sql/search/occurrence-rows.ts';
import type { Connection } from '../connection.ts';
import { amongSessions, inSeries, type WindowPart } from './dated-rows.ts';
import type { FoundRows, RowsOfQuery } from './found-rows.ts';
import { MORE, Walk } from './walk.ts';

/**
 * Occurrences of the series that a query finds. There are two ways: to list the series and read their dates, or to read rows by
 * start (a walk) and check each with the query. Which is cheaper is not known beforehand. So a part of the walk comes first. Then
 * listing and walking take turns, until one of them is near its end.
 */

/** The sizes of the first turns. */
export interface Turns {
  /** Series to list, where the walk has not found enough. */
  series: number;
  /** Series to list for a query with `near`, where many rows are still to be checked. */
  near?: number;
  /** Rows by start to read for each wanted occurrence. */
  rows: number;
}

const TURNS: Turns = { series: 64, near: 16_000, rows: 4 };
const FARTHER = 4;
/** The most rows of the first turn of the walk: so many are cheaper to check than all series are to list. */
const MOST_FIRST = 1_000;
/** The most series that are listed. */
const MOST_SERIES = 100_000;
/** Rows by start that cost as much as the dates of one series, which are read from two indexes and in several pieces. */
const ROWS_A_SERIES = 8;
/** Series that are listed for each row that was read by start. */
const SERIES_A_ROW = 6;
/** Rows that an index lists while one row by start is checked. */
const LISTED_A_CHECK = 4;
/** Series that the index of coordinates lists while one row is checked. */
const LISTED_A_ROW = 20;
/** The usual time between two occurrences of a series. */
const USUAL_GAP = 7 * 24 * HOUR_MS;
const GROWTH = 6;

export function occurrenceFinder(db: Connection, rowsOf: FoundRows, turns: Turns = TURNS) {
  function find(query: SearchQuery, window: OccurrenceWindow): FoundOccurrence[] {
    const rows = rowsOf(query);
    const asked = query.kind === 'session' ? 'session' : 'series';
    const walk = new Walk(db, asked, (read) => wanted(query, rows, read), window);
    const first = Math.min(turns.rows * window.limit, MOST_FIRST);
    const { series, near = series } = turns;
    let [among, far] = [query.records?.length ?? 0, first];
    for (;;) {
      const some = rows.atMost(Math.min(among, MOST_SERIES));
      // Named series are few.
      const isFew = some !== undefined && (query.records !== undefined || some.size * ROWS_A_SERIES < walk.ahead);
      if (isFew) return amongSome(query, some, walk, window);
      if (walk.goOn(far, some)) return firstOf(walk.found, window.limit);
      far = Math.min(FARTHER * far, Math.max(first, Math.ceil(MORE * walk.ahead)));
      const isFar = query.near !== undefined && walk.ahead * LISTED_A_ROW > near;
      // Listing more series than this costs more than the rest of the walk.
      const most = Math.min(SERIES_A_ROW * walk.read, LISTED_A_CHECK * Math.ceil(walk.ahead));
      among = Math.max(series, among, isFar ? near : 0, most);
    }
  }

  /** The rows, among some, that the query finds; for a price of sessions, only sessions with such a price. */
  function wanted<One extends { row: number; session?: number | undefined }>(
    { sessionPrice }: SearchQuery,
    rows: RowsOfQuery,
    read: readonly One[],
  ): readonly One[] {
    const some = sessionPrice === undefined ? read : priced(read, sessionPrice);
    const isFound = rows.among(some.map(({ row }) => row));
    return some.filter(({ row }) => isFound(row));
  }

  /** Sessions with a price of at most `price`. They are read first, many times as fast as the terms of their series. */
  function priced<One extends { session?: number | undefined }>(read: readonly One[], price: number): One[] {
    const sessions = read.flatMap(({ session }) => session ?? []);
    if (sessions.length === 0) return [];
    const sql = `SELECT r.id FROM json_each(?) CROSS JOIN record r ON r.id = value WHERE ${PRICED}`;
    const priced = new Set(db.all(sql, JSON.stringify(sessions), price).map(([id]) => id));
    return read.filter(({ session }) => session !== undefined && priced.has(session));
  }

  /**
   * The rest of a walk, from the dates of `some` series alone. The window is read in growing pieces, so that few rows are
   * read in vain.
   */
  function amongSome(
    query: SearchQuery,
    some: ReadonlySet<number>,
    walk: Walk,
    window: OccurrenceWindow,
  ): FoundOccurrence[] {
    const { limit, cancelled = false } = window;
    const found = [...walk.found];
    const isOfSessions = query.kind === 'session';
    const ofQuery = rowsOf(query);
    const read = (part: WindowPart): void => {
      const rows = isOfSessions
        ? amongSessions(db, some, part, cancelled)
        : inSeries(db, some, part, cancelled, query.sessionPrice);
      const asked = rows.map((one) => ({ ...one, row: isOfSessions ? (one.session as number) : one.series }));
      found.push(...wanted(query, ofQuery, asked).map(({ row: _, ...one }) => one));
    };
    let length = Math.max(HOUR_MS, Math.round(walk.lengthAhead ?? (limit * USUAL_GAP) / some.size));
    for (const part of walk.parts) {
      // Long occurrences are few, so their part is read whole.
      if (part.of === 'long') read(part);
      for (let { from } = part; part.of === 'start' && from < part.to && found.length < limit; length *= GROWTH) {
        const to = Math.min(from + length, part.to);
        read({ ...part, from, to });
        from = to;
      }
    }
    return firstOf(found, limit);
  }

  return find;
}
