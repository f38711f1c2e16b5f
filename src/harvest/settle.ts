import { startOf } from '../calendar/compose.ts';
import { MOST_EVENTS } from '../calendar/size.ts';
import { type Instant, isGroup } from '../opportunity/records.ts';
import type {
  BareSession,
  CalendarRow,
  CalendarTouch,
  CalendarWrite,
  Mark,
  RecordBody,
  SessionWindow,
  Writer,
} from '../store/contract.ts';
import { OPEN } from '../store/open-mark.ts';
import { storedSessions, unreadSessions, withBodies } from '../store/series.ts';
import { breathe, inParts, isLong } from './breathe.ts';
import { type Look, lookAt, type SettleContext, sameSource } from './context.ts';
import { ended, type LastLooks } from './ending.ts';
import { latest, type Moves, movedAway, movesOf } from './moves.ts';
import { storeOccurrences } from './occurrences.ts';
import { Before } from './open-marks.ts';
import { outlineOf } from './outline.ts';
import { markEach, type Plan, type Planned, planEach, planWhole, type Work } from './plan.ts';
import { nextRevision } from './revision.ts';
import { saveSessions } from './saving.ts';
import { timeSessions } from './session-times.ts';
import type { Touched } from './touched.ts';
import { settleVenues, touchVenues } from './venues.ts';
import type { Written } from './written.ts';

/**
 * Calendars follow their records, in the same transaction: each one that a change touches is compared with what it showed
 * before, UID by UID, and gets a new revision exactly when something visible moved (semantics 6).
 */

/** Plans every calendar the change touches; returns the keys of those that moved. */
export async function settleCalendars(
  tx: Writer,
  touched: Touched,
  last: LastLooks,
  context: SettleContext,
): Promise<string[]> {
  takeCredits(touched, context);
  const whole = await withDependents(tx, touched);
  await timeSessions(tx, touched, whole);
  const ids = [...new Set([...whole, ...touched.sessions.keys()])];
  const rows = await rowsOf(tx, ids, touched);
  const calendars = await calendarsOf(tx, ids, touched);
  const moves = await movesOf(tx, touched);
  const before = new Before(tx, context);
  const writes: CalendarWrite[] = [];
  const touches: CalendarTouch[] = [];
  const keys: string[] = [];
  for (const [index, id] of ids.entries()) {
    if (isLong()) await breathe();
    const row = rows[index];
    if (row === undefined) continue;
    const calendar = calendars[index];
    const changed = whole.has(id) ? undefined : touched.sessions.get(id);
    const earlier = moves.from.get(id)?.find(({ part }) => part === '');
    const work = { row, calendar, earlier, changed, touched, lost: touched.lost.has(id), tail: last.series.get(id) };
    const first = firstShown(work, before, context.now);
    const settled = first === undefined ? await settleOne(tx, work, moves, context, before) : { full: first };
    if (settled === undefined) continue;
    if ('touch' in settled) touches.push(settled.touch);
    else writes.push(settled.full);
    keys.push(calendar?.key ?? ('full' in settled ? settled.full.key : ''));
    if (row.venue !== undefined && isMoved(settled, calendar)) touched.venues.add(row.venue);
  }
  await saveSessions(tx, touched);
  await inParts(writes, (part) => tx.saveCalendars(part));
  await inParts(touches, (part) => tx.touchCalendars(part));
  const venues = await settleVenues(tx, [...touched.places], context, last.venues, moves, before);
  for (const id of venues.renamed) touched.venues.add(id);
  keys.push(...venues.keys);
  keys.push(...(await touchVenues(tx, [...touched.venues], 'sessions', context)));
  keys.push(...(await touchVenues(tx, [...touched.slots], 'slots', context)));
  return keys;
}

/** Rows as they stand, from what was just written where it was. */
async function rowsOf(tx: Writer, ids: readonly number[], { fresh }: Touched): Promise<(RecordBody | undefined)[]> {
  const others = ids.filter((id) => !fresh.has(id));
  const found = new Map((await tx.recordsById(others)).map((row) => [row?.id, row]));
  return ids.map((id) => fresh.get(id) ?? found.get(id));
}

