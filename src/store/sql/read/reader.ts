import { RECORD_KINDS, type RecordKind } from '../../../opportunity/records.ts';
import type { Instant } from '../../../time/instant.ts';
import { unpack } from '../../bundles.ts';
import {
  type BareSession,
  type CalendarPart,
  type CalendarQuery,
  type CalendarRow,
  type ChangeRow,
  type ChangesOf,
  damaged,
  type ItemRow,
  identWaitedFor,
  type KeptListRow,
  type ListedRecord,
  type Loss,
  lossOf,
  type OccurrenceRow,
  type Reader,
  type RecordBody,
  type SessionRow,
  type SessionWindow,
  type StartWindow,
  type Upcoming,
} from '../../contract/index.ts';
import { bodyText } from '../body-text.ts';
import type { Cells } from '../database.ts';
import {
  bareSession,
  CALENDAR_COLUMNS,
  CALENDAR_OF,
  calendarRow,
  forKind,
  ITEM_COLUMNS,
  itemRow,
  kindName,
  kindNumber,
  LISTED_COLUMNS,
  LISTED_PARTS,
  listedRecord,
  RECORD_COLUMNS,
  RECORD_TABLES,
  recordBody,
  recordTablesOn,
  SESSION_COLUMNS,
  sessionRow,
} from '../rows.ts';
import { Seen } from '../seen.ts';
import { FeedReader } from './feeds.ts';
import { keptListIn, keptListsIn, lastKeptListIn } from './kept-lists.ts';
import { changesOf } from './noted.ts';
import { occurrenceRow, upcoming } from './upcoming.ts';

const SESSION = kindNumber('session');
const SERIES = kindNumber('series');
// SQLite prepares a statement anew whenever its bare `LIMIT ?` is bound; of a sum it thinks nothing.
const LIMIT = 'LIMIT ? + 0';
const RECORD = `SELECT ${RECORD_COLUMNS}, s.body FROM ${RECORD_TABLES}`;
const CHILDREN = forKind(
  (kind) => `${RECORD} WHERE r.parent = ? AND r.kind = ${kind} ORDER BY r.start NULLS FIRST, r.id`,
);
const BARE_SESSIONS = `SELECT ${SESSION_COLUMNS} FROM record r WHERE r.parent = ? AND r.kind = ${SESSION}`;
const SESSIONS = `SELECT ${SESSION_COLUMNS}, s.body, s.ident FROM record r CROSS JOIN record_body s ON s.record = r.id WHERE r.parent = ? AND r.kind = ${SESSION}`;
const CHILDREN_WITHIN = forKind(
  (kind) =>
    `${RECORD} WHERE r.parent = ? AND r.kind = ${kind} AND r.start >= ? AND r.start < ? ORDER BY r.start, r.id ${LIMIT}`,
);
const BY_IDENT = forKind((kind) => `${RECORD} WHERE r.tag = ? AND r.kind = ${kind} AND s.ident = ?`);
const listedWhere = (by: string) =>
  `SELECT ${LISTED_COLUMNS} FROM json_each(?) t CROSS JOIN record r ON ${by} ${LISTED_PARTS} WHERE r.item IS NOT NULL`;
const LISTED = listedWhere('r.id = t.value');
const LISTED_BY_TAG = forKind((kind) => `${listedWhere('r.tag = t.value')} AND r.kind = ${kind}`);
const BY_KEY = forKind(
  (kind) =>
    `SELECT ${RECORD_COLUMNS}, s.body FROM record_key k CROSS JOIN ${recordTablesOn('r.id = k.record')} WHERE k.tag = ? AND r.kind = ${kind} AND r.item IS NOT NULL ORDER BY s.ident ${LIMIT}`,
);
const BY_KEYS = forKind(
  (kind) =>
    `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN record_key k ON k.tag = t.value CROSS JOIN ${recordTablesOn('r.id = k.record')} WHERE r.kind = ${kind} AND r.item IS NOT NULL ORDER BY s.ident`,
);
const COUNT_CHILDREN = forKind((kind) => {
  // A row with a parent has been published: the index alone can tell.
  // A session without a start is none until a Schedule gives it one.
  const started = kind === SESSION ? 'AND start IS NOT NULL' : '';
  return `SELECT count(*) FROM (SELECT 1 FROM record WHERE parent = ? AND kind = ${kind} ${started} ${LIMIT}) listed`;
});
const NEXT = `AND r.start >= ? ORDER BY r.start, r.id ${LIMIT}`;
const UNDATED = `AND r.start IS NULL ORDER BY r.id ${LIMIT}`;
// The index has those without a start too: one statement reads them all.
const BY_START = `ORDER BY r.start NULLS LAST, r.id ${LIMIT}`;
const PAST = `AND r.start < ? ORDER BY r.start DESC, r.id DESC ${LIMIT}`;

