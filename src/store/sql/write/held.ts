import type { HeldCopy, HeldWriter } from '../../contract/index.ts';
import { type Cells, type Database, LISTED, upsert } from '../database.ts';
import { orNull } from '../rows.ts';

const COLUMNS = ['item', 'feed', 'modified', 'hash', 'raw', 'calendars', 'sessions'] as const;
const SAVE = upsert('aside', ['item'], COLUMNS);
const OF_COPY = COLUMNS.map((column) => `a.${column}`).join(', ');

/** Keeps held copies until an operator confirms them, in the table `aside`. */
export function heldWriter(db: Database): HeldWriter {
  return {
    async heldOf(items) {
      const sql = `SELECT ${OF_COPY} FROM json_each(?) t CROSS JOIN aside a ON a.item = t.value`;
      return new Map((await db.all(sql, JSON.stringify(items))).map((c) => [Number(c[0]), heldCopy(c)]));
    },

    async heldIn(feed, limit) {
      const sql = `SELECT ${OF_COPY}, i.kind, i.rpde_id FROM aside a CROSS JOIN item i ON i.id = a.item WHERE a.feed = ? ORDER BY a.item LIMIT ?`;
      const rows = await db.all(sql, feed, limit);
      return rows.map((c) => ({ ...heldCopy(c), kind: String(c[7]), rpdeId: String(c[8]) }));
    },

    async sumHeld(feed) {
      const sql = 'SELECT count(*), coalesce(sum(calendars), 0), coalesce(sum(sessions), 0) FROM aside WHERE feed = ?';
      const [items, calendars, sessions] = (await db.get(sql, feed)) ?? [];
      return { items: Number(items), calendars: Number(calendars), sessions: Number(sessions) };
    },

    async saveHeld(rows) {
      const cells = rows.map((row) => COLUMNS.map((column) => orNull(row[column])));
      await db.insert(SAVE, cells);
    },

    async dropHeld(items) {
      await db.run(`DELETE FROM aside WHERE item IN ${LISTED}`, JSON.stringify(items));
    },
  };
}

function heldCopy(c: Cells): HeldCopy {
  return {
    item: Number(c[0]),
    feed: Number(c[1]),
    modified: String(c[2]),
    hash: c[3] === null ? undefined : String(c[3]),
    raw: c[4] === null ? undefined : String(c[4]),
    calendars: Number(c[5]),
    sessions: Number(c[6]),
  };
}