/** What was created just now has no calendar yet. */
async function calendarsOf(
  tx: Writer,
  ids: readonly number[],
  { fresh }: Touched,
): Promise<(CalendarRow | undefined)[]> {
  const old = ids.filter((id) => fresh.get(id)?.created !== true);
  const found = new Map((await tx.calendarsOf(old)).map((row) => [row?.record, row]));
  return ids.map((id) => found.get(id));
}

/** What another publisher says now is theirs, even where it is the same. */
function takeCredits(touched: Touched, { feeds }: SettleContext): void {
  for (const [id, feed] of touched.credits) {
    const { kind, owner } = touched.fresh.get(id) as RecordBody;
    const [before, now] = [feeds.get(feed), feeds.get(owner?.feed ?? '')];
    if (before !== undefined && now !== undefined && sameSource(before, now)) continue;
    if (kind === 'series') touched.series.add(id);
    else if (kind === 'place' || kind === 'facility') touched.places.add(id);
  }
}

/** Series and facilities that take from what changed: a place, an EventSeries, a FacilityUse, which may take from others too. */
async function withDependents(tx: Writer, touched: Touched): Promise<Set<number>> {
  const whole = new Set(touched.series);
  const queue = [...touched.sources];
  const seen = new Set(queue);
  for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
    const { series, facilities } = await tx.dependents(source);
    for (const id of facilities) touched.places.add(id);
    for (const id of series) whole.add(id);
    for (const id of [...series, ...facilities]) {
      if (seen.has(id)) continue;
      seen.add(id);
      queue.push(id);
    }
  }
  return whole;
}

type Settled = { full: CalendarWrite } | { touch: CalendarTouch } | undefined;

/** Whether a calendar shows something else than before. How many sessions it has, or what is found of it, is not shown. */
function isMoved(settled: NonNullable<Settled>, calendar: CalendarRow | undefined): boolean {
  if ('touch' in settled) return true;
  const { revision, state } = settled.full;
  return revision !== calendar?.revision || state !== calendar.state;
}

/**
 * What is new and certain: a series of whose sessions each is new, and known to be shown or not. Nothing is to be found
 * out or compared, so it is planned without a look. Undefined: `settleOne` tells.
 */
function firstShown(work: Work, before: Before, now: Instant): CalendarWrite | undefined {
  const { row, touched, earlier } = work;
  const written = touched.fresh.get(row.id);
  const outline = written?.created === true ? written.outline : undefined;
  if (
    outline === undefined ||
    outline.scheduled ||
    outline.hasDates ||
    earlier !== undefined ||
    touched.cameFrom.has(row.id)
  )
    return undefined;
  const rows = changedRows(work);
  if (rows.length > outline.limit) return undefined;
  if (rows.length === 0 && outline.type === 'EventSeries') return undefined;
  const next = nextRevision(undefined, now);
  const firstMark = before.firstMark(outline.mayBeOff, next);
  const marks: Mark[] = [];
  for (const session of rows) {
    const mark = session.waits && session.hash === undefined ? firstMark(session) : undefined;
    if (mark === undefined) return undefined;
    marks.push(mark);
  }
  rows.forEach((session, index) => {
    session.mark = marks[index];
  });
  const planned = { moved: true, header: OPEN, name: outline.name, events: undefined, findings: [], rolling: false };
  return { ...writeOf({ work, outline, next }, planned), sessions: rows.length };
}

