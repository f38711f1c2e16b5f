import { LIMITS } from '../../../limits.ts';
import type { Instant } from '../../../time/instant.ts';
import type { ChangeRow, ChangesOf } from '../../contract/index.ts';
import type { Database } from '../database.ts';

/** What was noted for people: changes of dates, and findings. */

// A sum, for the reason that `reader.ts` gives.
const LIMIT = 'LIMIT ? + 0';

export async function changesOf(db: Database, of: ChangesOf, after: Instant, limit: number): Promise<ChangeRow[]> {
  const [column, id] = 'series' in of ? ['series', of.series] : ['venue', of.venue];
  const sql = `SELECT h.series, c.key, c.name, h.at, h.text, h.id FROM change h CROSS JOIN calendar c ON c.record = h.series AND c.part = '' WHERE h.${column} = ? AND h.at > ? AND c.state <> 'gone' ORDER BY h.id DESC ${LIMIT}`;
  const rows = await db.all(sql, id, after, limit);
  return rows
    .toSorted((a, b) => Number(b[3]) - Number(a[3]) || Number(a[5]) - Number(b[5]))
    .map((c) => ({
      series: Number(c[0]),
      key: String(c[1]),
      name: String(c[2]),
      at: Number(c[3]),
      text: String(c[4]),
    }));
}

/** Codes of findings, of pages as `pageFindings` reads them, and of the first items that have some. */
export async function findingCodes(
  db: Database,
  feed: number,
  items: number,
): Promise<{ code: string; count: number }[]> {
  const ofItems = `SELECT findings FROM item WHERE feed = ? AND findings IS NOT NULL ORDER BY id ${LIMIT}`;
  const ofPages = `SELECT findings FROM page_finding WHERE feed = ? ORDER BY cursor ${LIMIT}`;
  const sql = `SELECT c.code, count(*) FROM (
    SELECT f.value ->> 'code' AS code FROM (${ofItems}) i CROSS JOIN json_each(i.findings) f ON true
    UNION ALL SELECT f.value -> 'finding' ->> 'code' FROM (${ofPages}) p CROSS JOIN json_each(p.findings) f ON true
  ) c GROUP BY c.code ORDER BY c.code`;
  const rows = await db.all(sql, feed, items, feed, LIMITS.findingPages);
  return rows.map((c) => ({ code: String(c[0]), count: Number(c[1]) }));
}