/** The reader of every SQL database, over its connection and its search index. */
export class SqlReader extends FeedReader implements Reader {
  async ownedIn(feed: number): Promise<Loss> {
    const sql =
      'SELECT r.kind, r.rank, count(*) FROM item i CROSS JOIN record r ON r.item = i.id WHERE i.feed = ? GROUP BY 1, 2';
    const sums: Loss = { calendars: 0, sessions: 0 };
    for (const [kind, rank, count] of await this.db.all(sql, feed)) {
      const what = lossOf(kindName(kind), Number(rank));
      sums.calendars += what.calendars * Number(count);
      sums.sessions += what.sessions * Number(count);
    }
    return sums;
  }

  async unseen(feed: number, after: number, upTo: number): Promise<ItemRow[]> {
    // `+feed` keeps SQLite from an index by feed: the whole feed would be read for each part of it.
    const sql = `SELECT ${ITEM_COLUMNS} FROM item WHERE id > ? AND id <= ? AND +feed = ? AND hash IS NOT NULL ORDER BY id`;
    const rows = (await this.db.all(sql, after, upTo, feed)).map(itemRow);
    const met = await Seen.of(
      this.db,
      feed,
      rows.map(({ id }) => id),
    );
    return rows.filter(({ id }) => !met.has(id));
  }

  async lastItem(): Promise<number> {
    return Number((await this.db.get('SELECT max(id) FROM item'))?.[0] ?? 0);
  }

  async raw(items: readonly number[]): Promise<Map<number, string>> {
    // A second time: bundles may be written anew between two statements.
    const found = (await this.#raw(items)) ?? (await this.#raw(items));
    if (found === undefined) throw damaged(new Error('a bundle is missing'));
    return found;
  }

  /** Undefined: a bundle is not there. */
  async #raw(items: readonly number[]): Promise<Map<number, string> | undefined> {
    const places =
      'SELECT i.id, i.bundle, i.slot FROM json_each(?) t CROSS JOIN item i ON i.id = t.value WHERE i.bundle IS NOT NULL';
    const rows = await this.db.all(places, JSON.stringify(items));
    const bundles = new Map<number, string[]>();
    const wanted = [...new Set(rows.map((c) => Number(c[1])))];
    const sql = 'SELECT b.id, b.data FROM json_each(?) t CROSS JOIN bundle b ON b.id = t.value';
    for (const [id, data] of await this.db.all(sql, JSON.stringify(wanted)))
      bundles.set(Number(id), unpack(data as Uint8Array));
    if (bundles.size < wanted.length) return undefined;
    return new Map(rows.map((c) => [Number(c[0]), bundles.get(Number(c[1]))?.[Number(c[2])] as string]));
  }

  async liveItems(after: number, limit: number): Promise<(ItemRow & { feed: number })[]> {
    const sql = `SELECT ${ITEM_COLUMNS}, feed FROM item WHERE id > ? AND hash IS NOT NULL ORDER BY id LIMIT ?`;
    return (await this.db.all(sql, after, limit)).map((c) => ({ ...itemRow(c), feed: Number(c[5]) }));
  }

  async recordById(id: number): Promise<RecordBody | undefined> {
    const row = await this.db.get(`${RECORD} WHERE r.id = ? AND r.item IS NOT NULL`, id);
    return row && recordBody(row);
  }

  async recordByIdent(kind: RecordKind, ident: string): Promise<RecordBody | undefined> {
    const row = await this.db.get(BY_IDENT[kind], this.tags.of(ident, kindNumber(kind)), ident);
    return row && recordBody(row);
  }

  async listedRecords(ids: readonly number[]): Promise<ListedRecord[]> {
    return (await this.db.all(LISTED, JSON.stringify(ids))).map(listedRecord);
  }

  async listedByIdent(kind: RecordKind, idents: readonly string[]): Promise<ListedRecord[]> {
    const wanted = new Set(idents);
    const tags = new Set([...wanted].map((ident) => this.tags.of(ident, kindNumber(kind))));
    const rows = (await this.db.all(LISTED_BY_TAG[kind], JSON.stringify([...tags]))).map(listedRecord);
    return rows.filter(({ ident }) => wanted.has(ident));
  }

