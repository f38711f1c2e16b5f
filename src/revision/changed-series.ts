import type { Calendar } from '../calendar/objects.ts';
import type { Outline } from '../calendar/outline.ts';
import { composeSeries } from '../calendar/series/compose.ts';
import type { LastSeries } from '../calendar/series/last-series.ts';
import { planSeries } from '../calendar/series/plan.ts';
import { sessionUid } from '../calendar/uid.ts';
import type { RawFinding } from '../opportunity/findings.ts';
import {
  type BareSession,
  type CalendarRow,
  type EventStamps,
  HIDDEN,
  IN_SESSIONS,
  isShown,
  NO_HASH,
  type RecordBody,
  type SessionRow,
  type SessionStamp,
  type StoredEvents,
  type StoredHash,
  type StoredSession,
  stampsIn,
  stampsOn,
  storedSessions,
  type Writer,
  withBodies,
} from '../store/index.ts';
import type { ShownSeries } from './context.ts';

import { type Before, emptyCalendar, headerHash, UNKNOWN } from './deferred-stamps.ts';
import { eventHash, type KnownStamps, type Next, stampsAfter } from './event-stamps.ts';
import type { Affected } from './records/changed-records.ts';

/**
 * What a calendar shows now, against what it showed before, UID by UID.
 *
 * A series that lives from explicit sessions alone keeps a stamp on each session, so that one changed session costs one
 * event, whatever the size of the series. A series with a Schedule is planned as a whole, for its rules, exceptions and
 * overrides depend on one another; so is one with more sessions than a calendar holds.
 */

/** One calendar to compare. */
export interface Work {
  row: RecordBody;
  calendar: CalendarRow | undefined;
  /** The calendar under its earlier key, if it has just moved here. */
  earlier: CalendarRow | undefined;
  /** Sessions that changed; undefined: compare everything. */
  changed: readonly number[] | undefined;
  affected: Affected;
  reduced: boolean;
  tail: LastState | undefined;
}

export interface Plan {
  work: Work;
  outline: Outline;
  /** The series itself, for what its outline does not tell. */
  readSeries: () => Promise<ShownSeries>;
  next: Next;
  before: Before;
}

export interface Planned {
  moved: boolean;
  /** Undefined: deferred. */
  header: string | undefined;
  name: string;
  events: StoredEvents;
  findings: RawFinding[];
  rolling: boolean;
}

/** Everything anew. */
export async function planWhole(
  { work: { row, calendar, earlier }, readSeries, next, before }: Plan,
  stored: readonly StoredSession[],
  unread: number,
): Promise<Planned> {
  const { series, options } = await readSeries();
  const sessions = stored.map(({ session }) => session);
  const composed = composeSeries(series, sessions, { ...options, unread });
  const stamped = stampsIn((calendar ?? earlier)?.events) ?? (await stampsOf(stored, row.id, before));
  const { stamps, moved } = stampsAfter(stamped, composed.calendar.events, next);
  const header = await headerOf(composed.calendar, row, calendar, before);
  return {
    moved: moved || calendar?.state !== 'live' || header !== calendar.header,
    header,
    name: composed.calendar.name,
    events: stampsOn(stamps),
    findings: composed.findings,
    rolling: true,
  };
}

/** What the sessions of a series carried while its calendar lived from them alone. */
export async function stampsOf(stored: readonly StoredSession[], series: number, before: Before): Promise<KnownStamps> {
  const shown = stored.filter(({ row }) => isShown(row.hash));
  const hashes = await before.hashes(
    series,
    shown.map(({ row }) => row),
  );
  return Object.fromEntries(
    shown.map(({ row: { id, hash, sequence, changed }, session }) => [
      sessionUid(session.id),
      [hashes.get(id) ?? (hash.kind === 'hash' ? hash.hash : undefined), sequence, changed],
    ]),
  );
}

/** All sessions, each by itself: none depends on another without a Schedule. */
export async function planEach(tx: Writer, plan: Plan, rows: readonly BareSession[]): Promise<Planned> {
  const { work, outline, readSeries, before } = plan;
  const { row, calendar } = work;
  const stamped = stampsIn(calendar?.events);
  const sessions = stamped === undefined ? await withoutSame(rows, plan) : rows;
  const { moved, findings, uids } = await stampEach(tx, plan, sessions, stamped);
  const vanished = stamped !== undefined && Object.keys(stamped).some((uid) => !uids.has(uid));
  const isOpen = calendar === undefined && !outline.hasDates;
  const header = isOpen ? undefined : await headerOf(emptyCalendar(await readSeries()), row, calendar, before);
  // Also where all has ended: the clock may be ahead.
  const rolling = outline.hasDates;
  return {
    moved:
      moved ||
      vanished ||
      work.reduced ||
      calendar === undefined ||
      header !== calendar.header ||
      calendar.state !== 'live',
    // What another day changes is compared with what it was on this one.
    header: rolling && header === undefined ? headerHash(emptyCalendar(await readSeries())) : header,
    name: outline.name,
    events: IN_SESSIONS,
    findings,
    rolling,
  };
}

