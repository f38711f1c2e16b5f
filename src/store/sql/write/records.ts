import { aggregateKey } from '../../../join/keys.ts';
import type { RecordKind } from '../../../opportunity/records.ts';
import type { RecordReader, RecordWrite, RecordWriter, Stub, Wanted } from '../../contract/index.ts';
import { type Cells, type Database, type Insert, LISTED, type Update, type Value } from '../database.ts';
import { keyTag } from '../read/records.ts';
import { forKind, kindNumber, orNull, RECORD_COLUMNS, RECORD_TABLES, recordBody, recordsListedBy } from '../rows.ts';
import type { Tags } from '../tags.ts';
import { type Tables, zip } from './new-ids.ts';

/** The columns of a record besides its keys, each with the value that is written. */
const VALUE_OF: Readonly<Record<string, (row: RecordWrite) => Value>> = {
  parent: ({ parent }) => orNull(parent),
  place: ({ place }) => orNull(place),
  venue: ({ venue }) => orNull(venue),
  named: ({ named }) => orNull(named),
  own: ({ own }) => (own === true ? 1 : null),
  price: ({ price }) => orNull(price),
  item: ({ item }) => item,
  rank: ({ rank }) => rank,
  publisher_id: ({ publisherId }) => orNull(publisherId),
  start: ({ start }) => orNull(start),
  end: ({ end }) => orNull(end),
  zone: ({ zone }) => orNull(zone),
  cancelled: ({ cancelled }) => (cancelled ? 1 : null),
};
const COLUMNS = Object.keys(VALUE_OF);
const COLUMN_VALUES = Object.values(VALUE_OF);
const writtenValues = (row: RecordWrite): Value[] => COLUMN_VALUES.map((value) => value(row));
/** The columns of a cleared record; it keeps its publisher, as other records name it. */
const CLEARED = [...COLUMNS.filter((name) => name !== 'publisher_id'), 'hash'];
const CLEAR = `UPDATE record SET ${CLEARED.map((name) => `"${name}" = NULL`).join(', ')} WHERE id IN ${LISTED}`;
const INSERT_RECORD: Insert = { table: 'record', columns: ['id', 'kind', 'tag', ...COLUMNS] };
/** Updates a record. A session with a new series loses its hash, which belongs to the calendar of the former one. */
const UPDATE_RECORD: Update = {
  table: 'record',
  set: COLUMNS,
  key: ['id'],
  also: 'hash = CASE WHEN parent IS NOT DISTINCT FROM :parent THEN hash END',
};
const INSERT_BODY: Insert = { table: 'record_body', columns: ['record', 'ident', 'body'] };
const SAVE_VENUE: Update = { table: 'record', set: ['venue'], key: ['id'] };
const UPDATE_BODY: Update = { table: 'record_body', set: ['body'], key: ['record'] };
const INSERT_STUB: Insert = { table: 'record', columns: ['id', 'kind', 'tag', 'publisher_id'] };
const OWN_STUB: Update = { table: 'record', set: ['publisher_id'], key: ['id'] };
const INSERT_KEY: Insert = { table: 'record_key', columns: ['tag', 'record'], key: ['tag', 'record'] };

const BY_IDENTS = forKind((kind) => `${recordsListedBy('r.tag')} WHERE r.kind = ${kind}`);
const STUBS = forKind(
  (kind) =>
    `SELECT s.ident, r.id, r.publisher_id, r.item FROM json_each(?) t CROSS JOIN record r ON r.tag = t.value CROSS JOIN record_body s ON s.record = r.id WHERE r.kind = ${kind}`,
);
const IDS = forKind((kind) => `SELECT id FROM record WHERE kind = ${kind} AND id > ? ORDER BY id LIMIT ?`);

const SERIES = kindNumber('series');
const SESSION = kindNumber('session');
const FACILITY = kindNumber('facility');
const KIND_AND_IDENT =
  'SELECT r.id, r.kind, s.ident FROM json_each(?) t CROSS JOIN record r ON r.id = t.value CROSS JOIN record_body s ON s.record = r.id';
