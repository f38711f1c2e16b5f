import type { Insert, Select, Update } from '../sql/database.ts';

/** Statements that read or write one row, each made once: SQLite runs them row by row. */

export function selection({ table, columns, key }: Select): string {
  return `SELECT ${names(columns)} FROM ${table} WHERE ${key.map((column) => `"${column}" = ?`).join(' AND ')}`;
}

export const insertion = once(({ table, columns, key, replace = [] }: Insert): string => {
  const values = columns.map(() => '?');
  const replaced = replace.map((column) => `"${column}" = excluded."${column}"`).join(', ');
  const there = replaced === '' ? 'DO NOTHING' : `DO UPDATE SET ${replaced}`;
  const conflict = key === undefined ? '' : ` ON CONFLICT (${names(key)}) ${there}`;
  return `INSERT INTO ${table} (${names(columns)}) VALUES (${values.join(', ')})${conflict}`;
});

export const updating = once(({ table, set, key, where, also }: Update): string => {
  const sets = set.map((column, at) => `"${column}" = ?${at + 1}`);
  const follows = also?.replaceAll(/:(\w+)/g, (_, column: string) => `?${set.indexOf(column) + 1}`);
  const keys = key.map((column, at) => `"${column}" = ?${set.length + at + 1}`);
  const conditions = [...keys, ...(where === undefined ? [] : [where])];
  return `UPDATE ${table} SET ${[...sets, ...(follows === undefined ? [] : [follows])].join(', ')} WHERE ${conditions.join(' AND ')}`;
});

export const deletion = once(({ table, key }: Pick<Update, 'table' | 'key'>): string => {
  return `DELETE FROM ${table} WHERE ${key.map((column) => `"${column}" = ?`).join(' AND ')}`;
});

function names(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

function once<T extends object>(make: (what: T) => string): (what: T) => string {
  const made = new WeakMap<T, string>();
  return (what) => {
    const text = made.get(what) ?? make(what);
    made.set(what, text);
    return text;
  };
}
