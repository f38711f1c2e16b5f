import { isTypingError } from '../../../nearest.ts';
import { FIELDS } from '../../../search/document.ts';
import type { KeyList, SearchFacts, SearchHit, SearchQuery, SearchReader } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import { integerCell } from '../rows.ts';
import { foundBy, foundByText } from './conditions.ts';
import { Occurrences } from './occurrences.ts';
import { matchOf } from './terms.ts';

/** The search index read. */

/** Weights of the columns of `search_text`; keys do not count. */
const WEIGHTS = [...Object.values(FIELDS), 0].join(', ');
/** The middle of so many documents is that of all. */
const MOST_POSITIONS = 500;

export class SqliteSearch implements SearchReader {
  protected readonly db: Connection;
  readonly #occurrences: Occurrences;

  constructor(db: Connection) {
    this.db = db;
    this.#occurrences = new Occurrences(db);
  }

  async search(query: SearchQuery, limit: number): Promise<SearchHit[]> {
    if (query.words === undefined || query.words.length === 0) {
      const { sql, values, row } = foundBy(query);
      const rows = this.db.all(`SELECT s.record ${sql} ORDER BY ${row} LIMIT ? + 0`, ...values, limit);
      return rows.map((c) => ({ record: Number(c[0]), rank: 0 }));
    }
    const { sql, values } = foundByText(query);
    const ranked = `SELECT s.record, bm25(search_text, ${WEIGHTS}) ${sql} ORDER BY 2, 1 LIMIT ? + 0`;
    const rows = this.db.all(ranked, ...values, limit);
    return rows.map((c) => ({ record: Number(c[0]), rank: -Number(c[1]) }));
  }

  async countFound(query: SearchQuery, most: number): Promise<number> {
    const { sql, values } = foundBy(query);
    return Number(this.db.get(`SELECT count(*) FROM (SELECT 1 ${sql} LIMIT ? + 0)`, ...values, most)?.[0]);
  }

  async foundOccurrences(...[query, window]: Parameters<SearchReader['foundOccurrences']>) {
    return this.#occurrences.found(query, window);
  }

  async runningOccurrences(...[query, at, cancelled]: Parameters<SearchReader['runningOccurrences']>) {
    return this.#occurrences.running(query, at, cancelled);
  }

  async searchFacts(records: readonly number[]): Promise<Map<number, SearchFacts>> {
    const sql = `SELECT s.record, s.zone, s.activities, s.latitude, s.longitude, r.venue
      FROM json_each(?) CROSS JOIN search s ON s.record = value CROSS JOIN record r ON r.id = s.record`;
    return new Map(
      this.db.all(sql, JSON.stringify(records)).map((c) => {
        const [zone, latitude, longitude, venue] = [c[1], c[3], c[4], integerCell(c[5])];
        const facts: SearchFacts = {
          record: Number(c[0]),
          activities: JSON.parse(String(c[2])) as string[],
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
}
