import { hiddenClaims } from '../../../join/repeated.ts';
import { OWN } from '../../../opportunity/clean.ts';
import { RECORD_KINDS } from '../../../opportunity/records.ts';
import { type AwaitedRecord, identWaitedFor, type RecordReader, type RepeatedItem } from '../../contract/index.ts';
import { bodyText } from '../body-text.ts';
import { type Cells, type Database, LIMIT } from '../database.ts';
import {
  forKind,
  kindNumber,
  LISTED_COLUMNS,
  LISTED_PARTS,
  listedRecord,
  RECORD_COLUMNS,
  RECORD_TABLES,
  recordBody,
  recordsListedBy,
  recordTablesOn,
  SERIES,
  SESSION,
} from '../rows.ts';
import type { Tags } from '../tags.ts';

const RECORD = `SELECT ${RECORD_COLUMNS}, s.body FROM ${RECORD_TABLES}`;
const CHILDREN = forKind(
  (kind) => `${RECORD} WHERE r.parent = ? AND r.kind = ${kind} ORDER BY r.start NULLS FIRST, r.id`,
);
const CHILDREN_WITHIN = forKind(
  (kind) =>
    `${recordsListedBy('r.parent')} WHERE r.kind = ${kind} AND r.start >= ? AND r.start < ? ORDER BY r.start, r.id ${LIMIT}`,
);
const BY_IDENT = forKind((kind) => `${RECORD} WHERE r.tag = ? AND r.kind = ${kind} AND s.ident = ?`);
const listedWhere = (by: string) =>
  `SELECT ${LISTED_COLUMNS} FROM json_each(?) t CROSS JOIN record r ON ${by} ${LISTED_PARTS} WHERE r.item IS NOT NULL`;
const LISTED_BY_ID = listedWhere('r.id = t.value');
const LISTED_BY_TAG = forKind((kind) => `${listedWhere('r.tag = t.value')} AND r.kind = ${kind}`);
const BY_KEY = forKind(
  (kind) =>
    `SELECT ${RECORD_COLUMNS}, s.body FROM record_key k CROSS JOIN ${recordTablesOn('r.id = k.record')} WHERE k.tag = ? AND r.kind = ${kind} AND r.item IS NOT NULL ORDER BY s.ident ${LIMIT}`,
);
const BY_KEYS = forKind(
  (kind) =>
    `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN record_key k ON k.tag = t.value CROSS JOIN ${recordTablesOn('r.id = k.record')} WHERE r.kind = ${kind} AND r.item IS NOT NULL ORDER BY s.ident`,
);
/** Reads one child of each stub, and counts the others by the index: a country has half a million children without parent. */
const AWAITED_BY = forKind(
  (kind) =>
    `SELECT s.ident, (SELECT count(*) FROM record c WHERE c.parent = r.id), i.kind, i.rpde_id FROM record r
      CROSS JOIN record_body s ON s.record = r.id CROSS JOIN item i
      ON i.id = (SELECT c.item FROM record c WHERE c.parent = r.id ORDER BY c.kind, c.start, c.id LIMIT 1)
      WHERE r.kind = ${kind} AND r.item IS NULL AND i.feed = ? ORDER BY r.id ${LIMIT}`,
);
/** Places that events or facilities name. A place with a claim is left out: it is described, or another publisher's. */
const PLACES_AWAITED_BY = `SELECT s.ident, (SELECT count(*) FROM record c WHERE c.place = r.id) + (SELECT count(*) FROM record c WHERE c.parent = r.id),
  i.kind, i.rpde_id FROM record r CROSS JOIN record_body s ON s.record = r.id CROSS JOIN item i
  ON i.id = coalesce((SELECT c.item FROM record c WHERE c.place = r.id ORDER BY c.id LIMIT 1), (SELECT c.item FROM record c WHERE c.parent = r.id ORDER BY c.id LIMIT 1))
  WHERE r.kind = ${kindNumber('place')} AND r.item IS NULL AND i.feed = ? AND NOT EXISTS (SELECT 1 FROM claim k WHERE k.record = r.id) ORDER BY r.id ${LIMIT}`;
const COUNT_CHILDREN = forKind((kind) => {
  // A row with a parent is published, so that the index alone decides.
  // A session without a start counts only when a Schedule gives it one.
  const started = kind === SESSION ? 'AND start IS NOT NULL' : '';
  return `SELECT count(*) FROM (SELECT 1 FROM record WHERE parent = ? AND kind = ${kind} ${started} ${LIMIT}) listed`;
});

