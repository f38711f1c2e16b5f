/** What a calendar program shows of a calendar: one row per occurrence in a window, times in UTC. */
export interface Row {
  uid: string;
  start: string;
  end: string;
  summary: string;
  status: string;
}

/** `2026-01-05T18:00:00Z`. */
export function utc(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** How many differing rows a failure shows. */
const SHOWN = 25;

/** Whether an occurrence counts for the window: it overlaps, or, having no length, starts in it. */
export function inWindow(row: Pick<Row, 'start' | 'end'>, from: string, to: string): boolean {
  const [start, end] = [Date.parse(row.start), Date.parse(row.end)];
  const [begin, finish] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  return start < finish && (end > begin || (end === start && start >= begin));
}

export function parseRows(jsonLines: string): Row[] {
  return jsonLines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Row);
}

function counts(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (const row of rows) found.set(keyOf(row), (found.get(keyOf(row)) ?? 0) + 1);
  return found;
}

/**
 * The rows that one has and the other has not, one line each; empty: they agree, duplicates counted. UIDs are not compared.
 * A calendar must call its events something: where none of ours at that time has a name, any is right.
 */
export function differences(ours: readonly Row[], theirs: readonly Row[]): string[] {
  const time = (row: Row) => `${row.start} | ${row.end} | ${row.status}`;
  const named = new Set(ours.filter((row) => row.summary !== '').map(time));
  const unnamed = new Set(ours.map(time).filter((at) => !named.has(at)));
  const keyOf = (row: Row) => (unnamed.has(time(row)) ? time(row) : `${time(row)} | ${row.summary}`);
  const [mine, other] = [counts(ours, keyOf), counts(theirs, keyOf)];
  const lines: string[] = [];
  for (const key of new Set([...mine.keys(), ...other.keys()])) {
    const [a, b] = [mine.get(key) ?? 0, other.get(key) ?? 0];
    if (a !== b) lines.push(`ours ${a}, theirs ${b}: ${key}`);
  }
  lines.sort();
  return lines.length > SHOWN ? [...lines.slice(0, SHOWN), `… and ${lines.length - SHOWN} more`] : lines;
}
