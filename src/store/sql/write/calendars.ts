import {
  type CalendarPart,
  type CalendarTouch,
  type CalendarWrite,
  type CalendarWriter,
  encodeEvents,
  encodeHeader,
  type SeriesLoad,
} from '../../contract/index.ts';
import { bodyText } from '../body-text.ts';
import { type Cells, type Database, type Insert, LIMIT, type Update } from '../database.ts';
import { calendarRows, lastSeq } from '../read/calendars.ts';
import { CALENDAR_COLUMNS, kindNumber, orNull, SERIES, SESSION } from '../rows.ts';
import type { SearchIndex } from '../search-index.ts';

const COLUMNS = CALENDAR_COLUMNS.split(', ');
const SAVE_CALENDAR: Insert = {
  table: 'calendar',
  columns: COLUMNS,
  key: ['record', 'part'],
  replace: COLUMNS.filter((column) => !['record', 'part', 'kind', 'key'].includes(column)),
};
// `part` is a literal for the reason in `calendarOf`.
const SAVE_SEARCH: Update = { table: 'calendar', set: ['search'], key: ['record'], where: "part = ''" };
const touching = (part: CalendarPart): Update => ({
  table: 'calendar',
  set: ['revision', 'changed', 'seq', 'sessions'],
  key: ['record'],
  where: `part = '${part}'`,
});
const TOUCH = { '': touching(''), sessions: touching('sessions'), slots: touching('slots') };

/** The most characters of a name that lists are sorted by: an index of PostgreSQL has no room for more. */
const LONGEST_NAME = 500;

/** Keeps the revisions of calendars, and their documents in the search index. */
export function calendarWriter(db: Database, index: SearchIndex): CalendarWriter {
  return {
    async calendarsOf(records, part = '') {
      if (records.length === 0) return [];
      const found = new Map((await calendarRows(db, records, part)).map((row) => [row.record, row]));
      return records.map((record) => found.get(record));
    },

    saveCalendars: (rows) => saveCalendars(db, index, rows),

    async saveDocuments(rows) {
      const cells = rows.map(({ search, record }) => [search, record]);
      await db.update(SAVE_SEARCH, cells);
      await index.save(rows);
    },

    touchCalendars: (rows) => touchCalendars(db, rows),

    async rolling(after, limit) {
      const sql = 'SELECT record FROM calendar WHERE rolling = 1 AND record > ? ORDER BY record LIMIT ?';
      return (await db.all(sql, after, limit)).map((c) => Number(c[0]));
    },

    loads: (after, limit) => loads(db, after, limit),

    async calendarsOfFeed(feed) {
      const kinds = (['series', 'place', 'facility'] as const).map(kindNumber);
      const sql = `SELECT r.id FROM item i JOIN record r ON r.item = i.id WHERE i.feed = ? AND r.kind IN (${kinds}) ORDER BY r.id`;
      return (await db.all(sql, feed)).map((c) => Number(c[0]));
    },

    async withdrawn(after, limit, gone) {
      const states = gone ? "state <> 'live' AND moved_to IS NULL" : "state = 'deleted'";
      const sql = `SELECT DISTINCT record FROM calendar WHERE ${states} AND record > ? ORDER BY record LIMIT ?`;
      return (await db.all(sql, after, limit)).map((c) => Number(c[0]));
    },
  };
}

/** Saves calendars, each with the next `seq`. */
async function saveCalendars(db: Database, index: SearchIndex, rows: readonly CalendarWrite[]): Promise<void> {
  if (rows.length === 0) return;
  let seq = await lastSeq(db);
  const cells = rows.map((row) => {
    seq += 1;
    return [
      row.record,
      kindNumber(row.kind),
      row.key,
      row.state,
      row.revision,
      row.changed,
      seq,
      row.name.slice(0, LONGEST_NAME),
      row.search,
      encodeHeader(row.header),
      encodeEvents(row.events),
      orNull(row.tail),
      orNull(row.deletedAt),
      orNull(row.movedTo),
      row.rolling ? 1 : 0,
      orNull(row.findings),
      row.part,
      row.sessions,
    ];
  });
  await db.insert(SAVE_CALENDAR, cells);
  const isOver = ({ document, part, state }: CalendarWrite) =>
    document === undefined && part === '' && state !== 'live';
  await index.drop(rows.filter(isOver).map(({ record }) => record));
  await index.save(
    rows.flatMap(({ record, kind, document }) => (document === undefined ? [] : { record, kind, document })),
  );
}

async function touchCalendars(db: Database, rows: readonly CalendarTouch[]): Promise<void> {
  if (rows.length === 0) return;
  let seq = await lastSeq(db);
  const numbered = rows.map((row) => {
    seq += 1;
    return { ...row, seq };
  });
  for (const [part, rows] of Map.groupBy(numbered, (row) => row.part)) {
    const cells = rows.map((row) => [row.revision, row.changed, row.seq, row.sessions, row.record]);
    await db.update(TOUCH[part], cells);
  }
}

// The index alone is read, so that records of any kind count.
const PLACES = `SELECT DISTINCT venue FROM record WHERE venue > ? ORDER BY venue ${LIMIT}`;
const USUAL = `SELECT r.venue, coalesce(c.sessions, 0), s.body, s.ident FROM json_each(?) t
  CROSS JOIN record r ON r.venue = t.value AND r.kind = ${SERIES} AND r.item IS NOT NULL
  JOIN record_body s ON s.record = r.id LEFT JOIN calendar c ON c.record = r.id AND c.part = '' ORDER BY r.venue, r.id`;
const VISITING = `SELECT v.venue, v.sessions, s.body, s.ident FROM (SELECT r.venue, r.parent, count(*) AS sessions FROM json_each(?) t
  CROSS JOIN record r ON r.venue = t.value AND r.kind = ${SESSION} AND r.item IS NOT NULL
  JOIN record p ON p.id = r.parent AND p.item IS NOT NULL AND p.venue IS DISTINCT FROM r.venue GROUP BY r.venue, r.parent) v
  JOIN record_body s ON s.record = v.parent ORDER BY v.venue, v.parent`;

async function loads(db: Database, after: number, limit: number): Promise<{ venue: number; series: SeriesLoad[] }[]> {
  const venues = (await db.all(PLACES, after, limit)).map((c) => Number(c[0]));
  if (venues.length === 0) return [];
  const load = (c: Cells): SeriesLoad => ({ sessions: Number(c[1]), weight: bodyText(c[2], c[3]).length });
  const byVenue = async (sql: string) => Map.groupBy(await db.all(sql, JSON.stringify(venues)), (c) => Number(c[0]));
  const [usual, visiting] = [await byVenue(USUAL), await byVenue(VISITING)];
  return venues.map((venue) => ({
    venue,
    series: [
      ...(usual.get(venue) ?? []).map(load),
      ...(visiting.get(venue) ?? []).map((c) => ({ ...load(c), isVisiting: true as const })),
    ],
  }));
}
