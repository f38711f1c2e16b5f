/**
 * Translates statements of `sql/` from SQLite to PostgreSQL, in this file alone; `database.ts` lists the differences. Texts in
 * quotes stay as they are.
 */
const DIFFERENCES =
  /'(?:[^']|'')*'|json_each\(\?(?<list>\d*)\) t\b|json_each\((?<column>[\w.]+)\) (?<row>\w+)|LIMIT \?(?: \+ 0)?|CROSS JOIN|\?(?<number>\d*)/g;

/** @example postgresText('SELECT id FROM item WHERE id > ? LIMIT ?') // … id > $1 LIMIT nullif($2::bigint, -1) */
export function postgresText(sql: string): string {
  let last = 0;
  const parameter = (number: string | undefined): string => {
    if (number) return `$${number}`;
    last += 1;
    return `$${last}`;
  };
  return sql.replace(DIFFERENCES, (text: string, ...rest: unknown[]) => {
    const { list, column, row, number } = rest.at(-1) as Record<string, string | undefined>;
    if (text.startsWith("'")) return text;
    if (text === 'CROSS JOIN') return 'JOIN';
    if (text.startsWith('LIMIT')) return `LIMIT nullif(${parameter('')}::bigint, -1)`;
    // A JSON list within a row.
    if (column !== undefined) return `json_array_elements(${column}::json) AS ${row}(value)`;
    if (list !== undefined)
      return `(SELECT e::bigint AS value FROM json_array_elements_text(${parameter(list)}::json) e) t`;
    return parameter(number);
  });
}
