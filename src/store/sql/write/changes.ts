import type { ChangeWriter } from '../../contract/index.ts';
import type { Database, Insert } from '../database.ts';
import { orNull } from '../rows.ts';

const SAVE_CHANGE: Insert = { table: 'change', columns: ['id', 'series', 'venue', 'at', 'text'] };
/** Rows of one series. */
const MOST_CHANGES = 100;

/** Keeps what was noted of the calendars of series. */
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
