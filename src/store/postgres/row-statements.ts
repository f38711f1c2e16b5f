import {
  columnNames,
  conflictClause,
  type Insert,
  type Select,
  type Update,
  updateClauses,
  type Value,
} from '../sql/database.ts';
import { arrayOf } from './values.ts';

/** Statements that read or write many rows: each column is one parameter, an array. */

export interface Statement {
  sql: string;
  values: string[];
}

/** The types of columns, by `table.column`. */
export type ColumnTypes = ReadonlyMap<string, string>;

export function selection(types: ColumnTypes, from: Select, keys: readonly Value[][]): Statement {
  const { table, columns, key } = from;
  const selected = columns.map((column) => `${table}."${column}"`).join(', ');
  const joined = key.map((column, at) => `${table}."${column}" = u.c${at}`).join(' AND ');
  return {
    sql: `SELECT ${selected} FROM ${unnested(types, table, key)} JOIN ${table} ON ${joined}`,
    values: byColumn(lastOfEach(keys, key, key), key),
  };
}

export function insertion(types: ColumnTypes, into: Insert, rows: readonly Value[][]): Statement {
  const { table, columns, key } = into;
  // One statement cannot replace a row twice.
  const unique = key === undefined ? rows : lastOfEach(rows, columns, key);
  return {
    sql: `INSERT INTO ${table} (${columnNames(columns)}) SELECT * FROM unnest(${arrays(types, table, columns)})${conflictClause(into)}`,
    values: byColumn(unique, columns),
  };
}

export function updating(types: ColumnTypes, what: Update, rows: readonly Value[][]): Statement {
  const { table, key } = what;
  const columns = [...what.set, ...key];
  const { set, where } = updateClauses(what, (at) => `u.c${at}`);
  return {
    sql: `UPDATE ${table} SET ${set} FROM ${unnested(types, table, columns)} WHERE ${where}`,
    values: byColumn(lastOfEach(rows, columns, key), columns),
  };
}

export function deletion(
  types: ColumnTypes,
  { table, key }: Pick<Update, 'table' | 'key'>,
  rows: readonly Value[][],
): Statement {
  const keys = key.map((column, at) => `${table}."${column}" = u.c${at}`);
  return {
    sql: `DELETE FROM ${table} USING ${unnested(types, table, key)} WHERE ${keys.join(' AND ')}`,
    values: byColumn(rows, key),
  };
}

function unnested(types: ColumnTypes, table: string, columns: readonly string[]): string {
  return `unnest(${arrays(types, table, columns)}) AS u(${columns.map((_, at) => `c${at}`).join(', ')})`;
}

function arrays(types: ColumnTypes, table: string, columns: readonly string[]): string {
  return columns.map((column, at) => `$${at + 1}::${types.get(`${table}.${column}`)}[]`).join(', ');
}

function byColumn(rows: readonly Value[][], columns: readonly string[]): string[] {
  return columns.map((_, at) => arrayOf(rows.map((row) => row[at] as Value)));
}

function lastOfEach(rows: readonly Value[][], columns: readonly string[], key: readonly string[]): Value[][] {
  const places = key.map((column) => columns.lastIndexOf(column));
  return [...new Map(rows.map((row) => [JSON.stringify(places.map((at) => row[at])), row])).values()];
}
