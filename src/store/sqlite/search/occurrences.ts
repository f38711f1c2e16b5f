import { HOUR_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { FoundOccurrence, OccurrenceWindow, SearchQuery } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import { type Cells, integerCell, kindNumber } from '../rows.ts';
import { type Condition, conditionsOf, foundBy } from './conditions.ts';

/**
 * Occurrences of the series that a query finds, in windows that grow until there are enough. Each window is read in one of
 * two ways: series by series where they are few, or all that starts in it, by start, where they are many.
 */

/** So many series are held by row; of more, each occurrence is looked at with the query. */
const MOST_SERIES = 20_000;
/** Occurrences of so many series cost about as much as all that start within an hour. */
const SERIES_AN_HOUR = 100;
const GROWTH = 3;

export function foundOccurrences(db: Connection, query: SearchQuery, window: OccurrenceWindow): FoundOccurrence[] {
  const { from, to, limit, cancelled = false } = window;
  const { count, few } = seriesOf(db, query);
  if (count === 0) return [];
  const found: FoundOccurrence[] = [];
  let [start, length] = [from, HOUR_MS];
  while (start < to && found.length < limit) {
    const end = Math.min(start + length, to);
    const isShort = count > (SERIES_AN_HOUR * length) / HOUR_MS;
    found.push(
      ...inWindow(db, few === undefined || isShort ? byTime(query, few) : bySeries(few), { start, end, cancelled }),
    );
    [start, length] = [end, length * GROWTH];
  }
  found.sort(byStartAndRow);
  const last = found[limit - 1];
  return last === undefined ? found : found.filter((one) => one.start <= last.start);
}

/**
 * Series by series where they are few. Of many, what has begun in the last hours, and what is on for longer by indexes of
 * that alone.
 */
export function runningOccurrences(
  db: Connection,
  query: SearchQuery,
  at: Instant,
  cancelled: boolean,
): FoundOccurrence[] {
  const { count, few } = seriesOf(db, query);
  if (count === 0) return [];
  const whole = { start: at - LONGEST, end: at, endsAfter: at, cancelled };
  if (few !== undefined && count <= SERIES_AN_HOUR) return inWindow(db, bySeries(few), whole).sort(byStartAndRow);
  const short = inWindow(db, byTime(query, few), { ...whole, start: at - LONG });
  const long = inWindow(db, byTime(query, few, 'long'), whole).filter(({ start }) => start < at - LONG);
  return [...long, ...short].sort(byStartAndRow);
}

/** Three hours, as the indexes of what is on for longer have them. */
const LONG = 3 * HOUR_MS;
/** Nothing that is on for longer than a year is looked for. */
const LONGEST = 366 * 24 * HOUR_MS;

/** The series that a query finds, by row where they are not too many. */
function seriesOf(db: Connection, query: SearchQuery): { count: number; few: string | undefined } {
  const { sql, values } = foundBy(query);
  const rows = db.all(`SELECT s.record ${sql} LIMIT ? + 0`, ...values, MOST_SERIES + 1);
  const few = rows.length <= MOST_SERIES ? JSON.stringify(rows.map((c) => Number(c[0]))) : undefined;
  return { count: rows.length, few };
}

function byStartAndRow(a: FoundOccurrence, b: FoundOccurrence): number {
  return (
    a.start - b.start ||
    a.series - b.series ||
    (a.session ?? 0) - (b.session ?? 0) ||
    (a.schedule ?? 0) - (b.schedule ?? 0)
  );
}

/** Where the rows of a window come from, and which of them belong to a series that is found. */
interface Plan {
  occurrences: Condition;
  sessions: Condition;
}

function bySeries(series: string): Plan {
  const from = (sql: string): Condition => ({ sql: `json_each(?) CROSS JOIN ${sql}`, values: [series] });
  return {
    occurrences: from('occurrence o ON o.series = value'),
    sessions: from(`record r ON r.parent = value AND r.kind = ${kindNumber('session')}`),
  };
}

/** `long`: of what is on for more than three hours. */
function byTime(query: SearchQuery, series: string | undefined, of: 'start' | 'long' = 'start'): Plan {
  const belongs = (column: string): Condition => {
    if (series !== undefined) return { sql: `+${column} IN (SELECT value FROM json_each(?))`, values: [series] };
    const { sets, checks } = conditionsOf(query);
    const conditions = [...sets.map(({ sql }) => `s.record IN (${sql})`), ...checks.map(({ sql }) => sql)];
    const sql = `EXISTS (SELECT 1 FROM search s WHERE s.record = +${column} AND ${['+s.kind = ?', ...conditions].join(' AND ')})`;
    return { sql, values: [kindNumber(query.kind), ...[...sets, ...checks].flatMap((one) => one.values)] };
  };
  const [occurrences, sessions] = [belongs('o.series'), belongs('r.parent')];
  const long = (table: string) => (of === 'long' ? `${table}."end" - ${table}.start > ${LONG} AND` : '');
  return {
    occurrences: { ...occurrences, sql: `occurrence o INDEXED BY occurrence_${of} ON ${long('o')} ${occurrences.sql}` },
    sessions: { ...sessions, sql: `record r INDEXED BY record_${of} ON r.kind = 1 AND ${long('r')} ${sessions.sql}` },
  };
}

interface Span {
  start: Instant;
  end: Instant;
  /** Only what ends after this. */
  endsAfter?: Instant;
  cancelled: boolean;
}

function inWindow(db: Connection, { occurrences, sessions }: Plan, span: Span): FoundOccurrence[] {
  const { start, end, endsAfter, cancelled } = span;
  // A session whose end is not stated may take it from the instance that it replaces.
  const [ofRule, ofSession] =
    endsAfter === undefined
      ? ['', '']
      : ['AND o."end" > ?', 'AND (r."end" > ? OR (r.start = r."end" AND i."end" IS NOT NULL))'];
  const after = endsAfter === undefined ? [] : [endsAfter];
  const shown = cancelled ? '' : 'AND r.cancelled IS NULL';
  const generated = `SELECT o.series, o.start, o."end", o.schedule, r.id, r.cancelled, r.start
    FROM ${fromOf(occurrences)} LEFT JOIN record r ON r.id = o.session
    WHERE o.start >= ? AND o.start < ? AND (o.session IS NULL OR (r.start IS NULL AND r.item IS NOT NULL ${shown})) ${ofRule}`;
  const explicit = `SELECT r.parent, r.start, r."end", r.id, r.cancelled, i.start, i."end"
    FROM ${fromOf(sessions)} LEFT JOIN occurrence i ON r.start = r."end" AND i.series = r.parent AND i.session = r.id
    WHERE r.start >= ? AND r.start < ? AND r.item IS NOT NULL ${shown} ${ofSession}`;
  return [
    ...db.all(generated, ...occurrences.values, start, end, ...after).map(generatedRow),
    ...db.all(explicit, ...sessions.values, start, end, ...after).map(sessionRow),
  ];
}

/** `a ON condition` alone is no join. */
function fromOf({ sql }: Condition): string {
  return sql.startsWith('json_each') ? sql : `(SELECT 1) CROSS JOIN ${sql}`;
}

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
