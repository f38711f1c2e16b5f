import { OWN } from '../../../opportunity/clean.ts';
import { SLOT_KIND } from '../../../opportunity/page/rpde-item.ts';
import { unpack } from '../../bundles.ts';
import type { ItemReader } from '../../contract/index.ts';
import { damaged } from '../../trouble.ts';
import type { Database } from '../database.ts';
import { ITEM_COLUMNS, itemRow } from '../rows.ts';
import { seenItems } from '../seen.ts';

/** Reads items, their raw data and their findings. */
export function itemReader(db: Database): ItemReader {
  return {
    async unseen(feed, after, upTo) {
      // `+feed` keeps SQLite from an index by feed: the whole feed would be read for each part of it.
      const sql = `SELECT ${ITEM_COLUMNS} FROM item WHERE id > ? AND id <= ? AND +feed = ? AND hash IS NOT NULL ORDER BY id`;
      const rows = (await db.all(sql, after, upTo, feed)).map(itemRow);
      const ids = rows.map(({ id }) => id);
      const met = await seenItems(db, feed, ids);
      return rows.filter(({ id }) => !met.has(id));
    },

    async lastItem() {
      return Number((await db.get('SELECT max(id) FROM item'))?.[0] ?? 0);
    },

    async liveItems(after, limit) {
      const sql = `SELECT ${ITEM_COLUMNS}, feed FROM item WHERE id > ? AND hash IS NOT NULL ORDER BY id LIMIT ?`;
      return (await db.all(sql, after, limit)).map((c) => ({ ...itemRow(c), feed: Number(c[5]) }));
    },

    async raw(items) {
      // A second try, because bundles may be written anew between two statements.
      const found = (await rawOf(db, items)) ?? (await rawOf(db, items));
      if (found === undefined) throw damaged(new Error('a bundle is missing'));
      return found;
    },

    async itemFindings(feed: number, after: number, limit: number) {
      const own = `SELECT s.ident FROM record r CROSS JOIN record_body s ON s.record = r.id WHERE r.item = i.id AND r.rank = ${OWN} LIMIT 1`;
      const sql = `SELECT i.id, i.kind, i.rpde_id, i.findings, (${own}) FROM item i
        WHERE i.feed = ? AND i.findings IS NOT NULL AND i.id > ? ORDER BY i.id LIMIT ?`;
      return (await db.all(sql, feed, after, limit)).map((c) => ({
        id: Number(c[0]),
        kind: String(c[1]),
        rpdeId: String(c[2]),
        findings: String(c[3]),
        ident: c[4] === null ? undefined : String(c[4]),
      }));
    },

    async findingsOf(item) {
      return ((await db.get('SELECT findings FROM item WHERE id = ?', item))?.[0] ?? undefined) as string | undefined;
    },

    async findingsOfItems(items) {
      if (items.length === 0) return new Map();
      const sql =
        'SELECT i.id, i.findings FROM json_each(?) t CROSS JOIN item i ON i.id = t.value WHERE i.findings IS NOT NULL';
      return new Map((await db.all(sql, JSON.stringify(items))).map((c) => [Number(c[0]), String(c[1])]));
    },

    async slotItems(feed, most) {
      const slots = `SELECT id FROM item WHERE feed = ? AND hash IS NOT NULL AND replace(kind, '${SLOT_KIND}', '') <> kind LIMIT ?`;
      const sql = `SELECT c.slots, i.kind, i.rpde_id FROM (SELECT count(*) AS slots, min(s.id) AS first FROM (${slots}) s) c CROSS JOIN item i ON i.id = c.first`;
      const row = await db.get(sql, feed, most);
      return row && { count: Number(row[0]), first: { kind: String(row[1]), rpdeId: String(row[2]) } };
    },
  };
}

/** Raw data by item; undefined: a bundle is missing. */
async function rawOf(db: Database, items: readonly number[]): Promise<Map<number, string> | undefined> {
  const places =
    'SELECT i.id, i.bundle, i.slot FROM json_each(?) t CROSS JOIN item i ON i.id = t.value WHERE i.bundle IS NOT NULL';
  const rows = await db.all(places, JSON.stringify(items));
  const ofBundle = Map.groupBy(rows, (c) => Number(c[1]));
  const sql = 'SELECT b.id, b.data FROM json_each(?) t CROSS JOIN bundle b ON b.id = t.value';
  const bundles = await db.all(sql, JSON.stringify([...ofBundle.keys()]));
  if (bundles.length < ofBundle.size) return undefined;
  const raws = new Map<number, string>();
  for (const [id, data] of bundles) {
    const textIn = unpack(data as Uint8Array);
    for (const [item, , slot] of ofBundle.get(Number(id)) ?? []) raws.set(Number(item), textIn(Number(slot)) as string);
  }
  return raws;
}
