import { isDeepStrictEqual } from 'node:util';
import { type Outline, outlineOf } from '../calendar/outline.ts';
import { startOf } from '../calendar/series/compose.ts';
import { cancelledSince, certainty } from '../calendar/series/context.ts';
import { planSeries } from '../calendar/series/plan.ts';
import { MOST_EVENTS } from '../calendar/size.ts';
import { sessionUid } from '../calendar/uid.ts';
import { ONLY_PATTERNS } from '../calendar/wording/partial-schedules.ts';
import type { RawFinding } from '../opportunity/findings.ts';
import { keyOf } from '../opportunity/identity.ts';
import { isGroup, type Series } from '../opportunity/records.ts';
import { matchSessions, occurrences } from '../recurrence/overlay.ts';
import {
  type BareSession,
  type CalendarRow,
  type CalendarTouch,
  type CalendarWrite,
  type DocumentWrite,
  deferred,
  type EventStamps,
  HIDDEN,
  IN_SESSIONS,
  type RecordBody,
  recordOf,
  type SessionStamp,
  type StoredSession,
  sessionsOf,
  stampsIn,
  stampsOn,
  storedSessions,
  unreadSessions,
  type Writer,
} from '../store/index.ts';
import { DAY_MS } from '../time/days.ts';
import { changedEvents, headerOf, latest, type Next, nextRevision, stampsAfter } from './changed-events.ts';
import { type RevisionContext, type ShownSeries, shownSeries } from './context.ts';
import type { Before } from './deferred-stamps.ts';
import { movedCalendar } from './last-calendars.ts';
import type { Affected } from './records/changed-records.ts';
import { documentOfShown, documentWrite } from './searched.ts';

/**
 * The calendar of a series that is published, revised. A series that lives from explicit sessions alone keeps a stamp on
 * each session, so that one changed session costs one event. A series with a Schedule, or with more sessions than a calendar
 * holds, keeps its stamps in the row of the calendar: its events depend on one another.
 */

/** What the calendars of a transaction are revised with. */
export interface Revising {
  tx: Writer;
  context: RevisionContext;
  affected: Affected;
  before: Before;
  /** Stamps of sessions, to be written when all calendars of series are revised: none reads those of another. */
  stamps: SessionStamp[];
}

/** One calendar to revise. */
export interface Subject {
  row: RecordBody;
  calendar: CalendarRow | undefined;
  /** The calendar under its earlier key, if its key has just changed. */
  earlier: CalendarRow | undefined;
  /** Sessions that changed, came or left; undefined: the series itself changed, or what it takes from. */
  sessions: ReadonlySet<number> | undefined;
}

/** A subject with what was made of its row on the way. */
export interface ShownSubject extends Subject {
  shown: ShownSeries | undefined;
}

/** What to write; undefined: the calendar stays as it is. `document`: it shows what it did, and is found by other words. */
export type Revised = ChangedCalendar | { document: DocumentWrite } | undefined;

/** A calendar that may show something else, and whose row is written. */
export type ChangedCalendar = { full: CalendarWrite } | { touch: CalendarTouch };

type Work = Revising & Subject & { next: Next };
type Planning = Work & { shown: ShownSeries; outline: Outline };

/** Revises the calendar of one series: by a fast path where one fits, else as a whole. */
export async function reviseSeries(
  revising: Revising,
  subject: Subject,
): Promise<{ revised: Revised; shown: ShownSeries | undefined }> {
  const { tx, context, affected } = revising;
  const { row, calendar, earlier } = subject;
  // A session that comes from another series keeps its UID, and its SEQUENCE never goes back (RFC 5545, 3.8.7.4).
  const from = affected.cameFrom.get(row.id);
  const left = from === undefined ? [] : await tx.calendarsOf([...from]);
  const work: Work = { ...revising, ...subject, next: nextRevision(latest(calendar, earlier, ...left), context.now) };
  const changed = context.withoutFastPaths ? undefined : await changedSessions(work);
  if (changed !== undefined) return changed;
  const shown = await shownSeries(tx, row, context);
  const planning = { ...work, shown, outline: outlineOf(shown.series) };
  const first = context.withoutFastPaths ? undefined : await newCalendar(planning);
  return { revised: first ?? (await reviseWholeSeries(planning)), shown };
}

