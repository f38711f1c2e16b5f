import type { Instant } from '../../time/instant.ts';
import type { ChangeReader, ChangeRow, ChangesOf, ChangeWriter } from '../contract/index.ts';
import { type Database, type Insert, LIMIT } from './database.ts';
import { orNull } from './rows.ts';

/** Reads noted changes of the calendars of series. */
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

const SAVE_CHANGE: Insert = { table: 'change', columns: ['id', 'series', 'venue', 'at', 'text'] };
/** The most rows of one series. */
const MOST_CHANGES = 100;

/** Keeps noted changes of the calendars of series. */
export function changeWriter(db: Database): ChangeWriter {
  return {
    async saveChanges(rows) {
      if (rows.length === 0) return;
      const last = Number((await db.get('SELECT max(id) FROM change'))?.[0] ?? 0);
      const cells = rows.map((row, at) => [last + 1 + at, row.series, orNull(row.venue), row.at, row.text]);
      await db.insert(SAVE_CHANGE, cells);
      const trim = `DELETE FROM change WHERE series = ? AND id <= (SELECT id FROM change WHERE series = ? ORDER BY id DESC LIMIT 1 OFFSET ${MOST_CHANGES})`;
      for (const series of new Set(rows.map((row) => row.series))) await db.run(trim, series, series);
    },

    async forgetChanges(before) {
      await db.run('DELETE FROM change WHERE at < ?', before);
    },
  };
}
