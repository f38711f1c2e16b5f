import { RECORD_KINDS, type RecordKind } from '../../opportunity/records.ts';
import {
  type CalendarPart,
  type CalendarRow,
  type CalendarState,
  type Claim,
  decodeEvents,
  decodeHash,
  decodeHeader,
  type FeedReport,
  type FeedRow,
  feedStateOf,
  type ItemRow,
  type ListedRecord,
  type Owner,
  type RecordBody,
  type SessionRow,
  type ZonedSession,
} from '../contract/index.ts';
import { bodyText } from './body-text.ts';
import type { Cell, Cells } from './database.ts';

/** Turns rows of the database into values of the contract. Rows are arrays: each list of columns stands beside its reader. */

const textCell = (cell: Cell | undefined): string | undefined => (typeof cell === 'string' ? cell : undefined);
export const numberCell = (cell: Cell | undefined): number | undefined => (typeof cell === 'number' ? cell : undefined);

export const kindNumber = (kind: RecordKind): number => RECORD_KINDS.indexOf(kind);

export const SERIES = kindNumber('series');
export const SESSION = kindNumber('session');

/**
 * A statement for each kind, with the number of the kind as a literal. Partial indexes of `record` compare `kind` with a
 * literal, and SQLite would prepare `kind = ?` anew for each bound value.
 *
 * @example forKind((kind) => `SELECT id FROM record WHERE parent = ? AND kind = ${kind}`).session
 */
export function forKind(sql: (kind: number) => string): Readonly<Record<RecordKind, string>> {
  const statements = RECORD_KINDS.map((kind) => [kind, sql(kindNumber(kind))]);
  return Object.fromEntries(statements) as Record<RecordKind, string>;
}

export const kindName = (cell: Cell | undefined): RecordKind => RECORD_KINDS[Number(cell)] as RecordKind;

export const FEED_COLUMNS =
  'id, url, name, publisher, publisher_url, license, cursor, publisher_id, (SELECT key FROM publisher WHERE publisher.id = publisher_id), listed';

export function feedRow(c: Cells): FeedRow {
  return {
    id: Number(c[0]),
    url: String(c[1]),
    name: textCell(c[2]),
    publisher: textCell(c[3]),
    publisherUrl: textCell(c[4]),
    license: textCell(c[5]),
    cursor: textCell(c[6]),
    publisherId: Number(c[7]),
    publisherKey: textCell(c[8]),
    listed: c[9] === 1,
  };
}

export const REPORT_COLUMNS = `${FEED_COLUMNS}, live, deleted, findings, bytes, state`;

export function feedReport(c: Cells): FeedReport {
  const counts = { items: Number(c[10]), deleted: Number(c[11]), findings: Number(c[12]), bytes: Number(c[13]) };
  return { ...feedRow(c), ...counts, ...feedStateOf(textCell(c[14])) };
}

export const ITEM_COLUMNS = 'id, kind, rpde_id, modified, hash';

export function itemRow(c: Cells): ItemRow {
  const hash = textCell(c[4]);
  return {
    id: Number(c[0]),
    kind: String(c[1]),
    rpdeId: String(c[2]),
    modified: String(c[3]),
    deleted: hash === undefined,
    hash,
  };
}

export const OWNER_COLUMNS = 'i.id, i.modified, f.url, i.kind, i.rpde_id';
export const RECORD_COLUMNS = `r.id, r.kind, s.ident, r.parent, r.place, r.venue, r.rank, r.hash, r.sequence, r.changed, r.publisher_id, r.strays, r.named, r.own, r.price, ${OWNER_COLUMNS}`;
const RECORD_PARTS =
  'CROSS JOIN record_body s ON s.record = r.id LEFT JOIN item i ON i.id = r.item LEFT JOIN feed f ON f.id = i.feed';
export const RECORD_TABLES = `record r ${RECORD_PARTS}`;

/** The tables of records, joined to an earlier table. */
export const recordTablesOn = (condition: string): string => `record r ON ${condition} ${RECORD_PARTS}`;

/** Selects records with their bodies, whose column is one of a list of numbers. */
export const recordsListedBy = (column: string): string =>
  `SELECT ${RECORD_COLUMNS}, s.body FROM json_each(?) t CROSS JOIN ${recordTablesOn(`${column} = t.value`)}`;

function owner(c: Cells, at: number, rank: number): Owner | undefined {
  const item = numberCell(c[at]);
  if (item === undefined) return undefined;
  return {
    item,
    rank,
    modified: String(c[at + 1]),
    feed: String(c[at + 2]),
    kind: String(c[at + 3]),
    rpdeId: String(c[at + 4]),
  };
}

