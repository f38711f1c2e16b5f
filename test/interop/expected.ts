import type { Occurrence } from './program.ts';
import type { Row } from './rows.ts';

/** STATUS, and how the summary says it for clients that show no STATUS. */
const STATUS: Record<string, readonly [status: string, prefix: string]> = {
  EventScheduled: ['CONFIRMED', ''],
  EventRescheduled: ['CONFIRMED', ''],
  EventPostponed: ['TENTATIVE', 'Postponed: '],
  EventCancelled: ['CANCELLED', 'Cancelled: '],
};

/** Programs list whole days as days of UTC. */
const instant = (moment: string): string => (moment.includes('T') ? moment : `${moment}T00:00:00Z`);

/** What a calendar must show of the rows of `expand` (semantics 4.5). UIDs are the calendar's own and not compared. */
export function expectedRows(occurrences: readonly Pick<Occurrence, 'start' | 'end' | 'status' | 'name'>[]): Row[] {
  return occurrences.map(({ start, end, name, status: is }) => {
    const [status, prefix] = STATUS[is] ?? [is, ''];
    return { uid: '', start: instant(start), end: instant(end), summary: name ? prefix + name : '', status };
  });
}