async function settleOne(
  tx: Writer,
  work: Work,
  moves: Moves,
  context: SettleContext,
  before: Before,
): Promise<Settled> {
  const { row, calendar, touched } = work;
  if (row.owner === undefined) {
    if (calendar?.state !== 'live') return undefined;
    const to = moves.to.get(row.id);
    if (to === undefined) return { full: await ended(tx, calendar, work.tail, context) };
    await tx.replaceOccurrences(row.id, '', []);
    return { full: movedAway(calendar, to, context.now) };
  }
  const next = nextRevision(latest(calendar, work.earlier, ...(await calendarsLeft(tx, work))), context.now);
  let looked: Promise<Look> | undefined;
  const look = (): Promise<Look> => {
    looked ??= lookAt(tx, row, context);
    return looked;
  };
  if (work.changed !== undefined && calendar?.state === 'live' && calendar.events === undefined) {
    const rows = changedRows(work);
    const sessions = calendar.sessions + rows.filter(({ hash }) => hash === undefined).length;
    if (sessions <= MOST_EVENTS) {
      const { moved } = await markEach(tx, { work, next, before, look }, rows);
      return moved || work.lost ? { touch: { record: row.id, part: '', ...next, sessions } } : undefined;
    }
  }
  const outline = touched.fresh.get(row.id)?.outline ?? outlineOf((await look()).series, row.body);
  const { scheduled, limit } = outline;
  const plan = { work, outline, look, next, before };
  const told = scheduled || calendar?.events !== undefined;
  const rows = await allRows(tx, work, told, { limit, around: startOf(context.compose.today) });
  const unread = await unreadOf(tx, work, rows.length, limit);
  const sessions = rows.length + unread;
  if (sessions === 0 && calendar === undefined && isGroup((await look()).series)) return undefined;
  const isWhole = scheduled || sessions > limit;
  const stored = isWhole || told ? await storedSessions(tx, row.id, await withBodies(tx, rows)) : [];
  const planned = isWhole ? await planWhole(plan, stored, unread) : await planEach(tx, plan, rows);
  if (told) {
    const all =
      rows.length < limit
        ? stored
        : await storedSessions(tx, row.id, await withBodies(tx, await allRows(tx, work, told)));
    await storeOccurrences(tx, await look(), work, all, context.horizonDays);
  }
  const write = { ...writeOf(plan, planned), sessions };
  return calendar !== undefined && same(write, calendar) ? undefined : { full: write };
}

/** Of the series that sessions of this one came from: a session keeps its UID, and its SEQUENCE never goes back (RFC 5545, 3.8.7.4). */
async function calendarsLeft(tx: Writer, { row, touched }: Work): Promise<(CalendarRow | undefined)[]> {
  const from = touched.cameFrom.get(row.id);
  return from === undefined ? [] : tx.calendarsOf([...from]);
}

/** What was created just now has only sessions that were written just now. */
async function unreadOf(tx: Writer, { row, touched }: Work, read: number, limit: number): Promise<number> {
  if (isCreated(row, touched)) return Math.max(0, (touched.sessions.get(row.id)?.length ?? 0) - read);
  return unreadSessions(tx, row.id, read, limit);
}

/** The sessions of a series, by start: within the window those to look at; `told`: with what they say. */
async function allRows(tx: Writer, work: Work, told: boolean, window: SessionWindow = {}): Promise<BareSession[]> {
  const { row, touched } = work;
  const { limit = Number.POSITIVE_INFINITY } = window;
  const written = changedRows(work);
  if (isCreated(row, touched) && written.length <= limit) return byStart(written);
  const read = (): Promise<BareSession[]> => (told ? tx.sessions(row.id, window) : tx.bareSessions(row.id, window));
  const waiting = written.filter(({ waits }) => waits);
  const saved = await read();
  if (waiting.length === 0) return saved;
  const ids = new Set(waiting.map(({ id }) => id));
  const all = [...saved.filter(({ id }) => !ids.has(id)), ...waiting];
  if (saved.length < limit && all.length <= limit) return byStart(all);
  await saveSessions(tx, touched, row.id);
  return read();
}

function byStart<Row extends BareSession>(rows: Row[]): Row[] {
  return rows.sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || a.id - b.id);
}

/** Sessions of a series that were written just now. */
function changedRows({ row, touched }: Pick<Work, 'row' | 'touched'>): Written[] {
  const rows: Written[] = [];
  for (const id of touched.sessions.get(row.id) ?? []) {
    const session = touched.fresh.get(id);
    if (session?.parent === row.id) rows.push(session);
  }
  return rows;
}

function isCreated({ id }: RecordBody, { fresh }: Touched): boolean {
  return fresh.get(id)?.created === true;
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
  return (Object.keys(row) as (keyof CalendarWrite)[]).every((field) => write[field] === row[field]);
}
