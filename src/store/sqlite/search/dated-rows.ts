import { DAY_MS, HOUR_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { FoundOccurrence, OccurrenceWindow, TimeOfWeek } from '../../contract/index.ts';
import type { Cells, Value } from '../../sql/database.ts';
import { numberCell, SESSION } from '../../sql/rows.ts';
import {
  EXPLICIT,
  explicitRow,
  GENERATED,
  generatedRow,
  INSTANCE,
  notCancelled,
  PRICED,
  REPLACED,
} from '../../sql/search/occurrence-rows.ts';
import { stretchesOf } from '../../sql/search/weeks.ts';
import type { Connection } from '../connection.ts';

/** Rows of sessions and of generated occurrences by their start, and as occurrences of the contract. */

/** Three hours: the indexes of long occurrences have those that go on for longer. */
export const LONG = 3 * HOUR_MS;

/** A part of a window, and the index that has it. */
export interface WindowPart {
  of: 'start' | 'long';
  from: Instant;
  to: Instant;
  endsAfter?: Instant;
  /** Times of a week, as in the window. */
  weekly?: readonly TimeOfWeek[];
}

/** Whose document decides: that of the series, or that of the session itself. */
export type Asked = 'series' | 'session';

/** A row of an index by start. */
export interface Candidate {
  /** The row whose document decides. */
  row: number;
  session: number | undefined;
  start: Instant;
  /** Makes the occurrence. Only wanted candidates need one, and these are few. */
  occurrence(): FoundOccurrence;
  /** Whether its end may be that of the instance that it replaces. */
  isOpen: boolean;
}

interface Candidates {
  /** All candidates that start before `end`. */
  read: Candidate[];
  end: Instant;
}

/**
 * The next rows of a part, `rows` at least of one of the two indexes by start: one has generated occurrences, the other explicit
 * sessions. Rows that start together are read together. `some`: only these rows leave the database.
 */
export function candidates(
  db: Connection,
  part: WindowPart,
  asked: Asked,
  rows: number,
  some?: ReadonlySet<number>,
): Candidates {
  const rules = reached(db, `occurrence INDEXED BY occurrence_${part.of} WHERE true`, part, rows);
  const ofRecords = `record INDEXED BY record_${part.of} WHERE kind = ${SESSION} AND item IS NOT NULL`;
  const sessions = reached(db, ofRecords, part, rows);
  const end = Math.min(rules, sessions);
  const listed = some && JSON.stringify([...some]);
  const whole = { ...part, to: end };
  // The index with fewer rows is read whole, because a list of rows costs more.
  const one = ofRules(db, whole, asked, rules === end ? listed : undefined);
  return { read: [...one, ...ofSessions(db, whole, asked, sessions === end ? listed : undefined)], end };
}

/** All long occurrences at some times of each week, by one statement: one for each time would cost more than the rows. */
export function candidatesAt(db: Connection, part: WindowPart, asked: Asked): Candidate[] {
  return [...ofRules(db, part, asked), ...ofSessions(db, part, asked)];
}

/**
 * An instant before which `rows` rows of the part start, with all that start together with the last; else the end of the
 * part.
 */
function reached(db: Connection, from: string, part: WindowPart, rows: number): Instant {
  const ended = part.endsAfter === undefined ? '' : 'AND ("end" > ? OR "end" = start)';
  const sql = `SELECT start FROM ${from} AND start >= ? AND start < ? ${ended} ${longOnly(part, '')} ORDER BY start LIMIT 1 OFFSET ? + 0`;
  const last = db.get(sql, ...valuesOf(part), rows - 1)?.[0];
  return last === undefined ? part.to : Number(last) + 1;
}

const inSome = (column: string, rows: string | undefined): string =>
  rows === undefined ? '' : `AND ${column} IN (SELECT value FROM json_each(?))`;

/** Generated occurrences, without those that sessions with a start replace. `some`: only of these rows. */
function ofRules(db: Connection, part: WindowPart, asked: Asked, some?: string): Candidate[] {
  const { each, when } = timesOf(part, 'o');
  const rows = db.all(
    `SELECT ${GENERATED}, r.item, r.start FROM ${each} occurrence o INDEXED BY occurrence_${part.of} LEFT JOIN record r ON r.id = o.session
      WHERE ${when} ${longOnly(part, 'o.')} ${part.endsAfter === undefined ? '' : 'AND o."end" > ?'}
        ${inSome(asked === 'series' ? 'o.series' : 'o.session', some)}`,
    ...valuesOf(part, some),
  );
  const isAsked = (c: Cells) => (c[4] === null ? asked === 'series' : c[7] === null && c[6] !== null);
  return rows.filter(isAsked).map((c) => candidate(c, asked, 4, generatedRow));
}

function ofSessions(db: Connection, part: WindowPart, asked: Asked, some?: string): Candidate[] {
  const ended = part.endsAfter === undefined ? '' : 'AND (r."end" > ? OR r."end" = r.start)';
  const { each, when } = timesOf(part, 'r');
  const rows = db.all(
    `SELECT r.parent, r.start, r."end", r.id, r.cancelled FROM ${each} record r INDEXED BY record_${part.of}
      WHERE r.kind = ${SESSION} AND r.item IS NOT NULL AND ${when} ${longOnly(part, 'r.')} ${ended}
        ${inSome(asked === 'series' ? 'r.parent' : 'r.id', some)}`,
    ...valuesOf(part, some),
  );
  return rows.map((c) => candidate(c, asked, 3, explicitRow, c[1] === c[2]));
}

/** The condition for long occurrences. `table`: the alias in the statement, with its dot. */
const longOnly = ({ of }: WindowPart, table: string): string =>
  of === 'long' ? `AND ${table}"end" - ${table}start > ${LONG}` : '';

/** Whether a part is read by one statement for all of its times of a week. */
const isAtOnce = ({ of, weekly }: WindowPart): boolean => of === 'long' && weekly !== undefined;

function timesOf(part: WindowPart, table: string): { each: string; when: string } {
  if (!isAtOnce(part)) return { each: '', when: `${table}.start >= ? AND ${table}.start < ?` };
  return {
    each: 'json_each(?) t CROSS JOIN',
    when: `${table}.start >= t.value ->> 0 AND ${table}.start < t.value ->> 1`,
  };
}

const timeValues = (part: WindowPart): Value[] =>
  isAtOnce(part) ? [JSON.stringify([...stretchesOf(part)].map(({ from, to }) => [from, to]))] : [part.from, part.to];

const valuesOf = (part: WindowPart, some?: string): Value[] => [
  ...timeValues(part),
  ...(part.endsAfter === undefined ? [] : [part.endsAfter]),
  ...(some === undefined ? [] : [some]),
];

/** The candidate of a row. `at`: the index of the cell with the session. */
function candidate(
  c: Cells,
  asked: Asked,
  at: number,
  occurrence: (c: Cells) => FoundOccurrence,
  isOpen = false,
): Candidate {
  const session = numberCell(c[at]);
  const row = asked === 'series' ? Number(c[0]) : (session as number);
  return { row, session, start: Number(c[1]), isOpen, occurrence: () => occurrence(c) };
}

/** The occurrences of candidates that end after `endsAfter`, without cancelled ones unless these are wanted. */
export function rowsOf(
  db: Connection,
  read: readonly Candidate[],
  { endsAfter, cancelled = false }: Pick<OccurrenceWindow, 'endsAfter' | 'cancelled'>,
): FoundOccurrence[] {
  const wanted = read
    .map(({ isOpen, occurrence }) => ({ isOpen, occurrence: occurrence() }))
    .filter(({ occurrence }) => cancelled || !occurrence.cancelled);
  const open = wanted.flatMap(({ isOpen, occurrence: { session } }) => (isOpen ? (session ?? []) : []));
  const closed = wanted.filter(({ isOpen }) => !isOpen).map(({ occurrence }) => occurrence);
  if (open.length === 0) return closed;
  const sql = `SELECT ${EXPLICIT} FROM json_each(?) CROSS JOIN record r ON r.id = value ${INSTANCE} WHERE true ${goesOn(endsAfter)}`;
  const found = db.all(sql, JSON.stringify(open), ...(endsAfter === undefined ? [] : [endsAfter]));
  return [...closed, ...found.map(explicitRow)];
}

/** The occurrences of some sessions that start in a part of a window. */
export function amongSessions(
  db: Connection,
  sessions: ReadonlySet<number>,
  part: WindowPart,
  cancelled: boolean,
): FoundOccurrence[] {
  const { values, within, ended } = startsIn(part, sessions);
  const replacing = db.all(
    `SELECT ${GENERATED} FROM json_each(?) CROSS JOIN record r ON r.id = value AND r.start IS NULL AND r.item IS NOT NULL
      CROSS JOIN occurrence o ON o.series = r.parent AND o.session = r.id
      WHERE ${within('o')} ${notCancelled(cancelled)} ${ended}`,
    ...values,
  );
  const dated = db.all(
    `SELECT ${EXPLICIT} FROM json_each(?) CROSS JOIN record r ON r.id = value AND r.item IS NOT NULL ${INSTANCE}
      WHERE ${within('r')} ${notCancelled(cancelled)} ${goesOn(part.endsAfter)}`,
    ...values,
  );
  return [...replacing.map(generatedRow), ...dated.map(explicitRow)];
}

/** Occurrences of some series that start in a part of a window. `price`: only sessions with a price of at most this. */
export function inSeries(
  db: Connection,
  series: ReadonlySet<number>,
  part: WindowPart,
  cancelled: boolean,
  price?: number,
): FoundOccurrence[] {
  const { values, within, ended } = startsIn(part, series, price);
  const by = (index: string, table: string): string =>
    part.of === 'long' ? `INDEXED BY ${index} ON ${table}."end" - ${table}.start > ${LONG} AND` : 'ON';
  const ofRules = db.all(
    `SELECT ${GENERATED} FROM json_each(?) CROSS JOIN occurrence o ${by('occurrence_long_series', 'o')} o.series = value
      LEFT JOIN record r ON r.id = o.session
      WHERE ${within('o')} AND ${REPLACED} ${notCancelled(cancelled)} ${ended}`,
    ...values,
  );
  const ofSessions = db.all(
    `SELECT ${EXPLICIT} FROM json_each(?) CROSS JOIN record r ${by('record_long_parent', 'r')} r.parent = value AND r.kind = ${SESSION} ${INSTANCE}
      WHERE ${within('r')} AND r.item IS NOT NULL ${notCancelled(cancelled)} ${goesOn(part.endsAfter)}`,
    ...values,
  );
  return [...ofRules.map(generatedRow), ...ofSessions.map(explicitRow)];
}

/** The conditions of a part of a window in a statement about `rows`, and their values in that order. */
function startsIn({ from, to, endsAfter, weekly }: WindowPart, rows: ReadonlySet<number>, price?: number) {
  const times = weekly?.flatMap((time) => [time.from, time.length]) ?? [];
  const rest = [price, endsAfter].filter((value) => value !== undefined);
  const priced = price === undefined ? '' : `AND ${PRICED}`;
  return {
    values: [JSON.stringify([...rows]), from, to, ...times, ...rest],
    within: (table: string) => `${table}.start >= ? AND ${table}.start < ? ${inWeek(table, weekly)} ${priced}`,
    ended: endsAfter === undefined ? '' : 'AND o."end" > ?',
  };
}

/** A session without an end is as long as the instance that it replaces (semantics 4.7). */
const goesOn = (endsAfter: Instant | undefined): string =>
  endsAfter === undefined ? '' : 'AND max(r."end", coalesce(r.start + i."end" - i.start, r."end")) > ?';

/** The condition for times of a week. With it no row is read for the other dates of a series. */
function inWeek(table: string, weekly: OccurrenceWindow['weekly']): string {
  if (weekly === undefined) return '';
  const times = weekly.map(() => `(${table}.start - ?) % ${7 * DAY_MS} < ?`);
  return times.length === 0 ? 'AND false' : `AND (${times.join(' OR ')})`;
}
