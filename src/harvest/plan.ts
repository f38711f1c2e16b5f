import { composeSeries, planOptions } from '../calendar/compose.ts';
import { eventHash } from '../calendar/fingerprint.ts';
import type { Calendar } from '../calendar/objects.ts';
import { planSeries } from '../calendar/series.ts';
import { sessionUid } from '../calendar/uid.ts';
import type { RawFinding } from '../opportunity/findings.ts';
import type { BareSession, CalendarRow, RecordBody, SessionMark, SessionRow, Writer } from '../store/contract.ts';
import { isOpen, OPEN } from '../store/open-mark.ts';
import { type StoredSession, storedSessions, withBodies } from '../store/series.ts';
import type { Look } from './context.ts';
import type { LastLook } from './ending.ts';
import { type EventMarks, marksAfter } from './event-marks.ts';
import { type Before, emptyCalendar, headerHash } from './open-marks.ts';
import type { Outline } from './outline.ts';
import type { Next } from './revision.ts';
import type { Touched } from './touched.ts';

/**
 * What a calendar shows now, against what it showed before, UID by UID.
 *
 * A series that lives from explicit sessions alone keeps a mark on each session, so that one changed session costs one
 * event, whatever the size of the series. A series with a Schedule is planned as a whole, for its rules, exceptions and
 * overrides depend on one another; so is one with more sessions than a calendar holds.
 */

/** One calendar to look at. */
export interface Work {
  row: RecordBody;
  calendar: CalendarRow | undefined;
  /** The calendar under its earlier key, if it has just moved here. */
  earlier: CalendarRow | undefined;
  /** Sessions that changed; undefined: look at everything. */
  changed: readonly number[] | undefined;
  touched: Touched;
  lost: boolean;
  tail: LastLook | undefined;
}

export interface Plan {
  work: Work;
  outline: Outline;
  /** The series itself, for what its outline does not tell. */
  look: () => Promise<Look>;
  next: Next;
  before: Before;
}

export interface Planned {
  moved: boolean;
  header: string;
  name: string;
  /** JSON of EventMarks; undefined: the sessions carry their marks. */
  events: string | undefined;
  findings: RawFinding[];
  rolling: boolean;
}

/** Everything anew. */
export async function planWhole(
  { work: { row, calendar, earlier }, look, next, before }: Plan,
  stored: readonly StoredSession[],
  unread: number,
): Promise<Planned> {
  const { series, options } = await look();
  const sessions = stored.map(({ session }) => session);
  const composed = composeSeries(series, sessions, { ...options, unread });
  const known = (calendar ?? earlier)?.events;
  const marked: EventMarks = known === undefined ? await marksOf(stored, row.id, before) : JSON.parse(known);
  const { marks, moved } = marksAfter(marked, composed.calendar.events, next);
  const header = await headerOf(composed.calendar, row, calendar, before);
  return {
    moved: moved || calendar?.state !== 'live' || header !== calendar.header,
    header,
    name: composed.calendar.name,
    events: JSON.stringify(marks),
    findings: composed.findings,
    rolling: true,
  };
}

/** What the sessions of a series carried while its calendar lived from them alone. */
export async function marksOf(stored: readonly StoredSession[], series: number, before: Before): Promise<EventMarks> {
  const shown = stored.filter(({ row }) => row.hash);
  const hashes = await before.hashes(
    series,
    shown.map(({ row }) => row),
  );
  return Object.fromEntries(
    shown.map(({ row: { id, hash, sequence, changed }, session }) => [
      sessionUid(session.id),
      [hashes.get(id) ?? (hash as string), sequence, changed],
    ]),
  );
}

/** All sessions, each by itself: none depends on another without a Schedule. */
export async function planEach(tx: Writer, plan: Plan, rows: readonly BareSession[]): Promise<Planned> {
  const { work, outline, look, before } = plan;
  const { row, calendar } = work;
  const marked: EventMarks | undefined = calendar?.events === undefined ? undefined : JSON.parse(calendar.events);
  const sessions = marked === undefined ? await withoutSame(rows, plan) : rows;
  const { moved, findings, uids } = await markEach(tx, plan, sessions, marked);
  const vanished = marked !== undefined && Object.keys(marked).some((uid) => !uids.has(uid));
  const isOpen = calendar === undefined && !outline.hasDates;
  const header = isOpen ? OPEN : await headerOf(emptyCalendar(await look()), row, calendar, before);
  // Also where all has ended: the clock may be ahead.
  const rolling = outline.hasDates;
  return {
    moved: moved || vanished || work.lost || header !== calendar?.header || calendar.state !== 'live',
    // What another day changes is compared with what it was on this one.
    header: rolling && header === OPEN ? headerHash(emptyCalendar(await look())) : header,
    name: outline.name,
    events: undefined,
    findings,
    rolling,
  };
}

