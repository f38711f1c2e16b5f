import type { Calendar, Revision } from '../../calendar/objects.ts';
import type { ComposeOptions } from '../../calendar/series/compose.ts';
import { fromStoredForm, type KeptCalendar, type LastSeries, lastCalendar } from '../../calendar/series/last-series.ts';
import type { Series } from '../../opportunity/records.ts';
import { type CalendarRow, type Reader, type RecordBody, type Tail, tailOf } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { CalendarHead, LibraryOptions } from '../library.ts';
import type { OwnCalendar } from '../lists/taken.ts';
import { composedSeries, composeOptionsOf, type ReadSessions, storedDay } from '../reads.ts';
import { stampsOf } from './stamps.ts';

/** Functions of the library that serve a row. */
interface Served {
  head(row: CalendarRow): CalendarHead;
  /** A stored revision as it is served. */
  revision(revision: Revision): Revision;
  /** A calendar with its own address. */
  at(path: string, calendar: Calendar): Calendar;
}

/** The calendars of series, each alone. */
export function ownCalendars(read: Reader, compose: LibraryOptions['compose'], served: Served) {
  /** The calendar of a series as it is, or as it last was; undefined: neither is stored any more. */
  async function ownCalendar(row: CalendarRow, how?: ReadSessions): Promise<OwnCalendar | undefined> {
    if (row.state === 'deleted') return tail(row);
    const record = await read.recordById(row.record);
    if (record === undefined) return undefined;
    const made = await composedSeries(read, record, await composeOptions(record), how);
    return { ...ownCalendarOf(row, made.calendar, stampsOf(row, made.sessions)), made };
  }

  function tail(row: CalendarRow): OwnCalendar | undefined {
    if (row.tail === undefined) return undefined;
    const { last } = tailOf<LastSeries | KeptCalendar>(row) as Tail<LastSeries | KeptCalendar>;
    const calendar = 'events' in last ? fromStoredForm(last) : lastCalendar(last, row.deletedAt ?? 0, compose);
    return ownCalendarOf(row, calendar, stampsOf(row, []));
  }

  function ownCalendarOf(
    row: CalendarRow,
    calendar: Calendar,
    stampOf: (uid: string) => [number, Instant] | undefined,
  ): OwnCalendar {
    return {
      head: served.head(row),
      calendar: served.at(`series/${row.key}.ics`, calendar),
      revision: (uid) => {
        const [sequence, modified] = stampOf(uid) ?? [row.revision, row.changed];
        return served.revision({ sequence, modified });
      },
      slug: calendar.name,
    };
  }

  async function composeOptions(record: RecordBody): Promise<(series: Series) => ComposeOptions> {
    return composeOptionsOf(read, record, { ...compose, today: await storedDay(read) });
  }

  return { ownCalendar, composeOptions };
}
