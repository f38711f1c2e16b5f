import { type Recurrence, UNITS } from '../../ical/recurrence.ts';
import { NO_PARTS } from '../../opportunity/records.ts';
import { overlaps } from '../../recurrence/overlay.ts';
import { ruleWalls } from '../../recurrence/rule.ts';
import type { Rule } from '../../recurrence/types.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import { TABLE_END, toInstant, toWall, type Wall, wallsBetween, type Zone, zone } from '../../time/zone.ts';
import type { CalendarEvent } from '../objects.ts';

/** The instances of a recurrence set (RFC 5545 3.8.5.3), by the same rules as the calendars that show them. */

export interface Instance {
  /** The component that gives the instance: the master, or an override. */
  event: CalendarEvent;
  start: Instant;
  end: Instant;
  /** The start by the rule, as wall time in the master's zone; absent: the event does not recur. */
  original?: { zone: string; wall: Wall };
}

/** Zone tables reach from one of these instants to the other; no instances are listed beyond them. */
export const EARLIEST: Instant = Date.UTC(1970, 0, 1);
export const LATEST: Instant = TABLE_END;

/**
 * The instances of one UID that overlap a window as RFC 4791 9.9 has it, by start, at most `most`. `events`: the master first,
 * then its overrides. All-day events are in `floating`, the zone of the query.
 */
export function instancesOf(
  events: readonly CalendarEvent[],
  { from, to }: InstantWindow,
  floating: Zone,
  most = Number.POSITIVE_INFINITY,
): Instance[] {
  const window = { from: Math.max(from, EARLIEST), to: Math.min(to, LATEST) };
  const replaced = new Set(events.flatMap(({ recurrenceId }) => (recurrenceId ? [recurrenceId.wall] : [])));
  const found: Instance[] = [];
  for (const event of events) {
    const z = event.span.allDay === true ? floating : (zone(event.span.zone) ?? floating);
    const all = event.rrule === undefined ? [single(event, z)] : generated(event, z, window, replaced, most);
    for (const instance of all)
      if (overlaps(instance.start, instance.end, window.from, window.to)) found.push(instance);
  }
  return found.sort((a, b) => a.start - b.start).slice(0, most);
}

function single(event: CalendarEvent, z: Zone): Instance {
  const { span, recurrenceId } = event;
  const start = toInstant(z, span.start);
  return { event, start, end: exactEnd(event, z), ...(recurrenceId && { original: recurrenceId }) };
}

/** A DATE without an end lasts a day (RFC 5545 3.6.1). */
function exactEnd({ span }: CalendarEvent, z: Zone): Instant {
  const isDay = span.allDay === true && span.end <= span.start;
  return toInstant(z, isDay ? span.start + DAY_MS : span.end);
}

function generated(
  event: CalendarEvent,
  z: Zone,
  { from, to }: InstantWindow,
  replaced: ReadonlySet<Wall>,
  most: number,
): Instance[] {
  const { span, exdates = [], rrule } = event;
  const rule = ruleOfEvent(rrule as Recurrence, span.start, z);
  const length = exactEnd(event, z) - toInstant(z, span.start);
  // A day may last 23 or 25 hours.
  const [first, last] = wallsBetween(z, from - length - 2 * DAY_MS, to);
  const excluded = new Set([...exdates, ...replaced]);
  // Excluded instances do not count towards `most`, nor do those of the two days before the window: more are generated.
  const limit = most + excluded.size + MARGIN + Math.ceil(length / DAY_MS);
  const until = rrule?.until ?? Number.POSITIVE_INFINITY;
  const made: Instance[] = [];
  for (const wall of ruleWalls(rule, Math.max(first, span.start), last, limit)) {
    const start = toInstant(z, wall);
    if (excluded.has(wall) || (span.allDay !== true && start > until)) continue;
    const end = span.allDay === true ? toInstant(z, wall + (span.end - span.start || DAY_MS)) : start + length;
    made.push({ event, start, end, original: { zone: span.zone, wall } });
  }
  return made;
}

/** Instances that begin before the window, and end before it too. */
const MARGIN = 4;

/** The rule of an RRULE whose DTSTART is `start`. UNTIL names its last day here; the caller compares the instant. */
function ruleOfEvent(
  { freq, interval = 1, count, until, weekStart: _, ...parts }: Recurrence,
  start: Wall,
  z: Zone,
): Rule {
  const firstDay = Math.floor(start / DAY_MS);
  return {
    unit: UNITS[freq],
    every: interval,
    ...NO_PARTS,
    ...parts,
    firstDay,
    time: (start - firstDay * DAY_MS) / 1000,
    count,
    lastDay: until === undefined ? undefined : Math.floor(toWall(z, until) / DAY_MS),
  };
}
