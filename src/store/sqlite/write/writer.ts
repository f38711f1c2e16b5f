import type { SQLInputValue } from 'node:sqlite';
import type { RecordKind } from '../../../opportunity/records.ts';
import { type Bundle, type Bundled, rebundled } from '../../bundles.ts';
import {
  encodeHash,
  type FeedCounts,
  type ItemKey,
  type ItemRow,
  type ItemWrite,
  type Reader,
  type RecordBody,
  type RecordRow,
  type RecordWrite,
  type SessionStamp,
  type SessionTimes,
  type Stub,
  type Wanted,
  type Writer,
  type ZonedSession,
} from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import {
  type Cells,
  forKind,
  ITEM_COLUMNS,
  itemRow,
  kindNumber,
  orNull,
  RECORD_COLUMNS,
  RECORD_TABLES,
  recordBody,
  zonedSession,
} from '../rows.ts';
import { clearDocuments } from '../search/writing.ts';
import type { Tags } from '../tags.ts';
import { SqliteClaimWriter } from './claim-writer.ts';
import { findingsIn } from './feed-writer.ts';

const INSERT_RECORD =
  'INSERT INTO record (parent, place, venue, item, rank, publisher_id, start, "end", zone, cancelled, sequence, changed, id, kind, tag) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)';
const INSERT_BODY = 'INSERT INTO record_body (record, ident, body) VALUES (?, ?, CAST(? AS TEXT))';
const UPDATE_BODY = 'UPDATE record_body SET body = CAST(? AS TEXT) WHERE record = ?';
const UPDATE_RECORD =
  'UPDATE record SET hash = CASE WHEN parent IS ?1 THEN hash END, parent = ?1, place = ?, venue = ?, item = ?, rank = ?, publisher_id = ?, start = ?, "end" = ?, zone = ?, cancelled = ? WHERE id = ?';

const BY_IDENTS = forKind(
  (kind) =>
    `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN ${RECORD_TABLES} WHERE r.tag = t.value AND r.kind = ${kind}`,
);
const STUBS = forKind(
  (kind) =>
    `SELECT s.ident, r.id, r.publisher_id, r.item FROM json_each(?) t CROSS JOIN record r ON r.tag = t.value CROSS JOIN record_body s ON s.record = r.id WHERE r.kind = ${kind}`,
);
const IDS = forKind((kind) => `SELECT id FROM record WHERE kind = ${kind} AND id > ? ORDER BY id LIMIT ?`);

/** In the order of the columns that both statements begin with. */
function recordValues(row: RecordWrite): SQLInputValue[] {
  return [
    orNull(row.parent),
    orNull(row.place),
    orNull(row.venue),
    row.item,
    row.rank,
    orNull(row.publisherId),
    orNull(row.start),
    orNull(row.end),
    orNull(row.zone),
    row.cancelled ? 1 : null,
  ];
}

function stub(c: Cells): Stub {
  return { id: Number(c[1]), publisherId: typeof c[2] === 'number' ? c[2] : undefined, owned: c[3] !== null };
}

/** Distinct for every two keys. */
const itemName = (kind: string, rpdeId: string): string => `${kind.length} ${kind}${rpdeId}`;

/**
 * The rows between the page's keys and the tables; used only inside `SqliteStore.write`. The last of a chain of classes, of
 * which each extends the next in this table:
 *
 * | file | methods |
 * |---|---|
 * | `writer.ts` | items, records, stubs, times and stamps of sessions, rebuild (`clearDerived`, `unowned`, `recordIds`), `setMeta` |
 * | `claim-writer.ts` | claims, publishers, forgetting a feed (`beginForgetting`, `itemsOf`, `dropItems`, `dropFeed`) |
 * | `list-writer.ts` | lists that people keep |
 * | `key-writer.ts` | `saveKeys`, `dependents` |
 * | `feed-writer.ts` | a feed's row, cursor, state, items met (`saveSeen`), findings of pages and items |
 * | `aside-writer.ts` | deletions set aside |
 * | `calendar-writer.ts` | calendars, occurrences, what rolls, `loads`, `withdrawn` |
 * | `../read/reader.ts` | everything of `Reader` but what is searched |
 * | `../search/reading.ts` | what is searched |
 */