/** Without a fast path: the whole series is planned, and each UID compared with its stamp. */
async function reviseWholeSeries(planning: Planning): Promise<Revised> {
  const { tx, context, affected, before, row, calendar, earlier, next, shown, outline } = planning;
  const window = { limit: outline.limit, around: startOf(context.compose.today) };
  const stored = await sessionsOf(tx, row.id, window);
  const unread = await unreadSessions(tx, row.id, stored.length, outline.limit);
  const count = stored.length + unread;
  if (count === 0 && calendar === undefined && isGroup(shown.series)) return undefined;
  const to = count === 0 && shown.series.untilJoined === true ? await joinedCalendar(tx, row) : undefined;
  if (calendar !== undefined && to !== undefined) return moveSeries(planning, calendar, to);
  const inCalendarRow = outline.scheduled || count > outline.limit;
  const was = {
    // One that moved away and is back has new stamps: those of its sessions are older than what its events carried last.
    stamps:
      calendar?.movedTo === undefined
        ? (stampsIn((calendar ?? earlier)?.events) ?? (await before.stamps(row.id, stored)))
        : {},
    header: calendar && (await before.header(calendar)),
  };
  const sessions = stored.map(({ session }) => session);
  const now = changedEvents(was, { ...shown, sessions, unread, whole: inCalendarRow }, next);
  if (!inCalendarRow) planning.stamps.push(...sessionStamps(stored, now.stamps, next));
  if (outline.scheduled || (calendar !== undefined && calendar.events.kind !== 'sessions'))
    await storeOccurrences(tx, shown, row, unread === 0 ? stored : await sessionsOf(tx, row.id), context.horizonDays);
  // Where the calendar has the stamps, its own say what went.
  const reduced = !inCalendarRow && affected.reduced.has(row.id);
  const differs = now.differ || now.headerDiffers || reduced || calendar?.state !== 'live';
  const write: CalendarWrite = {
    ...liveCalendar(planning),
    ...(differs || calendar === undefined ? next : { revision: calendar.revision, changed: calendar.changed }),
    // What another day changes is compared with what it was on this one.
    header: now.headerDiffers || calendar === undefined || outline.hasDates ? now.header : calendar.header,
    events: inCalendarRow ? stampsOn(now.stamps) : IN_SESSIONS,
    sessions: count,
    rolling: inCalendarRow || outline.hasDates,
    findings: findingsText(now.findings),
  };
  if (calendar === undefined || !isDeepStrictEqual(shownOf(write, calendar), calendar)) return { full: write };
  return write.document && { document: { ...write, document: write.document } };
}

/** The key of the calendar that has the Event of a series now; undefined: none has. */
export async function joinedCalendar(tx: Writer, { ident }: RecordBody): Promise<string | undefined> {
  const [session] = await tx.records('session', [ident]);
  const [series] = session?.parent === undefined ? [] : await tx.recordsById([session.parent]);
  return series?.owner === undefined ? undefined : keyOf('series', series.ident);
}

/** The Event of a series belongs to another one now: its calendar moves there, as with another `@id` (feed rule 22). */
async function moveSeries({ tx, context }: Planning, calendar: CalendarRow, to: string): Promise<Revised> {
  if (calendar.movedTo === to) return undefined;
  await tx.replaceOccurrences(calendar.record, '', []);
  return { full: movedCalendar(calendar, to, context.now) };
}

/** A row without what is searched of it. */
function shownOf({ document: _, ...write }: CalendarWrite, { search, seq }: CalendarRow): CalendarRow {
  return { ...write, search, seq };
}

/** Stamps of the sessions whose row has another one. */
function sessionStamps(stored: readonly StoredSession[], stamps: EventStamps, next: Next): SessionStamp[] {
  return stored.flatMap(({ row, session }): SessionStamp[] => {
    const { id, hash: was } = row;
    const stamp = stamps[sessionUid(session.id)];
    if (stamp === undefined)
      return isDeepStrictEqual(was, HIDDEN)
        ? []
        : [{ id, hash: HIDDEN, sequence: next.revision, changed: next.changed }];
    const [text, sequence, changed] = stamp;
    const hash = { kind: 'hash', hash: text } as const;
    const isKept = isDeepStrictEqual(was, hash) && row.sequence === sequence && row.changed === changed;
    return isKept ? [] : [{ id, hash, sequence, changed }];
  });
}

/**
 * Fast path for a calendar that lives from its sessions while nothing but sessions changed: only those are planned.
 * The rows `ingest` and `change` of `npm run bench` pay for it.
 */
async function changedSessions(work: Work): Promise<Awaited<ReturnType<typeof reviseSeries>> | undefined> {
  const { tx, context, affected, before, row, calendar, next } = work;
  const hasStampsInSessions =
    calendar?.state === 'live' && calendar.events.kind === 'sessions' && calendar.findings === undefined;
  if (work.sessions === undefined || !hasStampsInSessions) return undefined;
  const changed = affected.records.sessions(row.id, work.sessions);
  const came = changed.filter((written) => written.before?.parent !== row.id).length;
  const count = calendar.sessions + came - (work.sessions.size - changed.length);
  // One without a session may move to where its Event is.
  if (count > MOST_EVENTS || count === 0) return undefined;
  let stamps = firstStamps(work, changed);
  let differs = stamps?.some(({ hash }) => hash.kind === 'deferred') === true || affected.reduced.has(row.id);
  let shown: ShownSeries | undefined;
  if (stamps === undefined) {
    shown = await shownSeries(tx, row, context);
    const { series, options } = shown;
    const stored = await storedSessions(tx, row.id, changed);
    const sessions = stored.map(({ session }) => session);
    const { events, findings } = planSeries(series, sessions, options);
    if (findings.length > 0) return undefined;
    const now = stampsAfter(await before.stamps(row.id, stored), events, next);
    stamps = sessionStamps(stored, now.stamps, next);
    differs ||= now.differ;
  }
  work.stamps.push(...stamps);
  if (!differs && count === calendar.sessions) return { revised: undefined, shown };
  const { revision, changed: at } = differs ? next : calendar;
  return { revised: { touch: { record: row.id, part: '', revision, changed: at, sessions: count } }, shown };
}

