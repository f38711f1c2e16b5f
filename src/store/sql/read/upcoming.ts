import type { Instant } from '../../../time/instant.ts';
import type { OccurrenceRow, StartWindow, Upcoming } from '../../contract/index.ts';
import { bodyText } from '../body-text.ts';
import { type Cells, type Database, LIMIT } from '../database.ts';
import { numberCell, SESSION } from '../rows.ts';

/** What a series has on in a window: generated occurrences, and the explicit sessions laid over them. */

interface StartedRow {
  start: Instant;
  value: Upcoming;
}

const GENERATED = `SELECT start, "end", schedule, session FROM occurrence WHERE series = ? AND start < ? AND "end" > ? AND session IS NULL ORDER BY start ${LIMIT}`;
// A session without a known end counts by its start alone, and takes its end from what it replaces.
const SESSIONS = `SELECT r.start, s.body, s.ident, o.start, o."end" FROM record r CROSS JOIN record_body s ON s.record = r.id
  LEFT JOIN occurrence o ON r.start = r."end" AND o.series = r.parent AND o.session = r.id
  WHERE r.parent = ? AND r.kind = ${SESSION} AND r.start < ? AND (r.start >= ? OR r."end" > ?) ORDER BY r.start, r.id ${LIMIT}`;
const WITHOUT_START =
  'SELECT s.body, s.ident, o.start, o."end" FROM occurrence o CROSS JOIN record r ON r.id = o.session CROSS JOIN record_body s ON s.record = r.id ' +
  `WHERE o.series = ? AND o.session IS NOT NULL AND r.start IS NULL AND o.start < ? AND o."end" > ? ORDER BY o.start ${LIMIT}`;

export async function upcoming(db: Database, series: number, window: StartWindow): Promise<Upcoming[]> {
  const { from, to, limit } = window;
  const generated = (await db.all(GENERATED, series, to, from, limit)).map((c): StartedRow => {
    const row = occurrenceRow(c);
    return { start: row.start, value: { source: 'generated', row } };
  });
  const rows = [...generated, ...(await sessions(db, series, window)), ...(await withoutStart(db, series, window))];
  rows.sort((a, b) => a.start - b.start);
  return rows.slice(0, limit).map(({ value }) => value);
}

async function sessions(db: Database, series: number, { from, to, limit }: StartWindow): Promise<StartedRow[]> {
  const rows = await db.all(SESSIONS, series, to, from, from, limit);
  return rows.map(([start, body, ident, replaced, end]) =>
    explicitRow(
      Number(start),
      bodyText(body, ident),
      replaced === null ? undefined : [replaced as number, end as number],
    ),
  );
}

/** Sessions that start when the instance they replace does. */
async function withoutStart(db: Database, series: number, { from, to, limit }: StartWindow): Promise<StartedRow[]> {
  const rows = await db.all(WITHOUT_START, series, to, from, limit);
  return rows.map(([body, ident, ...instance]) => explicitRow(Number(instance[0]), bodyText(body, ident), instance));
}

export function occurrenceRow(c: Cells): OccurrenceRow {
  return { start: Number(c[0]), end: Number(c[1]), schedule: Number(c[2]), session: numberCell(c[3]) };
}

function explicitRow(start: Instant, body: string, instance: Cells | undefined): StartedRow {
  const value = { source: 'explicit' as const, body };
  if (instance === undefined) return { start, value };
  return { start, value: { ...value, instance: { start: Number(instance[0]), end: Number(instance[1]) } } };
}
