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
import { SqliteReader } from '../read/reader.ts';
import { CALENDAR_COLUMNS, calendarRow, kindNumber, orNull } from '../rows.ts';
import { dropDocument, saveDocument, saveWords } from '../search/writing.ts';

const SAVE_CALENDAR = `INSERT INTO calendar (${CALENDAR_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (record, part) DO UPDATE SET ${CALENDAR_COLUMNS.split(
  ', ',
)
  .filter((column) => !['record', 'part', 'kind', 'key'].includes(column))
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`;

/** Rows of one series. */
const MOST_CHANGES = 100;

/** The half of the writer that follows the records: calendars' revisions and stored occurrences. */
export class SqliteCalendarWriter extends SqliteReader {
  async calendarsOf(records: readonly number[], part: CalendarPart = ''): Promise<(CalendarRow | undefined)[]> {
    if (records.length === 0) return [];
    // `part` as a literal: `calendarOf`.
    const sql = `SELECT ${CALENDAR_COLUMNS} FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN calendar ON record = wanted AND part = '${part}'`;
    const found = new Map(this.db.all(sql, JSON.stringify(records)).map((c) => [Number(c[0]), calendarRow(c)]));
    return records.map((record) => found.get(record));
  }

  async saveCalendars(rows: readonly CalendarWrite[]): Promise<void> {
    let seq = await this.lastSeq();
    for (const row of rows) {
      seq += 1;
      this.db.run(
        SAVE_CALENDAR,
        row.record,
        kindNumber(row.kind),
        row.key,
        row.state,
        row.revision,
        row.changed,
        seq,
        row.name,
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
      );
      if (row.document !== undefined) saveDocument(this.db, row.record, kindNumber(row.kind), row.document);
      else if (row.part === '' && row.state !== 'live') dropDocument(this.db, row.record);
    }
    saveWords(
      this.db,
      rows.flatMap(({ document = [] }) => document),
    );
  }

  async saveDocuments(rows: readonly DocumentWrite[]): Promise<void> {
    for (const { record, kind, search, document } of rows) {
      // `part` as a literal: `calendarOf`.
      this.db.run("UPDATE calendar SET search = ? WHERE record = ? AND part = ''", search, record);
      saveDocument(this.db, record, kindNumber(kind), document);
    }
    saveWords(
      this.db,
      rows.map(({ document }) => document),
    );
  }

  async touchCalendars(rows: readonly CalendarTouch[]): Promise<void> {
    let seq = await this.lastSeq();
    const sql = 'UPDATE calendar SET revision = ?, changed = ?, seq = ?, sessions = ? WHERE record = ? AND part =';
    for (const { record, part, revision, changed, sessions } of rows) {
      seq += 1;
      // `part` as a literal: `calendarOf`.
      this.db.run(`${sql} '${part}'`, revision, changed, seq, sessions, record);
    }
  }

  async replaceOccurrences(series: number, stamp: string, rows: readonly OccurrenceRow[]): Promise<void> {
    const upsert =
      'INSERT INTO occurrence (series, start, schedule, "end", session, stamp) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "end" = excluded."end", session = excluded.session, stamp = excluded.stamp';
    for (const row of rows) this.db.run(upsert, series, row.start, row.schedule, row.end, row.session ?? null, stamp);
    this.db.run('DELETE FROM occurrence WHERE series = ? AND stamp <> ?', series, stamp);
  }

  async saveChanges(rows: readonly ChangeWrite[]): Promise<void> {
    const sql = 'INSERT INTO change (series, venue, at, text) VALUES (?, ?, ?, ?)';
    for (const { series, venue, at, text } of rows) this.db.run(sql, series, orNull(venue), at, text);
    const trim = `DELETE FROM change WHERE series = ? AND id <= (SELECT id FROM change WHERE series = ? ORDER BY id DESC LIMIT 1 OFFSET ${MOST_CHANGES})`;
    for (const series of new Set(rows.map((row) => row.series))) this.db.run(trim, series, series);
  }

  async forgetChanges(before: Instant): Promise<void> {
    this.db.run('DELETE FROM change WHERE at < ?', before);
  }

  async rolling(after: number, limit: number): Promise<number[]> {
    return this.db
      .all('SELECT record FROM calendar WHERE rolling = 1 AND record > ? ORDER BY record LIMIT ?', after, limit)
      .map((c) => Number(c[0]));
  }

  async loads(
    after: number,
    limit: number,
  ): Promise<{ venue: number; series: { sessions: number; weight: number }[] }[]> {
    const series = `kind = ${kindNumber('series')} AND item IS NOT NULL`;
    const sql = `SELECT r.venue, json_group_array(json_object('sessions', coalesce(c.sessions, 0), 'weight', length(s.body)))
      FROM (SELECT id, venue FROM record WHERE ${series} AND venue IN
        (SELECT DISTINCT venue FROM record WHERE venue > ? AND ${series} ORDER BY venue LIMIT ?)) r
      JOIN record_body s ON s.record = r.id LEFT JOIN calendar c ON c.record = r.id AND c.part = '' GROUP BY r.venue ORDER BY r.venue`;
    return this.db.all(sql, after, limit).map((c) => ({ venue: Number(c[0]), series: JSON.parse(String(c[1])) }));
  }

  async seriesWithCancelled(from: Instant, to: Instant): Promise<number[]> {
    const own = 'SELECT parent FROM record WHERE cancelled = 1 AND start >= ?1 AND start < ?2 AND parent IS NOT NULL';
    const inherited = `SELECT s.id FROM record s WHERE s.cancelled = 1 AND s.start IS NULL
      AND EXISTS (SELECT 1 FROM record r WHERE r.parent = s.id AND r.start >= ?1 AND r.start < ?2)`;
    return this.db.all(`${own} UNION ${inherited} ORDER BY 1`, from, to).map((c) => Number(c[0]));
  }

  async calendarsOfFeed(feed: number): Promise<number[]> {
    const kinds = (['series', 'place', 'facility'] as const).map(kindNumber);
    const sql = `SELECT r.id FROM item i JOIN record r ON r.item = i.id WHERE i.feed = ? AND r.kind IN (${kinds}) ORDER BY r.id`;
    return this.db.all(sql, feed).map((c) => Number(c[0]));
  }

  async withdrawn(after: number, limit: number, gone: boolean): Promise<number[]> {
    const states = gone ? "state <> 'live' AND moved_to IS NULL" : "state = 'deleted'";
    const sql = `SELECT DISTINCT record FROM calendar WHERE ${states} AND record > ? ORDER BY record LIMIT ?`;
    return this.db.all(sql, after, limit).map((c) => Number(c[0]));
  }
}
