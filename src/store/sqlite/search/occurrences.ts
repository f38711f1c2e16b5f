import { HOUR_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { FoundOccurrence, OccurrenceWindow, SearchQuery } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import { type Cells, integerCell, kindNumber } from '../rows.ts';
import { type Condition, conditionsOf, foundBy, isFound } from './conditions.ts';

/**
 * Occurrences of the series that a query finds, in windows that grow until there are enough. Each window is read in one of
 * two ways: series by series where they are few, or all that starts in it, by start, where they are many.
 */

/** So many series are held by row; of more, each occurrence is checked with the query. */
const MOST_SERIES = 20_000;
/** Occurrences of so many series cost about as much as all that start within an hour. */
const SERIES_AN_HOUR = 100;
const GROWTH = 3;
/** Between two occurrences of a series. */
const USUAL_GAP = 3 * 24 * HOUR_MS;
/** Where no index finds the series, so many tell whether most of them are found. */
const SAMPLE = 2000;
const MANY_OF_SAMPLE = 40;

/** The series that a query finds, by row where they are not too many. */
interface FoundSeries {
  count: number;
  few: ReadonlySet<number> | undefined;
}

export class Occurrences {
  readonly #db: Connection;
  /** One answer reads several windows of the same query. */
  readonly #series = new WeakMap<SearchQuery, FoundSeries & { version: string }>();

  constructor(db: Connection) {
    this.#db = db;
  }

  found(query: SearchQuery, window: OccurrenceWindow): FoundOccurrence[] {
    const { from, to, limit, cancelled = false } = window;
    const { count, few } = this.#seriesOf(query);
    if (count === 0) return [];
    const found: FoundOccurrence[] = [];
    let [start, length] = [from, Math.max(HOUR_MS, Math.round((limit * USUAL_GAP) / count))];
    while (start < to && found.length < limit) {
      const end = Math.min(start + length, to);
      const isShort = count > (SERIES_AN_HOUR * length) / HOUR_MS;
      const plan = few === undefined || isShort ? byTime(query, few) : bySeries(few);
      found.push(...inWindow(this.#db, plan, { start, end, cancelled }));
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
  running(query: SearchQuery, at: Instant, cancelled: boolean): FoundOccurrence[] {
    const { count, few } = this.#seriesOf(query);
    if (count === 0) return [];
    const whole = { start: at - LONGEST, end: at, endsAfter: at, cancelled };
    if (few !== undefined && count <= SERIES_AN_HOUR)
      return inWindow(this.#db, bySeries(few), whole).sort(byStartAndRow);
    const short = inWindow(this.#db, byTime(query, few), { ...whole, start: at - LONG });
    const long = inWindow(this.#db, byTime(query, few, 'long'), whole).filter(({ start }) => start < at - LONG);
    return [...long, ...short].sort(byStartAndRow);
  }

  #seriesOf(query: SearchQuery): FoundSeries {
    const version = this.#db.version();
    const known = this.#series.get(query);
    if (known?.version === version) return known;
    const found = { ...this.#readSeries(query), version };
    this.#series.set(query, found);
    return found;
  }

  #readSeries(query: SearchQuery): FoundSeries {
    if (this.#areMost(query)) return { count: MOST_SERIES + 1, few: undefined };
    const { sql, values } = foundBy(query);
    const rows = this.#db.all(`SELECT s.record ${sql} LIMIT ? + 0`, ...values, MOST_SERIES + 1);
    const few = rows.length <= MOST_SERIES ? new Set(rows.map((c) => Number(c[0]))) : undefined;
    return { count: rows.length, few };
  }

  /** By a part of them alone: all would have to be read, one by one. */
  #areMost(query: SearchQuery): boolean {
    const { match, sets, checks } = conditionsOf(query);
    if (match !== undefined || sets.length > 0) return false;
    const some = 's.record IN (SELECT record FROM search WHERE kind = ? ORDER BY record LIMIT ? + 0)';
    const sql = `SELECT count(*) FROM search s WHERE ${[some, ...checks.map((one) => one.sql)].join(' AND ')}`;
    const found = this.#db.get(sql, kindNumber(query.kind), SAMPLE, ...checks.flatMap(({ values }) => values));
    return Number(found?.[0]) >= MANY_OF_SAMPLE;
  }
}

/** Three hours, as the indexes of what is on for longer have them. */
const LONG = 3 * HOUR_MS;
/** Nothing that is on for longer than a year is searched. */
const LONGEST = 366 * 24 * HOUR_MS;

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
  /** Of what is read only the occurrences of these series. */
  among?: ReadonlySet<number>;
}

function bySeries(series: ReadonlySet<number>): Plan {
  const values = [JSON.stringify([...series])];
  const from = (sql: string): Condition => ({ sql: `json_each(?) CROSS JOIN ${sql}`, values });
  return {
    occurrences: from('occurrence o ON o.series = value'),
    sessions: from(`record r ON r.parent = value AND r.kind = ${kindNumber('session')}`),
  };
}

/** `long`: of what is on for more than three hours. */
function byTime(query: SearchQuery, series: ReadonlySet<number> | undefined, of: 'start' | 'long' = 'start'): Plan {
  const belongs = (column: string): Condition => {
    if (series !== undefined) return { sql: 'true', values: [] };
    const { sql, values } = isFound(query);
    return { sql: `EXISTS (SELECT 1 FROM search s WHERE s.record = +${column} AND ${sql})`, values };
  };
  const [occurrences, sessions] = [belongs('o.series'), belongs('r.parent')];
  const long = (table: string) => (of === 'long' ? `${table}."end" - ${table}.start > ${LONG} AND` : '');
  return {
    ...(series !== undefined && { among: series }),
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

function inWindow(db: Connection, { occurrences, sessions, among }: Plan, span: Span): FoundOccurrence[] {
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
  const ofRules = db.all(generated, ...occurrences.values, start, end, ...after);
  const ofSessions = db.all(explicit, ...sessions.values, start, end, ...after);
  const isAmong = (c: Cells): boolean => among === undefined || among.has(Number(c[0]));
  return [...ofRules.filter(isAmong).map(generatedRow), ...ofSessions.filter(isAmong).map(sessionRow)];
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
