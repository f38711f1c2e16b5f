import type { Instant } from '../opportunity/records.ts';
import { DAY_MS } from '../recurrence/days.ts';
import type { CalendarEvent } from './objects.ts';

/**
 * When an event is over for good, in every zone: a day late at least, for wall times are read as UTC. Infinity for a rule
 * without an UNTIL.
 */
export function endOf({ rrule, span }: CalendarEvent): Instant {
  if (rrule === undefined) return span.end + DAY_MS;
  const [, year, month, date] = /UNTIL=(\d{4})(\d\d)(\d\d)/.exec(rrule) ?? [];
  if (year === undefined) return Number.POSITIVE_INFINITY;
  // What begins on its last day may go on as long as the first instance does.
  return Date.UTC(Number(year), Number(month) - 1, Number(date) + 2) + (span.end - span.start);
}
