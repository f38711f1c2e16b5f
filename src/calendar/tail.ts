import type { Instant } from '../opportunity/records.ts';
import { endOf } from './ends.ts';
import type { Calendar } from './objects.ts';
import { asCancelled } from './status-words.ts';

/**
 * What a calendar shows after its series was deleted: all as it was, the future cancelled (semantics 6). A rule that may
 * still yield an instance is cancelled as a whole: clients drop or strike it.
 */
export function cancelFuture(calendar: Calendar, at: Instant): Calendar {
  const over = new Set(
    calendar.events.filter((event) => event.recurrenceId === undefined && endOf(event) < at).map((event) => event.uid),
  );
  return {
    ...calendar,
    events: calendar.events.map((event) => (over.has(event.uid) ? event : asCancelled(event))),
  };
}
