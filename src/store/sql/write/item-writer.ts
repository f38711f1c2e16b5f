import { type Bundle, type Bundled, rebundled } from '../../bundles.ts';
import type { FeedCounts, ItemKey, ItemRow, ItemWrite } from '../../contract/index.ts';
import { type Insert, LISTED, type Update, type Value } from '../database.ts';
import { itemRow, orNull } from '../rows.ts';
import { SqlClaimWriter } from './claim-writer.ts';
import { findingsIn } from './feed-writer.ts';

const INSERT_BUNDLE: Insert = { table: 'bundle', columns: ['id', 'live', 'data'] };
const SENT = ['modified', 'hash', 'bundle', 'slot', 'findings'];
const INSERT_ITEM: Insert = { table: 'item', columns: [...SENT, 'id', 'feed', 'kind', 'rpde_id', 'tag'] };
const UPDATE_ITEM: Update = { table: 'item', set: SENT, key: ['id'] };

/** Distinct for every two keys. */
const itemName = (kind: string, rpdeId: string): string => `${kind.length} ${kind}${rpdeId}`;

/** The part of the writer that keeps items, and their data in bundles. */
export class SqlItemWriter extends SqlClaimWriter {
  /** The next id of a table; unknown at the start of each transaction. */
  readonly #next = new Map<'item' | 'bundle' | 'record', number>();

  /** Another process, or a rollback, may have left other rows than this one remembers. */
  begin(): void {
    this.#next.clear();
  }

  async items(feed: number, keys: readonly ItemKey[]): Promise<(ItemRow | undefined)[]> {
    const tags = JSON.stringify(keys.map(({ rpdeId }) => this.tags.of(rpdeId, feed)));
    const sql =
      'SELECT i.id, i.kind, i.rpde_id, i.modified, i.hash FROM json_each(?) t CROSS JOIN item i ON i.feed = ? AND i.tag = t.value';
    const found = new Map((await this.db.all(sql, tags, feed)).map((c) => [itemName(String(c[1]), String(c[2])), c]));
    return keys.map(({ kind, rpdeId }) => {
      const row = found.get(itemName(kind, rpdeId));
      return row && itemRow(row);
    });
  }

  async saveItems(feed: number, rows: readonly ItemWrite[]): Promise<number[]> {
    const counts = { items: 0, deleted: 0, findings: 0, bytes: 0 };
    const [kept, sent] = [rows.filter(({ keepRaw }) => keepRaw), rows.filter(({ keepRaw }) => !keepRaw)];
    await this.saveKept(kept, counts);
    for (const { hash, findings } of sent) {
      counts[hash === undefined ? 'deleted' : 'items'] += 1;
      counts.findings += findingsIn(findings);
    }
    const places = await this.#bundle(sent, counts);
    const cells = (row: ItemWrite): Value[] => {
      const [bundle, slot] = places.get(row) ?? [null, null];
      return [row.modified, orNull(row.hash), bundle, slot, orNull(row.findings)];
    };
    const replaced = sent.flatMap(({ id }) => id ?? []);
    await this.#release(replaced, counts);
    await this.db.update(
      UPDATE_ITEM,
      sent.flatMap((row) => (row.id === undefined ? [] : [[...cells(row), row.id]])),
    );
    const fresh = sent.filter(({ id }) => id === undefined);
    const ids = new Map<ItemWrite, number>(zip(fresh, await this.newIds('item', fresh.length)));
    await this.db.insert(
      INSERT_ITEM,
      fresh.map((row) => [
        ...cells(row),
        ids.get(row) as number,
        feed,
        row.kind,
        row.rpdeId,
        this.tags.of(row.rpdeId, feed),
      ]),
    );
    await this.count(feed, counts);
    return rows.map((row) => row.id ?? (ids.get(row) as number));
  }

  async #bundle(
    rows: readonly ItemWrite[],
    counts: FeedCounts,
  ): Promise<Map<ItemWrite, [bundle: number, slot: number]>> {
    const filled = rows.filter((row) => row.raw !== undefined);
    const raws = rebundled(filled.map((row) => row.raw as string | Bundled));
    const bundles = [...Map.groupBy(raws, (raw) => raw.bundle)];
    const ids = await this.newIds('bundle', bundles.length);
    await this.db.insert(
      INSERT_BUNDLE,
      bundles.map(([{ data }, own], index) => [ids[index] as number, own.length, data]),
    );
    for (const [{ data }] of bundles) counts.bytes += data.length;
    const idOf = new Map<Bundle, number>(
      zip(
        bundles.map(([bundle]) => bundle),
        ids,
      ),
    );
    return new Map(zip(filled, raws).map(([row, { bundle, slot }]) => [row, [idOf.get(bundle) as number, slot]]));
  }

  /** What items were is no longer counted; a bundle goes when its last item has left it. */
  async #release(items: readonly number[], counts: FeedCounts): Promise<void> {
    if (items.length === 0) return;
    const rows = await this.db.all(
      'SELECT i.bundle, i.hash, i.findings FROM json_each(?) t CROSS JOIN item i ON i.id = t.value',
      JSON.stringify(items),
    );
    for (const [, hash, findings] of rows) {
      counts[hash === null ? 'deleted' : 'items'] -= 1;
      if (findings !== null) counts.findings -= findingsIn(String(findings));
    }
    const bundles = JSON.stringify(rows.flatMap(([bundle]) => (bundle === null ? [] : Number(bundle))));
    const released = `UPDATE bundle SET live = live - o.count
      FROM (SELECT t.value AS id, count(*) AS count FROM json_each(?) t GROUP BY t.value) o
      WHERE bundle.id = o.id RETURNING bundle.id, bundle.live, length(bundle.data)`;
    const empty = (await this.db.all(released, bundles)).filter(([, live]) => live === 0);
    for (const [, , bytes] of empty) counts.bytes -= Number(bytes);
    await this.db.run(`DELETE FROM bundle WHERE id IN ${LISTED}`, JSON.stringify(empty.map(([id]) => id)));
  }

  protected async newIds(table: 'item' | 'bundle' | 'record', count: number): Promise<number[]> {
    if (count === 0) return [];
    if (!this.#next.has(table)) {
      const last = Number((await this.db.get(`SELECT max(id) FROM ${table}`))?.[0] ?? 0);
      // Who asks at the same time has waited for the same.
      this.#next.set(table, this.#next.get(table) ?? last + 1);
    }
    const first = this.#next.get(table) as number;
    this.#next.set(table, first + count);
    return Array.from({ length: count }, (_, index) => first + index);
  }
}

export function zip<A, B>(one: readonly A[], other: readonly B[]): [A, B][] {
  return one.map((value, index) => [value, other[index] as B]);
}
