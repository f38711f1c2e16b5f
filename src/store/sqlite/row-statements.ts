import { perObject } from '../../bounded-map.ts';
import { columnNames, conflictClause, type Insert, type Select, type Update } from '../sql/database.ts';

/** Statements that read or write one row, each made once: SQLite runs them row by row. */

export function selection({ table, columns, key }: Select): string {
  return `SELECT ${columnNames(columns)} FROM ${table} WHERE ${key.map((column) => `"${column}" = ?`).join(' AND ')}`;
}

export const insertion = perObject((into: Insert): string => {
  const { table, columns } = into;
  const values = columns.map(() => '?');
  return `INSERT INTO ${table} (${columnNames(columns)}) VALUES (${values.join(', ')})${conflictClause(into)}`;
});

export const updating = perObject(({ table, set, key, where, also }: Update): string => {
  const sets = set.map((column, at) => `"${column}" = ?${at + 1}`);
  const follows = also?.replaceAll(/:(\w+)/g, (_, column: string) => `?${set.indexOf(column) + 1}`);
  const keys = key.map((column, at) => `"${column}" = ?${set.length + at + 1}`);
  const conditions = [...keys, ...(where === undefined ? [] : [where])];
  return `UPDATE ${table} SET ${[...sets, ...(follows === undefined ? [] : [follows])].join(', ')} WHERE ${conditions.join(' AND ')}`;
});

export const deletion = perObject(({ table, key }: Pick<Update, 'table' | 'key'>): string => {
  return `DELETE FROM ${table} WHERE ${key.map((column) => `"${column}" = ?`).join(' AND ')}`;
});
