import type { RawFinding } from '../../opportunity/findings.ts';
import { type EventStatus, type Series, statusIn, type TimedSession } from '../../opportunity/records.ts';
import { isBesideParts, overlaps } from '../../recurrence/overlay.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';
import type { Zone } from '../../time/zone.ts';
import { zoneOf } from '../header.ts';
import type { CalendarEvent } from '../objects.ts';
import { newTimeSentence, withStatus } from '../wording/status-words.ts';
import { type Wording, type WordingOptions, type Words, wordsOf } from '../wording/wording.ts';
import type { Trace } from './trace.ts';

export interface PlanOptions extends WordingOptions {
  /** The default zone, of sessions whose series names none. */
  zone: string;
  /** The stored day: sessions cancelled more than 30 days before it are not shown. Absent: all are. */
  today?: LocalDate;
  /** Only what overlaps [from, to) is written; masters stay whole. Each may be missing. */
  from?: Instant;
  to?: Instant;
  /** When the publisher withdrew the series: events that start from then on are cancelled (semantics 6). */
  withdrawn?: Instant | undefined;
}

export interface Context {
  series: Series;
  words: Words;
  /** The zone of sessions that replace no instance. */
  zone: Zone;
  findings: RawFinding[];
  /** No event is written outside [from, to). */
  window: { from: Instant; to: Instant };
  /** The stored day, from which single events are counted where a schedule has more than can be written. */
  today: Instant | undefined;
  isOver(session: TimedSession): boolean;
  /** Number of sessions. */
  count: number;
  withdrawn: Instant | undefined;
  trace: Trace | undefined;
}

/** Cancelled sessions are kept until 30 days after their date, so that people see it (semantics 4, feed rule 23). */
export const CANCELLED_DAYS = 30;

/** The years that are written: VTIMEZONE begins in 1970, and readers fail over the year 1 (which is in real feeds). */
export const FIRST: Instant = 0;
export const LAST: Instant = Date.UTC(2200, 0, 1);

export function contextOf(series: Series, options: PlanOptions, findings: RawFinding[], trace?: Trace): Context {
  const { today, from = FIRST, to = LAST } = options;
  const since = today === undefined ? Number.NEGATIVE_INFINITY : cancelledSince(today);
  return {
    series,
    words: wordsOf(series, options),
    zone: zoneOf(series, options.zone),
    findings,
    trace,
    count: 0,
    today: today === undefined ? undefined : Date.parse(`${today}T00:00:00Z`),
    window: { from: Math.max(from, FIRST), to: Math.min(to, LAST) },
    withdrawn: options.withdrawn,
    isOver: (session) => statusIn(series, session) === 'EventCancelled' && (session.end ?? session.start) < since,
  };
}

/** A cancelled session that ended before this is not shown any more. */
export function cancelledSince(today: LocalDate): Instant {
  return Date.parse(`${today}T00:00:00Z`) - CANCELLED_DAYS * DAY_MS;
}

/**
 * Fast path for a session of a series without rules: by its times and status alone it is an event (`shown`), or was cancelled long
 * ago (`over`). Neither gives a finding. Undefined: `planSeries` has to decide. It must agree with the other answers.
 * `mayBeOff`: whether its series may be cancelled.
 */
export function visibilityByTimes(
  { start, end, cancelled }: { start: Instant | undefined; end: Instant | undefined; cancelled: boolean },
  mayBeOff: boolean,
  since: Instant,
): 'shown' | 'over' | undefined {
  if (start === undefined || end === undefined || !(start >= FIRST && start < LAST)) return undefined;
  if (end >= since) return 'shown';
  if (cancelled) return 'over';
  return mayBeOff ? undefined : 'shown';
}

export function inWindow({ window: { from, to } }: Context, start: Instant, end: Instant): boolean {
  return overlaps(start, end, from, to);
}

/** Events of one UID: a master and its overrides, or one single event. */
export interface EventGroup {
  start: Instant;
  events: CalendarEvent[];
}

const STATUS: Record<EventStatus, CalendarEvent['status']> = {
  EventScheduled: 'CONFIRMED',
  EventRescheduled: 'CONFIRMED',
  EventPostponed: 'TENTATIVE',
  EventCancelled: 'CANCELLED',
};

/** What an event says besides its times. */
type Content = Wording & Pick<CalendarEvent, 'status' | 'transparent'>;

/** The content of generated events (semantics 4.5). */
export function seriesContent({ series, words }: Context): Content {
  const status = STATUS[statusIn(series)];
  return { status, ...withStatus(words.master, status) };
}

/** The content of the event of a session, which may replace an instance that starts at another time. `z`: the zone of its place. */
export function sessionContent(
  { series, words, count }: Context,
  session: TimedSession,
  z: Zone,
  original?: Instant,
): Content {
  const stated = statusIn(series, session);
  const status = STATUS[stated];
  const was = [original, session.previousStart].find((at) => at !== undefined && at !== session.start);
  const isMoved = was !== undefined || stated === 'EventRescheduled';
  const newTime = isMoved ? newTimeSentence(was, session.start, z) : undefined;
  const content = { status, ...withStatus(words.of(session), status, newTime) };
  return isBesideParts(series, session, count) ? { ...content, transparent: true } : content;
}