/** Reads records. */
export function recordReader(db: Database, tags: Tags): RecordReader {
  return {
    async recordById(id) {
      const row = await db.get(`${RECORD} WHERE r.id = ? AND r.item IS NOT NULL`, id);
      return row && recordBody(row);
    },

    async publishedRecords(ids) {
      const sql = `${recordsListedBy('r.id')} WHERE r.item IS NOT NULL`;
      return (await db.all(sql, JSON.stringify(ids))).map(recordBody);
    },

    async listedRecords(ids) {
      return (await db.all(LISTED_BY_ID, JSON.stringify(ids))).map(listedRecord);
    },

    async listedByIdent(kind, idents) {
      const wanted = new Set(idents);
      const found = new Set([...wanted].map((ident) => tags(ident, kindNumber(kind))));
      const rows = (await db.all(LISTED_BY_TAG[kind], JSON.stringify([...found]))).map(listedRecord);
      return rows.filter(({ ident }) => wanted.has(ident));
    },

    async recordByIdent(kind, ident) {
      const row = await db.get(BY_IDENT[kind], tags(ident, kindNumber(kind)), ident);
      return row && recordBody(row);
    },

    async recordsByKey(kind, keys, most) {
      if (keys.length === 0) return [];
      const wanted = [...new Set(keys)].map((key) => keyTag(tags, key));
      const rows: Cells[] = [];
      if (most < 0) rows.push(...(await db.all(BY_KEYS[kind], JSON.stringify(wanted))));
      else for (const tag of wanted) rows.push(...(await db.all(BY_KEY[kind], tag, most)));
      return [...new Map(rows.map(recordBody).map((row) => [row.id, row])).values()];
    },

    async children(kind, parent) {
      return (await db.all(CHILDREN[kind], parent)).map(recordBody);
    },

    async childrenWithin(kind, parents, { from, to, limit }) {
      return (await db.all(CHILDREN_WITHIN[kind], JSON.stringify(parents), from, to, limit)).map(recordBody);
    },

    async bodies(records) {
      const sql =
        'SELECT s.record, s.body, s.ident FROM json_each(?) t CROSS JOIN record_body s ON s.record = t.value WHERE s.body IS NOT NULL';
      return new Map((await db.all(sql, JSON.stringify(records))).map((c) => [Number(c[0]), bodyText(c[1], c[2])]));
    },

    async seriesAt(venue) {
      const sql = `SELECT id FROM record WHERE venue = ? AND kind = ${SERIES} AND item IS NOT NULL ORDER BY id`;
      return (await db.all(sql, venue)).map((c) => Number(c[0]));
    },

    async countChildren(kind, parent, most) {
      return Number((await db.get(COUNT_CHILDREN[kind], parent, most))?.[0]);
    },

    async awaitedBy(feed, kind, limit) {
      if (kind !== 'place') return (await db.all(AWAITED_BY[kind], feed, limit)).map(awaitedRecord);
      const places = await db.all(PLACES_AWAITED_BY, feed, limit);
      return places.filter(([ident]) => identWaitedFor(String(ident)) === ident).map(awaitedRecord);
    },

    repeatedItems: (feed, limit) => repeatedItems(db, feed, limit),

    async awaited(after, limit) {
      const sql =
        'SELECT r.id, s.ident, (SELECT count(*) FROM record c WHERE c.parent = r.id) AS sessions ' +
        'FROM record r CROSS JOIN record_body s ON s.record = r.id ' +
        `WHERE r.kind = ${SERIES} AND r.item IS NULL AND r.id > ? AND EXISTS (SELECT 1 FROM record c WHERE c.parent = r.id) ORDER BY r.id LIMIT ?`;
      return (await db.all(sql, after, limit)).map((c) => ({
        id: Number(c[0]),
        ident: identWaitedFor(String(c[1])),
        sessions: Number(c[2]),
      }));
    },
  };
}

/** The tag of a record's key (join/keys.ts). */
export function keyTag(tags: Tags, key: string): number {
  return tags(key, RECORD_KINDS.length);
}

function awaitedRecord([ident, count, kind, rpdeId]: Cells): AwaitedRecord {
  return { ident: identWaitedFor(String(ident)), count: Number(count), kind: String(kind), rpdeId: String(rpdeId) };
}

/** The waiting claims of a feed, each with the owner, where that is an item of the feed too. */
const WAITING = `SELECT c.record, s.ident, i.kind, i.rpde_id, i.modified, o.kind, o.rpde_id, o.modified FROM claim c
  CROSS JOIN item i ON i.id = c.item CROSS JOIN record_body s ON s.record = c.record CROSS JOIN record r ON r.id = c.record
  LEFT JOIN item o ON o.id = r.item AND o.feed = i.feed AND r.rank = ${OWN}
  WHERE c.rank = ${OWN} AND i.feed = ? ORDER BY c.record, c.item ${LIMIT}`;

/** Items of a feed that another of its items hides, among its first `limit` waiting claims. */
async function repeatedItems(db: Database, feed: number, limit: number): Promise<RepeatedItem[]> {
  const rows = await db.all(WAITING, feed, limit);
  const cut = rows.length < limit ? undefined : rows.at(-1)?.[0];
  const claims = [...Map.groupBy(rows, ([record]) => record).values()].flatMap((ofRecord) => {
    const [record, ident, , , , ...owner] = ofRecord[0] as Cells;
    const waiting = ofRecord.map((cells) => claimOf(record, ident, cells.slice(2, 5)));
    if (owner[0] !== null) return [claimOf(record, ident, owner), ...waiting];
    // The limit may have cut the claims on the last record: the best of them is not known.
    return record === cut ? [] : waiting;
  });
  return hiddenClaims(claims, ({ record }) => record).map(({ claim, by }) => ({
    ident: claim.ident,
    kind: claim.kind,
    rpdeId: claim.rpdeId,
    by: { kind: by.kind, rpdeId: by.rpdeId },
  }));
}

function claimOf(record: unknown, ident: unknown, [kind, rpdeId, modified]: Cells) {
  const item = { kind: String(kind), rpdeId: String(rpdeId), modified: String(modified) };
  return { record: Number(record), ident: identWaitedFor(String(ident)), ...item, rank: OWN, feed: '', publisher: 0 };
}
