import type { HoursRun } from '../hours/runs.ts';
import type { Venue } from '../hours/venue.ts';
import { sha256 } from '../platform/hash.ts';
import { type Day, dateOfDay } from '../recurrence/days.ts';

/** The UID of what says when a venue is open: the same for ever for the same thing, ASCII (feed rule 15). */
export function hoursUid({ kind, id }: Venue, part: string): string {
  return `${sha256(`hours\n${kind}\n${id}\n${part}`).slice(0, 40)}@openactive-ical`;
}

/** What tells the runs of a venue apart. A run that was there from the start stays itself when the start moves on. */
export function runPart({ start, end, days, first }: HoursRun, from: Day): string {
  return `${start} ${end} ${days.join('')}${first < from + 7 ? '' : ` ${dateOfDay(first)}`}`;
}
