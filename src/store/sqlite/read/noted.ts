import type { Instant } from '../../../time/instant.ts';
import type { ChangeRow, ChangesOf } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';

/** What was noted for people: changes of dates, and findings. */

// A sum, for the reason that `reader.ts` gives.
const LIMIT = 'LIMIT ? + 0';

export function changesOf(db: Connection, of: ChangesOf, after: Instant, limit: number): ChangeRow[] {
  const [column, id] = 'series' in of ? ['series', of.series] : ['venue', of.venue];
  const sql = `SELECT h.series, c.key, c.name, h.at, h.text, h.id FROM change h CROSS JOIN calendar c ON c.record = h.series AND c.part = '' WHERE h.${column} = ? AND h.at > ? AND c.state <> 'gone' ORDER BY h.id DESC ${LIMIT}`;
  return db
    .all(sql, id, after, limit)
    .toSorted((a, b) => Number(b[3]) - Number(a[3]) || Number(a[5]) - Number(b[5]))
    .map((c) => ({
      series: Number(c[0]),
      key: String(c[1]),
      name: String(c[2]),
      at: Number(c[3]),
      text: String(c[4]),
    }));
}

/** Of pages, and of the first items that have some. */
export function findingCodes(db: Connection, feed: number, items: number): { code: string; count: number }[] {
  const ofItems = `SELECT findings FROM item WHERE feed = ? AND findings IS NOT NULL ORDER BY id ${LIMIT}`;
  const sql = `SELECT code, count(*) FROM (
    SELECT f.value ->> '$.code' AS code FROM (${ofItems}) i, json_each(i.findings) f
    UNION ALL SELECT f.value ->> '$.finding.code' FROM page_finding p, json_each(p.findings) f WHERE p.feed = ?
  ) GROUP BY code ORDER BY code`;
  return db.all(sql, feed, items, feed).map((c) => ({ code: String(c[0]), count: Number(c[1]) }));
}