/** A record, of RECORD_COLUMNS and then the body. */
export function recordBody(c: Cells): RecordBody {
  return {
    id: Number(c[0]),
    kind: kindName(c[1]),
    ident: String(c[2]),
    parent: numberCell(c[3]),
    place: numberCell(c[4]),
    venue: numberCell(c[5]),
    hash: decodeHash(textCell(c[7])),
    sequence: Number(c[8]),
    changed: Number(c[9]),
    publisherId: numberCell(c[10]),
    strays: c[11] === 1,
    named: numberCell(c[12]),
    own: c[13] === 1,
    price: numberCell(c[14]),
    owner: owner(c, 15, Number(c[6])),
    body: bodyText(c[20], c[2]),
  };
}

/** Columns of a record with its live calendar, of the tables `record r`, `record_body s` and `calendar c`. */
export const LISTED_COLUMNS = 'r.id, r.kind, s.ident, r.venue, r.publisher_id, s.body, c.key, c.sessions';
export const LISTED_PARTS =
  "CROSS JOIN record_body s ON s.record = r.id LEFT JOIN calendar c ON c.record = r.id AND c.part = '' AND c.state = 'live'";

export function listedRecord(c: Cells): ListedRecord {
  return {
    id: Number(c[0]),
    kind: kindName(c[1]),
    ident: String(c[2]),
    venue: numberCell(c[3]),
    publisherId: numberCell(c[4]),
    body: bodyText(c[5], c[2]),
    key: textCell(c[6]),
    sessions: Number(c[7]),
  };
}

export const SESSION_COLUMNS = 'r.id, r.place, r.hash, r.sequence, r.changed, r.start, r."end", r.cancelled';

export function bareSession(c: Cells): Omit<SessionRow, 'body'> {
  return {
    id: Number(c[0]),
    place: numberCell(c[1]),
    hash: decodeHash(textCell(c[2])),
    sequence: Number(c[3]),
    changed: Number(c[4]),
    start: numberCell(c[5]),
    end: numberCell(c[6]),
    cancelled: c[7] === 1,
  };
}

/** A session, of SESSION_COLUMNS and then the body and the identity. */
export function sessionRow(c: Cells): SessionRow {
  return { ...bareSession(c), body: bodyText(c[8], c[9]) };
}

export function zonedSession(c: Cells): ZonedSession {
  return {
    id: Number(c[0]),
    place: numberCell(c[1]),
    start: numberCell(c[2]),
    end: numberCell(c[3]),
    zone: textCell(c[4]),
    parent: Number(c[5]),
    body: bodyText(c[6], c[7]),
  };
}

export const CLAIM_COLUMNS = 'c.record, c.item, c.rank, c.refused';

export function claim(c: Cells): Claim {
  return { record: Number(c[0]), item: Number(c[1]), rank: Number(c[2]), refused: c[3] === 1 };
}

/** A claim with its owner, of CLAIM_COLUMNS and then OWNER_COLUMNS. */
export function claimRow(c: Cells): Claim & { owner: Owner } {
  return { ...claim(c), owner: owner(c, 4, Number(c[2])) as Owner };
}

/** NULL for what is undefined. */
export const orNull = <T>(value: T | undefined): T | null => (value === undefined ? null : value);

export const CALENDAR_COLUMNS =
  'record, kind, key, state, revision, changed, seq, name, search, header, events, tail, deleted_at, moved_to, rolling, findings, part, sessions';

/** CALENDAR_COLUMNS of the table `calendar c`. */
export const CALENDAR_OF = CALENDAR_COLUMNS.replaceAll(/(\w+)/g, 'c.$1');

export function calendarRow(c: Cells): CalendarRow {
  return {
    record: Number(c[0]),
    kind: kindName(c[1]),
    key: String(c[2]),
    state: String(c[3]) as CalendarState,
    revision: Number(c[4]),
    changed: Number(c[5]),
    seq: Number(c[6]),
    name: String(c[7]),
    search: String(c[8]),
    header: decodeHeader(String(c[9])),
    events: decodeEvents(textCell(c[10])),
    tail: textCell(c[11]),
    deletedAt: numberCell(c[12]),
    movedTo: textCell(c[13]),
    rolling: c[14] === 1,
    findings: textCell(c[15]),
    part: String(c[16]) as CalendarPart,
    sessions: Number(c[17]),
  };
}

/** Orders pages of a feed by cursor, the newest first, because the numbers in its cursors grow. */
export const NEWEST_PAGES = 'ORDER BY length(cursor) DESC, cursor DESC';
