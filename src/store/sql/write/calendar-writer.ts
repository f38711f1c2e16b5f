import type { Instant } from '../../../time/instant.ts';
import {
  type CalendarPart,
  type CalendarRow,
  type CalendarTouch,
  type CalendarWrite,
  type ChangeWrite,
  type DocumentWrite,
  encodeEvents,
  encodeHeader,
  type OccurrenceRow,
} from '../../contract/index.ts';
import { bodyText } from '../body-text.ts';
import { type Insert, type Update, upsert } from '../database.ts';
import { SqlReader } from '../read/reader.ts';
import { CALENDAR_COLUMNS, kindNumber, orNull } from '../rows.ts';

const COLUMNS = CALENDAR_COLUMNS.split(', ');
const SAVE_CALENDAR: Insert = {
  table: 'calendar',
  columns: COLUMNS,
  key: ['record', 'part'],
  replace: COLUMNS.filter((column) => !['record', 'part', 'kind', 'key'].includes(column)),
};
// `part` as a literal: `calendarOf`.
const SAVE_SEARCH: Update = { table: 'calendar', set: ['search'], key: ['record'], where: "part = ''" };
const touching = (part: CalendarPart): Update => ({
  table: 'calendar',
  set: ['revision', 'changed', 'seq', 'sessions'],
  key: ['record'],
  where: `part = '${part}'`,
});
const TOUCH = { '': touching(''), sessions: touching('sessions'), slots: touching('slots') };
const SAVE_OCCURRENCE = upsert(
  'occurrence',
  ['series', 'start', 'schedule'],
  ['series', 'start', 'schedule', 'end', 'session', 'stamp'],
);
const SAVE_CHANGE: Insert = { table: 'change', columns: ['id', 'series', 'venue', 'at', 'text'] };

/** What lists are sorted by: an index of PostgreSQL has no room for more. */
const LONGEST_NAME = 500;
/** Rows of one series. */
const MOST_CHANGES = 100;

/** The half of the writer that follows the records: calendars' revisions and stored occurrences. */
export class SqlCalendarWriter extends SqlReader {
  async calendarsOf(records: readonly number[], part: CalendarPart = ''): Promise<(CalendarRow | undefined)[]> {
    if (records.length === 0) return [];
    const found = new Map((await this.calendarRows(records, part)).map((row) => [row.record, row]));
    return records.map((record) => found.get(record));
  }

  /** Writes the rows of calendars, each with the next `seq`. */
  async saveCalendars(rows: readonly CalendarWrite[]): Promise<void> {
    if (rows.length === 0) return;
    let seq = await this.lastSeq();
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
    await this.db.insert(SAVE_CALENDAR, cells);
    const isOver = ({ document, part, state }: CalendarWrite) =>
      document === undefined && part === '' && state !== 'live';
    await this.index.drop(rows.filter(isOver).map(({ record }) => record));
    await this.index.save(
      rows.flatMap(({ record, kind, document }) => (document === undefined ? [] : { record, kind, document })),
    );
  }

  async saveDocuments(rows: readonly DocumentWrite[]): Promise<void> {
    await this.db.update(
      SAVE_SEARCH,
      rows.map(({ search, record }) => [search, record]),
    );
    await this.index.save(rows);
  }

  async touchCalendars(rows: readonly CalendarTouch[]): Promise<void> {
    if (rows.length === 0) return;
    let seq = await this.lastSeq();
    const numbered = rows.map((row) => {
      seq += 1;
      return { ...row, seq };
    });
    for (const [part, rows] of Map.groupBy(numbered, (row) => row.part)) {
      await this.db.update(
        TOUCH[part],
        rows.map((row) => [row.revision, row.changed, row.seq, row.sessions, row.record]),
      );
    }
  }

