/**
 * A database that runs the SQL of readers and writers, which SQLite and PostgreSQL share. SQLite returns values and PostgreSQL
 * promises, so that callers await both. Both of them have, and a third one needs:
 *
 * - `INSERT … ON CONFLICT`, also after a SELECT, with `excluded`; `UPDATE … FROM`; `RETURNING` of an UPDATE or a DELETE.
 * - `WITH RECURSIVE`, `NULLS FIRST`, and `IS [NOT] DISTINCT FROM`.
 * - Names in quotation marks (`"end"`), others such as `key`, `rank` and `change` without, and texts in apostrophes alone.
 * - `->` and `->>` on JSON texts, `CAST … AS TEXT` and `INTEGER`, and LIMIT within IN.
 * - Indexes with WHERE, texts in the order of their octets, and tables that are made and altered in a transaction.
 *
 * The connection of each database translates:
 *
 * - `?` and `?1` are parameters; -1 for `LIMIT ?` and `LIMIT ? + 0` is no limit.
 * - `json_each(?) t` has a row for each number of a JSON list, in its column `value`. `json_each(column) t` likewise.
 * - `CROSS JOIN … ON` holds SQLite to the order of the tables, and is a JOIN elsewhere.
 */
export interface Database {
  get(sql: string, ...values: Value[]): Cells | undefined | Promise<Cells | undefined>;
  all(sql: string, ...values: Value[]): Cells[] | Promise<Cells[]>;
  /** `all` for a statement that differs with each query, and is not prepared: its plan would be kept until the connection ends. */
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
  /** A text that changes with every commit of any process. */
  version(): string | Promise<string>;
}

export type Value = null | number | string | Uint8Array;
export type Cell = null | number | bigint | string | Uint8Array;
/** A row; the list of its columns stands beside the function that reads it. */
export type Cells = Cell[];

/** Columns to read, of rows that are found by `key`. */
export interface Select {
  table: string;
  columns: readonly string[];
  key: readonly string[];
}

/** Rows that one statement inserts, as many as there are. */
export interface Insert {
  table: string;
  columns: readonly string[];
  /** The unique key, where a row may exist already. */
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
  /** Assignments of further columns, from the row and the new values: `:name` is the value of `name` in `set`. */
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
 * A limit of rows. SQLite plans by the value of a bare `LIMIT ?`, and prepares the statement again for every value that is
 * bound; with a sum it does not.
 */
export const LIMIT = 'LIMIT ? + 0';

/** The numbers of a JSON list that is the first parameter: `id IN ${LISTED}`. */
export const LISTED = '(SELECT t.value FROM json_each(?1) t)';

/** An insert that replaces all columns of an existing row but its key. */
export function upsert(table: string, key: readonly string[], columns: readonly string[]): Insert {
  return { table, columns, key, replace: columns.filter((column) => !key.includes(column)) };
}

/** Columns in a list, each in quotation marks. */
export function columnNames(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

/** The end of an INSERT: the clause for a row that exists already. */
export function conflictClause({ key, replace = [] }: Insert): string {
  if (key === undefined) return '';
  const replaced = replace.map((column) => `"${column}" = excluded."${column}"`).join(', ');
  return ` ON CONFLICT (${columnNames(key)}) ${replaced === '' ? 'DO NOTHING' : `DO UPDATE SET ${replaced}`}`;
}
