import { startOf } from '../calendar/compose.ts';
import { type LastSeries, lastCalendar } from '../calendar/last-series.ts';
import { sessionLimit } from '../calendar/size.ts';
import { sessionUid } from '../calendar/uid.ts';
import type { CalendarRow, CalendarWrite, RecordBody, Writer } from '../store/contract.ts';
import { isOpen } from '../store/open-mark.ts';
import { type StoredSession, sessionsOf, unreadSessions } from '../store/series.ts';
import { tailText } from '../store/tail.ts';
import { type StoredVenue, storedVenue } from '../store/venue.ts';
import { lookAt, type SettleContext, withdrawalOf } from './context.ts';
import { type EventMarks, marksAfter } from './event-marks.ts';
import { Before } from './open-marks.ts';
import { marksOf } from './plan.ts';
import { nextRevision } from './revision.ts';

/**
 * What becomes of calendars that end: served for their time (semantics 6). The future of a series is cancelled; a place or
 * facility is not open any more.
 */

/** A series as it last was, with what the events of its calendar carried. */
export interface LastLook {
  last: LastSeries;
  marks: EventMarks;
}

/** What ends with this change, as it was before: series, and places and facilities, by record. */
export interface LastLooks {
  series: ReadonlyMap<number, LastLook>;
  venues: ReadonlyMap<number, StoredVenue>;
}

export const NOTHING_ENDS: LastLooks = { series: new Map(), venues: new Map() };

/** A look at what this change withdraws, while it is still there. */
export async function lastLooks(tx: Writer, gone: readonly RecordBody[], context: SettleContext): Promise<LastLooks> {
  const series = gone.filter(({ kind }) => kind === 'series');
  const venues = gone.filter(({ kind }) => kind === 'place' || kind === 'facility');
  return { series: await lastCalendars(tx, series, context), venues: await lastVenues(tx, venues) };
}

async function lastVenues(tx: Writer, rows: readonly RecordBody[]): Promise<Map<number, StoredVenue>> {
  const found = new Map<number, StoredVenue>();
  for (const row of rows) found.set(row.id, await storedVenue(tx, row));
  return found;
}

async function lastCalendars(
  tx: Writer,
  rows: readonly RecordBody[],
  context: SettleContext,
): Promise<Map<number, LastLook>> {
  const found = new Map<number, LastLook>();
  const before = new Before(tx, context);
  const calendars = await tx.calendarsOf(rows.map(({ id }) => id));
  for (const [index, row] of rows.entries()) {
    const { series, options } = await lookAt(tx, row, context);
    const limit = sessionLimit(series);
    const stored = await sessionsOf(tx, row.id, { limit, around: startOf(options.today) });
    const sessions = stored.map(({ session }) => session);
    const unread = await unreadSessions(tx, row.id, stored.length, limit);
    const events = calendars[index]?.events;
    const marks = events === undefined ? await marksOf(stored, row.id, before) : JSON.parse(events);
    if (events === undefined) await keepMarks(tx, stored, marks);
    const { attribution } = options;
    found.set(row.id, { last: { series, sessions, unread, ...(attribution && { attribution }) }, marks });
  }
  return found;
}

/** Sessions stay when their series goes, and it may come back; what they showed could not be found out any more. */
async function keepMarks(tx: Writer, stored: readonly StoredSession[], marks: EventMarks): Promise<void> {
  const open = stored.filter(({ row }) => isOpen(row.hash));
  const known = open.map(({ row, session }) => {
    const [hash, sequence, changed] = marks[sessionUid(session.id)] as EventMarks[string];
    return { id: row.id, hash, sequence, changed };
  });
  if (known.length > 0) await tx.markSessions(known);
}

/** The tail: what the end does not change keeps its SEQUENCE, for it is the same as before. */
export async function ended(
  tx: Writer,
  { seq: _, ...row }: CalendarRow,
  last: LastLook | undefined,
  context: SettleContext,
): Promise<CalendarWrite> {
  const { now } = context;
  const next = nextRevision(row, now);
  const shown = last && lastCalendar(last.last, now, context.compose);
  const { marks } = marksAfter(last?.marks ?? {}, shown?.events ?? [], next);
  await tx.replaceOccurrences(row.record, '', []);
  return {
    ...row,
    ...next,
    state: 'deleted',
    tail: last && tailText({ ...withdrawalOf(context), last: last.last }),
    deletedAt: now,
    events: JSON.stringify(marks),
    rolling: false,
  };
}
