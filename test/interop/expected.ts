import type { Occurrence } from './program.ts';
import type { Row } from './rows.ts';

const STATUS: Record<string, string> = {
  EventScheduled: 'CONFIRMED',
  EventRescheduled: 'CONFIRMED',
  EventPostponed: 'TENTATIVE',
  EventCancelled: 'CANCELLED',
};

/** What a calendar must show of the rows of `expand` (semantics 4.5). UIDs are the calendar's own and not compared. */
export function expectedRows(occurrences: readonly Occurrence[]): Row[] {
  return occurrences.map(({ start, end, name, status }) => ({
    uid: '',
    start,
    end,
    summary: name ?? '',
    status: STATUS[status] ?? status,
  }));
}
