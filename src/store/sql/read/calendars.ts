import type { CalendarPart, CalendarQuery, CalendarReader, CalendarRow } from '../../contract/index.ts';
import type { Database } from '../database.ts';
import { CALENDAR_COLUMNS, CALENDAR_OF, calendarRow, kindNumber } from '../rows.ts';
import { allOf, type Condition } from '../search/conditions.ts';

/** Reads the revisions of calendars, and lists of them. */
export function calendarReader(db: Database): CalendarReader {
  return {
    async calendarOf(record, part = '') {
      // A literal, because partial indexes compare with one, and SQLite would prepare the statement anew for each bound value.
      const row = await db.get(
        `SELECT ${CALENDAR_COLUMNS} FROM calendar WHERE record = ? AND part = '${part}'`,
        record,
      );
      return row && calendarRow(row);
    },

    async calendarParts(record) {
      return (await db.all(`SELECT ${CALENDAR_COLUMNS} FROM calendar WHERE record = ?`, record)).map(calendarRow);
    },

    async partsOfCalendars(records) {
      if (records.length === 0) return new Map();
      const sql = `SELECT ${CALENDAR_OF} FROM json_each(?) t CROSS JOIN calendar c ON c.record = t.value ORDER BY c.record, c.part`;
      return Map.groupBy((await db.all(sql, JSON.stringify(records))).map(calendarRow), ({ record }) => record);
    },

    async calendarByKey(key) {
      const row = await db.get(`SELECT ${CALENDAR_COLUMNS} FROM calendar WHERE key = ? AND part = ''`, key);
      return row && calendarRow(row);
    },

    async changesSince(seq, limit) {
      return (await db.all('SELECT key, seq FROM calendar WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit)).map(
        (c) => ({ key: String(c[0]), seq: Number(c[1]) }),
      );
    },

    async lastSeq() {
      return lastSeq(db);
    },

    async calendars(query) {
      const { after = { name: '', key: '' }, limit } = query;
      const { sql: where, values } = listed(query);
      const sql = `SELECT ${CALENDAR_COLUMNS} FROM calendar WHERE ${where} AND (name, key) > (?, ?) ORDER BY name, key LIMIT ?`;
      return (await db.varied(sql, ...values, after.name, after.key, limit)).map(calendarRow);
    },

    async countCalendars(query) {
      const { sql, values } = listed(query);
      return Number((await db.varied(`SELECT count(*) FROM calendar WHERE ${sql}`, ...values))[0]?.[0]);
    },
  };
}

/** The condition of the rows of `calendar` in a list. */
function listed({ kind, venue }: CalendarQuery): Condition {
  const live = { sql: "kind = ? AND state = 'live' AND part = ''", values: [kindNumber(kind)] };
  if (venue === undefined) return live;
  return allOf([live, { sql: 'record IN (SELECT id FROM record WHERE venue = ?)', values: [venue] }]);
}

/** One part of the calendars of many records, in no order. */
export async function calendarRows(
  db: Database,
  records: readonly number[],
  part: CalendarPart,
): Promise<CalendarRow[]> {
  // A literal for the reason in `calendarOf`.
  const sql = `SELECT ${CALENDAR_OF} FROM json_each(?) t CROSS JOIN calendar c ON c.record = t.value AND c.part = '${part}'`;
  return (await db.all(sql, JSON.stringify(records))).map(calendarRow);
}

export async function lastSeq(db: Database): Promise<number> {
  return Number((await db.get('SELECT max(seq) FROM calendar'))?.[0] ?? 0);
}
