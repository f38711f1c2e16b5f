import type { SearchQuery } from '../../contract/index.ts';
import { type Cells, LIMIT } from '../../sql/database.ts';
import { additionCheck } from '../../sql/search/added-terms.ts';
import type { Condition } from '../../sql/search/conditions.ts';
import { termsCheck } from '../../sql/search/stored-terms.ts';
import type { Connection } from '../connection.ts';
import { byWords, checkOf, leftBy, type Source, sourcesOf } from './conditions.ts';

/** Rows that an index lists as fast as one is checked. */
const LISTED_A_ROW = 4;
/** Rows of `search_text` that are read as fast as the terms of one document. */
const TERMS_A_ROW = 10;

export type FoundRows = (query: SearchQuery) => RowsOfQuery;

/** The rows of queries, kept until the store changes, because one answer needs those of a query several times. */
export function foundRows(db: Connection): FoundRows {
  const found = new WeakMap<SearchQuery, { version: string; rows: RowsOfQuery }>();
  return (query) => {
    const version = db.version();
    const known = found.get(query);
    if (known?.version === version) return known.rows;
    const rows = new RowsOfQuery(db, query);
    found.set(query, { version, rows });
    return rows;
  };
}

/** The rows of one query, found in the cheaper way: by listing rows of indexes, or by checking rows one by one. */
export class RowsOfQuery {
  readonly #db: Connection;
  readonly #query: SearchQuery;
  /** Listed rows, which all found rows are among, and the conditions that are still to be checked. */
  #among: { rows: ReadonlySet<number>; left: SearchQuery; isOfKind: boolean; adds: boolean } | undefined;
  /** All found rows. */
  #rows: ReadonlySet<number> | undefined;
  /** The highest bound with which no index listed all found rows. */
  #isMoreThan = 0;
  /** Whether a row is found, for the rows that were checked. */
  readonly #verdicts = new Map<number, boolean>();

  constructor(db: Connection, query: SearchQuery) {
    this.#db = db;
    this.#query = query;
  }

