import type { Instant } from '../opportunity/records.ts';
import { toInstant, zone } from '../recurrence/zone.ts';
import type { CalendarEvent, Span } from './objects.ts';
import { asCancelled } from './status-words.ts';

/**
 * The events of a series that its publisher took away: all as they were, what starts from then on cancelled (semantics 6).
 * A rule has been split there (masters.ts), so that an event is cancelled as a whole or not at all.
 */
export function cancelledFrom(events: readonly CalendarEvent[], at: Instant): CalendarEvent[] {
  return events.map((event) => (startOf(event.span) >= at ? asCancelled(event) : event));
}

function startOf({ zone: name, start }: Span): Instant {
  const z = zone(name);
  return z === undefined ? start : toInstant(z, start);
}
