import { storedForm } from '../calendar/stored-form.ts';
import { sha256 } from '../platform/hash.ts';
import { isDeferred } from '../store/index.ts';
import type { Instant } from '../time/instant.ts';

/** uid → what it showed, its SEQUENCE, and when that changed. */
export type EventStamps = Record<string, [hash: string, sequence: number, changed: Instant]>;

/** Marks of what is shown now: what shows the same as before keeps its own. `moved`: something shows other than before, came or went. */
export function stampsAfter(
  before: EventStamps,
  shown: readonly { uid: string }[],
  next: Next,
): { stamps: EventStamps; moved: boolean } {
  const stamps: EventStamps = {};
  let moved = false;
  for (const [uid, events] of Map.groupBy(shown, (event) => event.uid)) {
    const hash = eventHash(events);
    const known = before[uid];
    // What is deferred still was stamped in this transaction.
    const same = known !== undefined && (known[0] === hash || isDeferred(known[0]));
    stamps[uid] = same ? [hash, known[1], known[2]] : [hash, next.revision, next.changed];
    moved ||= !same;
  }
  return { stamps, moved: moved || Object.keys(before).some((uid) => stamps[uid] === undefined) };
}

/**
 * A hash of all that the events of one UID show: master and overrides, their stamps not among it. It moves exactly when
 * the served text of them does (semantics 6). The planner makes its objects the same way each time, so the order of
 * their properties needs no care.
 */
export function eventHash(events: readonly object[]): string {
  return sha256(JSON.stringify(events.map(storedForm)), 'base64url').slice(0, 27);
}

export interface Next {
  revision: number;
  changed: Instant;
}

/** The revision after this one. Whole seconds apart: a client that revalidates by date alone sees nothing smaller (feed rule 18). */
export function nextRevision(last: Next | undefined, now: Instant): Next {
  const second = Math.floor(now / 1000) * 1000;
  if (last === undefined) return { revision: 0, changed: second };
  return { revision: last.revision + 1, changed: Math.max(second, last.changed + 1000) };
}