/** Without those of which nothing was found out yet and nothing is to be: they and their series are as they were. */
async function withoutSame(
  rows: readonly BareSession[],
  { work, look, before }: Plan,
): Promise<readonly BareSession[]> {
  const changed = new Set(work.touched.sessions.get(work.row.id));
  const others = rows.filter((row) => row.hash !== before.mark || row.place !== undefined || changed.has(row.id));
  if (others.length === rows.length) return rows;
  return isSame(await before.look(work.row.id), await look()) ? others : rows;
}

function isSame(before: Look | undefined, now: Look): boolean {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now);
}

export type Marking = Omit<Plan, 'outline'>;

interface Marked {
  /** The calendar moved by it. */
  moved: boolean;
  findings: RawFinding[];
  /** Of the sessions that were looked at. */
  uids: ReadonlySet<string>;
}

/** Marks the sessions that show something else than before. `marked`: where a plan of the whole had the marks until now. */
export async function markEach(
  tx: Writer,
  marking: Marking,
  rows: readonly BareSession[],
  marked?: EventMarks,
): Promise<Marked> {
  const { work, next, before } = marking;
  const firstMark = before.firstMark(mayBeOff(work), next);
  const marks: SessionMark[] = [];
  const others: BareSession[] = [];
  let moved = false;
  for (const row of rows) {
    const mark = marked === undefined && row.hash === undefined ? firstMark(row) : undefined;
    if (mark === undefined) others.push(row);
    else marks.push({ id: row.id, ...mark });
    moved ||= mark?.hash === before.mark;
  }
  const compared = others.length > 0 ? await compare(tx, marking, others, marked) : NOTHING;
  marks.push(...compared.marks);
  await save(tx, work, marks);
  return { ...compared, moved: moved || compared.moved };
}

function mayBeOff({ row, touched }: Pick<Work, 'row' | 'touched'>): boolean {
  return touched.fresh.get(row.id)?.outline?.mayBeOff ?? row.body.includes('EventCancelled');
}

/** With the sessions that are yet to be saved, or by themselves. */
async function save(tx: Writer, { touched }: Work, marks: readonly SessionMark[]): Promise<void> {
  const saved: SessionMark[] = [];
  for (const mark of marks) {
    const written = touched.fresh.get(mark.id);
    if (written?.waits === true) written.mark = mark;
    else saved.push(mark);
  }
  if (saved.length > 0) await tx.markSessions(saved);
}

interface Compared extends Marked {
  marks: SessionMark[];
}

const NOTHING: Compared = { marks: [], moved: false, findings: [], uids: new Set() };

async function compare(
  tx: Writer,
  { work, next, look, before }: Marking,
  rows: readonly BareSession[],
  marked: EventMarks | undefined,
): Promise<Compared> {
  const { series, options } = await look();
  const stored = await storedSessions(tx, work.row.id, await withBodies(tx, rows));
  const sessions = stored.map(({ session }) => session);
  const { events, findings } = planSeries(series, sessions, planOptions(options));
  const shown = new Map(events.map((event) => [event.uid, event]));
  const open = marked === undefined ? await before.hashes(work.row.id, rows) : NO_HASHES;
  const marks: SessionMark[] = [];
  const uids = new Set<string>();
  let moved = false;
  for (const { row, session } of stored) {
    const uid = sessionUid(session.id);
    uids.add(uid);
    const event = shown.get(uid);
    const hash = event === undefined ? '' : eventHash([event]);
    const known = marked === undefined ? row : markOf(row, marked[uid]);
    // What is open still was marked just now, in this transaction.
    const was = isOpen(known.hash) ? (open.get(row.id) ?? (hash || known.hash)) : known.hash;
    const fresh = was !== hash;
    if (!fresh && known === row && (row.hash === hash || row.hash === before.mark)) continue;
    const { sequence, changed } = fresh ? { sequence: next.revision, changed: next.changed } : known;
    marks.push({ id: row.id, hash, sequence, changed });
    // A session that was not shown and is not shown now moves nothing.
    if (fresh && (hash !== '' || was)) moved = true;
  }
  return { marks, moved, findings, uids };
}

const NO_HASHES: ReadonlyMap<number, string> = new Map();

function markOf(
  row: SessionRow,
  mark: EventMarks[string] | undefined,
): Pick<SessionRow, 'hash' | 'sequence' | 'changed'> {
  return mark === undefined
    ? { hash: undefined, sequence: row.sequence, changed: row.changed }
    : { hash: mark[0], sequence: mark[1], changed: mark[2] };
}

/** Hash of all of a calendar that is not an event; open still while that is what it was. */
async function headerOf(
  now: Calendar,
  { id }: RecordBody,
  calendar: CalendarRow | undefined,
  before: Before,
): Promise<string> {
  const hash = headerHash(now);
  if (calendar?.header !== OPEN) return hash;
  const was = await before.header(id);
  return was === undefined || was === hash ? OPEN : hash;
}