export class SqliteWriter extends SqliteClaimWriter implements Writer {
  readonly before: Reader;
  /** The next id of a table; unknown at the start of each transaction. */
  readonly #next = new Map<'item' | 'bundle' | 'record', number>();

  constructor(db: Connection, tags: Tags, before: Reader) {
    super(db, tags);
    this.before = before;
  }

  /** Another process, or a rollback, may have left other rows than this one remembers. */
  begin(): void {
    this.#next.clear();
  }

  async items(feed: number, keys: readonly ItemKey[]): Promise<(ItemRow | undefined)[]> {
    const tags = JSON.stringify(keys.map(({ rpdeId }) => this.tags.of(rpdeId, feed)));
    const sql = `SELECT ${ITEM_COLUMNS} FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN item ON feed = ? AND tag = wanted`;
    const found = new Map(this.db.all(sql, tags, feed).map((c) => [itemName(String(c[1]), String(c[2])), c]));
    return keys.map(({ kind, rpdeId }) => {
      const row = found.get(itemName(kind, rpdeId));
      return row && itemRow(row);
    });
  }

  async saveItems(feed: number, rows: readonly ItemWrite[]): Promise<number[]> {
    const counts = { items: 0, deleted: 0, findings: 0, bytes: 0 };
    const places = this.#bundle(rows, counts);
    const ids: number[] = [];
    for (const row of rows) ids.push(this.#saveItem(feed, row, places.get(row), counts));
    this.count(feed, counts);
    return ids;
  }

  #saveItem(
    feed: number,
    row: ItemWrite,
    [bundle, slot]: readonly [number | null, number | null] = [null, null],
    counts: FeedCounts,
  ): number {
    if (row.keepRaw) return this.saveKept(row.id as number, row, counts);
    counts[row.hash === undefined ? 'deleted' : 'items'] += 1;
    counts.findings += findingsIn(row.findings);
    if (row.id === undefined) {
      const id = this.#newId('item');
      this.db.run(
        'INSERT INTO item (id, modified, hash, bundle, slot, findings, feed, kind, rpde_id, tag) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        id,
        row.modified,
        orNull(row.hash),
        bundle,
        slot,
        orNull(row.findings),
        feed,
        row.kind,
        row.rpdeId,
        this.tags.of(row.rpdeId, feed),
      );
      return id;
    }
    this.#release(row.id, counts);
    this.db.run(
      'UPDATE item SET modified = ?, hash = ?, bundle = ?, slot = ?, findings = ? WHERE id = ?',
      row.modified,
      orNull(row.hash),
      bundle,
      slot,
      orNull(row.findings),
      row.id,
    );
    return row.id;
  }

