import { summaryOf } from '../../calendar/wording/wording.ts';
import { compareText } from '../../opportunity/ids.ts';
import { defined, type Series, type Session, statusIn, type TimedSession } from '../../opportunity/records.ts';
import { withoutCovered } from '../../recurrence/overlay.ts';
import { type Reader, type RecordBody, recordOf, storedSession } from '../../store/index.ts';
import { familyOfActivities } from '../../vocabulary/families.ts';
import { publishersOf } from '../reads.ts';
import { LONGEST } from '../search/finder.ts';
import { KnownRecords, type KnownSeries } from '../search/known-series.ts';
import { facilitiesAt, facilityTimes } from './facility-slots.ts';
import { type FoundHere, foundHere } from './found.ts';
import type { MoreEntries, Timetable, TimetableEntry, TimetableQuery, Timetables } from './timetable.ts';

/** Most entries of a timetable: more than a large centre has in a week, on a page under 100 KB. */
const MOST_ENTRIES = 200;

/** Timetables of places and facilities, out of the store. */
export function storedTimetables(read: Reader): Timetables {
  const live = async (kind: 'place' | 'facility', key: string): Promise<number | undefined> => {
    const row = await read.calendarByKey(key);
    return row?.kind === kind && row.state === 'live' ? row.record : undefined;
  };
  return {
    at: async (key, query, more) => {
      const venue = await live('place', key);
      return venue === undefined ? undefined : timetableAt(read, venue, query, more);
    },
    facilitiesAt: async (key, window, limit) => {
      const venue = await live('place', key);
      return venue === undefined ? { shown: [], left: 0 } : facilitiesAt(read, venue, window, limit);
    },
    facility: async (key, window) => {
      const id = await live('facility', key);
      const row = id === undefined ? undefined : await read.recordById(id);
      return row && facilityTimes(read, key, row, window);
    },
  };
}

/** The timetable of the place in a row. Occurrences are read by index, and then only the series of these. */
export async function timetableAt(
  read: Reader,
  venue: number,
  query: TimetableQuery,
  { isRunning = false }: MoreEntries = {},
): Promise<Timetable> {
  const { from, to, limit = MOST_ENTRIES } = query;
  const most = Math.min(limit, MOST_ENTRIES);
  const known = new KnownRecords(read);
  const earlier = { from: from - LONGEST, to: from, limit: most + 1, endsAfter: from };
  const running = isRunning ? await foundHere(read, venue, earlier, known) : [];
  const found = [...running, ...(await foundHere(read, venue, { from, to, limit: most + 1 }, known))];
  const until = found.length > most ? found[most]?.start : undefined;
  const inside = until === undefined ? found : cut(found, most, until);
  const entries: TimetableEntry[] = [];
  const rows: RecordBody[] = [];
  for (const [id, ofSeries] of Map.groupBy(inside, ({ series }) => series)) {
    const [series, row] = [await known.series(id), await read.recordById(id)];
    if (series === undefined || row === undefined) continue;
    rows.push(row);
    entries.push(...(await entriesIn(read, series, ofSeries)));
  }
  entries.sort((a, b) => a.start - b.start || compareText(a.name, b.name));
  const publishers = await publishersOf(read, rows);
  return { entries, publishers, ...(until !== undefined && { until }) };
}

async function entriesIn(
  read: Reader,
  { key: seriesKey, series }: KnownSeries,
  found: readonly FoundHere[],
): Promise<TimetableEntry[]> {
  const timed: [FoundHere, TimedSession | undefined][] = [];
  for (const one of found) timed.push([one, await timedSession(read, one, series)]);
  const sessions = timed.flatMap(([, session]) => session ?? []);
  const kept = new Set(series.type === 'HeadlineEvent' ? withoutCovered(series, sessions) : sessions);
  const family = familyOfActivities(series.details.activity ?? []);
  return timed
    .filter(([, session]) => session === undefined || kept.has(session))
    .map(([one, session]) => ({ seriesKey, ...timetableEntry(one, series, session), ...(family && { family }) }));
}

async function timedSession(
  read: Reader,
  { body, start, end }: FoundHere,
  series: Series,
): Promise<TimedSession | undefined> {
  if (body === undefined) return undefined;
  const record = recordOf({ body }) as Session;
  const session = record.stated === undefined ? record : await storedSession(read, record, series);
  return { ...session, start, ...(end !== undefined && { end }) };
}

/** The first occurrences, without a part of those that start together: a reader would take one of two for the only one. */
function cut(found: readonly FoundHere[], most: number, until: number): readonly FoundHere[] {
  const whole = found.filter(({ start }) => start < until);
  return whole.length > 0 ? whole : found.slice(0, most);
}

/** An entry with the times of the index. Details that the session does not state are those of its series. */
function timetableEntry({ start, end, original }: FoundHere, series: Series, session: TimedSession | undefined) {
  const own = session?.details ?? {};
  const was = session?.previousStart ?? original;
  return {
    start,
    status: statusIn(series, session),
    ...defined({
      end,
      allDay: session?.allDay,
      name: own.name ?? (summaryOf(series.details, '') || undefined),
      url: session?.url ?? series.url,
      previousStart: was === start ? undefined : was,
      room: own.room ?? series.details.room,
      leader: own.leader ?? series.details.leader,
      ages: own.ageRange ?? series.details.ageRange,
      placesLeft: session?.remainingAttendeeCapacity,
    }),
  };
}
