import { isTypingError } from '../../../nearest.ts';
import type { SearchFacts, SearchReader } from '../../contract/index.ts';
import type { Database } from '../database.ts';
import { numberCell } from '../rows.ts';
import { ACTIVITY } from './terms.ts';

/** The reads that are alike in every index: facts of documents, words and zones. */
export function searchFactsReader(
  db: Database,
): Pick<SearchReader, 'searchFacts' | 'activityTerms' | 'wordsLike' | 'searchZones'> {
  return {
    async searchFacts(records) {
      const sql = `SELECT s.record, s.zone, s.latitude, s.longitude, r.venue, r.cancelled, p.cancelled, p.parent
        FROM json_each(?) t CROSS JOIN search s ON s.record = t.value CROSS JOIN record r ON r.id = s.record
        LEFT JOIN record p ON p.id = r.parent`;
      return new Map(
        (await db.all(sql, JSON.stringify(records))).map((c) => {
          const [zone, latitude, longitude, venue] = [c[1], c[2], c[3], numberCell(c[4])];
          const facts: SearchFacts = {
            record: Number(c[0]),
            ...(typeof zone === 'string' && { zone }),
            ...(latitude !== null &&
              longitude !== null && { latitude: Number(latitude), longitude: Number(longitude) }),
            ...(venue !== undefined && { venue }),
            ...((c[5] === 1 || c[6] === 1 || c[7] !== null) && { cancelled: true }),
          };
          return [facts.record, facts];
        }),
      );
    },

    async activityTerms(records) {
      const sql = 'SELECT s.record, s.terms FROM json_each(?) t CROSS JOIN search_terms s ON s.record = t.value';
      const rows = await db.all(sql, JSON.stringify(records));
      return new Map(rows.map(([record, terms]) => [Number(record), activitiesIn(String(terms))]));
    },

    async wordsLike(word) {
      const sql = 'SELECT word FROM search_word WHERE length BETWEEN ? AND ? ORDER BY word';
      // Characters, as they are stored.
      const { length } = [...word];
      const words = (await db.all(sql, length - 1, length + 1)).map((c) => String(c[0]));
      return words.filter((one) => isTypingError(word, one));
    },

    async searchZones() {
      return (await db.all('SELECT zone FROM search_zone ORDER BY zone')).map((c) => String(c[0]));
    },
  };
}

/** The last line has the keys (`storedTerms`). */
function activitiesIn(terms: string): string[] {
  const keys = terms.slice(terms.lastIndexOf('\n') + 1).split(' ');
  return keys.filter((key) => key.startsWith(ACTIVITY)).map((key) => key.slice(ACTIVITY.length));
}