const CHILDREN = forKind(
  (kind) => `SELECT r.id FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value AND r.kind = ${kind}`,
);
const PLACED = `SELECT DISTINCT CASE r.kind WHEN ${SERIES} THEN r.id ELSE r.parent END
  FROM json_each(?) t CROSS JOIN record r ON r.place = t.value AND r.kind IN (${SERIES}, ${SESSION})`;

/** Records among the listed ones to which other rows refer. */
const IN_USE = `SELECT r.id FROM json_each(?1) t CROSS JOIN record r ON r.id = t.value WHERE ${[
  'parent',
  'place',
  'venue',
  'named',
]
  .map((column) => `EXISTS (SELECT 1 FROM record c WHERE c.${column} = r.id AND c.id NOT IN ${LISTED})`)
  .join(
    ' OR ',
  )} OR EXISTS (SELECT 1 FROM calendar c WHERE c.record = r.id) OR EXISTS (SELECT 1 FROM claim c WHERE c.record = r.id)`;

/** Keeps records, stubs and keys. */
export function recordWriter(tables: Tables, reader: RecordReader): RecordWriter {
  const { db, tags, newIds } = tables;
  return {
    async records(kind, idents) {
      const rows = await db.all(BY_IDENTS[kind], tagsOf(tags, kindNumber(kind), idents));
      const found = new Map(rows.map(recordBody).map((row) => [row.ident, row]));
      return idents.map((ident) => found.get(ident));
    },

    async recordsById(ids) {
      if (ids.length === 0) return [];
      const rows = await db.all(recordsListedBy('r.id'), JSON.stringify(ids));
      const found = new Map(rows.map(recordBody).map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },

    async recordsBetween(after, upTo) {
      const sql = `SELECT ${RECORD_COLUMNS} FROM ${RECORD_TABLES} WHERE r.id > ? AND r.id <= ? ORDER BY r.id`;
      return (await db.all(sql, after, upTo)).map(recordBody);
    },

    async lastRecord() {
      return Number((await db.get('SELECT max(id) FROM record'))?.[0] ?? 0);
    },

    async ownedBy(items) {
      const sql = `${recordsListedBy('r.item')} ORDER BY r.item, r.id`;
      return (await db.all(sql, JSON.stringify(items))).map(recordBody);
    },

    async recordIds(kind, after, limit) {
      return (await db.all(IDS[kind], after, limit)).map((c) => Number(c[0]));
    },

    async unowned(after, limit) {
      const sql = `SELECT ${RECORD_COLUMNS} FROM ${RECORD_TABLES} WHERE r.item IS NULL AND r.id > ? ORDER BY r.id LIMIT ?`;
      return (await db.all(sql, after, limit)).map(recordBody);
    },

    async newRecordIds(count) {
      return newIds.of('record', count);
    },

    stubs: (kind, wanted) => stubs(tables, kind, wanted),

    saveRecords: (rows) => saveRecords(tables, rows),

    async sessionsNaming(series) {
      if (series.length === 0) return [];
      return (await db.all(recordsListedBy('r.named'), JSON.stringify(series))).map(recordBody);
    },

    async saveVenues(rows) {
      const cells = rows.map(({ id, venue }) => [orNull(venue), id]);
      await db.update(SAVE_VENUE, cells);
    },

    clearRecords: (ids) => clearRecords(db, ids),

    async saveKeys(rows: readonly { record: number; keys: readonly string[] }[]): Promise<void> {
      const records = JSON.stringify(rows.map(({ record }) => record));
      await db.run(`DELETE FROM record_key WHERE record IN ${LISTED}`, records);
      const cells = rows.flatMap(({ record, keys }) => keys.map((key) => [keyTag(tags, key), record]));
      await db.insert(INSERT_KEY, cells);
    },

    dependents: (records) => dependents(db, reader, records),
  };
}

async function stubs(tables: Tables, kind: RecordKind, wanted: readonly Wanted[]): Promise<Stub[]> {
  const { db, tags } = tables;
  const number = kindNumber(kind);
  const idents = wanted.map(({ ident }) => ident);
  const listed = tagsOf(tags, number, idents);
  const found = new Map((await db.all(STUBS[kind], listed)).map((c) => [String(c[0]), stub(c)]));
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
  const cells = [...owned].map(([id, publisherId]) => [publisherId, id]);
  await db.update(OWN_STUB, cells);
  for (const [ident, made] of await newStubs(tables, number, [...fresh.values()])) found.set(ident, made);
  return wanted.map(({ ident }) => found.get(ident) as Stub);
}

async function saveRecords({ db, tags, newIds }: Tables, rows: readonly RecordWrite[]): Promise<number[]> {
  const made = await newIds.of('record', rows.filter(({ id }) => id === undefined).length);
  const withIds = rows.map((row) => ({ row, id: row.id ?? (made.shift() as number) }));
  const isFresh = ({ row }: (typeof withIds)[number]) => row.id === undefined || row.fresh === true;
  const fresh = withIds.filter(isFresh);
  const known = withIds.filter((one) => !isFresh(one));
  const bodies = fresh.map(({ row, id }) => [id, row.ident, row.packed]);
  await db.insert(INSERT_BODY, bodies);
  const records = fresh.map(({ row, id }) => {
    const kind = kindNumber(row.kind);
    return [id, kind, tags(row.ident, kind), ...writtenValues(row)];
  });
  await db.insert(INSERT_RECORD, records);
  const changed = known.flatMap(({ row, id }) => (row.sameText === true ? [] : [[row.packed, id]]));
  await db.update(UPDATE_BODY, changed);
  const cells = known.map(({ row, id }) => [...writtenValues(row), id]);
  await db.update(UPDATE_RECORD, cells);
  return withIds.map(({ id }) => id);
}

async function clearRecords(db: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const listed = JSON.stringify(ids);
  await db.run(`DELETE FROM record_key WHERE record IN ${LISTED}`, listed);
  const used = new Set((await db.all(IN_USE, listed)).map((c) => Number(c[0])));
  const unused = JSON.stringify(ids.filter((id) => !used.has(id)));
  await db.run(`DELETE FROM record WHERE id IN ${LISTED}`, unused);
  await db.run(`DELETE FROM record_body WHERE record IN ${LISTED}`, unused);
  await db.run(`UPDATE record_body SET body = NULL WHERE record IN ${LISTED}`, JSON.stringify([...used]));
  await db.run(CLEAR, JSON.stringify([...used]));
}

async function dependents(
  db: Database,
  reader: RecordReader,
  records: readonly number[],
): Promise<{ series: number[]; facilities: number[] }> {
  if (records.length === 0) return { series: [], facilities: [] };
  const rows = await db.all(KIND_AND_IDENT, JSON.stringify(records));
  const aggregates = rows.filter(([, kind]) => kind === FACILITY);
  const courts = await reader.recordsByKey(
    'facility',
    aggregates.map(([, , ident]) => aggregateKey(String(ident))),
    -1,
  );
  const parents = JSON.stringify(rows.flatMap(([id, kind]) => (kind === FACILITY ? [] : Number(id))));
  const ids = async (sql: string): Promise<number[]> =>
    (await db.all(sql, parents)).flatMap(([id]) => (typeof id === 'number' ? [id] : []));
  return {
    series: [...(await ids(CHILDREN.series)), ...(await ids(PLACED))],
    facilities: [...courts.map(({ id }) => id), ...(await ids(CHILDREN.facility))],
  };
}

async function newStubs(
  { db, tags, newIds }: Tables,
  kind: number,
  wanted: readonly Wanted[],
): Promise<[ident: string, stub: Stub][]> {
  const made = zip(wanted, await newIds.of('record', wanted.length));
  const bodies = made.map(([{ ident }, id]) => [id, ident, null]);
  await db.insert(INSERT_BODY, bodies);
  const cells = made.map(([{ ident, publisherId }, id]) => [id, kind, tags(ident, kind), orNull(publisherId)]);
  await db.insert(INSERT_STUB, cells);
  return made.map(([{ ident, publisherId }, id]) => [ident, { id, publisherId, owned: false }]);
}

function tagsOf(tags: Tags, kind: number, idents: readonly string[]): string {
  const listed: number[] = [];
  for (const ident of idents) listed.push(tags(ident, kind));
  return JSON.stringify(listed);
}

function stub(c: Cells): Stub {
  return { id: Number(c[1]), publisherId: typeof c[2] === 'number' ? c[2] : undefined, owned: c[3] !== null };
}
