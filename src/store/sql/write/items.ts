import { type Bundled, rebundled } from '../../bundles.ts';
import { DAMAGED_DATA, type FeedCounts, type ItemWrite, type ItemWriter } from '../../contract/index.ts';
import { type Database, type Insert, LISTED, type Update, type Value } from '../database.ts';
import { ITEM_COLUMNS, itemRow, orNull } from '../rows.ts';
import { findingCount, moveCounts } from './feeds.ts';
import { type Tables, zip } from './new-ids.ts';

const INSERT_BUNDLE: Insert = { table: 'bundle', columns: ['id', 'live', 'data'] };
const SENT = ['modified', 'hash', 'bundle', 'slot', 'findings'];
const INSERT_ITEM: Insert = { table: 'item', columns: [...SENT, 'id', 'feed', 'kind', 'rpde_id', 'tag'] };
const UPDATE_ITEM: Update = { table: 'item', set: SENT, key: ['id'] };
const SAVE_FINDINGS: Update = { table: 'item', set: ['findings'], key: ['id'] };
const SAVE_MODIFIED: Update = { table: 'item', set: ['modified'], key: ['id'] };
const SAVE_DAMAGED: Update = { table: 'item', set: ['modified', 'hash', 'findings'], key: ['id'] };

/** A text that identifies an item: distinct for any two keys. */
const itemName = (kind: string, rpdeId: string): string => `${kind.length} ${kind}${rpdeId}`;

/** Keeps items, and their data in bundles. */
export function itemWriter(tables: Tables): ItemWriter {
  const { db, tags } = tables;
  return {
    async items(feed, keys) {
      const listed = JSON.stringify(keys.map(({ rpdeId }) => tags(rpdeId, feed)));
      const sql =
        'SELECT i.id, i.kind, i.rpde_id, i.modified, i.hash FROM json_each(?) t CROSS JOIN item i ON i.feed = ? AND i.tag = t.value';
      const found = new Map((await db.all(sql, listed, feed)).map((c) => [itemName(String(c[1]), String(c[2])), c]));
      return keys.map(({ kind, rpdeId }) => {
        const row = found.get(itemName(kind, rpdeId));
        return row && itemRow(row);
      });
    },

    async itemsById(ids) {
      const sql = `SELECT i.id, i.kind, i.rpde_id, i.modified, i.hash, i.feed FROM json_each(?) t CROSS JOIN item i ON i.id = t.value WHERE i.hash IS NOT NULL ORDER BY i.id`;
      return (await db.all(sql, JSON.stringify(ids))).map((c) => ({ ...itemRow(c), feed: Number(c[5]) }));
    },

    async itemsOf(feed, limit) {
      // Without ORDER BY, so that the index by feed is read in its own order.
      return (await db.all(`SELECT ${ITEM_COLUMNS} FROM item WHERE feed = ? LIMIT ?`, feed, limit)).map(itemRow);
    },

    saveItems: (feed, rows) => saveItems(tables, feed, rows),

    saveFindings: (rows) => saveFindings(db, rows),

    async dropItems(items) {
      const listed = JSON.stringify(items);
      await db.run(`DELETE FROM claim WHERE item IN ${LISTED}`, listed);
      await db.run(`DELETE FROM item WHERE id IN ${LISTED}`, listed);
    },
  };
}

async function saveItems(tables: Tables, feed: number, rows: readonly ItemWrite[]): Promise<number[]> {
  const { db, tags, newIds } = tables;
  const counts = { items: 0, deleted: 0, findings: 0, bytes: 0 };
  const [kept, sent] = [rows.filter(({ keepRaw }) => keepRaw), rows.filter(({ keepRaw }) => !keepRaw)];
  await saveKept(db, kept, counts);
  for (const { hash, findings } of sent) {
    counts[hash === undefined ? 'deleted' : 'items'] += 1;
    counts.findings += findingCount(findings);
  }
  const places = await saveBundles(tables, sent, counts);
  const cells = (row: ItemWrite): Value[] => {
    const [bundle, slot] = places.get(row) ?? [null, null];
    return [row.modified, orNull(row.hash), bundle, slot, orNull(row.findings)];
  };
  const replaced = sent.flatMap(({ id }) => id ?? []);
  await release(db, replaced, counts);
  const known = sent.flatMap((row) => (row.id === undefined ? [] : [[...cells(row), row.id]]));
  await db.update(UPDATE_ITEM, known);
  const fresh = sent.filter(({ id }) => id === undefined);
  const ids = new Map<ItemWrite, number>(zip(fresh, await newIds.of('item', fresh.length)));
  const keyOf = ({ kind, rpdeId }: ItemWrite) => [feed, kind, rpdeId, tags(rpdeId, feed)];
  const made = fresh.map((row) => [...cells(row), ids.get(row) as number, ...keyOf(row)]);
  await db.insert(INSERT_ITEM, made);
  await moveCounts(db, feed, counts);
  return rows.map((row) => row.id ?? (ids.get(row) as number));
}

