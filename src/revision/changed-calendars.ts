import { isDeepStrictEqual } from 'node:util';
import { outlineOf } from '../calendar/outline.ts';
import { startOf } from '../calendar/series/compose.ts';
import { MOST_EVENTS } from '../calendar/size.ts';
import { isGroup } from '../opportunity/records.ts';
import { inParts, isLong, yieldToEventLoop } from '../process/event-loop.ts';
import {
  type CalendarRow,
  type CalendarTouch,
  type CalendarWrite,
  type RecordBody,
  storedSessions,
  unreadSessions,
  type Writer,
  withBodies,
} from '../store/index.ts';
import { type Plan, type Planned, planEach, planWhole, stampEach, type Work } from './changed-series.ts';
import { type RevisionContext, type ShownSeries, sameSource, shownSeries } from './context.ts';
import { Before } from './deferred-stamps.ts';
import { nextRevision } from './event-stamps.ts';
import { ended, type LastStates, NOTHING_ENDS } from './last-calendars.ts';
import { latest, type Moves, movedAway, movesOf } from './moved-calendars.ts';
import { storeOccurrences } from './occurrences.ts';
import { type Affected, nothingAffected } from './records/changed-records.ts';
import { dependentsOf } from './records/dependents.ts';
import { timeSessions } from './records/session-times.ts';
import { reviseAllVenues, reviseVenues } from './venues.ts';

/**
 * Calendars follow their records, in the same transaction: each one that a change touches is compared with what it showed
 * before, UID by UID, and gets a new revision exactly when something visible moved (semantics 6).
 */

/** Plans every calendar the change touches; returns the keys of those that moved. */
export async function reviseCalendars(
  tx: Writer,
  affected: Affected,
  last: LastStates,
  context: RevisionContext,
): Promise<string[]> {
  takeCredits(affected, context);
  const { series, facilities } = await dependentsOf(tx, affected);
  for (const id of facilities) affected.places.add(id);
  const whole = new Set([...affected.series, ...series]);
  await timeSessions(tx, affected, whole);
  const ids = [...new Set([...whole, ...affected.sessions.keys()])];
  const rows = await affected.records.byId(ids);
  const calendars = await calendarsOf(tx, ids, affected);
  const moves = await movesOf(tx, affected);
  const before = new Before(tx, context);
  const writes: CalendarWrite[] = [];
  const touches: CalendarTouch[] = [];
  const keys: string[] = [];
  for (const [index, id] of ids.entries()) {
    if (isLong()) await yieldToEventLoop();
    const row = rows[index];
    if (row === undefined) continue;
    const calendar = calendars[index];
    const changed = whole.has(id) ? undefined : affected.sessions.get(id);
    const earlier = moves.from.get(id)?.find(({ part }) => part === '');
    const work = {
      row,
      calendar,
      earlier,
      changed,
      affected,
      reduced: affected.reduced.has(id),
      tail: last.series.get(id),
    };
    const revised = await reviseOne(tx, work, moves, context, before);
    if (revised === undefined) continue;
    if ('touch' in revised) touches.push(revised.touch);
    else writes.push(revised.full);
    keys.push(calendar?.key ?? ('full' in revised ? revised.full.key : ''));
    if (row.venue !== undefined && isMoved(revised, calendar)) affected.venues.add(row.venue);
  }
  await affected.records.save();
  await inParts(writes, (part) => tx.saveCalendars(part));
  await inParts(touches, (part) => tx.touchCalendars(part));
  const venues = await reviseVenues(tx, [...affected.places], context, last.venues, moves, before);
  for (const id of venues.renamed) affected.venues.add(id);
  keys.push(...venues.keys);
  keys.push(...(await reviseAllVenues(tx, [...affected.venues], 'sessions', context)));
  keys.push(...(await reviseAllVenues(tx, [...affected.slots], 'slots', context)));
  return keys;
}

/** What was created just now has no calendar yet. */
async function calendarsOf(
  tx: Writer,
  ids: readonly number[],
  { records }: Affected,
): Promise<(CalendarRow | undefined)[]> {
  const old = ids.filter((id) => !records.isCreated(id));
  const found = new Map((await tx.calendarsOf(old)).map((row) => [row?.record, row]));
  return ids.map((id) => found.get(id));
}

/** What another publisher says now is theirs, even where it is the same. */
function takeCredits(affected: Affected, { feeds }: RevisionContext): void {
  for (const [id, feed] of affected.credits) {
    const { kind, owner } = affected.records.get(id) as RecordBody;
    const [before, now] = [feeds.get(feed), feeds.get(owner?.feed ?? '')];
    if (before !== undefined && now !== undefined && sameSource(before, now)) continue;
    if (kind === 'series') affected.series.add(id);
    else if (kind === 'place' || kind === 'facility') affected.places.add(id);
  }
}

type Revised = { full: CalendarWrite } | { touch: CalendarTouch } | undefined;

