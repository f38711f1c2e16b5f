import { HOUR_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { FoundOccurrence, OccurrenceWindow } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import { type Cells, integerCell, kindNumber } from '../rows.ts';

/** Rows of sessions and of generated occurrences by their start, and as occurrences of the contract. */

/** Three hours, as the indexes of what is on for longer have them. */
export const LONG = 3 * HOUR_MS;

/** A part of a window, and the index that has it. */
export interface Part {
  of: 'start' | 'long';
  from: Instant;
  to: Instant;
  endsAfter?: Instant;
}

/** What an index by start says. */
export interface Candidate {
  series: number;
  start: Instant;
  occurrence: FoundOccurrence;
  /** It may take its end from the instance that it replaces. */
  isOpen?: boolean;
}

export function byStartAndRow(a: FoundOccurrence, b: FoundOccurrence): number {
  return (
    a.start - b.start ||
    a.series - b.series ||
    (a.session ?? 0) - (b.session ?? 0) ||
    (a.schedule ?? 0) - (b.schedule ?? 0)
  );
}

const SESSION = kindNumber('session');
const GENERATED = 'o.series, o.start, o."end", o.schedule, r.id, r.cancelled';
/** A session that has a start is found by it; one without stands where what it replaces does. */
const REPLACED = '(o.session IS NULL OR (r.start IS NULL AND r.item IS NOT NULL))';
const EXPLICIT = `r.parent, r.start, r."end", r.id, r.cancelled, i.start, i."end"`;
/** A session whose end is not stated may take it from the instance that it replaces. */
const INSTANCE = 'LEFT JOIN occurrence i ON r.start = r."end" AND i.series = r.parent AND i.session = r.id';

export interface Candidates {
  /** All that start before `end`, and maybe some of those that start then. */
  read: Candidate[];
  end: Instant;
  /** Rows that were read. */
  count: number;
}

/** The next rows from the beginning of a part, at most `limit` of each index. */
export function candidates(db: Connection, part: Part, limit: number): Candidates {
  const { from, to, endsAfter } = part;
  const long = (table: string) => (part.of === 'long' ? `AND ${table}."end" - ${table}.start > ${LONG}` : '');
  const ended = endsAfter === undefined ? ['', ''] : ['AND o."end" > ?', 'AND (r."end" > ? OR r."end" = r.start)'];
  const values = [from, to, ...(endsAfter === undefined ? [] : [endsAfter]), limit];
  const ofRules = db.all(
    `SELECT ${GENERATED}, r.item, r.start FROM occurrence o INDEXED BY occurrence_${part.of} LEFT JOIN record r ON r.id = o.session
      WHERE o.start >= ? AND o.start < ? ${long('o')} ${ended[0]} ORDER BY o.start LIMIT ? + 0`,
    ...values,
  );
  const ofSessions = db.all(
    `SELECT r.parent, r.start, r."end", r.id, r.cancelled FROM record r INDEXED BY record_${part.of}
      WHERE r.kind = ${SESSION} AND r.item IS NOT NULL AND r.start >= ? AND r.start < ? ${long('r')} ${ended[1]}
      ORDER BY r.start LIMIT ? + 0`,
    ...values,
  );
  const reached = (rows: readonly Cells[]) => (rows.length < limit ? to : Number(rows.at(-1)?.[1]));
  const replaces = (c: Cells) => c[4] === null || (c[7] === null && c[6] !== null);
  return {
    read: [
      ...ofRules.filter(replaces).map((c) => candidate(c, generatedRow(c))),
      ...ofSessions.map((c) => ({ ...candidate(c, sessionRow(c)), isOpen: c[1] === c[2] })),
    ],
    end: Math.min(reached(ofRules), reached(ofSessions)),
    count: ofRules.length + ofSessions.length,
  };
}

const candidate = (c: Cells, occurrence: FoundOccurrence): Candidate => ({
  series: Number(c[0]),
  start: Number(c[1]),
  occurrence,
});

/** Of candidates those that go on, and are not cancelled where those are not wanted. */
export function rowsOf(
  db: Connection,
  read: readonly Candidate[],
  { endsAfter, cancelled = false }: Pick<OccurrenceWindow, 'endsAfter' | 'cancelled'>,
): FoundOccurrence[] {
  const wanted = read.filter(({ occurrence }) => cancelled || !occurrence.cancelled);
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
  const { of, from, to, endsAfter } = part;
  const values = [JSON.stringify([...series]), from, to, ...(endsAfter === undefined ? [] : [endsAfter])];
  const ended = endsAfter === undefined ? '' : 'AND o."end" > ?';
  const by = (index: string, table: string): string =>
    of === 'long' ? `INDEXED BY ${index} ON ${table}."end" - ${table}.start > ${LONG} AND` : 'ON';
  const ofRules = db.all(
    `SELECT ${GENERATED} FROM json_each(?) CROSS JOIN occurrence o ${by('occurrence_long_series', 'o')} o.series = value
      LEFT JOIN record r ON r.id = o.session
      WHERE o.start >= ? AND o.start < ? AND ${REPLACED} ${notCancelled(cancelled)} ${ended}`,
    ...values,
  );
  const ofSessions = db.all(
    `SELECT ${EXPLICIT} FROM json_each(?) CROSS JOIN record r ${by('record_long_parent', 'r')} r.parent = value AND r.kind = ${SESSION} ${INSTANCE}
      WHERE r.start >= ? AND r.start < ? AND r.item IS NOT NULL ${notCancelled(cancelled)} ${goesOn(endsAfter)}`,
    ...values,
  );
  return [...ofRules.map(generatedRow), ...ofSessions.map(sessionRow)];
}

const notCancelled = (cancelled: boolean): string => (cancelled ? '' : 'AND r.cancelled IS NULL');

/** A session that says no end is as long as what it replaces (semantics 4.7). */
const goesOn = (endsAfter: Instant | undefined): string =>
  endsAfter === undefined ? '' : 'AND max(r."end", coalesce(r.start + i."end" - i.start, r."end")) > ?';

function generatedRow(c: Cells): FoundOccurrence {
  const [start, end, session] = [Number(c[1]), Number(c[2]), integerCell(c[4])];
  const source = session === undefined ? { schedule: Number(c[3]) } : { session, instance: { start, end } };
  return { series: Number(c[0]), start, end, ...source, cancelled: c[5] === 1 };
}

function sessionRow(c: Cells): FoundOccurrence {
  const [start, end] = [integerCell(c[5]), integerCell(c[6])];
  return {
    series: Number(c[0]),
    start: Number(c[1]),
    ...(c[1] !== c[2] && { end: Number(c[2]) }),
    session: Number(c[3]),
    ...(start !== undefined && end !== undefined && { instance: { start, end } }),
    cancelled: c[4] === 1,
  };
}