async function saveFindings(
  db: Database,
  rows: readonly { item: number; findings: string | undefined }[],
): Promise<void> {
  const listed = JSON.stringify(rows.map(({ item }) => item));
  const sql = 'SELECT i.id, i.feed, i.findings FROM json_each(?) t CROSS JOIN item i ON i.id = t.value';
  const known = new Map((await db.all(sql, listed)).map((c) => [Number(c[0]), c]));
  const more = new Map<number, number>();
  const there = rows.filter(({ item }) => known.has(item));
  for (const { item, findings } of there) {
    const [, feed, before] = known.get(item) ?? [];
    const change = findingCount(findings) - findingCount((before ?? undefined) as string | undefined);
    more.set(Number(feed), (more.get(Number(feed)) ?? 0) + change);
  }
  const cells = there.map(({ item, findings }) => [orNull(findings), item]);
  await db.update(SAVE_FINDINGS, cells);
  for (const [feed, findings] of more) await moveCounts(db, feed, { findings });
}

/** Saves items whose raw data stays; for a later copy without data, its findings too. */
async function saveKept(db: Database, rows: readonly ItemWrite[], counts: FeedCounts): Promise<void> {
  const damaged = rows.filter(({ hash }) => hash === DAMAGED_DATA);
  const kept = rows.filter(({ hash }) => hash !== DAMAGED_DATA);
  const moved = kept.map(({ modified, id }) => [modified, id as number]);
  await db.update(SAVE_MODIFIED, moved);
  const listed = JSON.stringify(damaged.map(({ id }) => id));
  const sql = 'SELECT i.findings FROM json_each(?) t CROSS JOIN item i ON i.id = t.value WHERE i.findings IS NOT NULL';
  for (const [before] of await db.all(sql, listed)) counts.findings -= findingCount(String(before));
  for (const { findings } of damaged) counts.findings += findingCount(findings);
  const cells = damaged.map((row) => [row.modified, orNull(row.hash), orNull(row.findings), row.id as number]);
  await db.update(SAVE_DAMAGED, cells);
}

async function saveBundles(
  { db, newIds }: Tables,
  rows: readonly ItemWrite[],
  counts: FeedCounts,
): Promise<Map<ItemWrite, [bundle: number, slot: number]>> {
  const filled = rows.filter((row) => row.raw !== undefined);
  const raws = rebundled(filled.map((row) => row.raw as string | Bundled));
  const bundles = [...Map.groupBy(raws, (raw) => raw.bundle)];
  const ids = await newIds.of('bundle', bundles.length);
  const cells = bundles.map(([{ data }, texts], index) => [ids[index] as number, texts.length, data]);
  await db.insert(INSERT_BUNDLE, cells);
  for (const [{ data }] of bundles) counts.bytes += data.length;
  const idOf = new Map(bundles.map(([bundle], index) => [bundle, ids[index] as number]));
  return new Map(zip(filled, raws).map(([row, { bundle, slot }]) => [row, [idOf.get(bundle) as number, slot]]));
}

/** Takes replaced items out of the counts and their bundles; a bundle without live items is deleted. */
async function release(db: Database, items: readonly number[], counts: FeedCounts): Promise<void> {
  if (items.length === 0) return;
  const rows = await db.all(
    'SELECT i.bundle, i.hash, i.findings FROM json_each(?) t CROSS JOIN item i ON i.id = t.value',
    JSON.stringify(items),
  );
  for (const [, hash, findings] of rows) {
    counts[hash === null ? 'deleted' : 'items'] -= 1;
    if (findings !== null) counts.findings -= findingCount(String(findings));
  }
  const bundles = JSON.stringify(rows.flatMap(([bundle]) => (bundle === null ? [] : Number(bundle))));
  const released = `UPDATE bundle SET live = live - o.count
    FROM (SELECT t.value AS id, count(*) AS count FROM json_each(?) t GROUP BY t.value) o
    WHERE bundle.id = o.id RETURNING bundle.id, bundle.live, length(bundle.data)`;
  const empty = (await db.all(released, bundles)).filter(([, live]) => live === 0);
  for (const [, , bytes] of empty) counts.bytes -= Number(bytes);
  await db.run(`DELETE FROM bundle WHERE id IN ${LISTED}`, JSON.stringify(empty.map(([id]) => id)));
}