  async replaceOccurrences(series: number, stamp: string, rows: readonly OccurrenceRow[]): Promise<void> {
    await this.db.insert(
      SAVE_OCCURRENCE,
      rows.map(({ start, schedule, end, session }) => [series, start, schedule, end, orNull(session), stamp]),
    );
    await this.db.run('DELETE FROM occurrence WHERE series = ? AND stamp <> ?', series, stamp);
  }

  async saveChanges(rows: readonly ChangeWrite[]): Promise<void> {
    if (rows.length === 0) return;
    const last = Number((await this.db.get('SELECT max(id) FROM change'))?.[0] ?? 0);
    await this.db.insert(
      SAVE_CHANGE,
      rows.map(({ series, venue, at, text }, index) => [last + 1 + index, series, orNull(venue), at, text]),
    );
    const trim = `DELETE FROM change WHERE series = ? AND id <= (SELECT id FROM change WHERE series = ? ORDER BY id DESC LIMIT 1 OFFSET ${MOST_CHANGES})`;
    for (const series of new Set(rows.map((row) => row.series))) await this.db.run(trim, series, series);
  }

  async forgetChanges(before: Instant): Promise<void> {
    await this.db.run('DELETE FROM change WHERE at < ?', before);
  }

  async rolling(after: number, limit: number): Promise<number[]> {
    const sql = 'SELECT record FROM calendar WHERE rolling = 1 AND record > ? ORDER BY record LIMIT ?';
    return (await this.db.all(sql, after, limit)).map((c) => Number(c[0]));
  }

  async loads(
    after: number,
    limit: number,
  ): Promise<{ venue: number; series: { sessions: number; weight: number }[] }[]> {
    const series = `kind = ${kindNumber('series')} AND item IS NOT NULL`;
    const sql = `SELECT r.venue, coalesce(c.sessions, 0), s.body, s.ident
      FROM (SELECT id, venue FROM record WHERE ${series} AND venue IN
        (SELECT DISTINCT venue FROM record WHERE venue > ? AND ${series} ORDER BY venue LIMIT ?)) r
      JOIN record_body s ON s.record = r.id LEFT JOIN calendar c ON c.record = r.id AND c.part = '' ORDER BY r.venue, r.id`;
    const venues = Map.groupBy(await this.db.all(sql, after, limit), (c) => Number(c[0]));
    return [...venues].map(([venue, rows]) => ({
      venue,
      series: rows.map((c) => ({ sessions: Number(c[1]), weight: bodyText(c[2], c[3]).length })),
    }));
  }

  async seriesWithCancelled(from: Instant, to: Instant): Promise<number[]> {
    const own = 'SELECT parent FROM record WHERE cancelled = 1 AND start >= ?1 AND start < ?2 AND parent IS NOT NULL';
    const inherited = `SELECT s.id FROM record s WHERE s.cancelled = 1 AND s.start IS NULL
      AND EXISTS (SELECT 1 FROM record r WHERE r.parent = s.id AND r.start >= ?1 AND r.start < ?2)`;
    return (await this.db.all(`${own} UNION ${inherited} ORDER BY 1`, from, to)).map((c) => Number(c[0]));
  }

  async calendarsOfFeed(feed: number): Promise<number[]> {
    const kinds = (['series', 'place', 'facility'] as const).map(kindNumber);
    const sql = `SELECT r.id FROM item i JOIN record r ON r.item = i.id WHERE i.feed = ? AND r.kind IN (${kinds}) ORDER BY r.id`;
    return (await this.db.all(sql, feed)).map((c) => Number(c[0]));
  }

  async withdrawn(after: number, limit: number, gone: boolean): Promise<number[]> {
    const states = gone ? "state <> 'live' AND moved_to IS NULL" : "state = 'deleted'";
    const sql = `SELECT DISTINCT record FROM calendar WHERE ${states} AND record > ? ORDER BY record LIMIT ?`;
    return (await this.db.all(sql, after, limit)).map((c) => Number(c[0]));
  }
}
