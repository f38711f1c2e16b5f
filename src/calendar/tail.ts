import type { Instant } from '../opportunity/records.ts';
import type { Calendar, CalendarEvent } from './objects.ts';

/**
 * What a calendar shows after its series was deleted: all as it was, the future cancelled (semantics 6). A rule that may
 * still yield an instance is cancelled as a whole: clients drop or strike it.
 */
export function cancelFuture(calendar: Calendar, at: Instant): Calendar {
  const over = new Set(
    calendar.events.filter((event) => event.recurrenceId === undefined && isOver(event, at)).map((event) => event.uid),
  );
  return {
    ...calendar,
    events: calendar.events.map((event) => (over.has(event.uid) ? event : { ...event, status: 'CANCELLED' as const })),
  };
}

function isOver(event: CalendarEvent, at: Instant): boolean {
  const until = event.rrule === undefined ? undefined : /UNTIL=(\d{4})(\d\d)(\d\d)/.exec(event.rrule);
  if (until) return Date.UTC(Number(until[1]), Number(until[2]) - 1, Number(until[3]) + 2) < at;
  // A day of grace: wall times of any zone are within it.
  return event.rrule === undefined && event.span.end + 86_400_000 < at;
}
