import { startOf } from '../calendar/series/compose.ts';
import { type LastSeries, lastCalendar } from '../calendar/series/last-series.ts';
import { sessionLimit } from '../calendar/size.ts';
import { sessionUid } from '../calendar/uid.ts';
import { keyOf } from '../opportunity/identity.ts';
import {
  type CalendarRow,
  type CalendarWrite,
  IN_SESSIONS,
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
import type { Instant } from '../time/instant.ts';
import { type KnownStamps, nextRevision, stampsAfter } from './changed-events.ts';
import { type RevisionContext, shownSeries, withdrawalOf } from './context.ts';
import { Before } from './deferred-stamps.ts';
import type { Affected } from './records/changed-records.ts';

/**
 * Ends calendars, which are served for 90 days more (semantics 6). Future events of a series are cancelled; a place or
 * facility is closed.
 */

/** The last state of a series, with the stamps of its events. */
interface LastState {
  last: LastSeries;
  stamps: KnownStamps;
}

/** Series, places and facilities that a transaction ends, as they were before, by record. */
export interface LastStates {
  series: ReadonlyMap<number, LastState>;
  venues: ReadonlyMap<number, StoredVenue>;
}

export const NOTHING_ENDS: LastStates = { series: new Map(), venues: new Map() };

/** Reads the calendars that a transaction ends, before it clears their records. */
export async function lastStates(
  tx: Writer,
  gone: readonly RecordBody[],
  context: RevisionContext,
): Promise<LastStates> {
  const series = gone.filter(({ kind }) => kind === 'series');
  const venues = new Map<number, StoredVenue>();
  for (const row of gone)
    if (row.kind === 'place' || row.kind === 'facility') venues.set(row.id, await storedVenue(tx, row));
  return { series: await lastCalendars(tx, series, context), venues };
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
    const ofCalendar = stampsIn(calendars[index]?.events);
    const stamps = ofCalendar ?? (await before.stamps(row.id, stored));
    if (ofCalendar === undefined) await keepStamps(tx, stored, stamps);
    const { attribution } = options;
    found.set(row.id, { last: { series, sessions, unread, ...(attribution && { attribution }) }, stamps });
  }
  return found;
}

/** Saves deferred hashes of sessions: their series may come back, and without its rows the hashes could not be made. */
async function keepStamps(tx: Writer, stored: readonly StoredSession[], stamps: KnownStamps): Promise<void> {
  const open = stored.filter(({ row }) => row.hash.kind === 'deferred');
  const known = open.flatMap(({ row: { id, sequence, changed }, session }) => {
    const [hash] = stamps[sessionUid(session.id)] ?? [];
    return hash === undefined ? [] : [{ id, hash: { kind: 'hash' as const, hash }, sequence, changed }];
  });
  if (known.length > 0) await tx.stampSessions(known);
}

/** The calendar of an ended series: events that the end does not change keep their SEQUENCE. */
export function endedCalendar(
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

/**
 * Calendars that move, because an item has its object under another `@id`, or rules make another stand-in id. The old
 * address redirects to the new one for ever (feed rule 22), and revisions continue.
 */
export interface Moves {
  /** Old record → the new key of its calendar. */
  to: ReadonlyMap<number, string>;
  /** New record → the parts of its calendar as they were under the old key. */
  from: ReadonlyMap<number, readonly CalendarRow[]>;
}

export async function movesOf(tx: Writer, { moved, records }: Affected): Promise<Moves> {
  const to = new Map<number, string>();
  const from = new Map<number, readonly CalendarRow[]>();
  const rows = new Map((await records.byId([...moved.keys()])).map((row) => [row?.id, row]));
  for (const [now, before] of moved) {
    const { kind, ident } = rows.get(now) as RecordBody;
    to.set(before, keyOf(kind, ident));
    from.set(now, await tx.calendarParts(before));
  }
  return { to, from };
}

/** The row of a calendar that has moved to the key `to`. */
export function movedCalendar({ seq: _, ...row }: CalendarRow, to: string, now: Instant): CalendarWrite {
  const cleared = { tail: undefined, events: IN_SESSIONS, rolling: false };
  return { ...row, ...nextRevision(row, now), ...cleared, state: 'gone', movedTo: to, deletedAt: now };
}
