import { boundsAround } from '../../calendar/venue/availability.ts';
import type { Hours } from '../../hours/decide.ts';
import { hoursOfDays, spansOfPeriods } from '../../hours/inverse.ts';
import { instancesOf } from '../../recurrence/expand.ts';
import { DAY_MS, dateOfDay } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { dayAt, toInstant, toWall, type Zone } from '../../time/zone.ts';
import { UTC } from '../read/context.ts';
import type { Availability, CalendarEvent, Wording } from '../read/model.ts';
import { groupsOf } from './dates/groups.ts';
import { datesOf, type Report, type Slot } from './dates/instances.ts';
import { applyOverrides } from './dates/overrides.ts';

/** The open times of a facility in a calendar. */
export interface OpenTimes {
  zone: Zone;
  /** Sorted, apart from each other. */
  periods: Slot[];
  /** The range that the calendar covers: outside of it nothing is known. */
  known: Slot;
  /** The range that was read. */
  window: Slot;
}

/**
 * Opening hours, the inverse of semantics 5: the usual week, and special days where it differs. Where the calendar begins or
 * ends within the years read, the usual week is valid from or until then.
 */
export function hoursOf({ zone: z, periods, known, window }: OpenTimes): Hours {
  const from = dayAt(z, known.start);
  const through = Math.max(from, Math.ceil(toWall(z, known.end) / DAY_MS) - 1);
  const { standard, special } = hoursOfDays(spansOfPeriods(periods, z, from, through));
  const validity = {
    ...(known.start > window.start && { validFrom: dateOfDay(from) }),
    ...(known.end < window.end && { validThrough: dateOfDay(through) }),
  };
  return { standard: standard.map((entry) => ({ ...entry, ...validity })), special };
}

/** Last year to three years ahead, in whole years, so that the hours change only at New Year. */
export function windowAround(now: Instant, z: Zone): Slot {
  const { from, to } = boundsAround(dateOfDay(dayAt(z, now)));
  return { start: toInstant(z, from * DAY_MS), end: toInstant(z, to * DAY_MS) };
}

interface TimeReading {
  /** The zone without one in any event. */
  fallback: Zone;
  now: Instant;
  report: (uid: string) => Report;
}

/** The open times of plain events: `Open` events without the times of `Closed` ones. */
export function openByEvents(events: readonly CalendarEvent[], { fallback, now, report }: TimeReading): OpenTimes {
  const z = eventsZone(events, fallback);
  const window = windowAround(now, z);
  const openings = events.filter((event) => !isClosed(event));
  const open = timeCovered(openings, window, now, report);
  const closed = timeCovered(events.filter(isClosed), window, now, report);
  const isEndless = events.some(({ rules }) =>
    rules.some(({ count, until }) => count === undefined && until === undefined),
  );
  const first = open[0]?.start ?? window.start;
  const last = isEndless
    ? window.end
    : Math.max(first, ...open.slice(-1).map(({ end }) => end), ...closed.slice(-1).map(({ end }) => end));
  return {
    zone: z,
    periods: without(open, closed),
    known: { start: Math.max(first, window.start), end: Math.min(last, window.end) },
    window,
  };
}

/**
 * The open times of VAVAILABILITYs (RFC 7953 4): in the range of each, those that a higher priority leaves open. `closing`:
 * events that close the facility.
 */
export function openByAvailability(
  list: readonly Availability[],
  closing: readonly CalendarEvent[],
  { fallback, now, report }: TimeReading,
): OpenTimes {
  const openings = list.flatMap(({ open }) => open);
  const z = eventsZone(openings, fallback);
  const window = windowAround(now, z);
  let stated: Slot[] = [];
  let open: Slot[] = [];
  for (const one of [...list].sort((a, b) => a.priority - b.priority)) {
    const range = {
      start: Math.max(one.from ?? window.start, window.start),
      end: Math.min(one.to ?? window.end, window.end),
    };
    if (range.end <= range.start) continue;
    const own = without(timeCovered(one.open, range, now, report), stated);
    open = merged([...open, ...own]);
    stated = merged([...stated, range]);
  }
  const known = { start: stated[0]?.start ?? window.start, end: stated.at(-1)?.end ?? window.start };
  return { zone: z, periods: without(open, timeCovered(closing, window, now, report)), known, window };
}

export function isClosed({ wording, hours }: CalendarEvent): boolean {
  if (hours !== undefined) return hours === 'closed';
  return /^closed\b/i.test(wording.summary ?? '');
}

/** The zone of most events; times in UTC do not count. */
function eventsZone(events: readonly CalendarEvent[], fallback: Zone): Zone {
  const counts = new Map<Zone, number>();
  for (const { start } of events) {
    const isSpeaking = start.zone !== UTC && !start.allDay && start.zone.id !== 'Etc/GMT';
    if (isSpeaking) counts.set(start.zone, (counts.get(start.zone) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? fallback;
}

/** The time that events cover within a window; cancelled ones cover none. */
export function timeCovered(
  events: readonly CalendarEvent[],
  window: Slot,
  now: Instant,
  reporter: (uid: string) => Report,
): Slot[] {
  const slots: Slot[] = [];
  for (const group of groupsOf(events, reporter)) {
    const report = reporter(group.uid);
    const dates = datesOf(group.master, now, report);
    const saysOther = ({ status }: Wording) => status !== group.master?.wording.status;
    const drafts = applyOverrides(group, dates, { now, report, saysOther });
    const claimed = new Set(drafts.map(({ original }) => original));
    if (group.master?.wording.status === 'CANCELLED') continue;
    for (const schedule of dates.schedules) {
      for (const { start, end, excluded } of instancesOf(schedule, window.start, window.end)) {
        if (!excluded && !claimed.has(start)) slots.push({ start, end });
      }
    }
    for (const { start, end, wording } of drafts) if (wording?.status !== 'CANCELLED') slots.push({ start, end });
  }
  return merged(slots.flatMap(({ start, end }) => clipped(start, end, window)));
}

function clipped(start: Instant, end: Instant, window: Slot): Slot[] {
  const slot = { start: Math.max(start, window.start), end: Math.min(end, window.end) };
  return slot.end > slot.start ? [slot] : [];
}

/** The union of slots, sorted: touching and overlapping ones are merged. */
function merged(slots: Slot[]): Slot[] {
  const found: Slot[] = [];
  for (const { start, end } of slots.sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** The parts of slots outside others; both sorted and without overlaps. */
function without(slots: readonly Slot[], gone: readonly Slot[]): Slot[] {
  const found: Slot[] = [];
  let next = 0;
  for (const { start, end } of slots) {
    while (next < gone.length && (gone[next] as Slot).end <= start) next++;
    let from = start;
    for (let i = next; i < gone.length && (gone[i] as Slot).start < end; i++) {
      const { start: left, end: right } = gone[i] as Slot;
      if (left > from) found.push({ start: from, end: left });
      from = Math.max(from, right);
    }
    if (from < end) found.push({ start: from, end });
  }
  return found;
}
