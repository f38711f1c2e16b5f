import { startOf } from '../calendar/series/compose.ts';
import { type LastSeries, lastCalendar } from '../calendar/series/last-series.ts';
import { sessionLimit } from '../calendar/size.ts';
import { sessionUid } from '../calendar/uid.ts';
import {
  type CalendarRow,
  type CalendarWrite,
  type RecordBody,
  type StoredSession,
  type StoredVenue,
  sessionsOf,
  stampsIn,
  stampsOn,
  storedVenue,
  tailText,
  unreadSessions,
  type Writer,
} from '../store/index.ts';
import { type KnownStamps, nextRevision, stampsAfter } from './changed-events.ts';
import { type RevisionContext, shownSeries, withdrawalOf } from './context.ts';
import { Before } from './deferred-stamps.ts';

/**
 * What becomes of calendars that end: served for their time (semantics 6). The future of a series is cancelled; a place or
 * facility is not open any more.
 */

/** A series as it last was, with what the events of its calendar carried. */
export interface LastState {
  last: LastSeries;
  stamps: KnownStamps;
}

/** What ends with this change, as it was before: series, and places and facilities, by record. */
export interface LastStates {
  series: ReadonlyMap<number, LastState>;
  venues: ReadonlyMap<number, StoredVenue>;
}

export const NOTHING_ENDS: LastStates = { series: new Map(), venues: new Map() };

/** A look at what this change withdraws, while it is still there. */
export async function lastStates(
  tx: Writer,
  gone: readonly RecordBody[],
  context: RevisionContext,
): Promise<LastStates> {
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
  context: RevisionContext,
): Promise<Map<number, LastState>> {
  const found = new Map<number, LastState>();
  const before = new Before(tx, context);
  const calendars = await tx.calendarsOf(rows.map(({ id }) => id));
  for (const [index, row] of rows.entries()) {
    const { series, options } = await shownSeries(tx, row, context);
    const limit = sessionLimit(series);
    const stored = await sessionsOf(tx, row.id, { limit, around: startOf(options.today) });
    const sessions = stored.map(({ session }) => session);
    const unread = await unreadSessions(tx, row.id, stored.length, limit);
    const own = stampsIn(calendars[index]?.events);
    const stamps = own ?? (await before.stamps(row.id, stored));
    if (own === undefined) await keepStamps(tx, stored, stamps);
    const { attribution } = options;
    found.set(row.id, { last: { series, sessions, unread, ...(attribution && { attribution }) }, stamps });
  }
  return found;
}

/** Sessions stay when their series goes, and it may come back; what they showed could not be found out any more. */
async function keepStamps(tx: Writer, stored: readonly StoredSession[], stamps: KnownStamps): Promise<void> {
  const open = stored.filter(({ row }) => row.hash.kind === 'deferred');
  const known = open.flatMap(({ row: { id, sequence, changed }, session }) => {
    const [hash] = stamps[sessionUid(session.id)] ?? [];
    return hash === undefined ? [] : [{ id, hash: { kind: 'hash' as const, hash }, sequence, changed }];
  });
  if (known.length > 0) await tx.stampSessions(known);
}

/** The tail: what the end does not change keeps its SEQUENCE, for it is the same as before. */
export function ended(
  { seq: _, ...row }: CalendarRow,
  last: LastState | undefined,
  context: RevisionContext,
): CalendarWrite {
  const { now } = context;
  const next = nextRevision(row, now);
  const shown = last && lastCalendar(last.last, now, context.compose);
  const { stamps } = stampsAfter(last?.stamps ?? {}, shown?.events ?? [], next);
  return {
    ...row,
    ...next,
    state: 'deleted',
    tail: last && tailText({ ...withdrawalOf(context), last: last.last }),
    deletedAt: now,
    events: stampsOn(stamps),
    rolling: false,
  };
}
