import { DAY_MS, HOUR_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { FoundOccurrence, OccurrenceWindow, TimeOfWeek } from '../../contract/index.ts';
import type { Cells } from '../../sql/database.ts';
import { kindNumber } from '../../sql/rows.ts';
import {
  EXPLICIT,
  GENERATED,
  generatedRow,
  INSTANCE,
  notCancelled,
  REPLACED,
  sessionRow,
} from '../../sql/search/occurrence-rows.ts';
import type { Connection } from '../connection.ts';

/** Rows of sessions and of generated occurrences by their start, and as occurrences of the contract. */

/** Three hours, as the indexes of what is on for longer have them. */
export const LONG = 3 * HOUR_MS;

/** A part of a window, and the index that has it. */
export interface Part {
  of: 'start' | 'long';
  from: Instant;
  to: Instant;
  endsAfter?: Instant;
  /** As in the window. */
  weekly?: readonly TimeOfWeek[];
}

/** What an index by start says. */
export interface Candidate {
  series: number;
  start: Instant;
  /** Made of those that are wanted alone, which are few. */
  occurrence(): FoundOccurrence;
  /** It may take its end from the instance that it replaces. */
  isOpen: boolean;
}

const SESSION = kindNumber('session');
interface Rows {
  /** All that start before `end`, and maybe some of those that start later. */
  read: Candidate[];
  end: Instant;
  /** Rows that were read. */
  count: number;
}

export interface Candidates extends Rows {
  dense: Index;
}

/** The two indexes of what starts when: one has what rules generate, the other explicit sessions. */
export type Index = 'rules' | 'sessions';

/**
 * The next rows from the beginning of a part, at most `limit` of each index. `first`: which of them is read first; of the other
 * one nothing is read beyond that. `dense`: the one that had more.
 */
export function candidates(db: Connection, part: Part, limit: number, first: Index): Candidates {
  const read = { rules: ofRules, sessions: ofSessions };
  const other = first === 'rules' ? 'sessions' : 'rules';
  const one = read[first](db, part, limit);
  const two = read[other](db, { ...part, to: one.end }, limit);
  return {
    read: [...one.read, ...two.read],
    end: two.end,
    count: one.count + two.count,
    dense: two.count > one.count ? other : first,
  };
}

/** What rules generate, without what sessions say otherwise. */
function ofRules(db: Connection, part: Part, limit: number): Rows {
  const rows = db.all(
    `SELECT ${GENERATED}, r.item, r.start FROM occurrence o INDEXED BY occurrence_${part.of} LEFT JOIN record r ON r.id = o.session
      WHERE o.start >= ? AND o.start < ? ${longOnly(part, 'o')} ${part.endsAfter === undefined ? '' : 'AND o."end" > ?'}
      ORDER BY o.start LIMIT ? + 0`,
    ...valuesOf(part, limit),
  );
  const replaces = (c: Cells) => c[4] === null || (c[7] === null && c[6] !== null);
  const read = rows.filter(replaces).map((c): Candidate => candidate(c, generatedRow));
  return { read, count: rows.length, end: reachedIn(rows, part, limit) };
}

function ofSessions(db: Connection, part: Part, limit: number): Rows {
  const ended = part.endsAfter === undefined ? '' : 'AND (r."end" > ? OR r."end" = r.start)';
  const rows = db.all(
    `SELECT r.parent, r.start, r."end", r.id, r.cancelled FROM record r INDEXED BY record_${part.of}
      WHERE r.kind = ${SESSION} AND r.item IS NOT NULL AND r.start >= ? AND r.start < ? ${longOnly(part, 'r')} ${ended}
      ORDER BY r.start LIMIT ? + 0`,
    ...valuesOf(part, limit),
  );
  const read = rows.map((c): Candidate => candidate(c, sessionRow, c[1] === c[2]));
  return { read, count: rows.length, end: reachedIn(rows, part, limit) };
}

const longOnly = ({ of }: Part, table: string): string =>
  of === 'long' ? `AND ${table}."end" - ${table}.start > ${LONG}` : '';

const valuesOf = ({ from, to, endsAfter }: Part, limit: number): number[] => [
  from,
  to,
  ...(endsAfter === undefined ? [] : [endsAfter]),
  limit,
];

/** All that start before it were read. */
const reachedIn = (rows: readonly Cells[], { to }: Part, limit: number): Instant =>
  rows.length < limit ? to : Number(rows.at(-1)?.[1]);

const candidate = (c: Cells, row: (c: Cells) => FoundOccurrence, isOpen = false): Candidate => ({
  series: Number(c[0]),
  start: Number(c[1]),
  isOpen,
  occurrence: () => row(c),
});

/** Of candidates those that go on, and are not cancelled where those are not wanted. */
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
  return [...closed, ...found.map(sessionRow)];
}

/** Of these series what starts in a part of a window. */
export function inSeries(
  db: Connection,
  series: ReadonlySet<number>,
  part: Part,
  cancelled: boolean,
): FoundOccurrence[] {
  const { of, from, to, endsAfter, weekly } = part;
  const times = weekly?.flatMap((time) => [time.from, time.length]) ?? [];
  const values = [JSON.stringify([...series]), from, to, ...times, ...(endsAfter === undefined ? [] : [endsAfter])];
  const within = (table: string) => `${table}.start >= ? AND ${table}.start < ? ${inWeek(table, weekly)}`;
  const ended = endsAfter === undefined ? '' : 'AND o."end" > ?';
  const by = (index: string, table: string): string =>
    of === 'long' ? `INDEXED BY ${index} ON ${table}."end" - ${table}.start > ${LONG} AND` : 'ON';
  const ofRules = db.all(
    `SELECT ${GENERATED} FROM json_each(?) CROSS JOIN occurrence o ${by('occurrence_long_series', 'o')} o.series = value
      LEFT JOIN record r ON r.id = o.session
      WHERE ${within('o')} AND ${REPLACED} ${notCancelled(cancelled)} ${ended}`,
    ...values,
  );
  const ofSessions = db.all(
    `SELECT ${EXPLICIT} FROM json_each(?) CROSS JOIN record r ${by('record_long_parent', 'r')} r.parent = value AND r.kind = ${SESSION} ${INSTANCE}
      WHERE ${within('r')} AND r.item IS NOT NULL ${notCancelled(cancelled)} ${goesOn(endsAfter)}`,
    ...values,
  );
  return [...ofRules.map(generatedRow), ...ofSessions.map(sessionRow)];
}

/** A session that says no end is as long as what it replaces (semantics 4.7). */
const goesOn = (endsAfter: Instant | undefined): string =>
  endsAfter === undefined ? '' : 'AND max(r."end", coalesce(r.start + i."end" - i.start, r."end")) > ?';

/** Most dates of a series are not wanted by who asks for one day: no row is read for these. */
function inWeek(table: string, weekly: OccurrenceWindow['weekly']): string {
  if (weekly === undefined) return '';
  const times = weekly.map(() => `(${table}.start - ?) % ${7 * DAY_MS} < ?`);
  return times.length === 0 ? 'AND false' : `AND (${times.join(' OR ')})`;
}
