import { isTypingError } from '../../../nearest.ts';
import type {
  CalendarRow,
  KeyList,
  RecordBody,
  SearchFacts,
  SearchHit,
  SearchQuery,
  SearchReader,
} from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import { CALENDAR_COLUMNS, calendarRow, integerCell, RECORD_COLUMNS, RECORD_TABLES, recordBody } from '../rows.ts';
import { foundAmong, foundBy } from './conditions.ts';
import { FoundRows } from './found-rows.ts';
import { Occurrences, type Turns } from './occurrences.ts';
import { Ranking } from './ranking.ts';
import { matchOf } from './terms.ts';

/** The search index read. */

/** The middle of so many documents is that of all. */
const MOST_POSITIONS = 500;
/** Rows that are read before it is tried otherwise, at first. */
const FIRST = 250;
const FARTHER = 4;

export class SqliteSearch implements SearchReader {
  protected readonly db: Connection;
  readonly #rows: FoundRows;
  readonly #occurrences: Occurrences;
  readonly #ranking: Ranking;

  /** `turns`: for tests, which have few rows. */
  constructor(db: Connection, turns?: Turns) {
    this.db = db;
    this.#rows = new FoundRows(db);
    this.#occurrences = new Occurrences(db, this.#rows, turns);
    this.#ranking = new Ranking(db, this.#rows);
  }

  async search(query: SearchQuery, limit: number): Promise<SearchHit[]> {
    if (query.words !== undefined && query.words.length > 0) return this.#ranking.best(query, limit);
    const { sql, values, row } = foundBy(query);
    const rows = this.db.all(`SELECT s.record ${sql} ORDER BY ${row} LIMIT ? + 0`, ...values, limit);
    return rows.map((c) => ({ record: Number(c[0]), rank: 0 }));
  }

  async countFound(query: SearchQuery, most: number): Promise<number> {
    for (let among = Math.max(FIRST, most); ; among *= FARTHER) {
      const { sql, values } = foundAmong(query, among);
      const count = Number(this.db.get(`SELECT count(*) FROM (SELECT 1 ${sql} LIMIT ? + 0)`, ...values, most)?.[0]);
      if (count === most) return most;
      const all = this.#rows.all(query, among);
      if (all !== undefined) return Math.min(all.size, most);
    }
  }

  async countWithin(query: SearchQuery, most: number): Promise<number | undefined> {
    return this.#rows.all(query, most)?.size;
  }

  async foundOccurrences(...[query, window]: Parameters<SearchReader['foundOccurrences']>) {
    return this.#occurrences.found(query, window);
  }

  async searchFacts(records: readonly number[]): Promise<Map<number, SearchFacts>> {
    const sql = `SELECT s.record, s.zone, s.latitude, s.longitude, r.venue
      FROM json_each(?) CROSS JOIN search s ON s.record = value CROSS JOIN record r ON r.id = s.record`;
    return new Map(
      this.db.all(sql, JSON.stringify(records)).map((c) => {
        const [zone, latitude, longitude, venue] = [c[1], c[2], c[3], integerCell(c[4])];
        const facts: SearchFacts = {
          record: Number(c[0]),
          ...(typeof zone === 'string' && { zone }),
          ...(latitude !== null && longitude !== null && { latitude: Number(latitude), longitude: Number(longitude) }),
          ...(venue !== undefined && { venue }),
        };
        return [facts.record, facts];
      }),
    );
  }

  async positionOf(list: KeyList, key: string): Promise<{ latitude: number; longitude: number } | undefined> {
    const match = matchOf({ keys: { [list]: [key] } }) as string;
    const sql = `SELECT avg(latitude), avg(longitude) FROM (SELECT s.latitude, s.longitude FROM search_text
      CROSS JOIN search s ON s.record = search_text.rowid WHERE search_text MATCH ? AND s.latitude IS NOT NULL LIMIT ? + 0)`;
    const [latitude, longitude] = this.db.get(sql, match, MOST_POSITIONS) ?? [];
    return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined;
  }

  async wordsLike(word: string): Promise<string[]> {
    const sql = 'SELECT word FROM search_word WHERE length BETWEEN ? AND ? ORDER BY word';
    const words = this.db.all(sql, word.length - 1, word.length + 1).map((c) => String(c[0]));
    return words.filter((one) => isTypingError(word, one));
  }

  async searchZones(): Promise<string[]> {
    return this.db.all('SELECT zone FROM search_zone ORDER BY zone').map((c) => String(c[0]));
  }

  /** Records of what was found, and their calendars. */
  async publishedRecords(ids: readonly number[]): Promise<RecordBody[]> {
    const sql = `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) CROSS JOIN ${RECORD_TABLES} WHERE r.id = value AND r.item IS NOT NULL`;
    return this.db.all(sql, JSON.stringify(ids)).map(recordBody);
  }

  async mainCalendars(records: readonly number[]): Promise<CalendarRow[]> {
    const columns = CALENDAR_COLUMNS.replaceAll(/(\w+)/g, 'c.$1');
    const sql = `SELECT ${columns} FROM json_each(?) CROSS JOIN calendar c ON c.record = value AND c.part = ''`;
    return this.db.all(sql, JSON.stringify(records)).map(calendarRow);
  }
}
