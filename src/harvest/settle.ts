import { attribution } from '../calendar/attribution.ts';
import { type ComposeOptions, composeSeries, headerOptions, planOptions, startOf } from '../calendar/compose.ts';
import { eventHash } from '../calendar/fingerprint.ts';
import { seriesCalendar } from '../calendar/header.ts';
import type { Calendar, CalendarEvent } from '../calendar/objects.ts';
import { planSeries } from '../calendar/series.ts';
import { sessionLimit } from '../calendar/size.ts';
import { cancelFuture } from '../calendar/tail.ts';
import { sessionUid } from '../calendar/uid.ts';
import type { RawFinding } from '../opportunity/findings.ts';
import { keyOf } from '../opportunity/identity.ts';
import type { Instant, Series } from '../opportunity/records.ts';
import type {
  CalendarRow,
  CalendarTouch,
  CalendarWrite,
  FeedRow,
  RecordBody,
  SessionMark,
  SessionRow,
  SessionWindow,
  Writer,
} from '../store/contract.ts';
import { effectiveSeries, type StoredSession, sessionsOf, storedSessions } from '../store/series.ts';
import { storeOccurrences } from './occurrences.ts';
import { saveSessions, type Touched } from './ownership.ts';
import { type Next, nextRevision } from './revision.ts';
import { settleVenues, touchVenues } from './venues.ts';

/**
 * Calendars follow their records, in the same transaction: each one that a change touches is compared with what it showed
 * before, UID by UID, and gets a new revision exactly when something visible moved (semantics 6).
 *
 * A series that lives from explicit sessions alone keeps a mark on each session, so that one changed session costs one
 * event, whatever the size of the series. A series with a Schedule is planned as a whole, for its rules, exceptions and
 * overrides depend on one another; so is one with more sessions than a calendar holds.
 */

/** uid → what it showed, its SEQUENCE, and when that changed. */
export type EventMarks = Record<string, [hash: string, sequence: number, changed: Instant]>;

export interface SettleContext {
  now: Instant;
  compose: Omit<ComposeOptions, 'attribution'>;
  horizonDays: number;
  feeds: ReadonlyMap<string, FeedRow>;
}

interface Work {
  row: RecordBody;
  calendar: CalendarRow | undefined;
  /** Sessions that changed; undefined: look at everything. */
  changed: ReadonlySet<number> | undefined;
  touched: Touched;
  lost: boolean;
  tail: Calendar | undefined;
}

/** Plans every calendar the change touches; returns the keys of those that moved. */
export async function settleCalendars(
  tx: Writer,
  touched: Touched,
  tails: ReadonlyMap<number, Calendar>,
  context: SettleContext,
): Promise<string[]> {
  const whole = await withDependents(tx, touched);
  const ids = [...new Set([...whole, ...touched.sessions.keys()])];
  const rows = await rowsOf(tx, ids, touched);
  const calendars = await calendarsOf(tx, ids, touched);
  const writes: CalendarWrite[] = [];
  const touches: CalendarTouch[] = [];
  const keys: string[] = [];
  for (const [index, id] of ids.entries()) {
    const row = rows[index];
    if (row === undefined) continue;
    const calendar = calendars[index];
    const changed = whole.has(id) ? undefined : touched.sessions.get(id);
    const work = { row, calendar, changed, touched, lost: touched.lost.has(id), tail: tails.get(id) };
    const settled = await settleOne(tx, work, context);
    if (settled === undefined) continue;
    if ('touch' in settled) touches.push(settled.touch);
    else writes.push(settled.full);
    keys.push(calendar?.key ?? ('full' in settled ? settled.full.key : ''));
    if (row.venue !== undefined) touched.venues.add(row.venue);
  }
  await saveSessions(tx, touched);
  await tx.saveCalendars(writes);
  await tx.touchCalendars(touches);
  const venues = await settleVenues(tx, [...touched.places], context);
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
  { created }: Touched,
): Promise<(CalendarRow | undefined)[]> {
  const old = ids.filter((id) => !created.has(id));
  const found = new Map((await tx.calendarsOf(old)).map((row) => [row?.record, row]));
  return ids.map((id) => found.get(id));
}

/** Series that take details from what changed: through a place named by address, or an EventSeries, which may have a parent too. */
async function withDependents(tx: Writer, touched: Touched): Promise<Set<number>> {
  const whole = new Set(touched.series);
  const queue = [...touched.sources];
  const seen = new Set(queue);
  for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
    for (const facility of await tx.children('facility', source)) touched.places.add(facility.id);
    for (const series of await tx.dependents(source)) {
      whole.add(series);
      if (seen.has(series)) continue;
      seen.add(series);
      queue.push(series);
    }
  }
  return whole;
}

type Settled = { full: CalendarWrite } | { touch: CalendarTouch } | undefined;

