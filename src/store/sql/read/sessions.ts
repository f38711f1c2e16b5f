import type { Instant } from '../../../time/instant.ts';
import type { OccurrenceRow, SessionReader, SessionWindow, StartWindow, Upcoming } from '../../contract/index.ts';
import { bodyText } from '../body-text.ts';
import { type Cells, type Database, LIMIT } from '../database.ts';
import { bareSession, numberCell, SESSION, SESSION_COLUMNS, sessionRow } from '../rows.ts';

const BARE_SESSIONS = `SELECT ${SESSION_COLUMNS} FROM record r WHERE r.parent = ? AND r.kind = ${SESSION}`;
const SESSIONS = `SELECT ${SESSION_COLUMNS}, s.body, s.ident FROM record r CROSS JOIN record_body s ON s.record = r.id WHERE r.parent = ? AND r.kind = ${SESSION}`;
const NEXT = `AND r.start >= ? ORDER BY r.start, r.id ${LIMIT}`;
const UNDATED = `AND r.start IS NULL ORDER BY r.id ${LIMIT}`;
// The index has sessions without a start too, so that one statement reads all.
const BY_START = `ORDER BY r.start NULLS LAST, r.id ${LIMIT}`;
const THESE = 'AND r.id IN (SELECT t.value FROM json_each(?) t)';
const PAST = `AND r.start < ? ORDER BY r.start DESC, r.id DESC ${LIMIT}`;

/** Reads the sessions and occurrences of series. */
export function sessionReader(db: Database): SessionReader {
  return {
    async sessions(series, window) {
      return (await sessionCells(db, SESSIONS, series, window)).map(sessionRow);
    },

    async bareSessions(series, window) {
      return (await sessionCells(db, BARE_SESSIONS, series, window)).map(bareSession);
    },

    async sessionsAt(venue) {
      const sql = `SELECT r.id, r.parent, r.start FROM record r JOIN record p ON p.id = r.parent
        WHERE r.venue = ? AND r.kind = ${SESSION} AND r.item IS NOT NULL AND p.item IS NOT NULL AND p.venue IS DISTINCT FROM r.venue
        ORDER BY r.parent, r.start, r.id`;
      return (await db.all(sql, venue)).map(([id, series, at]) => {
        const start = numberCell(at);
        return { id: Number(id), series: Number(series), ...(start !== undefined && { start }) };
      });
    },

    async replacedStarts(sessions) {
      const sql = `SELECT r.id, o.start FROM json_each(?) t CROSS JOIN record r ON r.id = t.value
        CROSS JOIN occurrence o ON o.series = r.parent AND o.session = r.id`;
      return new Map((await db.all(sql, JSON.stringify(sessions))).map((c) => [Number(c[0]), Number(c[1])]));
    },

    async assumesZone(parent) {
      const sql =
        "SELECT 1 FROM record WHERE parent = ? AND zone IS NOT NULL AND zone = '' AND item IS NOT NULL LIMIT 1";
      return (await db.get(sql, parent)) !== undefined;
    },

    async upcoming(series, from, to, limit) {
      return upcoming(db, series, { from, to, limit });
    },

    async occurrences(series) {
      return (
        await db.all(
          'SELECT start, "end", schedule, session, stamp FROM occurrence WHERE series = ? ORDER BY start, schedule',
          series,
        )
      ).map((c) => ({ ...occurrenceRow(c), stamp: String(c[4]) }));
    },
  };
}

async function sessionCells(
  db: Database,
  sql: string,
  series: number,
  { limit = -1, around, rows }: SessionWindow = {},
): Promise<Cells[]> {
  if (rows !== undefined) return await db.all(`${sql} ${THESE} ${BY_START}`, series, JSON.stringify(rows), limit);
  if (around === undefined) return await db.all(`${sql} ${BY_START}`, series, limit);
  const next = await db.all(`${sql} ${NEXT}`, series, around, limit);
  if (next.length === limit) return next;
  const left = (taken: number): number => (limit < 0 ? limit : limit - taken);
  const past = await db.all(`${sql} ${PAST}`, series, around, left(next.length));
  const found = [...past.reverse(), ...next];
  return found.length === limit
    ? found
    : [...found, ...(await db.all(`${sql} ${UNDATED}`, series, left(found.length)))];
}

interface StartedRow {
  start: Instant;
  value: Upcoming;
}

const GENERATED = `SELECT start, "end", schedule, session FROM occurrence WHERE series = ? AND start < ? AND "end" > ? AND session IS NULL ORDER BY start ${LIMIT}`;
// A session without an end counts by its start alone, and has the end of the instance that it replaces.
const STARTING = `SELECT r.start, s.body, s.ident, o.start, o."end" FROM record r CROSS JOIN record_body s ON s.record = r.id
  LEFT JOIN occurrence o ON r.start = r."end" AND o.series = r.parent AND o.session = r.id
  WHERE r.parent = ? AND r.kind = ${SESSION} AND r.start < ? AND (r.start >= ? OR r."end" > ?) ORDER BY r.start, r.id ${LIMIT}`;
const WITHOUT_START =
  'SELECT s.body, s.ident, o.start, o."end" FROM occurrence o CROSS JOIN record r ON r.id = o.session CROSS JOIN record_body s ON s.record = r.id ' +
  `WHERE o.series = ? AND o.session IS NOT NULL AND r.start IS NULL AND o.start < ? AND o."end" > ? ORDER BY o.start ${LIMIT}`;

async function upcoming(db: Database, series: number, window: StartWindow): Promise<Upcoming[]> {
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
  const rows = await db.all(STARTING, series, to, from, from, limit);
  return rows.map(([start, body, ident, replaced, end]) =>
    explicitRow(
      Number(start),
      bodyText(body, ident),
      replaced === null ? undefined : [replaced as number, end as number],
    ),
  );
}

/** Sessions without a start, which start with the instance that they replace. */
async function withoutStart(db: Database, series: number, { from, to, limit }: StartWindow): Promise<StartedRow[]> {
  const rows = await db.all(WITHOUT_START, series, to, from, limit);
  return rows.map(([body, ident, ...instance]) => explicitRow(Number(instance[0]), bodyText(body, ident), instance));
}

function occurrenceRow(c: Cells): OccurrenceRow {
  return { start: Number(c[0]), end: Number(c[1]), schedule: Number(c[2]), session: numberCell(c[3]) };
}

function explicitRow(start: Instant, body: string, instance: Cells | undefined): StartedRow {
  const value = { source: 'explicit' as const, body };
  if (instance === undefined) return { start, value };
  return { start, value: { ...value, instance: { start: Number(instance[0]), end: Number(instance[1]) } } };
}
