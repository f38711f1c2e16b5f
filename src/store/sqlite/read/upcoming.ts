import type { Instant } from '../../../time/instant.ts';
import type { OccurrenceRow, Upcoming } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import { type Cells, integerCell, kindNumber } from '../rows.ts';

/** What a series has on in a window: generated occurrences, and the explicit sessions laid over them. */

interface Window {
  from: Instant;
  to: Instant;
  limit: number;
}

interface Row {
  start: Instant;
  value: Upcoming;
}

// SQLite prepares a statement anew whenever its bare `LIMIT ?` is bound; of a sum it thinks nothing.
const LIMIT = 'LIMIT ? + 0';
const GENERATED = `SELECT start, "end", schedule, session FROM occurrence WHERE series = ? AND start < ? AND "end" > ? AND session IS NULL ORDER BY start ${LIMIT}`;
// A session without a known end counts by its start alone.
const SESSIONS = `SELECT r.start, s.body, r.id, r."end" FROM record r CROSS JOIN record_body s ON s.record = r.id WHERE r.parent = ? AND r.kind = ${kindNumber('session')} AND r.start < ? AND (r.start >= ? OR r."end" > ?) ORDER BY r.start, r.id ${LIMIT}`;
const REPLACED = 'SELECT start, "end" FROM occurrence WHERE series = ? AND session = ?';
const WITHOUT_START =
  'SELECT s.body, o.start, o."end" FROM occurrence o CROSS JOIN record r ON r.id = o.session CROSS JOIN record_body s ON s.record = r.id ' +
  `WHERE o.series = ? AND o.session IS NOT NULL AND r.start IS NULL AND o.start < ? AND o."end" > ? ORDER BY o.start ${LIMIT}`;

export function upcoming(db: Connection, series: number, window: Window): Upcoming[] {
  const { from, to, limit } = window;
  const generated = db.all(GENERATED, series, to, from, limit).map((c): Row => {
    const row = occurrenceRow(c);
    return { start: row.start, value: { source: 'generated', row } };
  });
  const rows = [...generated, ...sessions(db, series, window), ...withoutStart(db, series, window)];
  rows.sort((a, b) => a.start - b.start);
  return rows.slice(0, limit).map(({ value }) => value);
}

function sessions(db: Connection, series: number, { from, to, limit }: Window): Row[] {
  const rows = db.all(SESSIONS, series, to, from, from, limit);
  return rows.map(([start, body, id, end]) => {
    const replaced = start === end ? db.get(REPLACED, series, Number(id)) : undefined;
    return explicitRow(Number(start), body, replaced);
  });
}

/** Sessions that start when the instance they replace does. */
function withoutStart(db: Connection, series: number, { from, to, limit }: Window): Row[] {
  const rows = db.all(WITHOUT_START, series, to, from, limit);
  return rows.map(([body, ...instance]) => explicitRow(Number(instance[0]), body, instance));
}

export function occurrenceRow(c: Cells): OccurrenceRow {
  return { start: Number(c[0]), end: Number(c[1]), schedule: Number(c[2]), session: integerCell(c[3]) };
}

function explicitRow(start: Instant, body: unknown, instance: Cells | undefined): Row {
  const value = { source: 'explicit' as const, body: String(body) };
  if (instance === undefined) return { start, value };
  return { start, value: { ...value, instance: { start: Number(instance[0]), end: Number(instance[1]) } } };
}