async function settleOne(tx: Writer, work: Work, context: SettleContext): Promise<Settled> {
  const { row, calendar } = work;
  if (row.owner === undefined) {
    return calendar?.state === 'live' ? { full: await deleted(tx, calendar, work.tail, context) } : undefined;
  }
  const limit = sessionLimit(row.body.length);
  const { series } = await effectiveSeries(tx, row);
  const options = { ...context.compose, attribution: attributionOf(series, row, context) };
  const next = nextRevision(calendar, context.now);
  if (work.changed !== undefined && calendar?.state === 'live' && !calendar.rolling) {
    const stored = await those(tx, work);
    const sessions = calendar.sessions + stored.filter((one) => one.row.hash === undefined).length;
    if (sessions <= limit) {
      const { moved } = await markEach(tx, work, stored, undefined, series, options, next);
      return moved || work.lost ? { touch: { record: row.id, part: '', ...next, sessions } } : undefined;
    }
  }
  const stored = await allSessions(tx, work, { limit, around: startOf(options.today) });
  const sessions = stored.length < limit ? stored.length : await countSessions(tx, work, limit);
  // An EventSeries groups others; it is a calendar only for those that name it as their series.
  if (series.type === 'EventSeries' && sessions === 0 && calendar === undefined) return undefined;
  const scheduled = series.schedules.some((schedule) => schedule.expandable);
  const plan = { work, stored, series, options, next };
  // Fewer than were asked for are all there are.
  const planned = scheduled || sessions > limit ? planWhole(plan) : await planEach(tx, plan);
  if (scheduled || calendar?.rolling) {
    const all = stored.length < limit ? stored : await allSessions(tx, work);
    await storeOccurrences(tx, row, series, all, options.today, context.horizonDays);
  }
  const write = { ...writeOf(work, series, planned, next), sessions };
  return calendar !== undefined && same(write, calendar) ? undefined : { full: write };
}

/** No further than one above the limit. What was created just now has only sessions that were written just now. */
async function countSessions(tx: Writer, { row, touched }: Work, limit: number): Promise<number> {
  if (touched.created.has(row.id)) return Math.min(touched.sessions.get(row.id)?.size ?? 0, limit + 1);
  return tx.countChildren('session', row.id, limit + 1);
}

/** Those to look at, by start. */
async function allSessions(tx: Writer, { row, touched }: Work, window: SessionWindow = {}): Promise<StoredSession[]> {
  const { size } = touched.sessions.get(row.id) ?? new Set();
  if (!touched.created.has(row.id) || (window.limit !== undefined && size > window.limit)) {
    await saveSessions(tx, touched, row.id);
    return sessionsOf(tx, row.id, window);
  }
  const own = await those(tx, { row, touched, changed: touched.sessions.get(row.id) });
  return own.sort((a, b) => a.session.start - b.session.start || a.row.id - b.row.id);
}

interface Plan {
  work: Work;
  stored: readonly StoredSession[];
  series: Series;
  options: ComposeOptions;
  next: Next;
}

interface Planned {
  moved: boolean;
  header: string;
  name: string;
  /** JSON of EventMarks; undefined: the sessions carry their marks. */
  events: string | undefined;
  findings: RawFinding[];
  rolling: boolean;
}

/** Everything anew. */
function planWhole({ work: { calendar }, stored, series, options, next }: Plan): Planned {
  const composed = composeSeries(
    series,
    stored.map(({ session }) => session),
    options,
  );
  const before: EventMarks = calendar?.events === undefined ? marksOf(stored) : JSON.parse(calendar.events);
  const marks: EventMarks = {};
  let moved = calendar?.state !== 'live';
  for (const [uid, events] of Map.groupBy(composed.calendar.events, (event) => event.uid)) {
    const hash = eventHash(events);
    const known = before[uid];
    if (known !== undefined && known[0] === hash) marks[uid] = known;
    else {
      marks[uid] = [hash, next.revision, next.changed];
      moved = true;
    }
  }
  if (Object.keys(before).some((uid) => marks[uid] === undefined)) moved = true;
  const header = headerHash(composed.calendar);
  return {
    moved: moved || header !== calendar?.header,
    header,
    name: composed.calendar.name,
    events: JSON.stringify(marks),
    findings: composed.findings,
    rolling: true,
  };
}

/** What the sessions carried while the calendar lived from them alone. */
function marksOf(stored: readonly StoredSession[]): EventMarks {
  const shown = stored.filter(({ row }) => row.hash);
  return Object.fromEntries(
    shown.map(({ row, session }) => [sessionUid(session.id), [row.hash as string, row.sequence, row.changed]]),
  );
}

/** All sessions, each by itself: none depends on another without a Schedule. */
async function planEach(tx: Writer, { work, stored, series, options, next }: Plan): Promise<Planned> {
  const { calendar } = work;
  const before: EventMarks | undefined = calendar?.events === undefined ? undefined : JSON.parse(calendar.events);
  const marked = await markEach(tx, work, stored, before, series, options, next);
  const here = new Set(stored.map(({ session }) => sessionUid(session.id)));
  const vanished = before !== undefined && Object.keys(before).some((uid) => !here.has(uid));
  const empty = seriesCalendar(series, [], headerOptions(options));
  const header = headerHash(empty);
  return {
    moved: marked.moved || vanished || work.lost || header !== calendar?.header || calendar.state !== 'live',
    header,
    name: empty.name,
    events: undefined,
    findings: marked.findings,
    rolling: false,
  };
}

