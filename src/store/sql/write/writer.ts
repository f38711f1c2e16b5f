import type { RecordKind } from '../../../opportunity/records.ts';
import {
  encodeHash,
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
import { packedBody } from '../body-text.ts';
import { type Cells, type Database, type Insert, LISTED, type Update, upsert, type Value } from '../database.ts';
import {
  forKind,
  kindNumber,
  orNull,
  RECORD_COLUMNS,
  RECORD_TABLES,
  recordBody,
  recordTablesOn,
  zonedSession,
} from '../rows.ts';
import type { SearchIndex } from '../search-index.ts';
import type { Tags } from '../tags.ts';
import { SqlItemWriter, zip } from './item-writer.ts';

const NARROW = ['parent', 'place', 'venue', 'item', 'rank', 'publisher_id', 'start', 'end', 'zone', 'cancelled'];
const INSERT_RECORD: Insert = { table: 'record', columns: ['id', 'kind', 'tag', ...NARROW] };
/** What it showed was shown beside another series. */
const UPDATE_RECORD: Update = {
  table: 'record',
  set: NARROW,
  key: ['id'],
  also: 'hash = CASE WHEN parent IS NOT DISTINCT FROM :parent THEN hash END',
};
const INSERT_BODY: Insert = { table: 'record_body', columns: ['record', 'ident', 'body'] };
const UPDATE_BODY: Update = { table: 'record_body', set: ['body'], key: ['record'] };
const INSERT_STUB: Insert = { table: 'record', columns: ['id', 'kind', 'tag', 'publisher_id'] };
const OWN_STUB: Update = { table: 'record', set: ['publisher_id'], key: ['id'] };
const SAVE_TIMES: Update = { table: 'record', set: ['start', 'end', 'zone'], key: ['id'] };
const STAMP: Update = { table: 'record', set: ['hash', 'sequence', 'changed'], key: ['id'] };
const SET_META = upsert('meta', ['key'], ['key', 'value']);

const BY_IDENTS = forKind(
  (kind) =>
    `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN ${recordTablesOn('r.tag = t.value')} WHERE r.kind = ${kind}`,
);
const STUBS = forKind(
  (kind) =>
    `SELECT s.ident, r.id, r.publisher_id, r.item FROM json_each(?) t CROSS JOIN record r ON r.tag = t.value CROSS JOIN record_body s ON s.record = r.id WHERE r.kind = ${kind}`,
);
const IDS = forKind((kind) => `SELECT id FROM record WHERE kind = ${kind} AND id > ? ORDER BY id LIMIT ?`);

/** In the order of `NARROW`. */
function narrow(row: RecordWrite): Value[] {
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

const packed = ({ text, ident }: RecordWrite): string => packedBody(text, ident);

function stub(c: Cells): Stub {
  return { id: Number(c[1]), publisherId: typeof c[2] === 'number' ? c[2] : undefined, owned: c[3] !== null };
}

/**
 * The rows between the page's keys and the tables; used only inside `Store.write`. The last of a chain of classes, of
 * which each extends the next in this table:
 *
 * | file | methods |
 * |---|---|
 * | `writer.ts` | records, stubs, times and stamps of sessions, rebuild (`clearDerived`, `clearDerivedOf`, `unowned`, `recordIds`), `setMeta` |
 * | `item-writer.ts` | items and their data |
 * | `claim-writer.ts` | claims, publishers, forgetting a feed (`beginForgetting`, `itemsOf`, `dropItems`, `dropFeed`) |
 * | `list-writer.ts` | lists that people keep |
 * | `key-writer.ts` | `saveKeys`, `dependents` |
 * | `feed-writer.ts` | a feed's row, cursor, state, items met (`saveSeen`), findings of pages and items |
 * | `held-writer.ts` | deletions held back |
 * | `calendar-writer.ts` | calendars, occurrences, what rolls, `loads`, `withdrawn` |
 * | `read/reader.ts` | everything of `Reader`; what is searched is asked of the database's `SearchIndex` |
 */
export class SqlWriter extends SqlItemWriter implements Writer {
  readonly before: Reader;

  constructor(db: Database, tags: Tags, index: SearchIndex, before: Reader) {
    super(db, tags, index);
    this.before = before;
  }

  async records(kind: RecordKind, idents: readonly string[]): Promise<(RecordBody | undefined)[]> {
    const rows = await this.db.all(BY_IDENTS[kind], this.#tagsOf(kindNumber(kind), idents));
    const found = new Map(rows.map((c) => [c[2], c]));
    return idents.map((ident) => {
      const row = found.get(ident);
      return row && recordBody(row);
    });
  }

  async recordsById(ids: readonly number[]): Promise<(RecordBody | undefined)[]> {
    if (ids.length === 0) return [];
    const sql = `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN ${recordTablesOn('r.id = t.value')}`;
    const found = new Map((await this.db.all(sql, JSON.stringify(ids))).map((c) => [c[0], c]));
    return ids.map((id) => {
      const row = found.get(id);
      return row && recordBody(row);
    });
  }

  async ownedBy(items: readonly number[]): Promise<RecordBody[]> {
    const sql = `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN ${recordTablesOn('r.item = t.value')} ORDER BY r.item, r.id`;
    return (await this.db.all(sql, JSON.stringify(items))).map(recordBody);
  }

  async stubs(kind: RecordKind, wanted: readonly Wanted[]): Promise<Stub[]> {
    const number = kindNumber(kind);
    const tags = this.#tagsOf(
      number,
      wanted.map(({ ident }) => ident),
    );
    const found = new Map((await this.db.all(STUBS[kind], tags)).map((c) => [String(c[0]), stub(c)]));
    const fresh = new Map<string, Wanted>();
    const owned = new Map<number, number>();
    for (const one of wanted) {
      const known = found.get(one.ident);
      if (known === undefined)
        fresh.set(one.ident, { ...one, publisherId: fresh.get(one.ident)?.publisherId ?? one.publisherId });
      else if (known.publisherId === undefined && one.publisherId !== undefined) {
        found.set(one.ident, { ...known, publisherId: one.publisherId });
        owned.set(known.id, one.publisherId);
      }
    }
    await this.db.update(
      OWN_STUB,
      [...owned].map(([id, publisherId]) => [publisherId, id]),
    );
    for (const [ident, made] of await this.#newStubs(number, [...fresh.values()])) found.set(ident, made);
    return wanted.map(({ ident }) => found.get(ident) as Stub);
  }

  async #newStubs(kind: number, wanted: readonly Wanted[]): Promise<[ident: string, stub: Stub][]> {
    const made = zip(wanted, await this.newIds('record', wanted.length));
    await this.db.insert(
      INSERT_BODY,
      made.map(([{ ident }, id]) => [id, ident, null]),
    );
    await this.db.insert(
      INSERT_STUB,
      made.map(([{ ident, publisherId }, id]) => [id, kind, this.tags.of(ident, kind), orNull(publisherId)]),
    );
    return made.map(([{ ident, publisherId }, id]) => [ident, { id, publisherId, owned: false }]);
  }

  #tagsOf(kind: number, idents: readonly string[]): string {
    const tags: number[] = [];
    for (const ident of idents) tags.push(this.tags.of(ident, kind));
    return JSON.stringify(tags);
  }

  async newRecordIds(count: number): Promise<number[]> {
    return this.newIds('record', count);
  }

  async saveRecords(rows: readonly RecordWrite[]): Promise<number[]> {
    const made = await this.newIds('record', rows.filter(({ id }) => id === undefined).length);
    const withIds = rows.map((row) => ({ row, id: row.id ?? (made.shift() as number) }));
    const isFresh = ({ row }: (typeof withIds)[number]) => row.id === undefined || row.fresh === true;
    const fresh = withIds.filter(isFresh);
    const known = withIds.filter((one) => !isFresh(one));
    await this.db.insert(
      INSERT_BODY,
      fresh.map(({ row, id }) => [id, row.ident, packed(row)]),
    );
    await this.db.insert(
      INSERT_RECORD,
      fresh.map(({ row, id }) => {
        const kind = kindNumber(row.kind);
        return [id, kind, this.tags.of(row.ident, kind), ...narrow(row)];
      }),
    );
    await this.db.update(
      UPDATE_BODY,
      known.flatMap(({ row, id }) => (row.sameText === true ? [] : [[packed(row), id]])),
    );
    await this.db.update(
      UPDATE_RECORD,
      known.map(({ row, id }) => [...narrow(row), id]),
    );
    return withIds.map(({ id }) => id);
  }

  async clearRecords(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const listed = JSON.stringify(ids);
    await this.db.run(`DELETE FROM record_key WHERE record IN ${LISTED}`, listed);
    const used = new Set((await this.db.all(IN_USE, listed)).map((c) => Number(c[0])));
    const unused = JSON.stringify(ids.filter((id) => !used.has(id)));
    await this.db.run(`DELETE FROM record WHERE id IN ${LISTED}`, unused);
    await this.db.run(`DELETE FROM record_body WHERE record IN ${LISTED}`, unused);
    await this.db.run(`UPDATE record_body SET body = NULL WHERE record IN ${LISTED}`, JSON.stringify([...used]));
    await this.db.run(
      `UPDATE record SET item = NULL, rank = NULL, parent = NULL, place = NULL, venue = NULL, start = NULL, "end" = NULL, zone = NULL, cancelled = NULL, hash = NULL WHERE id IN ${LISTED}`,
      JSON.stringify([...used]),
    );
  }

  async zonedSessions(series: readonly number[]): Promise<ZonedSession[]> {
    const sql = `SELECT r.id, r.place, r.start, r."end", r.zone, r.parent, s.body, s.ident FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value
      CROSS JOIN record_body s ON s.record = r.id WHERE r.zone IS NOT NULL AND r.item IS NOT NULL`;
    return (await this.db.all(sql, JSON.stringify(series))).map(zonedSession);
  }

  async saveTimes(rows: readonly SessionTimes[]): Promise<void> {
    await this.db.update(
      SAVE_TIMES,
      rows.map(({ id, start, end, zone }) => [orNull(start), orNull(end), orNull(zone), id]),
    );
  }

  async stampSessions(stamps: readonly SessionStamp[]): Promise<void> {
    await this.db.update(
      STAMP,
      stamps.map(({ hash, sequence, changed, id }) => [encodeHash(hash), sequence, changed, id]),
    );
  }

  async clearDerived(): Promise<void> {
    for (const table of ['claim', 'record_key', 'occurrence']) await this.db.run(`DELETE FROM ${table}`);
    await this.db.run('UPDATE record_body SET body = NULL');
    await this.db.run('UPDATE record SET item = NULL, rank = NULL');
    await this.db.run("UPDATE calendar SET search = '' WHERE state = 'live'");
    await this.index.clear();
  }

  async clearDerivedOf(records: readonly number[]): Promise<void> {
    const listed = JSON.stringify(records);
    await this.db.run(`DELETE FROM occurrence WHERE series IN ${LISTED}`, listed);
    await this.db.run(`UPDATE calendar SET search = '' WHERE state = 'live' AND record IN ${LISTED}`, listed);
  }

  async unowned(after: number, limit: number): Promise<RecordRow[]> {
    const sql = `SELECT ${RECORD_COLUMNS} FROM ${RECORD_TABLES} WHERE r.item IS NULL AND r.id > ? ORDER BY r.id LIMIT ?`;
    return (await this.db.all(sql, after, limit)).map(recordBody);
  }

  async recordIds(kind: RecordKind, after: number, limit: number): Promise<number[]> {
    return (await this.db.all(IDS[kind], after, limit)).map((c) => Number(c[0]));
  }

  async setMeta(key: string, value: string): Promise<void> {
    await this.db.insert(SET_META, [[key, value]]);
  }
}

/** What other rows say of a record. */
const IN_USE = `SELECT r.id FROM json_each(?1) t CROSS JOIN record r ON r.id = t.value WHERE ${[
  'parent',
  'place',
  'venue',
]
  .map((column) => `EXISTS (SELECT 1 FROM record c WHERE c.${column} = r.id AND c.id NOT IN ${LISTED})`)
  .join(
    ' OR ',
  )} OR EXISTS (SELECT 1 FROM calendar c WHERE c.record = r.id) OR EXISTS (SELECT 1 FROM claim c WHERE c.record = r.id)`;
