import { inParts, isLong, yieldToEventLoop } from '../process/event-loop.ts';
import type { CalendarRow, CalendarTouch, CalendarWrite, DocumentWrite, RecordBody, Writer } from '../store/index.ts';
import { type RevisionContext, sameSource } from './context.ts';
import { Before } from './deferred-stamps.ts';
import { endedCalendar, type LastStates, type Moves, movedCalendar, movesOf, NOTHING_ENDS } from './last-calendars.ts';
import { Notes } from './noted-changes.ts';
import { type Affected, aggregateOf, nothingAffected } from './records/changed-records.ts';
import { dependentsOf } from './records/dependents.ts';
import { placeSeries } from './records/series-venues.ts';
import { timeSessions, timeSlots } from './records/session-times.ts';
import { type ChangedSeries, placeSessions } from './records/session-venues.ts';
import {
  type ChangedCalendar,
  joinedCalendar,
  type Revised,
  type Revising,
  reviseSeries,
  type Subject,
} from './series-calendars.ts';
import { searchSessions } from './session-search.ts';
import { reviseVenueParts, reviseVenues } from './venues.ts';

/**
 * Revises calendars in the transaction that changes their records. Each affected calendar is compared with its stamps, UID
 * by UID, and gets a new revision exactly when something visible changed (semantics 6).
 */

/** Revises every affected calendar; returns the keys of those that changed. */
export async function reviseCalendars(
  tx: Writer,
  affected: Affected,
  last: LastStates,
  context: RevisionContext,
): Promise<string[]> {
  takeCredits(affected, context);
  const { series, facilities } = await dependentsOf(tx, affected);
  for (const id of facilities) affected.venues.add(id);
  for (const id of series) affected.series.add(id);
  await placeSeries(tx, affected);
  await timeSessions(tx, affected);
  await timeSlots(tx, affected);
  const moves = await movesOf(tx, affected);
  const revising: Revising = { tx, context, affected, before: new Before(tx, context), stamps: [] };
  const keys = await reviseSeriesCalendars(revising, moves, last);
  await searchSessions(tx, affected);
  const venues = await reviseVenues(revising, last, moves);
  for (const id of venues.headChanged) affected.sessionsAt.add(id);
  keys.push(...venues.keys);
  keys.push(...(await reviseVenueParts(tx, [...affected.sessionsAt], 'sessions', context)));
  keys.push(...(await reviseVenueParts(tx, await bookedOtherwise(tx, affected), 'slots', context)));
  return keys;
}

async function reviseSeriesCalendars(revising: Revising, moves: Moves, last: LastStates): Promise<string[]> {
  const { tx, context, affected } = revising;
  const ids = [...new Set([...affected.series, ...affected.sessions.keys()])];
  const rows = await affected.records.byId(ids);
  const calendars = await tx.calendarsOf(ids);
  const writes: CalendarWrite[] = [];
  const touches: CalendarTouch[] = [];
  const documents: DocumentWrite[] = [];
  const keys: string[] = [];
  const changed: ChangedSeries[] = [];
  const notes = new Notes(tx, context, affected);
  for (const [index, row] of rows.entries()) {
    if (isLong()) await yieldToEventLoop();
    if (row === undefined) continue;
    const calendar = calendars[index];
    const earlier = moves.from.get(row.id)?.find(({ part }) => part === '');
    const sessions = affected.series.has(row.id) ? undefined : affected.sessions.get(row.id);
    const subject = { row, calendar, earlier, sessions };
    const { revised, shown } =
      row.owner === undefined
        ? { revised: await withdrawSeries(revising, { row, calendar }, moves.to.get(row.id), last), shown: undefined }
        : await reviseSeries(revising, subject);
    if (revised === undefined) continue;
    if ('document' in revised) {
      documents.push(revised.document);
      continue;
    }
    await notes.take({ ...subject, shown }, revised);
    if ('touch' in revised) touches.push(revised.touch);
    else writes.push(revised.full);
    keys.push('full' in revised ? revised.full.key : (calendar as CalendarRow).key);
    if (!showsElse(revised, calendar)) continue;
    changed.push({ subject, revised });
    if (row.venue !== undefined) affected.sessionsAt.add(row.venue);
  }
  await placeSessions(tx, affected, changed);
  await inParts(revising.stamps, (part) => tx.stampSessions(part));
  await inParts(writes, (part) => tx.saveCalendars(part));
  await inParts(touches, (part) => tx.touchCalendars(part));
  await notes.save();
  await inParts(documents, (part) => tx.saveDocuments(part));
  return keys;
}

/** Ends the calendar of a series without an owner, or moves it: to `moved`, its key by a new `@id`, or to a joined series. */
async function withdrawSeries(
  { tx, context }: Revising,
  { row, calendar }: Pick<Subject, 'row' | 'calendar'>,
  moved: string | undefined,
  last: LastStates,
): Promise<Revised> {
  if (calendar?.state !== 'live') return undefined;
  const to = moved ?? (await joinedCalendar(tx, row));
  await tx.replaceOccurrences(calendar.record, '', []);
  if (to !== undefined) return { full: movedCalendar(calendar, to, context.now) };
  return { full: endedCalendar(calendar, last.series.get(calendar.record), context) };
}

/** Whether a calendar shows something else: its number of sessions and its search document are not shown. */
function showsElse(revised: ChangedCalendar, calendar: CalendarRow | undefined): boolean {
  if ('touch' in revised) return revised.touch.revision !== calendar?.revision;
  return revised.full.revision !== calendar?.revision || revised.full.state !== calendar.state;
}

/** Adds calendars of records whose new owner has another publisher: attribution changes though the text is the same. */
function takeCredits(affected: Affected, { feeds }: RevisionContext): void {
  for (const [id, feed] of affected.credits) {
    const { kind, owner } = affected.records.get(id) as RecordBody;
    const [before, now] = [feeds.get(feed), feeds.get(owner?.feed ?? '')];
    if (before !== undefined && now !== undefined && sameSource(before, now)) continue;
    if (kind === 'series') affected.series.add(id);
    else if (kind === 'place' || kind === 'facility') affected.venues.add(id);
  }
}

/** Revises calendars whose records did not change, because the day, a setting or a feed's attribution did. */
export async function replan(tx: Writer, records: readonly number[], context: RevisionContext): Promise<string[]> {
  const affected = nothingAffected(tx);
  for (const row of await tx.recordsById(records)) {
    if (row?.kind === 'series') affected.series.add(row.id);
    else if (row !== undefined) affected.venues.add(row.id);
  }
  return reviseCalendars(tx, affected, NOTHING_ENDS, { ...context, silent: true });
}

/** Facilities whose slots changed, and the FacilityUses that they are or were courts of. */
async function bookedOtherwise(tx: Writer, { slotsOf, aggregates, records }: Affected): Promise<number[]> {
  const found = new Set(slotsOf);
  const courts = (await records.byId([...slotsOf, ...aggregates.keys()])).filter((row) => row !== undefined);
  for (const court of courts) {
    const idents = new Set(aggregates.get(court.id));
    const aggregate = aggregateOf(court.body);
    if (slotsOf.has(court.id) && aggregate !== undefined) idents.add(aggregate);
    if (idents.size === 0 || (!slotsOf.has(court.id) && (await tx.countChildren('slot', court.id, 1)) === 0)) continue;
    // A court and its FacilityUse have the same publisher.
    for (const row of await tx.records('facility', [...idents]))
      if (row?.owner !== undefined && row.publisherId === court.publisherId) found.add(row.id);
  }
  return [...found];
}
