import type { AsideRow, AsideSum, NamedAside } from '../../contract/index.ts';
import { type Cells, LISTED, upsert } from '../database.ts';
import { orNull } from '../rows.ts';
import { SqlCalendarWriter } from './calendar-writer.ts';

const SAVE = upsert('aside', ['item'], ['item', 'feed', 'modified', 'hash', 'raw', 'calendars', 'sessions']);
const COLUMNS = 'a.item, a.feed, a.modified, a.hash, a.raw, a.calendars, a.sessions';

/** The part of the writer that keeps losses until somebody confirms them. */
export class SqlAsideWriter extends SqlCalendarWriter {
  async asideOf(items: readonly number[]): Promise<Map<number, AsideRow>> {
    const sql = `SELECT ${COLUMNS} FROM json_each(?) t CROSS JOIN aside a ON a.item = t.value`;
    return new Map((await this.db.all(sql, JSON.stringify(items))).map((c) => [Number(c[0]), asideRow(c)]));
  }

  async asideIn(feed: number, limit: number): Promise<NamedAside[]> {
    const sql = `SELECT ${COLUMNS}, i.kind, i.rpde_id FROM aside a CROSS JOIN item i ON i.id = a.item WHERE a.feed = ? ORDER BY a.item LIMIT ?`;
    const rows = await this.db.all(sql, feed, limit);
    return rows.map((c) => ({ ...asideRow(c), kind: String(c[7]), rpdeId: String(c[8]) }));
  }

  async sumAside(feed: number): Promise<AsideSum> {
    const sql = 'SELECT count(*), coalesce(sum(calendars), 0), coalesce(sum(sessions), 0) FROM aside WHERE feed = ?';
    const [items, calendars, sessions] = (await this.db.get(sql, feed)) ?? [];
    return { items: Number(items), calendars: Number(calendars), sessions: Number(sessions) };
  }

  async saveAside(rows: readonly AsideRow[]): Promise<void> {
    await this.db.insert(
      SAVE,
      rows.map(({ item, feed, modified, hash, raw, calendars, sessions }) => [
        item,
        feed,
        modified,
        orNull(hash),
        orNull(raw),
        calendars,
        sessions,
      ]),
    );
  }

  async dropAside(items: readonly number[]): Promise<void> {
    await this.db.run(`DELETE FROM aside WHERE item IN ${LISTED}`, JSON.stringify(items));
  }
}

function asideRow(c: Cells): AsideRow {
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
