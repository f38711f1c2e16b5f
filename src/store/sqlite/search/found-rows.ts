import type { SearchQuery } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import { type Condition, checkOf, sourcesOf } from './conditions.ts';
import { hasTerms } from './stored-terms.ts';

/** What is known of a query as long as the store stays as it is. */
interface Known {
  version: string;
  /** All rows that it finds. */
  rows?: ReadonlySet<number>;
  /** No index has all of them among so many. */
  isMoreThan: number;
  /** Whether a row is found, of those that were asked for. */
  verdicts: Map<number, boolean>;
}

/** Rows of `search_text` that are read as fast as the terms of one document. */
const TERMS_A_ROW = 10;

/** Which rows a query finds, from the side that is shorter: all rows of an index, or one row after another. */
export class FoundRows {
  readonly #db: Connection;
  /** One answer asks several times of the same query. */
  readonly #known = new WeakMap<SearchQuery, Known>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** All of them, where an index has them among so many; undefined: none has. */
  all(query: SearchQuery, among: number): ReadonlySet<number> | undefined {
    const known = this.#knownOf(query);
    if (known.rows !== undefined || among <= known.isMoreThan) return known.rows;
    for (const source of sourcesOf(query)) {
      const rows = this.#read(source, among);
      if (rows === undefined) continue;
      known.rows = source.hasTerms ? this.#fitting(query, rows) : this.#withTerms(query, this.#fitting(query, rows));
      return known.rows;
    }
    known.isMoreThan = among;
    return undefined;
  }

  /** Of these rows of series those that are found. */
  among(query: SearchQuery, rows: Iterable<number>): (row: number) => boolean {
    const { rows: all, verdicts } = this.#knownOf(query);
    if (all !== undefined) return (row) => all.has(row);
    const unknown = [...new Set(rows)].filter((row) => !verdicts.has(row));
    const found =
      unknown.length === 0
        ? new Set<number>()
        : this.#having(query, asksTermsAlone(query) ? new Set(unknown) : this.#fitting(query, unknown));
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
    const rows = this.#db.all(`${sql} LIMIT ? + 0`, ...values, most + 1);
    return rows.length > most ? undefined : rows.map((c) => Number(c[0]));
  }

  /** Those with the words and keys of a query: by the index where it has not many more, else by their own terms. */
  #withTerms(query: SearchQuery, rows: Set<number>): Set<number> {
    const text = sourcesOf(query).find((source) => source.hasTerms);
    const found = text && this.#read(text, TERMS_A_ROW * rows.size);
    return found === undefined ? this.#having(query, rows) : rows.intersection(new Set(found));
  }

  #having(query: SearchQuery, rows: Set<number>): Set<number> {
    if (rows.size === 0 || (query.words === undefined && query.keys === undefined)) return rows;
    const found = this.terms(rows).filter(([, terms]) => hasTerms(terms, query));
    return new Set(found.map(([row]) => row));
  }

  /** Those that everything else of a query allows. */
  #fitting(query: SearchQuery, rows: readonly number[]): Set<number> {
    const { sql, values } = checkOf(query);
    const fitting = `SELECT s.record FROM json_each(?) CROSS JOIN search s ON s.record = value WHERE ${sql}`;
    return new Set(this.#db.all(fitting, JSON.stringify(rows), ...values).map((c) => Number(c[0])));
  }

  #knownOf(query: SearchQuery): Known {
    const version = this.#db.version();
    const known = this.#known.get(query);
    if (known?.version === version) return known;
    const fresh: Known = { version, isMoreThan: 0, verdicts: new Map() };
    this.#known.set(query, fresh);
    return fresh;
  }
}

/** What has terms is a series that is live, where series are asked for. */
function asksTermsAlone({ kind, words, keys, ...others }: SearchQuery): boolean {
  return kind === 'series' && (words ?? keys) !== undefined && Object.keys(others).length === 0;
}