/** Without those of which nothing was found out yet and nothing is to be: they and their series are as they were. */
async function withoutSame(
  rows: readonly BareSession[],
  { work, readSeries, before }: Plan,
): Promise<readonly BareSession[]> {
  const changed = new Set(work.affected.sessions.get(work.row.id));
  const others = rows.filter((row) => !before.isOfToday(row.hash) || row.place !== undefined || changed.has(row.id));
  if (others.length === rows.length) return rows;
  return isSame(await before.shown(work.row.id), await readSeries()) ? others : rows;
}

function isSame(before: ShownSeries | undefined, now: ShownSeries): boolean {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now);
}

export type Stamping = Omit<Plan, 'outline'>;

interface Stamped {
  /** The calendar moved by it. */
  moved: boolean;
  findings: RawFinding[];
  /** Of the sessions that were looked at. */
  uids: ReadonlySet<string>;
}

/** Stamps the sessions that show something else than before. `stamped`: where a plan of the whole had the stamps until now. */
export async function stampEach(
  tx: Writer,
  marking: Stamping,
  rows: readonly BareSession[],
  stamped?: EventStamps,
): Promise<Stamped> {
  const { work, next, before } = marking;
  const firstStamp = before.firstStamp(mayBeOff(work), next);
  const stamps: SessionStamp[] = [];
  const others: BareSession[] = [];
  let moved = false;
  for (const row of rows) {
    const stamp = stamped === undefined && row.hash.kind === 'none' ? firstStamp(row) : undefined;
    if (stamp === undefined) others.push(row);
    else stamps.push({ id: row.id, ...stamp });
    moved ||= stamp?.hash === before.hash;
  }
  const compared = others.length > 0 ? await compare(tx, marking, others, stamped) : NOTHING;
  stamps.push(...compared.stamps);
  await work.affected.records.stamp(stamps);
  return { ...compared, moved: moved || compared.moved };
}

function mayBeOff({ row, affected }: Pick<Work, 'row' | 'affected'>): boolean {
  return affected.records.get(row.id)?.outline?.mayBeOff ?? row.body.includes('EventCancelled');
}

interface Compared extends Stamped {
  stamps: SessionStamp[];
}

const NOTHING: Compared = { stamps: [], moved: false, findings: [], uids: new Set() };

async function compare(
  tx: Writer,
  { work, next, readSeries, before }: Stamping,
  rows: readonly BareSession[],
  stamped: EventStamps | undefined,
): Promise<Compared> {
  const { series, options } = await readSeries();
  const stored = await storedSessions(tx, work.row.id, await withBodies(tx, rows));
  const sessions = stored.map(({ session }) => session);
  const { events, findings } = planSeries(series, sessions, options);
  const shown = new Map(events.map((event) => [event.uid, event]));
  const open = stamped === undefined ? await before.hashes(work.row.id, rows) : NO_HASHES;
  const stamps: SessionStamp[] = [];
  const uids = new Set<string>();
  let moved = false;
  for (const { row, session } of stored) {
    const uid = sessionUid(session.id);
    uids.add(uid);
    const event = shown.get(uid);
    const hash = event === undefined ? '' : eventHash([event]);
    const known = stamped === undefined ? row : stampFrom(row, stamped[uid]);
    const was = hashBefore(known.hash, open.get(row.id), hash);
    const fresh = was !== hash;
    if (!fresh && known === row && (row.hash.kind === 'hash' || before.isOfToday(row.hash))) continue;
    const { sequence, changed } = fresh ? { sequence: next.revision, changed: next.changed } : known;
    stamps.push({ id: row.id, hash: hash === '' ? HIDDEN : { kind: 'hash', hash }, sequence, changed });
    // A session that was not shown and is not shown now moves nothing.
    if (fresh && (hash !== '' || was)) moved = true;
  }
  return { stamps, moved, findings, uids };
}

/** What is deferred and was not `found` was stamped in this transaction: where it is shown, that is what it showed. */
function hashBefore(known: StoredHash, found: string | undefined, shown: string): string | undefined {
  if (known.kind === 'none') return undefined;
  return known.kind === 'hash' ? known.hash : (found ?? (shown || UNKNOWN));
}

const NO_HASHES: ReadonlyMap<number, string> = new Map();

function stampFrom(
  row: SessionRow,
  stamp: EventStamps[string] | undefined,
): Pick<SessionRow, 'hash' | 'sequence' | 'changed'> {
  return stamp === undefined
    ? { hash: NO_HASH, sequence: row.sequence, changed: row.changed }
    : { hash: { kind: 'hash', hash: stamp[0] }, sequence: stamp[1], changed: stamp[2] };
}

/** Hash of all of a calendar that is not an event; open still while that is what it was. */
async function headerOf(
  now: Calendar,
  { id }: RecordBody,
  calendar: CalendarRow | undefined,
  before: Before,
): Promise<string | undefined> {
  const hash = headerHash(now);
  if (calendar === undefined || calendar.header !== undefined) return hash;
  const was = await before.header(id);
  return was === undefined || was === hash ? undefined : hash;
}

/** A series as it last was, with what the events of its calendar carried. */
export interface LastState {
  last: LastSeries;
  stamps: KnownStamps;
}
