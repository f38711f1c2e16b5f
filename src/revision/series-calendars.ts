import { isDeepStrictEqual } from 'node:util';
import { type Outline, outlineOf } from '../calendar/outline.ts';
import { startOf } from '../calendar/series/compose.ts';
import { cancelledSince, visibilityByTimes } from '../calendar/series/context.ts';
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
 * Revises the calendar of a published series. A series with explicit sessions alone keeps a stamp in the row of each
 * session, so that one changed session costs one event. A series with a Schedule, or with more sessions than a calendar
 * holds, keeps all stamps in the row of its calendar, because its events depend on one another.
 */

/** The context in which a transaction revises calendars. */
export interface Revising {
  tx: Writer;
  context: RevisionContext;
  affected: Affected;
  before: Before;
  /** Stamps of sessions, written after the last series: no calendar reads those of another series. */
  stamps: SessionStamp[];
}

/** One calendar to revise. */
export interface Subject {
  row: RecordBody;
  calendar: CalendarRow | undefined;
  /** The calendar under its earlier key, if its key has just changed. */
  earlier: CalendarRow | undefined;
  /** Sessions that changed, came or left; undefined: the series itself changed, or a record that it inherits from. */
  sessions: ReadonlySet<number> | undefined;
}

/** A subject with its effective series, where a revision has made it. */
export interface ShownSubject extends Subject {
  shown: ShownSeries | undefined;
}

/** The rows to write; undefined: the calendar is unchanged. `document`: the search document alone changed. */
export type Revised = ChangedCalendar | { document: DocumentWrite } | undefined;

/** The row of a calendar to write, or its revision and number of sessions alone (`touch`). */
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

/** Plans the whole series, and compares each UID with its stamp: the plain way that fast paths must agree with. */
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
    // A calendar that moved away and is back gets new stamps: its events had newer ones elsewhere than its sessions have.
    stamps:
      calendar?.movedTo === undefined
        ? (stampsIn((calendar ?? earlier)?.events) ?? (await before.stamps(row.id, stored)))
        : {},
    header: calendar && (await before.header(calendar)),
  };
  const sessions = stored.map(({ session }) => session);
  const now = changedEvents(was, { ...shown, sessions, unread, whole: inCalendarRow }, next);
  if (!inCalendarRow) planning.stamps.push(...sessionStamps(stored, now.stamps, next));
  if (outline.scheduled || (calendar !== undefined && calendar.events.kind !== 'sessions')) {
    const all = () => (unread === 0 ? stored : sessionsOf(tx, row.id));
    await storeOccurrences(tx, shown, row, all, context.horizonDays);
  }
  // Stamps in the row of the calendar show lost sessions by themselves.
  const reduced = !inCalendarRow && affected.reduced.has(row.id);
  const differs = now.differ || now.headerDiffers || reduced || calendar?.state !== 'live';
  const write: CalendarWrite = {
    ...liveCalendar(planning),
    ...(differs || calendar === undefined ? next : { revision: calendar.revision, changed: calendar.changed }),
    // A header with dates is stored anew on each day, as the next day compares with it.
    header: now.headerDiffers || calendar === undefined || outline.hasDates ? now.header : calendar.header,
    events: inCalendarRow ? stampsOn(now.stamps) : IN_SESSIONS,
    sessions: count,
    rolling: inCalendarRow || outline.hasDates,
    findings: findingsText(now.findings),
  };
  if (calendar === undefined || !isDeepStrictEqual(shownOf(write, calendar), calendar)) return { full: write };
  return write.document && { document: { ...write, document: write.document } };
}

/** The key of the calendar of the series that the Event of a series has joined; undefined: it has joined none. */
export async function joinedCalendar(tx: Writer, { ident }: RecordBody): Promise<string | undefined> {
  const [session] = await tx.records('session', [ident]);
  const [series] = session?.parent === undefined ? [] : await tx.recordsById([session.parent]);
  return series?.owner === undefined ? undefined : keyOf('series', series.ident);
}

/** Moves the calendar of an Event's own series to the series that the Event joined, as with a new `@id` (feed rule 22). */
async function moveSeries({ tx, context }: Planning, calendar: CalendarRow, to: string): Promise<Revised> {
  if (calendar.movedTo === to) return undefined;
  await tx.replaceOccurrences(calendar.record, '', []);
  return { full: movedCalendar(calendar, to, context.now) };
}

/** A write as the stored row would be, without its search document. */
function shownOf({ document: _, ...write }: CalendarWrite, { search, seq }: CalendarRow): CalendarRow {
  return { ...write, search, seq };
}

/** Stamps of the sessions whose row has a different one. */
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
 * Fast path for a series with stamps in its sessions, where nothing but sessions changed: only those are planned.
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
  // Without a session the calendar may move to the series that its Event has joined.
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
 * Fast path for a new calendar with stamps in its sessions: nothing was shown before, so nothing is compared.
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

/** Deferred stamps, where every session is new, and its columns decide whether it is shown; otherwise undefined. */
function firstStamps({ context, row, next }: Work, sessions: readonly BareSession[]): SessionStamp[] | undefined {
  const { today } = context.compose;
  const mayBeOff = row.body.includes('EventCancelled');
  const [since, shown] = [cancelledSince(today), deferred(today)];
  const stamps: SessionStamp[] = [];
  for (const session of sessions) {
    const visibility = session.hash.kind === 'none' ? visibilityByTimes(session, mayBeOff, since) : undefined;
    if (visibility === undefined) return undefined;
    const hash = visibility === 'shown' ? shown : HIDDEN;
    stamps.push({ id: session.id, hash, sequence: next.revision, changed: next.changed });
  }
  return stamps;
}

/** The columns of a calendar that depend on its series alone. */
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

/** The findings to store; `ONLY_PATTERNS` is added when findings are listed. */
function findingsText(all: readonly RawFinding[]): string | undefined {
  const findings = all.filter((one) => one !== ONLY_PATTERNS);
  return findings.length > 0 ? JSON.stringify(findings) : undefined;
}

/**
 * Stores the occurrences of a series' Schedules, from today to the horizon (semantics 4.10). They are upserted with the
 * Schedule's `modified`, and those that a run does not refresh are deleted. An occurrence that an explicit session replaces
 * has the id of that session, whose own row is never overwritten. `all`: reads the sessions of the series, which are asked
 * for only where an occurrence is generated.
 */
async function storeOccurrences(
  tx: Writer,
  { series, zone, options: { today } }: ShownSeries,
  row: RecordBody,
  all: () => readonly StoredSession[] | Promise<readonly StoredSession[]>,
  horizonDays: number,
): Promise<void> {
  const from = startOf(today);
  const bare = occurrences(series, [], from, from + horizonDays * DAY_MS);
  const stored = bare.length === 0 ? [] : await all();
  const sessions = stored.map(({ session }) => session);
  const rows = new Map(stored.map(({ row: { id }, session }) => [session.id, id]));
  const replaced = new Map(
    [...matchSessions(series, sessions)].map(([id, { schedule, start }]) => [`${schedule} ${start}`, rows.get(id)]),
  );
  const generated = bare.map(({ start, end, schedule = 0 }) => ({
    start,
    end,
    schedule,
    session: replaced.get(`${schedule} ${start}`),
  }));
  const hasZone = (recordOf(row) as Series).schedules.every(({ zoneStated }) => zoneStated);
  // Day and zone are parts of the stamp, because a new day or another zone refreshes under the same `modified`.
  const stamp = [row.owner?.modified, today, ...(hasZone ? [] : [zone])].join(' ');
  await tx.replaceOccurrences(row.id, stamp, generated);
}