  /** Rows that all found rows are among, where an index lists no more than `among`; undefined where none does. */
  atMost(among: number): ReadonlySet<number> | undefined {
    if (this.#rows !== undefined) return this.#rows;
    if (this.#among !== undefined || among <= this.#isMoreThan) return this.#among?.rows;
    const listed: { source: Source; rows: ReadonlySet<number> }[] = [];
    for (const source of sourcesOf(this.#query)) {
      const least = Math.min(...listed.map(({ rows }) => rows.size));
      if (least === 0) break;
      const rows = this.#read(source, listed.length === 0 ? among : LISTED_A_ROW * least);
      if (rows !== undefined) listed.push({ source, rows: new Set(rows) });
    }
    const [first, ...others] = listed;
    if (first !== undefined) {
      const rows = others.reduce((both, other) => both.intersection(other.rows), first.rows);
      const sources = listed.map(({ source }) => source);
      const left = leftBy(this.#query, sources);
      const isSome = (name: 'isOfKind' | 'adds') => sources.some((source) => source[name] === true);
      this.#among = { rows, left, isOfKind: isSome('isOfKind'), adds: isSome('adds') };
      return rows;
    }
    this.#isMoreThan = among;
    return undefined;
  }

  /** All found rows, where an index lists no more than `among`; undefined where none does. */
  all(among: number): ReadonlySet<number> | undefined {
    const most = this.atMost(among);
    if (most === undefined || most.size > among) return undefined;
    if (this.#rows === undefined && this.#among !== undefined) {
      const { rows, left, isOfKind, adds } = this.#among;
      const isChecked = isOfKind && Object.keys(left).length === 1;
      const fitting = isChecked ? rows : this.#fitting(left, rows);
      this.#rows = asksTerms(left, adds) ? this.#withTerms(left, fitting) : fitting;
    }
    return this.#rows;
  }

  /** A check of these rows: whether one is found. */
  among(rows: Iterable<number>): (row: number) => boolean {
    const [all, among, verdicts] = [this.#rows, this.#among, this.#verdicts];
    if (all !== undefined) return (row) => all.has(row);
    const unknown = new Set<number>();
    for (const row of rows) if (!verdicts.has(row) && (among === undefined || among.rows.has(row))) unknown.add(row);
    const { left = this.#query, adds = false } = among ?? {};
    const found = this.#checked(left, unknown, adds);
    for (const row of unknown) verdicts.set(row, found.has(row));
    return (row) => verdicts.get(row) === true;
  }

  /** The terms of the documents of some rows. */
  terms(rows: Iterable<number>): RowTerms[] {
    const sql = 'SELECT t.record, t.terms, t.added FROM json_each(?) CROSS JOIN search_terms t ON t.record = value';
    return this.#db.all(sql, JSON.stringify([...rows])).map(rowTerms);
  }

  /** All rows of a source; undefined where it has more than `most`. */
  #read({ sql, values }: Condition, most: number): number[] | undefined {
    // A row that is counted costs a third of one that is listed.
    const counted = `SELECT count(*) FROM (${sql} ${LIMIT})`;
    if (Number(this.#db.get(counted, ...values, most + 1)?.[0]) > most) return undefined;
    return this.#db.all(sql, ...values).map((c) => Number(c[0]));
  }

  /** Rows, among some, with the words and keys of the query: by the index where that lists few more, else by their own terms. */
  #withTerms(left: SearchQuery, rows: ReadonlySet<number>): ReadonlySet<number> {
    const [text] = byWords(this.#query);
    const found = text && this.#read(text, TERMS_A_ROW * rows.size);
    return found === undefined ? this.#having(left, this.terms(rows)) : rows.intersection(new Set(found));
  }

  /** One by one: what has terms is a series that is live, where nothing but terms is asked for. */
  #checked(left: SearchQuery, rows: Set<number>, adds: boolean): Set<number> {
    if (rows.size === 0) return rows;
    if (!asksTerms(left, adds)) return this.#fitting(left, rows);
    const isPlain = left.kind === 'series' && Object.keys(left).every((name) => TERMS.includes(name));
    return this.#having(left, isPlain ? this.terms(rows) : this.#fittingTerms(left, rows));
  }

  /** `left`: what is still to be checked of the query. */
  #having(left: SearchQuery, rows: readonly RowTerms[]): Set<number> {
    const hasTerms = termsCheck(left);
    const hasAdded = left.kind === 'session' ? additionCheck(this.#query) : () => true;
    return new Set(rows.filter(([, terms, added]) => hasAdded(added) && hasTerms(terms)).map(([row]) => row));
  }

  /** Rows that everything but the terms of a query allows. */
  #fitting(query: SearchQuery, rows: Iterable<number>): Set<number> {
    const { sql, values } = checkOf(query);
    const fitting = `SELECT s.record FROM json_each(?) CROSS JOIN search s ON s.record = value WHERE ${sql}`;
    return new Set(this.#db.all(fitting, JSON.stringify([...rows]), ...values).map((c) => Number(c[0])));
  }

  /** Rows that meet all conditions but those on terms, each with the terms of its document. */
  #fittingTerms(query: SearchQuery, rows: Iterable<number>): RowTerms[] {
    const { sql, values } = checkOf(query);
    const fitting = `SELECT s.record, t.terms, t.added FROM json_each(?) CROSS JOIN search s ON s.record = value
      CROSS JOIN search_terms t ON t.record = s.record WHERE ${sql}`;
    return this.#db.all(fitting, JSON.stringify([...rows]), ...values).map(rowTerms);
  }
}

/** The terms of a row. `added`: the terms that a session adds. */
type RowTerms = [row: number, terms: string, added: string];

const rowTerms = (c: Cells): RowTerms => [Number(c[0]), String(c[1]), String(c[2] ?? '')];

const TERMS = ['kind', 'words', 'keys'];

/** Whether terms are still to be checked. `adds`: the added terms of sessions are checked already. */
function asksTerms({ kind, words, keys }: SearchQuery, adds: boolean): boolean {
  return words !== undefined || keys !== undefined || (kind === 'session' && !adds);
}
