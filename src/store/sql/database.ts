/**
 * A database as reader and writer ask it, in SQL that SQLite and PostgreSQL both have. SQLite answers at once and PostgreSQL
 * later, so whoever asks awaits. Both of them have, and a third one needs:
 *
 * - `INSERT … ON CONFLICT`, also after a SELECT, with `excluded`; `UPDATE … FROM`; `RETURNING` of an UPDATE or a DELETE.
 * - `WITH RECURSIVE`, `NULLS FIRST`, and `IS [NOT] DISTINCT FROM`.
 * - Names in quotation marks (`"end"`), others such as `key`, `rank` and `change` without, and texts in apostrophes alone.
 * - `->` and `->>` on JSON texts, `CAST … AS TEXT` and `INTEGER`, and LIMIT within IN.
 * - Indexes with WHERE, texts in the order of their octets, and tables that are made and altered in a transaction.
 *
 * What each of them writes otherwise, its connection translates:
 *
 * - `?` and `?1` are parameters; -1 for `LIMIT ?` and `LIMIT ? + 0` is no limit.
 * - `json_each(?) t` has a row for each number of a JSON list, in its column `value`. `json_each(column) t` likewise.
 * - `CROSS JOIN … ON` holds SQLite to the order of the tables, and is a JOIN elsewhere.
 */
export interface Database {
  get(sql: string, ...values: Value[]): Cells | undefined | Promise<Cells | undefined>;
  all(sql: string, ...values: Value[]): Cells[] | Promise<Cells[]>;
  /** `all` for a text that differs with each query: PostgreSQL would keep its plan until the connection ends. */
  varied(sql: string, ...values: Value[]): Cells[] | Promise<Cells[]>;
  run(sql: string, ...values: Value[]): void | Promise<void>;
  /** The rows of these keys, in any order. */
  select(from: Select, keys: readonly Value[][]): Cells[] | Promise<Cells[]>;
  /** Each row has the values of `columns`, in their order. */
  insert(into: Insert, rows: readonly Value[][]): void | Promise<void>;
  /** Each row has the values of `set`, and then those of `key`. */
  update(what: Update, rows: readonly Value[][]): void | Promise<void>;
  /** Each row has the values of `key`. */
  delete(from: Pick<Update, 'table' | 'key'>, rows: readonly Value[][]): void | Promise<void>;
  /** Moves with every change that was committed, by whomever. */
  version(): string | Promise<string>;
}

export type Value = null | number | string | Uint8Array;
export type Cell = null | number | bigint | string | Uint8Array;
/** A row: column lists stand beside what reads it. */
export type Cells = Cell[];

/** What is read of rows that are known by `key`. */
export interface Select {
  table: string;
  columns: readonly string[];
  key: readonly string[];
}

/** Rows that one statement inserts, as many as there are. */
export interface Insert {
  table: string;
  columns: readonly string[];
  /** What a row is known by that may be there already. */
  key?: readonly string[];
  /** The columns that are replaced in a row that has the key already; without any, the row stays. */
  replace?: readonly string[];
}

/** Rows that one statement updates. */
export interface Update {
  table: string;
  set: readonly string[];
  key: readonly string[];
  /** A condition that a row meets besides its key. */
  where?: string;
  /** Columns that follow from what a row is and becomes: `:name` is the value of `set`. */
  also?: string;
}

/** The clauses of an update. `parameter`: that of a column, by its place in `set` and then `key`. */
export function updateClauses(
  { table, set, key, where, also }: Update,
  parameter: (at: number) => string,
): { set: string; where: string } {
  const assignments = set.map((column, at) => `"${column}" = ${parameter(at)}`);
  if (also !== undefined)
    assignments.push(also.replaceAll(/:(\w+)/g, (_, column: string) => parameter(set.indexOf(column))));
  const conditions = key.map((column, at) => `${table}."${column}" = ${parameter(set.length + at)}`);
  if (where !== undefined) conditions.push(where);
  return { set: assignments.join(', '), where: conditions.join(' AND ') };
}

/**
 * A limit of rows. SQLite plans by the value of a bare `LIMIT ?`, and so prepares the statement again for every value that is
 * bound. It cannot see through a sum.
 */
export const LIMIT = 'LIMIT ? + 0';

/** The numbers of a JSON list that is the first parameter: `id IN ${LISTED}`. */
export const LISTED = '(SELECT t.value FROM json_each(?1) t)';

/** All columns but those that a row is known by are replaced. */
export function upsert(table: string, key: readonly string[], columns: readonly string[]): Insert {
  return { table, columns, key, replace: columns.filter((column) => !key.includes(column)) };
}

/** Columns in a list, each in quotation marks. */
export function columnNames(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

/** The end of an INSERT: what becomes of a row that is there already. */
export function conflictClause({ key, replace = [] }: Insert): string {
  if (key === undefined) return '';
  const replaced = replace.map((column) => `"${column}" = excluded."${column}"`).join(', ');
  return ` ON CONFLICT (${columnNames(key)}) ${replaced === '' ? 'DO NOTHING' : `DO UPDATE SET ${replaced}`}`;
}
