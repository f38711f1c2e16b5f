import { eventHash } from '../calendar/fingerprint.ts';
import type { Instant } from '../opportunity/records.ts';
import { isOpen } from '../store/open-mark.ts';
import type { Next } from './revision.ts';

/** uid → what it showed, its SEQUENCE, and when that changed. */
export type EventMarks = Record<string, [hash: string, sequence: number, changed: Instant]>;

/** Marks of what is shown now: what shows the same as before keeps its own. `moved`: something shows other than before, came or went. */
export function marksAfter(
  before: EventMarks,
  shown: readonly { uid: string }[],
  next: Next,
): { marks: EventMarks; moved: boolean } {
  const marks: EventMarks = {};
  let moved = false;
  for (const [uid, events] of Map.groupBy(shown, (event) => event.uid)) {
    const hash = eventHash(events);
    const known = before[uid];
    // What is open still was marked just now, in this transaction.
    const same = known !== undefined && (known[0] === hash || isOpen(known[0]));
    marks[uid] = same ? [hash, known[1], known[2]] : [hash, next.revision, next.changed];
    moved ||= !same;
  }
  return { marks, moved: moved || Object.keys(before).some((uid) => marks[uid] === undefined) };
}
