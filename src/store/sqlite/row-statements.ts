import { perObject } from '../../bounded-map.ts';
import { columnNames, conflictClause, type Insert, type Select, type Update, updateClauses } from '../sql/database.ts';

/** Statements that read or write one row, each made once: SQLite runs them row by row. */

export function selection({ table, columns, key }: Select): string {
  return `SELECT ${columnNames(columns)} FROM ${table} WHERE ${key.map((column) => `"${column}" = ?`).join(' AND ')}`;
}

export const insertion = perObject((into: Insert): string => {
  const { table, columns } = into;
  const values = columns.map(() => '?');
  return `INSERT INTO ${table} (${columnNames(columns)}) VALUES (${values.join(', ')})${conflictClause(into)}`;
});

export const updating = perObject((what: Update): string => {
  const { set, where } = updateClauses(what, (at) => `?${at + 1}`);
  return `UPDATE ${what.table} SET ${set} WHERE ${where}`;
});

export const deletion = perObject(({ table, key }: Pick<Update, 'table' | 'key'>): string => {
  return `DELETE FROM ${table} WHERE ${key.map((column) => `"${column}" = ?`).join(' AND ')}`;
});