/**
 * Fast path for a new calendar that lives from its sessions: nothing was shown before, so nothing is compared.
 * The rows `ingest` and `sync` of `npm run bench` pay for it.
 */
async function newCalendar(planning: Planning): Promise<Revised> {
  const { tx, affected, row, calendar, earlier, next, shown, outline } = planning;
  if (calendar !== undefined || earlier !== undefined || outline.scheduled) return undefined;
  const written = affected.records.get(row.id);
  // The sessions of a series that this transaction made are all written by it.
  const rows = written?.fresh
    ? affected.records.sessions(row.id, affected.sessions.get(row.id) ?? [])
    : await tx.bareSessions(row.id, { limit: outline.limit + 1 });
  if (rows.length > outline.limit || (rows.length === 0 && isGroup(shown.series))) return undefined;
  const stamps = firstStamps(planning, rows);
  if (stamps === undefined) return undefined;
  planning.stamps.push(...stamps);
  const full: CalendarWrite = {
    ...liveCalendar(planning),
    ...next,
    header: outline.hasDates ? headerOf(shown) : undefined,
    events: IN_SESSIONS,
    sessions: rows.length,
    rolling: outline.hasDates,
    findings: undefined,
  };
  return { full };
}

/** Deferred stamps, where each session is seen for the first time and certainly shown, or certainly over; otherwise undefined. */
function firstStamps({ context, row, next }: Work, sessions: readonly BareSession[]): SessionStamp[] | undefined {
  const { today } = context.compose;
  const mayBeOff = row.body.includes('EventCancelled');
  const [since, shown] = [cancelledSince(today), deferred(today)];
  const stamps: SessionStamp[] = [];
  for (const session of sessions) {
    const certain = session.hash.kind === 'none' ? certainty(session, mayBeOff, since) : undefined;
    if (certain === undefined) return undefined;
    const hash = certain === 'shown' ? shown : HIDDEN;
    stamps.push({ id: session.id, hash, sequence: next.revision, changed: next.changed });
  }
  return stamps;
}

/** What a calendar has of its series alone. */
function liveCalendar({ affected, context, row, calendar, shown, outline: { key, name } }: Planning) {
  const itself = context.withoutFastPaths ? undefined : affected.records.get(row.id)?.prepared.document;
  return {
    record: row.id,
    part: '',
    kind: 'series',
    key: calendar?.key ?? key,
    state: 'live',
    name,
    ...documentWrite(documentOfShown(shown, recordOf(row) as Series, itself), calendar),
    tail: undefined,
    deletedAt: undefined,
    movedTo: undefined,
  } as const;
}

/** Whoever lists findings adds that there are only patterns. */
function findingsText(all: readonly RawFinding[]): string | undefined {
  const findings = all.filter((one) => one !== ONLY_PATTERNS);
  return findings.length > 0 ? JSON.stringify(findings) : undefined;
}

/**
 * The occurrences generated from a series' Schedules, from today to the horizon (semantics 4.10). They are upserted with the
 * Schedule's `modified`, and those that a run does not refresh are deleted. Those an explicit session replaces have its row
 * (`stored`: all there are). Those are rows of their own and never overwritten.
 */
async function storeOccurrences(
  tx: Writer,
  { series, zone, options: { today } }: ShownSeries,
  row: RecordBody,
  stored: readonly StoredSession[],
  horizonDays: number,
): Promise<void> {
  const from = startOf(today);
  const to = from + horizonDays * DAY_MS;
  const sessions = stored.map(({ session }) => session);
  const rows = new Map(stored.map(({ row: { id }, session }) => [session.id, id]));
  const replaced = new Map(
    [...matchSessions(series, sessions)].map(([id, { schedule, start }]) => [`${schedule} ${start}`, rows.get(id)]),
  );
  const generated = occurrences(series, [], from, to).map(({ start, end, schedule = 0 }) => ({
    start,
    end,
    schedule,
    session: replaced.get(`${schedule} ${start}`),
  }));
  const hasZone = (recordOf(row) as Series).schedules.every(({ zoneStated }) => zoneStated);
  // The run is part of the stamp: a day that rolls on refreshes under the same `modified`, and so does the zone of the place.
  const stamp = [row.owner?.modified, today, ...(hasZone ? [] : [zone])].join(' ');
  await tx.replaceOccurrences(row.id, stamp, generated);
}
