import { type ComposeOptions, composeSeries, headerOptions, planOptions } from '../calendar/compose.ts';
import { eventHash } from '../calendar/fingerprint.ts';
import { seriesCalendar } from '../calendar/header.ts';
import type { Calendar } from '../calendar/objects.ts';
import { planSeries } from '../calendar/series.ts';
import { sessionUid } from '../calendar/uid.ts';
import type { RawFinding } from '../opportunity/findings.ts';
import type { Instant, Series } from '../opportunity/records.ts';
import type { CalendarRow, RecordBody, SessionMark, SessionRow, Writer } from '../store/contract.ts';
import type { StoredSession } from '../store/series.ts';
import type { LastLook } from './ending.ts';
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
  changed: ReadonlySet<number> | undefined;
  touched: Touched;
  lost: boolean;
  tail: LastLook | undefined;
}

/** uid → what it showed, its SEQUENCE, and when that changed. */
export type EventMarks = Record<string, [hash: string, sequence: number, changed: Instant]>;

export interface Plan {
  work: Work;
  stored: readonly StoredSession[];
  series: Series;
  options: ComposeOptions;
  next: Next;
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
export function planWhole({ work: { calendar, earlier }, stored, series, options, next }: Plan): Planned {
  const composed = composeSeries(
    series,
    stored.map(({ session }) => session),
    options,
  );
  const known = (calendar ?? earlier)?.events;
  const before: EventMarks = known === undefined ? marksOf(stored) : JSON.parse(known);
  const { marks, moved } = marksAfter(before, composed.calendar.events, next);
  const header = headerHash(composed.calendar);
  return {
    moved: moved || calendar?.state !== 'live' || header !== calendar.header,
    header,
    name: composed.calendar.name,
    events: JSON.stringify(marks),
    findings: composed.findings,
    rolling: true,
  };
}

/** Marks of what is shown now: what shows the same as before keeps its own. `moved`: something shows other than before, came or went. */
export function marksAfter(
  before: EventMarks,
  shown: readonly { uid: string }[],
  next: Next,
): { marks: EventMarks; moved: boolean } {
  const marks: EventMarks = {};
  let moved = false;
  for (const [uid, events] of Map.groupBy(shown, (event) => event.uid)) {
    const hash = eventHash(events);
    const known = before[uid];
    const same = known !== undefined && known[0] === hash;
    marks[uid] = same ? known : [hash, next.revision, next.changed];
    moved ||= !same;
  }
  return { marks, moved: moved || Object.keys(before).some((uid) => marks[uid] === undefined) };
}

/** What the sessions carried while the calendar lived from them alone. */
export function marksOf(stored: readonly StoredSession[]): EventMarks {
  const shown = stored.filter(({ row }) => row.hash);
  return Object.fromEntries(
    shown.map(({ row, session }) => [sessionUid(session.id), [row.hash as string, row.sequence, row.changed]]),
  );
}

/** All sessions, each by itself: none depends on another without a Schedule. */
export async function planEach(tx: Writer, { work, stored, series, options, next }: Plan): Promise<Planned> {
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
export async function markEach(
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
  return eventHash([header]);
}
