import type { SearchQuery } from '../../contract/index.ts';
import type { Condition } from '../../sql/search/conditions.ts';
import { hasTerms } from '../../sql/search/stored-terms.ts';
import type { Connection } from '../connection.ts';
import { byWords, checkOf, leftBy, type Source, sourcesOf } from './conditions.ts';

/** What is known of a query as long as the store stays as it is. */
interface KnownQuery {
  version: string;
  /** All that is found is among these, by what is left to check. */
  among?: { rows: ReadonlySet<number>; left: SearchQuery; isOfKind: boolean };
  /** All rows that it finds. */
  rows?: ReadonlySet<number>;
  /** No index has all of them among so many. */
  isMoreThan: number;
  /** Whether a row is found, of those that were asked for. */
  verdicts: Map<number, boolean>;
}

/** Rows that an index lists as fast as one is checked. */
const LISTED_A_ROW = 4;
/** Rows of `search_text` that are read as fast as the terms of one document. */
const TERMS_A_ROW = 10;

/** Which rows a query finds, from the side that is shorter: all rows of an index, or one row after another. */
export class FoundRows {
  readonly #db: Connection;
  /** One answer asks several times of the same query. */
  readonly #known = new WeakMap<SearchQuery, KnownQuery>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Rows that have all of them, where some index has them among so many; undefined: none has. */
  atMost(query: SearchQuery, among: number): ReadonlySet<number> | undefined {
    const known = this.#knownOf(query);
    if (known.rows !== undefined) return known.rows;
    if (known.among !== undefined || among <= known.isMoreThan) return known.among?.rows;
    const listed: { source: Source; rows: ReadonlySet<number> }[] = [];
    for (const source of sourcesOf(query)) {
      const least = Math.min(...listed.map(({ rows }) => rows.size));
      const rows = this.#read(source, listed.length === 0 ? among : LISTED_A_ROW * least);
      if (rows !== undefined) listed.push({ source, rows: new Set(rows) });
    }
    const [first, ...others] = listed;
    if (first !== undefined) {
      const rows = others.reduce((both, other) => both.intersection(other.rows), first.rows);
      const sources = listed.map(({ source }) => source);
      known.among = { rows, left: leftBy(query, sources), isOfKind: sources.some(({ isOfKind }) => isOfKind === true) };
      return rows;
    }
    known.isMoreThan = among;
    return undefined;
  }

  /** All of them, where an index has them among so many; undefined: none has. */
  all(query: SearchQuery, among: number): ReadonlySet<number> | undefined {
    const most = this.atMost(query, among);
    if (most === undefined || most.size > among) return undefined;
    const known = this.#knownOf(query);
    if (known.rows === undefined && known.among !== undefined) {
      const { rows, left, isOfKind } = known.among;
      const isChecked = isOfKind && Object.keys(left).length === 1;
      known.rows = isChecked ? rows : this.#withTerms(left, this.#fitting(left, rows));
    }
    return known.rows;
  }

  /** Tells which of these rows of series are found. */
  among(query: SearchQuery, rows: Iterable<number>): (row: number) => boolean {
    const { rows: all, among, verdicts } = this.#knownOf(query);
    if (all !== undefined) return (row) => all.has(row);
    const unknown = new Set<number>();
    for (const row of rows) if (!verdicts.has(row) && (among === undefined || among.rows.has(row))) unknown.add(row);
    const found = this.#checked(among?.left ?? query, unknown);
    for (const row of unknown) verdicts.set(row, found.has(row));
    return (row) => verdicts.get(row) === true;
  }

  /** By row: the terms of their documents. */
  terms(rows: Iterable<number>): [row: number, terms: string][] {
    const sql = 'SELECT t.record, t.terms FROM json_each(?) CROSS JOIN search_terms t ON t.record = value';
    return this.#db.all(sql, JSON.stringify([...rows])).map((c) => [Number(c[0]), String(c[1])]);
  }

  /** All rows of an index; undefined: it has more than so many. */
  #read({ sql, values }: Condition, most: number): number[] | undefined {
    // A row that is counted costs a third of one that is listed.
    const counted = `SELECT count(*) FROM (${sql} LIMIT ? + 0)`;
    if (Number(this.#db.get(counted, ...values, most + 1)?.[0]) > most) return undefined;
    return this.#db.all(sql, ...values).map((c) => Number(c[0]));
  }

  /** Rows with the words and keys of a query: by the index where it has not many more, else by their own terms. */
  #withTerms(query: SearchQuery, rows: Set<number>): Set<number> {
    if (!asksTerms(query)) return rows;
    const [text] = byWords(query);
    const found = text && this.#read(text, TERMS_A_ROW * rows.size);
    return found === undefined ? this.#having(query, rows) : rows.intersection(new Set(found));
  }

  /** One by one: what has terms is a series that is live, where nothing but terms is asked for. */
  #checked(query: SearchQuery, rows: Set<number>): Set<number> {
    if (rows.size === 0) return rows;
    if (!asksTerms(query)) return this.#fitting(query, rows);
    const isPlain = query.kind === 'series' && Object.keys(query).every((name) => TERMS.includes(name));
    return isPlain ? this.#having(query, rows) : having(query, this.#fittingTerms(query, rows));
  }

  #having(query: SearchQuery, rows: Set<number>): Set<number> {
    return having(query, this.terms(rows));
  }

  /** Rows that everything but the terms of a query allows. */
  #fitting(query: SearchQuery, rows: Iterable<number>): Set<number> {
    const { sql, values } = checkOf(query);
    const fitting = `SELECT s.record FROM json_each(?) CROSS JOIN search s ON s.record = value WHERE ${sql}`;
    return new Set(this.#db.all(fitting, JSON.stringify([...rows]), ...values).map((c) => Number(c[0])));
  }

  /** Rows that everything but the terms allows, each with the terms of its document. */
  #fittingTerms(query: SearchQuery, rows: Iterable<number>): [row: number, terms: string][] {
    const { sql, values } = checkOf(query);
    const fitting = `SELECT s.record, t.terms FROM json_each(?) CROSS JOIN search s ON s.record = value
      CROSS JOIN search_terms t ON t.record = s.record WHERE ${sql}`;
    return this.#db.all(fitting, JSON.stringify([...rows]), ...values).map((c) => [Number(c[0]), String(c[1])]);
  }

  #knownOf(query: SearchQuery): KnownQuery {
    const version = this.#db.version();
    const known = this.#known.get(query);
    if (known?.version === version) return known;
    const fresh: KnownQuery = { version, isMoreThan: 0, verdicts: new Map() };
    this.#known.set(query, fresh);
    return fresh;
  }
}

function having(query: SearchQuery, rows: readonly [row: number, terms: string][]): Set<number> {
  return new Set(rows.filter(([, terms]) => hasTerms(terms, query)).map(([row]) => row));
}

const TERMS = ['kind', 'words', 'keys'];

function asksTerms({ words, keys }: SearchQuery): boolean {
  return words !== undefined || keys !== undefined;
}
