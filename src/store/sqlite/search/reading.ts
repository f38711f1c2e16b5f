import type { SearchQuery } from '../../contract/index.ts';
import { LIMIT } from '../../sql/database.ts';
import { searchFactsReader } from '../../sql/search/facts.ts';
import { foundWithSessions } from '../../sql/search/occurrence-rows.ts';
import { MOST_POSITIONS } from '../../sql/search/terms.ts';
import type { SearchIndex } from '../../sql/search-index.ts';
import type { Connection } from '../connection.ts';
import { foundAmong, foundBy } from './conditions.ts';
import { foundRows } from './found-rows.ts';
import { matchOf } from './match.ts';
import { occurrenceFinder, type Turns } from './occurrences.ts';
import { bestHits } from './ranking.ts';
import { clearDocuments, dropDocument, saveDocuments } from './writing.ts';

/** The search index of SQLite, read and written. */

/** Rows that the first try reads; each further one reads `FARTHER` times as many. */
const FIRST = 250;
const FARTHER = 4;

/** Whether the words of a query are all unwanted, and it has no keys: FTS5 cannot be asked for that. */
const hasOnlyUnwanted = (query: SearchQuery): boolean =>
  query.words !== undefined && query.words.length > 0 && matchOf(query) === undefined;

/** `turns`: the sizes of turns, for tests with few rows. */
export function sqliteSearch(db: Connection, turns?: Turns): SearchIndex {
  const rowsOf = foundRows(db);
  const find = occurrenceFinder(db, rowsOf, turns);

  /** Rows without excluding phrases. Nearly all rows have none, so each is checked by its own terms. */
  const wantedRows = (query: SearchQuery, limit: number): number[] => {
    const found = rowsOf(query);
    for (let among = Math.max(FIRST, limit); ; among *= FARTHER) {
      const { sql, values } = foundAmong(query, among);
      const rows = db.all(`SELECT s.record ${sql}`, ...values).map(([record]) => Number(record));
      const wanted = rows.filter(found.among(rows));
      if (wanted.length >= limit || found.atMost(among) !== undefined)
        return wanted.sort((a, b) => a - b).slice(0, limit);
    }
  };

  return {
    ...searchFactsReader(db),

    async search(query, limit) {
      if (hasOnlyUnwanted(query)) return wantedRows(query, limit).map((record) => ({ record, rank: 0 }));
      if (query.words !== undefined && query.words.length > 0) return bestHits(db, rowsOf(query), query, limit);
      const { sql, values, row } = foundBy(query);
      const rows = db.all(`SELECT s.record ${sql} ORDER BY ${row} ${LIMIT}`, ...values, limit);
      return rows.map((c) => ({ record: Number(c[0]), rank: 0 }));
    },

    async countFound(query, most) {
      if (hasOnlyUnwanted(query)) return wantedRows(query, most).length;
      for (let among = Math.max(FIRST, most); ; among *= FARTHER) {
        const { sql, values } = foundAmong(query, among);
        const count = Number(db.get(`SELECT count(*) FROM (SELECT 1 ${sql} ${LIMIT})`, ...values, most)?.[0]);
        if (count === most) return most;
        const all = rowsOf(query).all(among);
        if (all !== undefined) return Math.min(all.size, most);
      }
    },

    countWithin: async (query, most) => rowsOf(query).all(most)?.size,

    foundOccurrences: (query, window) => foundWithSessions(query, window, find),

    async positionOf(list, key) {
      const match = matchOf({ keys: { [list]: [key] } }) as string;
      const sql = `SELECT avg(latitude), avg(longitude) FROM (SELECT s.latitude, s.longitude FROM search_text
        CROSS JOIN search s ON s.record = search_text.rowid WHERE search_text MATCH ? AND s.latitude IS NOT NULL ${LIMIT})`;
      const [latitude, longitude] = db.get(sql, match, MOST_POSITIONS) ?? [];
      return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined;
    },

    save: async (documents) => saveDocuments(db, documents),

    async drop(records) {
      for (const record of records) dropDocument(db, record);
    },

    clear: async () => clearDocuments(db),
  };
}
