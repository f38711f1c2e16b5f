import { type RawFinding, shown } from '../../opportunity/findings.ts';
import { compareText } from '../../opportunity/ids.ts';
import type { Series, Session, TimedSession } from '../../opportunity/records.ts';
import { type Match, overlaySessions } from '../../recurrence/overlay.ts';
import { orderedSchedules } from '../../recurrence/same-instance.ts';
import { type Instant, utcText } from '../../time/instant.ts';
import { toInstant, type Zone, zone } from '../../time/zone.ts';
import type { CalendarEvent, Span } from '../objects.ts';
import { type Detached, sessionLength } from '../rule/masters.ts';
import type { AbsentCode } from '../rule/reasons.ts';
import { sessionSource } from '../source-properties.ts';
import { sessionUid } from '../uid.ts';
import { hasOnlyPatterns, ONLY_PATTERNS } from '../wording/partial-schedules.ts';
import { asCancelled } from '../wording/status-words.ts';
import { complementaryFindings } from './complementary.ts';
import {
  type Context,
  contextOf,
  type EventGroup,
  FIRST,
  inWindow,
  LAST,
  type PlanOptions,
  sessionContent,
} from './context.ts';
import { planSource } from './generated.ts';
import { matchFindings } from './match-findings.ts';
import { spanOf } from './spans.ts';
import type { Trace } from './trace.ts';

export { sessionUid } from '../uid.ts';
export type { PlanOptions } from './context.ts';

export interface Plan {
  events: CalendarEvent[];
  findings: RawFinding[];
}

/**
 * The events of a series: masters with rules, overrides, and single events (semantics 3 and 4), such that every calendar
 * program shows exactly its occurrences (feed rules 7 to 14). `series.details` must be the effective ones. Pure; the order of
 * sessions does not matter. Masters come before their overrides, all by start, then UID. `trace` is given the reasons.
 *
 * @example
 * ```ts
 * const { events, findings } = planSeries(series, sessions, { zone: 'Europe/London' });
 * ```
 */
export function planSeries(series: Series, stated: readonly Session[], options: PlanOptions, trace?: Trace): Plan {
  const findings: RawFinding[] = [];
  const context = contextOf(series, options, findings, trace);
  const sources = orderedSchedules(series);
  const { sessions, matches } = overlaySessions(series, stated);
  context.count = sessions.length;
  const over = trace === undefined ? [] : sessions.filter(context.isOver);
  for (const session of over) unwritten(session, 'cancelled-long-ago', context);
  const bySource = Map.groupBy(sessions, ({ id }) => matches.get(id)?.schedule);
  const groups: EventGroup[] = [];
  const addAlone = (list: readonly Detached[], z: Zone, hasMaster = false): void => {
    for (const one of list) {
      const usual = { start: matches.get(one.session.id)?.start, ...(hasMaster && { url: series.url }) };
      const group = sessionGroup(one, z, context, usual);
      if (group !== undefined) groups.push(group);
    }
  };
  const unmatched = bySource.get(undefined) ?? [];
  const found = unmatched.map((session) => ({ session, because: 'no-instance' as const }));
  addAlone(found, context.zone);
  for (const source of sources) {
    const matched = (bySource.get(source.schedule.index) ?? []).map((session) => ({
      session,
      match: matches.get(session.id) as Match,
    }));
    const planned = planSource(source, matched, context);
    groups.push(...planned.groups);
    addAlone(planned.detached, source.zone, planned.hasMaster);
  }
  findings.push(...matchFindings(matches), ...complementaryFindings(series, sessions, matches, sources));
  if (hasOnlyPatterns(series, stated.length)) findings.push(ONLY_PATTERNS);
  const events = eventsInOrder(groups);
  return { events: options.withdrawn === undefined ? events : cancelledFrom(events, options.withdrawn), findings };
}

/** The event of a session by itself, if it is written. `usual`: the start of its instance, and the URL of the master. */
function sessionGroup(
  { session, because }: Detached,
  z: Zone,
  context: Context,
  usual: { start: Instant | undefined; url?: string | undefined },
): EventGroup | undefined {
  const { start, url = usual.url } = session;
  const end = start + sessionLength(session);
  if (!(start >= FIRST && start < LAST)) {
    context.findings.push({ code: 'date-implausible', path: '$.startDate', facts: { value: shown(utcText(start)) } });
    return unwritten(session, 'implausible-date', context);
  }
  if (context.isOver(session)) return unwritten(session, 'cancelled-long-ago', context);
  if (!inWindow(context, start, end)) return unwritten(session, 'outside-window', context);
  const source = sessionSource(session, context.series);
  const event: CalendarEvent = {
    uid: sessionUid(session.id),
    span: session.allDay ? { zone: z.id, start, end, allDay: true } : spanOf(z, start, end),
    ...sessionContent(context, session, z, usual.start),
    ...(session.allDay && { transparent: true }),
    ...(url !== undefined && { url }),
    ...(source && { source }),
  };
  context.trace?.sessions.set(session.id, { event, because: [because] });
  return { start, events: [event] };
}

function unwritten({ id }: TimedSession, because: AbsentCode, { trace }: Context): undefined {
  trace?.unwritten.set(id, because);
}

function eventsInOrder(groups: EventGroup[]): CalendarEvent[] {
  groups.sort((a, b) => a.start - b.start || compareText(uidOf(a), uidOf(b)));
  return groups.flatMap(({ events }) => events);
}

function uidOf({ events }: EventGroup): string {
  return events[0]?.uid ?? '';
}

/**
 * The events of a series that its publisher withdrew at an instant: those that start from then on are cancelled (semantics 6).
 * `cutMaster` has split rules there, so that an event is cancelled as a whole or not at all.
 */
export function cancelledFrom(events: readonly CalendarEvent[], at: Instant): CalendarEvent[] {
  return events.map((event) => (spanStart(event.span) >= at ? asCancelled(event) : event));
}

function spanStart({ zone: name, start }: Span): Instant {
  const z = zone(name);
  return z === undefined ? start : toInstant(z, start);
}
