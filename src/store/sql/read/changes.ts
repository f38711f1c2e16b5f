import type { Instant } from '../../../time/instant.ts';
import type { ChangeReader, ChangeRow, ChangesOf } from '../../contract/index.ts';
import { type Database, LIMIT } from '../database.ts';

/** Reads what was noted of the calendars of series. */
export function changeReader(db: Database): ChangeReader {
  return { changes: (of, after, limit) => changes(db, of, after, limit) };
}

async function changes(db: Database, of: ChangesOf, after: Instant, limit: number): Promise<ChangeRow[]> {
  const [column, id] = 'series' in of ? ['series', of.series] : ['venue', of.venue];
  const sql = `SELECT h.series, c.key, c.name, h.at, h.text, h.id FROM change h CROSS JOIN calendar c ON c.record = h.series AND c.part = '' WHERE h.${column} = ? AND h.at > ? AND c.state <> 'gone' ORDER BY h.id DESC ${LIMIT}`;
  const rows = await db.all(sql, id, after, limit);
  const changes = rows
    .toSorted((a, b) => Number(b[3]) - Number(a[3]) || Number(a[5]) - Number(b[5]))
    .map((c) => ({
      series: Number(c[0]),
      key: String(c[1]),
      name: String(c[2]),
      at: Number(c[3]),
      text: String(c[4]),
    }));
  // A change of two places is in two rows.
  return changes.filter(({ series, at, text }, index) => {
    const before = changes[index - 1];
    return before?.series !== series || before.at !== at || before.text !== text;
  });
}