  #bundle(rows: readonly ItemWrite[], counts: FeedCounts): Map<ItemWrite, [bundle: number, slot: number]> {
    const places = new Map<ItemWrite, [number, number]>();
    const filled = rows.filter((row) => row.raw !== undefined);
    const raws = rebundled(filled.map((row) => row.raw as string | Bundled));
    const ids = new Map<Bundle, number>();
    for (const [bundle, own] of Map.groupBy(raws, (raw) => raw.bundle)) {
      const id = this.#newId('bundle');
      this.db.run('INSERT INTO bundle (id, live, data) VALUES (?, ?, ?)', id, own.length, bundle.data);
      ids.set(bundle, id);
      counts.bytes += bundle.data.length;
    }
    filled.forEach((row, index) => {
      const { bundle, slot } = raws[index] as Bundled;
      places.set(row, [ids.get(bundle) as number, slot]);
    });
    return places;
  }

  /** What an item was is no longer counted; its bundle goes when its last item has left it. */
  #release(item: number, counts: FeedCounts): void {
    const sql = 'SELECT bundle, hash IS NULL, json_array_length(findings) FROM item WHERE id = ?';
    const [bundle, deleted, findings] = this.db.get(sql, item) ?? [];
    counts[deleted === 1 ? 'deleted' : 'items'] -= 1;
    counts.findings -= Number(findings ?? 0);
    if (typeof bundle !== 'number') return;
    const left = 'UPDATE bundle SET live = live - 1 WHERE id = ? RETURNING live, length(data)';
    const [live, bytes] = this.db.get(left, bundle) ?? [];
    if (live !== 0) return;
    this.db.run('DELETE FROM bundle WHERE id = ?', bundle);
    counts.bytes -= Number(bytes);
  }

  async records(kind: RecordKind, idents: readonly string[]): Promise<(RecordBody | undefined)[]> {
    const found = new Map(this.db.all(BY_IDENTS[kind], this.#tagsOf(kindNumber(kind), idents)).map((c) => [c[2], c]));
    return idents.map((ident) => {
      const row = found.get(ident);
      return row && recordBody(row);
    });
  }

  async recordsById(ids: readonly number[]): Promise<(RecordBody | undefined)[]> {
    if (ids.length === 0) return [];
    const sql = `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN ${RECORD_TABLES} WHERE r.id = t.value`;
    const found = new Map(this.db.all(sql, JSON.stringify(ids)).map((c) => [c[0], c]));
    return ids.map((id) => {
      const row = found.get(id);
      return row && recordBody(row);
    });
  }

  async ownedBy(items: readonly number[]): Promise<RecordBody[]> {
    const sql = `SELECT ${RECORD_COLUMNS}, s.body FROM ${RECORD_TABLES} WHERE r.item = ? ORDER BY r.id`;
    return items.flatMap((item) => this.db.all(sql, item).map(recordBody));
  }

  async stubs(kind: RecordKind, wanted: readonly Wanted[]): Promise<Stub[]> {
    const number = kindNumber(kind);
    const tags = this.#tagsOf(
      number,
      wanted.map(({ ident }) => ident),
    );
    const found = new Map(this.db.all(STUBS[kind], tags).map((c) => [String(c[0]), stub(c)]));
    return wanted.map((one) => {
      const known = found.get(one.ident);
      const now = known === undefined ? this.#newStub(number, one) : this.#ownedStub(known, one);
      found.set(one.ident, now);
      return now;
    });
  }

  #ownedStub(known: Stub, { publisherId }: Wanted): Stub {
    if (known.publisherId !== undefined || publisherId === undefined) return known;
    this.db.run('UPDATE record SET publisher_id = ? WHERE id = ?', publisherId, known.id);
    return { ...known, publisherId };
  }

  #newStub(kind: number, { ident, publisherId }: Wanted): Stub {
    const id = this.#newId('record');
    this.db.run(INSERT_BODY, id, ident, null);
    const sql = 'INSERT INTO record (id, kind, tag, publisher_id) VALUES (?, ?, ?, ?)';
    this.db.run(sql, id, kind, this.tags.of(ident, kind), orNull(publisherId));
    return { id, publisherId, owned: false };
  }

  #tagsOf(kind: number, idents: readonly string[]): string {
    const tags: number[] = [];
    for (const ident of idents) tags.push(this.tags.of(ident, kind));
    return JSON.stringify(tags);
  }

  async newRecordIds(count: number): Promise<number[]> {
    return Array.from({ length: count }, () => this.#newId('record'));
  }

  #newId(table: 'item' | 'bundle' | 'record'): number {
    const id = this.#next.get(table) ?? Number(this.db.get(`SELECT max(id) FROM ${table}`)?.[0] ?? 0) + 1;
    this.#next.set(table, id + 1);
    return id;
  }

  async saveRecords(rows: readonly RecordWrite[]): Promise<number[]> {
    const ids: number[] = [];
    for (const row of rows) {
      const id = row.id ?? this.#newId('record');
      if (row.id === undefined || row.fresh === true) this.#insert(id, row);
      else this.#update(id, row);
      ids.push(id);
    }
    return ids;
  }

  #insert(id: number, row: RecordWrite): void {
    const kind = kindNumber(row.kind);
    this.db.run(INSERT_BODY, id, row.ident, row.text);
    this.db.run(INSERT_RECORD, ...recordValues(row), id, kind, this.tags.of(row.ident, kind));
  }

  #update(id: number, row: RecordWrite): void {
    if (row.sameText !== true) this.db.run(UPDATE_BODY, row.text, id);
    this.db.run(UPDATE_RECORD, ...recordValues(row), id);
  }

  async clearRecords(ids: readonly number[]): Promise<void> {
    const inUse =
      'SELECT 1 FROM record r WHERE r.id = ? AND (EXISTS (SELECT 1 FROM record c WHERE c.parent = r.id) OR EXISTS (SELECT 1 FROM record c WHERE c.place = r.id OR c.venue = r.id) OR EXISTS (SELECT 1 FROM calendar c WHERE c.record = r.id) OR EXISTS (SELECT 1 FROM claim c WHERE c.record = r.id))';
    for (const id of ids) {
      this.db.run('DELETE FROM record_key WHERE record = ?', id);
      if (this.db.get(inUse, id) === undefined) {
        this.db.run('DELETE FROM record WHERE id = ?', id);
        this.db.run('DELETE FROM record_body WHERE record = ?', id);
      } else {
        this.db.run(UPDATE_BODY, null, id);
        this.db.run(
          'UPDATE record SET item = NULL, rank = NULL, parent = NULL, place = NULL, venue = NULL, start = NULL, "end" = NULL, zone = NULL, cancelled = NULL, hash = NULL WHERE id = ?',
          id,
        );
      }
    }
  }

  async zonedSessions(series: readonly number[]): Promise<ZonedSession[]> {
    const sql = `SELECT r.id, r.place, r.start, r."end", r.zone, r.parent, s.body FROM json_each(?) CROSS JOIN record r ON r.parent = value
      CROSS JOIN record_body s ON s.record = r.id WHERE r.zone IS NOT NULL AND r.item IS NOT NULL`;
    return this.db.all(sql, JSON.stringify(series)).map(zonedSession);
  }

  async saveTimes(rows: readonly SessionTimes[]): Promise<void> {
    const sql = 'UPDATE record SET start = ?, "end" = ?, zone = ? WHERE id = ?';
    for (const { id, start, end, zone } of rows) this.db.run(sql, orNull(start), orNull(end), orNull(zone), id);
  }

  async stampSessions(stamps: readonly SessionStamp[]): Promise<void> {
    const sql = 'UPDATE record SET hash = ?, sequence = ?, changed = ? WHERE id = ?';
    for (const stamp of stamps) this.db.run(sql, encodeHash(stamp.hash), stamp.sequence, stamp.changed, stamp.id);
  }

  async clearDerived(): Promise<void> {
    this.db.run('DELETE FROM claim');
    this.db.run('DELETE FROM record_key');
    this.db.run('DELETE FROM occurrence');
    this.db.run('UPDATE record_body SET body = NULL');
    this.db.run('UPDATE record SET item = NULL, rank = NULL');
    this.db.run("UPDATE calendar SET search = '' WHERE state = 'live'");
    clearDocuments(this.db);
  }

  async unowned(after: number, limit: number): Promise<RecordRow[]> {
    const sql = `SELECT ${RECORD_COLUMNS} FROM ${RECORD_TABLES} WHERE r.item IS NULL AND r.id > ? ORDER BY r.id LIMIT ?`;
    return this.db.all(sql, after, limit).map(recordBody);
  }

  async recordIds(kind: RecordKind, after: number, limit: number): Promise<number[]> {
    return this.db.all(IDS[kind], after, limit).map((c) => Number(c[0]));
  }

  async setMeta(key: string, value: string): Promise<void> {
    this.db.run(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }
}
