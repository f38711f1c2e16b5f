import type { CalendarEvent } from '../../calendar/objects.ts';
import type { Composed } from '../../calendar/series/compose.ts';
import { spanOf } from '../../calendar/series/spans.ts';
import { instanceKey, type Trace } from '../../calendar/series/trace.ts';
import { MOST_EVENTS } from '../../calendar/size.ts';
import { occurrenceUid } from '../../calendar/uid.ts';
import type { Schedule, Series } from '../../opportunity/records.ts';
import type { Reader, StoredSession, VisitingSession } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { dayAt, toInstant, zone } from '../../time/zone.ts';
import type { CalendarHead, StoredCalendar } from '../library.ts';
import type { OccurrenceItem } from '../search/types.ts';
import type { FoundSeries, TakenDate } from './standing-search.ts';

/** The calendar of one series as it is served, and the series and sessions behind it. */
export interface OwnCalendar extends StoredCalendar {
  head: CalendarHead;
  /** Absent: the series was withdrawn, and only its last calendar is stored. */
  made?: Made;
}

type Made = Composed & { series: Series; sessions: StoredSession[] };

/** An event, and the UID in the calendar of the series whose SEQUENCE and LAST-MODIFIED it has. */
export interface TakenEvent {
  event: CalendarEvent;
  of: string;
}

/**
 * The events of a series of which a search takes some dates. Where it takes all coming dates, they are the events of the series,
 * unchanged. Otherwise all are single events. An instance of a rule gets the UID that it would have as a single event of the
 * series, which it keeps when a session replaces it.
 */
export function takenOf(own: OwnCalendar, found: FoundSeries, trace: Trace): TakenEvent[] {
  const { made } = own;
  return made === undefined || isTakenWhole(own, found) ? wholeOf(own) : takenDates(made, found.items, trace);
}

/** Some dates of a series as single events. `trace`: of the plan of its calendar. */
export function takenDates(
  { series, sessions }: Pick<Made, 'series' | 'sessions'>,
  dates: readonly TakenDate[],
  trace: Trace,
): TakenEvent[] {
  const ids = new Map(sessions.map(({ row, session }) => [row.id, session.id]));
  const taken = dates.flatMap((date) => takenItem(date, series, ids, trace) ?? []);
  return [...new Map(taken.map((one) => [one.event.uid, one])).values()];
}

/** Whether searches take all coming dates of a series. A withdrawn series is taken whole. */
export function isTakenWhole({ calendar, made }: OwnCalendar, { by, items }: FoundSeries): boolean {
  if (made === undefined) return true;
  const taking = by.filter((one) => one.takes(calendar.events));
  if (taking.length === 0) return false;
  const leftOut = made.sessions.filter((session) => taking.every((one) => one.leavesOut(session)));
  // A session that one search leaves out may be found by another that does not take the whole series.
  const taken = new Set(leftOut.length > 0 ? items.map(({ rows }) => rows.session) : []);
  return leftOut.every(({ row }) => taken.has(row.id));
}

/** The events of a series, unchanged. */
export function wholeOf({ calendar }: Pick<OwnCalendar, 'calendar'>): TakenEvent[] {
  return calendar.events.map((event) => ({ event, of: event.uid }));
}

function takenItem(
  { start, end = start, rows }: TakenDate,
  series: Series,
  ids: ReadonlyMap<number, string>,
  trace: Trace,
): TakenEvent | undefined {
  if (rows.session !== undefined) return takenSession(ids.get(rows.session) ?? '', series, trace);
  const schedule = rows.schedule ?? 0;
  const single = trace.instances.get(instanceKey(schedule, start))?.event;
  if (single !== undefined) return { event: single, of: single.uid };
  return takenInstance(schedule, { start, end }, series, trace);
}

function takenSession(id: string, series: Series, trace: Trace): TakenEvent | undefined {
  const single = trace.sessions.get(id)?.event;
  if (single !== undefined) return { event: single, of: single.uid };
  const override = trace.overrides.get(id);
  const original = override?.recurrenceId;
  const z = original && zone(original.zone);
  if (override === undefined || original === undefined || z === undefined) return undefined;
  const schedule = scheduleOf(override.uid, trace);
  if (schedule === undefined) return undefined;
  return alone(override, occurrenceUid(series.id, schedule, toInstant(z, original.wall)), override.span);
}

function takenInstance(
  schedule: number,
  { start, end }: Pick<OccurrenceItem, 'start' | 'end'>,
  series: Series,
  trace: Trace,
): TakenEvent | undefined {
  for (const { event, source, run } of trace.rules.get(schedule) ?? []) {
    const day = dayAt(source.zone, start);
    if (day < run.first || day > (run.last ?? day)) continue;
    return alone(event, occurrenceUid(series.id, source.schedule, start), spanOf(source.zone, start, end));
  }
  return undefined;
}

/** The Schedule whose master has a UID. */
function scheduleOf(uid: string, trace: Trace): Schedule | undefined {
  for (const runs of trace.rules.values()) {
    const run = runs.find(({ event }) => event.uid === uid);
    if (run !== undefined) return run.source.schedule;
  }
  return undefined;
}

function alone(event: CalendarEvent, uid: string, span: CalendarEvent['span']): TakenEvent {
  const { recurrenceId: _, rrule: __, exdates: ___, ...rest } = event;
  return { event: { ...rest, uid, span }, of: event.uid };
}

/** The sessions at a place of series that belong to other places, by row of the series. */
export interface Visiting {
  series: Map<number, FoundSeries>;
  /** Number of sessions beyond the limit of a calendar. */
  unread: number;
}

/**
 * Sessions at a place whose series belong to other places: as many as a calendar holds, the next ones first.
 *
 * @example (await visitingAt(read, place.id, 0)).series.get(series.id)?.items.map(({ rows }) => rows.session)
 */
export async function visitingAt(read: Reader, venue: number, around: Instant): Promise<Visiting> {
  const all = await read.sessionsAt(venue);
  const near = new Set(soonestFirst(all, around).slice(0, MOST_EVENTS));
  const close = all.filter((one) => near.has(one));
  const sessions = Map.groupBy(close, ({ series }) => series);
  const series = [...sessions].map(([record, rows]): [number, FoundSeries] => {
    const items = rows.map(({ id, series }) => ({ start: 0, rows: { series, session: id } }));
    return [record, { record, items, by: [] }];
  });
  return { series: new Map(series), unread: all.length - near.size };
}

/** A distance beyond that of every coming start. */
const PAST = Number.MAX_SAFE_INTEGER / 2;

/** Coming sessions, soonest first; then past ones, latest first; then those without a start. */
function soonestFirst(sessions: readonly VisitingSession[], around: Instant): VisitingSession[] {
  const distance = ({ start }: VisitingSession): number =>
    start === undefined ? Number.MAX_SAFE_INTEGER : start >= around ? start - around : PAST + around - start;
  return sessions.toSorted((a, b) => distance(a) - distance(b));
}

/** The rows of sessions that are among some dates. */
export function sessionRows({ items }: FoundSeries): number[] {
  return items.flatMap(({ rows }) => rows.session ?? []);
}