/** Whether a calendar shows something else than before. How many sessions it has, or what is found of it, is not shown. */
function isMoved(revised: NonNullable<Revised>, calendar: CalendarRow | undefined): boolean {
  if ('touch' in revised) return true;
  const { revision, state } = revised.full;
  return revision !== calendar?.revision || state !== calendar.state;
}

async function reviseOne(
  tx: Writer,
  work: Work,
  moves: Moves,
  context: RevisionContext,
  before: Before,
): Promise<Revised> {
  const { row, calendar, affected } = work;
  if (row.owner === undefined) {
    if (calendar?.state !== 'live') return undefined;
    const to = moves.to.get(row.id);
    if (to === undefined) return { full: await ended(tx, calendar, work.tail, context) };
    await tx.replaceOccurrences(row.id, '', []);
    return { full: movedAway(calendar, to, context.now) };
  }
  const next = nextRevision(latest(calendar, work.earlier, ...(await calendarsLeft(tx, work))), context.now);
  let read: Promise<ShownSeries> | undefined;
  const readSeries = (): Promise<ShownSeries> => {
    read ??= shownSeries(tx, row, context);
    return read;
  };
  if (work.changed !== undefined && calendar?.state === 'live' && calendar.events.kind === 'sessions') {
    const rows = affected.records.sessions(row.id, affected.sessions.get(row.id));
    const sessions = calendar.sessions + rows.filter(({ hash }) => hash.kind === 'none').length;
    if (sessions <= MOST_EVENTS) {
      const { moved } = await stampEach(tx, { work, next, before, readSeries }, rows);
      return moved || work.reduced ? { touch: { record: row.id, part: '', ...next, sessions } } : undefined;
    }
  }
  const outline = affected.records.get(row.id)?.outline ?? outlineOf((await readSeries()).series, row.body);
  const { scheduled, limit } = outline;
  const plan = { work, outline, readSeries, next, before };
  const changed = affected.sessions.get(row.id);
  const withBody = scheduled || (calendar !== undefined && calendar.events.kind !== 'sessions');
  const rows = await affected.records.rows(row.id, changed, withBody, {
    limit,
    around: startOf(context.compose.today),
  });
  const unread = await unreadOf(tx, work, rows.length, limit);
  const sessions = rows.length + unread;
  if (sessions === 0 && calendar === undefined && isGroup((await readSeries()).series)) return undefined;
  const isWhole = scheduled || sessions > limit;
  const stored = isWhole || withBody ? await storedSessions(tx, row.id, await withBodies(tx, rows)) : [];
  const planned = isWhole ? await planWhole(plan, stored, unread) : await planEach(tx, plan, rows);
  if (withBody) {
    const all =
      rows.length < limit
        ? stored
        : await storedSessions(
            tx,
            row.id,
            await withBodies(tx, await affected.records.rows(row.id, changed, withBody)),
          );
    await storeOccurrences(tx, await readSeries(), work, all, context.horizonDays);
  }
  const write = { ...writeOf(plan, planned), sessions };
  return calendar !== undefined && same(write, calendar) ? undefined : { full: write };
}

/** Of the series that sessions of this one came from: a session keeps its UID, and its SEQUENCE never goes back (RFC 5545, 3.8.7.4). */
async function calendarsLeft(tx: Writer, { row, affected }: Work): Promise<(CalendarRow | undefined)[]> {
  const from = affected.cameFrom.get(row.id);
  return from === undefined ? [] : tx.calendarsOf([...from]);
}

/** What was created just now has only sessions that were written just now. */
async function unreadOf(tx: Writer, { row, affected }: Work, read: number, limit: number): Promise<number> {
  if (affected.records.isCreated(row.id)) return Math.max(0, (affected.sessions.get(row.id)?.length ?? 0) - read);
  return unreadSessions(tx, row.id, read, limit);
}

function writeOf(
  { work: { row, calendar }, outline, next }: Pick<Plan, 'work' | 'outline' | 'next'>,
  planned: Planned,
): Omit<CalendarWrite, 'sessions'> {
  const stamp = planned.moved || calendar === undefined ? next : calendar;
  return {
    record: row.id,
    part: '',
    kind: 'series',
    key: calendar?.key ?? outline.key,
    state: 'live',
    revision: stamp.revision,
    changed: stamp.changed,
    name: planned.name,
    search: outline.search,
    header: planned.header,
    events: planned.events,
    tail: undefined,
    deletedAt: undefined,
    movedTo: undefined,
    rolling: planned.rolling,
    findings: planned.findings.length > 0 ? JSON.stringify(planned.findings) : undefined,
  };
}

function same(write: CalendarWrite, { seq: _, ...row }: CalendarRow): boolean {
  return isDeepStrictEqual(write, row);
}

/** Looks again at calendars whose records did not change, because something they depend on did. */
export async function replan(tx: Writer, records: readonly number[], context: RevisionContext): Promise<string[]> {
  const affected = nothingAffected(tx);
  for (const row of await tx.recordsById(records)) {
    if (row?.kind === 'series') affected.series.add(row.id);
    else if (row !== undefined) affected.places.add(row.id);
  }
  return reviseCalendars(tx, affected, NOTHING_ENDS, context);
}