  async recordsByKey(kind: RecordKind, keys: readonly string[], most: number): Promise<RecordBody[]> {
    if (keys.length === 0) return [];
    const tags = [...new Set(keys)].map((key) => this.keyTag(key));
    const rows: Cells[] = [];
    if (most < 0) rows.push(...(await this.db.all(BY_KEYS[kind], JSON.stringify(tags))));
    else for (const tag of tags) rows.push(...(await this.db.all(BY_KEY[kind], tag, most)));
    return [...new Map(rows.map(recordBody).map((row) => [row.id, row])).values()];
  }

  protected keyTag(key: string): number {
    return this.tags.of(key, RECORD_KINDS.length);
  }

  async children(kind: RecordKind, parent: number): Promise<RecordBody[]> {
    return (await this.db.all(CHILDREN[kind], parent)).map(recordBody);
  }

  async childrenWithin(kind: RecordKind, parent: number, { from, to, limit }: StartWindow): Promise<RecordBody[]> {
    return (await this.db.all(CHILDREN_WITHIN[kind], parent, from, to, limit)).map(recordBody);
  }

  async sessions(series: number, window?: SessionWindow): Promise<SessionRow[]> {
    return (await this.#sessions(SESSIONS, series, window)).map(sessionRow);
  }

  async bareSessions(series: number, window?: SessionWindow): Promise<BareSession[]> {
    return (await this.#sessions(BARE_SESSIONS, series, window)).map(bareSession);
  }

  async #sessions(sql: string, series: number, { limit = -1, around }: SessionWindow = {}): Promise<Cells[]> {
    if (around === undefined) return await this.db.all(`${sql} ${BY_START}`, series, limit);
    const next = await this.db.all(`${sql} ${NEXT}`, series, around, limit);
    if (next.length === limit) return next;
    const left = (taken: number): number => (limit < 0 ? limit : limit - taken);
    const past = await this.db.all(`${sql} ${PAST}`, series, around, left(next.length));
    const found = [...past.reverse(), ...next];
    return found.length === limit
      ? found
      : [...found, ...(await this.db.all(`${sql} ${UNDATED}`, series, left(found.length)))];
  }

  async bodies(records: readonly number[]): Promise<Map<number, string>> {
    const sql =
      'SELECT s.record, s.body, s.ident FROM json_each(?) t CROSS JOIN record_body s ON s.record = t.value WHERE s.body IS NOT NULL';
    return new Map((await this.db.all(sql, JSON.stringify(records))).map((c) => [Number(c[0]), bodyText(c[1], c[2])]));
  }

  async replacedStarts(sessions: readonly number[]): Promise<Map<number, Instant>> {
    const sql = `SELECT r.id, o.start FROM json_each(?) t CROSS JOIN record r ON r.id = t.value
      CROSS JOIN occurrence o ON o.series = r.parent AND o.session = r.id`;
    return new Map((await this.db.all(sql, JSON.stringify(sessions))).map((c) => [Number(c[0]), Number(c[1])]));
  }

  async assumesZone(series: number): Promise<boolean> {
    const sql = "SELECT 1 FROM record WHERE parent = ? AND zone IS NOT NULL AND zone = '' AND item IS NOT NULL LIMIT 1";
    return (await this.db.get(sql, series)) !== undefined;
  }

  async seriesAt(venue: number): Promise<number[]> {
    const sql = `SELECT id FROM record WHERE venue = ? AND kind = ${SERIES} AND item IS NOT NULL ORDER BY id`;
    return (await this.db.all(sql, venue)).map((c) => Number(c[0]));
  }

  async countChildren(kind: RecordKind, parent: number, most: number): Promise<number> {
    return Number((await this.db.get(COUNT_CHILDREN[kind], parent, most))?.[0]);
  }

  async awaited(after: number, limit: number): Promise<{ id: number; ident: string; sessions: number }[]> {
    const sql =
      'SELECT r.id, s.ident, (SELECT count(*) FROM record c WHERE c.parent = r.id) AS sessions ' +
      'FROM record r CROSS JOIN record_body s ON s.record = r.id ' +
      `WHERE r.kind = ${SERIES} AND r.item IS NULL AND r.id > ? AND EXISTS (SELECT 1 FROM record c WHERE c.parent = r.id) ORDER BY r.id LIMIT ?`;
    return (await this.db.all(sql, after, limit)).map((c) => ({
      id: Number(c[0]),
      ident: identWaitedFor(String(c[1])),
      sessions: Number(c[2]),
    }));
  }

  async calendarOf(record: number, part: CalendarPart = ''): Promise<CalendarRow | undefined> {
    // As a literal: a partial index compares with it, and SQLite would prepare the statement anew for each value bound.
    const row = await this.db.get(
      `SELECT ${CALENDAR_COLUMNS} FROM calendar WHERE record = ? AND part = '${part}'`,
      record,
    );
    return row && calendarRow(row);
  }

  async calendarParts(record: number): Promise<CalendarRow[]> {
    return (await this.db.all(`SELECT ${CALENDAR_COLUMNS} FROM calendar WHERE record = ?`, record)).map(calendarRow);
  }

  async partsOfCalendars(records: readonly number[]): Promise<Map<number, CalendarRow[]>> {
    if (records.length === 0) return new Map();
    const sql = `SELECT ${CALENDAR_OF} FROM json_each(?) t CROSS JOIN calendar c ON c.record = t.value ORDER BY c.record, c.part`;
    return Map.groupBy((await this.db.all(sql, JSON.stringify(records))).map(calendarRow), ({ record }) => record);
  }

  async calendarByKey(key: string): Promise<CalendarRow | undefined> {
    const row = await this.db.get(`SELECT ${CALENDAR_COLUMNS} FROM calendar WHERE key = ? AND part = ''`, key);
    return row && calendarRow(row);
  }

  async changesSince(seq: number, limit: number): Promise<{ key: string; seq: number }[]> {
    return (await this.db.all('SELECT key, seq FROM calendar WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit)).map(
      (c) => ({ key: String(c[0]), seq: Number(c[1]) }),
    );
  }

  async lastSeq(): Promise<number> {
    return Number((await this.db.get('SELECT max(seq) FROM calendar'))?.[0] ?? 0);
  }

  async calendars(
    query: CalendarQuery & { after?: { name: string; key: string }; limit: number },
  ): Promise<CalendarRow[]> {
    const { after = { name: '', key: '' }, limit } = query;
    const { where, values } = this.index.listed(query);
    const sql = `SELECT ${CALENDAR_COLUMNS} FROM calendar WHERE ${where} AND (name, key) > (?, ?) ORDER BY name, key LIMIT ?`;
    return (await this.db.varied(sql, ...values, after.name, after.key, limit)).map(calendarRow);
  }

  async countCalendars(query: CalendarQuery): Promise<number> {
    const { where, values } = this.index.listed(query);
    return Number((await this.db.varied(`SELECT count(*) FROM calendar WHERE ${where}`, ...values))[0]?.[0]);
  }

  async changes(of: ChangesOf, after: Instant, limit: number): Promise<ChangeRow[]> {
    return changesOf(this.db, of, after, limit);
  }

  async upcoming(series: number, from: Instant, to: Instant, limit: number): Promise<Upcoming[]> {
    return upcoming(this.db, series, { from, to, limit });
  }

  async occurrences(series: number): Promise<(OccurrenceRow & { stamp: string })[]> {
    return (
      await this.db.all(
        'SELECT start, "end", schedule, session, stamp FROM occurrence WHERE series = ? ORDER BY start, schedule',
        series,
      )
    ).map((c) => ({ ...occurrenceRow(c), stamp: String(c[4]) }));
  }

  async publishedRecords(ids: readonly number[]): Promise<RecordBody[]> {
    const sql = `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN ${recordTablesOn('r.id = t.value')} WHERE r.item IS NOT NULL`;
    return (await this.db.all(sql, JSON.stringify(ids))).map(recordBody);
  }

  async mainCalendars(records: readonly number[]): Promise<CalendarRow[]> {
    return this.calendarRows(records, '');
  }

  protected async calendarRows(records: readonly number[], part: CalendarPart): Promise<CalendarRow[]> {
    // As in `calendarOf`.
    const sql = `SELECT ${CALENDAR_OF} FROM json_each(?) t CROSS JOIN calendar c ON c.record = t.value AND c.part = '${part}'`;
    return (await this.db.all(sql, JSON.stringify(records))).map(calendarRow);
  }

  async keptList(token: string): Promise<KeptListRow | undefined> {
    return keptListIn(this.db, token);
  }

  async keptListsSince(seq: number, limit: number): Promise<{ token: string; seq: number }[]> {
    return keptListsIn(this.db, seq, limit);
  }

  async lastKeptListSeq(): Promise<number> {
    return lastKeptListIn(this.db);
  }

  async version(): Promise<string> {
    return this.db.version();
  }

  async meta(key: string): Promise<string | undefined> {
    return (await this.db.get('SELECT value FROM meta WHERE key = ?', key))?.[0] as string | undefined;
  }
}