/** Marks the sessions that show something else than before; says whether a calendar moved by it. */
async function markEach(
  tx: Writer,
  { row: { id: of }, touched }: Work,
  stored: readonly StoredSession[],
  before: EventMarks | undefined,
  series: Series,
  options: ComposeOptions,
  next: Next,
): Promise<{ moved: boolean; findings: RawFinding[] }> {
  const marks: SessionMark[] = [];
  const unsaved = touched.unsaved.get(of);
  let moved = false;
  const { events, findings } = planSeries(
    series,
    stored.map(({ session }) => session),
    planOptions(options),
  );
  const shown = new Map(events.map((event) => [event.uid, event]));
  for (const { row, session } of stored) {
    const uid = sessionUid(session.id);
    const event = shown.get(uid);
    const hash = event === undefined ? '' : eventHash([event]);
    const known = before === undefined ? row : markOf(row, before[uid]);
    const fresh = known.hash !== hash;
    if (!fresh && known === row) continue;
    const { sequence, changed } = fresh ? { sequence: next.revision, changed: next.changed } : known;
    const write = unsaved?.get(row.id);
    if (write === undefined) marks.push({ id: row.id, hash, sequence, changed });
    else write.mark = { hash, sequence, changed };
    // A session that was not shown and is not shown now moves nothing.
    if (fresh && (hash !== '' || known.hash)) moved = true;
  }
  if (marks.length > 0) await tx.markSessions(marks);
  return { moved, findings };
}

async function those(
  tx: Writer,
  { row, touched, changed }: Pick<Work, 'row' | 'touched' | 'changed'>,
): Promise<StoredSession[]> {
  const rows = await rowsOf(tx, [...(changed ?? [])], touched);
  return storedSessions(tx, rows.filter((one) => one?.owner !== undefined && one.parent === row.id) as RecordBody[]);
}

function markOf(
  row: SessionRow,
  mark: EventMarks[string] | undefined,
): Pick<SessionRow, 'hash' | 'sequence' | 'changed'> {
  return mark === undefined
    ? { hash: undefined, sequence: row.sequence, changed: row.changed }
    : { hash: mark[0], sequence: mark[1], changed: mark[2] };
}

/** All of a calendar that is not an event. */
function headerHash({ events: _, ...header }: Calendar): string {
  return eventHash([header as unknown as CalendarEvent]);
}

function writeOf(
  { row, calendar }: Work,
  series: Series,
  planned: Planned,
  next: Next,
): Omit<CalendarWrite, 'sessions'> {
  const stamp = planned.moved || calendar === undefined ? next : calendar;
  return {
    record: row.id,
    part: '',
    kind: 'series',
    key: calendar?.key ?? keyOf('series', row.ident),
    state: 'live',
    revision: stamp.revision,
    changed: stamp.changed,
    name: planned.name,
    search: searchText(series),
    header: planned.header,
    events: planned.events,
    tail: undefined,
    deletedAt: undefined,
    rolling: planned.rolling,
    findings: planned.findings.length > 0 ? JSON.stringify(planned.findings) : undefined,
  };
}

function same(write: CalendarWrite, { seq: _, ...row }: CalendarRow): boolean {
  return (Object.keys(row) as (keyof CalendarWrite)[]).every((field) => write[field] === row[field]);
}

function searchText({ details }: Series): string {
  const { name, activity = [], organizer, location } = details;
  return [name, ...activity, location?.name, location?.address, organizer?.name]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();
}

/** The tail of a deleted series: served for its time, the future cancelled. */
async function deleted(
  tx: Writer,
  calendar: CalendarRow,
  last: Calendar | undefined,
  context: SettleContext,
): Promise<CalendarWrite> {
  const { seq: _, ...row } = calendar;
  await tx.replaceOccurrences(calendar.record, '', []);
  const tail = last === undefined ? undefined : JSON.stringify(cancelFuture(last, context.now));
  return {
    ...row,
    ...nextRevision(calendar, context.now),
    state: 'deleted',
    tail,
    deletedAt: context.now,
    events: undefined,
    rolling: false,
  };
}

/** The calendars of series that this change withdraws, as they stand before it. */
export async function lastCalendars(
  tx: Writer,
  rows: Iterable<RecordBody>,
  context: SettleContext,
): Promise<Map<number, Calendar>> {
  const found = new Map<number, Calendar>();
  for (const row of rows) {
    const { series } = await effectiveSeries(tx, row);
    const options = { ...context.compose, attribution: attributionOf(series, row, context) };
    const stored = await sessionsOf(tx, row.id, {
      limit: sessionLimit(row.body.length),
      around: startOf(options.today),
    });
    found.set(
      row.id,
      composeSeries(
        series,
        stored.map(({ session }) => session),
        options,
      ).calendar,
    );
  }
  return found;
}

export function attributionOf(
  series: Series,
  row: RecordBody,
  { feeds }: Pick<SettleContext, 'feeds'>,
): string | undefined {
  return attribution(feeds.get(row.owner?.feed ?? '') ?? {}, series.details.organizer?.name);
}
