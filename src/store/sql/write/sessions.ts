import type { Instant } from '../../../time/instant.ts';
import {
  encodeHash,
  type OccurrenceRow,
  type SessionStamp,
  type SessionTimes,
  type SessionWriter,
  type ZonedSession,
} from '../../contract/index.ts';
import { type Database, type Update, upsert } from '../database.ts';
import { kindNumber, orNull, zonedSession } from '../rows.ts';

const SERIES = kindNumber('series');
const SAVE_TIMES: Update = { table: 'record', set: ['start', 'end', 'zone'], key: ['id'] };
const STAMP: Update = { table: 'record', set: ['hash', 'sequence', 'changed'], key: ['id'] };
const SAVE_OCCURRENCE = upsert(
  'occurrence',
  ['series', 'start', 'schedule'],
  ['series', 'start', 'schedule', 'end', 'session', 'stamp'],
);

/** Keeps times and stamps of sessions, and the occurrences of series. */
export function sessionWriter(db: Database): SessionWriter {
  return {
    async zonedSessions(series: readonly number[]): Promise<ZonedSession[]> {
      const sql = `SELECT r.id, r.place, r.start, r."end", r.zone, r.parent, s.body, s.ident FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value
        CROSS JOIN record_body s ON s.record = r.id WHERE r.zone IS NOT NULL AND r.item IS NOT NULL`;
      return (await db.all(sql, JSON.stringify(series))).map(zonedSession);
    },

    async saveTimes(rows: readonly SessionTimes[]): Promise<void> {
      await db.update(
        SAVE_TIMES,
        rows.map(({ id, start, end, zone }) => [orNull(start), orNull(end), orNull(zone), id]),
      );
    },

    async stampSessions(stamps: readonly SessionStamp[]): Promise<void> {
      await db.update(
        STAMP,
        stamps.map(({ hash, sequence, changed, id }) => [encodeHash(hash), sequence, changed, id]),
      );
    },

    async replaceOccurrences(series: number, stamp: string, rows: readonly OccurrenceRow[]): Promise<void> {
      await db.insert(
        SAVE_OCCURRENCE,
        rows.map(({ start, schedule, end, session }) => [series, start, schedule, end, orNull(session), stamp]),
      );
      await db.run('DELETE FROM occurrence WHERE series = ? AND stamp <> ?', series, stamp);
    },

    async seriesWithCancelled(from: Instant, to: Instant): Promise<number[]> {
      const own = 'SELECT parent FROM record WHERE cancelled = 1 AND start >= ?1 AND start < ?2 AND parent IS NOT NULL';
      const inherited = `SELECT b.id FROM (WITH RECURSIVE below (id) AS (
          SELECT id FROM record WHERE cancelled = 1 AND start IS NULL
          UNION SELECT s.id FROM below b JOIN record s ON s.parent = b.id AND s.kind = ${SERIES}
        ) SELECT id FROM below) b
        WHERE EXISTS (SELECT 1 FROM record r WHERE r.parent = b.id AND r.start >= ?1 AND r.start < ?2)`;
      return (await db.all(`${own} UNION ${inherited} ORDER BY 1`, from, to)).map((c) => Number(c[0]));
    },
  };
}
