import type { KeyList, SearchHit, SearchQuery, SearchReader } from '../../contract/index.ts';
import { LIMIT } from '../../sql/database.ts';
import { SearchFactsReader } from '../../sql/search/facts.ts';
import { foundWithSessions } from '../../sql/search/occurrence-rows.ts';
import { MOST_POSITIONS } from '../../sql/search/terms.ts';
import type { IndexedDocument, SearchIndex } from '../../sql/search-index.ts';
import type { Connection } from '../connection.ts';
import { foundAmong, foundBy } from './conditions.ts';
import { FoundRows } from './found-rows.ts';
import { matchOf } from './match.ts';
import { Occurrences, type Turns } from './occurrences.ts';
import { Ranking } from './ranking.ts';
import { clearDocuments, dropDocument, saveDocuments } from './writing.ts';

/** The search index of SQLite, read and written. */

/** Rows that the first try reads; each further one reads `FARTHER` times as many. */
const FIRST = 250;
const FARTHER = 4;

/** Whether the words of a query are all unwanted, and it has no keys: FTS5 cannot be asked for that. */
const hasOnlyUnwanted = (query: SearchQuery): boolean =>
  query.words !== undefined && query.words.length > 0 && matchOf(query) === undefined;

export class SqliteSearch extends SearchFactsReader implements SearchIndex {
  readonly #db: Connection;
  readonly #rows: FoundRows;
  readonly #occurrences: Occurrences;
  readonly #ranking: Ranking;

  /** `turns`: the sizes of turns, for tests with few rows. */
  constructor(db: Connection, turns?: Turns) {
    super(db);
    this.#db = db;
    this.#rows = new FoundRows(db);
    this.#occurrences = new Occurrences(db, this.#rows, turns);
    this.#ranking = new Ranking(db, this.#rows);
  }

  async search(query: SearchQuery, limit: number): Promise<SearchHit[]> {
    if (hasOnlyUnwanted(query)) return this.#wantedRows(query, limit).map((record) => ({ record, rank: 0 }));
    if (query.words !== undefined && query.words.length > 0) return this.#ranking.best(query, limit);
    const { sql, values, row } = foundBy(query);
    const rows = this.#db.all(`SELECT s.record ${sql} ORDER BY ${row} ${LIMIT}`, ...values, limit);
    return rows.map((c) => ({ record: Number(c[0]), rank: 0 }));
  }

  async countFound(query: SearchQuery, most: number): Promise<number> {
    if (hasOnlyUnwanted(query)) return this.#wantedRows(query, most).length;
    for (let among = Math.max(FIRST, most); ; among *= FARTHER) {
      const { sql, values } = foundAmong(query, among);
      const count = Number(this.#db.get(`SELECT count(*) FROM (SELECT 1 ${sql} ${LIMIT})`, ...values, most)?.[0]);
      if (count === most) return most;
      const all = this.#rows.of(query).all(among);
      if (all !== undefined) return Math.min(all.size, most);
    }
  }

  /** Rows without excluding phrases. Nearly all rows have none, so each is checked by its own terms. */
  #wantedRows(query: SearchQuery, limit: number): number[] {
    const found = this.#rows.of(query);
    for (let among = Math.max(FIRST, limit); ; among *= FARTHER) {
      const { sql, values } = foundAmong(query, among);
      const rows = this.#db.all(`SELECT s.record ${sql}`, ...values).map(([record]) => Number(record));
      const wanted = rows.filter(found.among(rows));
      if (wanted.length >= limit || found.atMost(among) !== undefined)
        return wanted.sort((a, b) => a - b).slice(0, limit);
    }
  }

  async countWithin(query: SearchQuery, most: number): Promise<number | undefined> {
    return this.#rows.of(query).all(most)?.size;
  }

  async foundOccurrences(...[query, window]: Parameters<SearchReader['foundOccurrences']>) {
    return foundWithSessions(query, window, (one, within) => this.#occurrences.find(one, within));
  }

  async positionOf(list: KeyList, key: string): Promise<{ latitude: number; longitude: number } | undefined> {
    const match = matchOf({ keys: { [list]: [key] } }) as string;
    const sql = `SELECT avg(latitude), avg(longitude) FROM (SELECT s.latitude, s.longitude FROM search_text
      CROSS JOIN search s ON s.record = search_text.rowid WHERE search_text MATCH ? AND s.latitude IS NOT NULL ${LIMIT})`;
    const [latitude, longitude] = this.#db.get(sql, match, MOST_POSITIONS) ?? [];
    return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined;
  }

  async save(documents: readonly IndexedDocument[]): Promise<void> {
    saveDocuments(this.#db, documents);
  }

  async drop(records: readonly number[]): Promise<void> {
    for (const record of records) dropDocument(this.#db, record);
  }

  async clear(): Promise<void> {
    clearDocuments(this.#db);
  }
}
