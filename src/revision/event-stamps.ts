import { storedForm } from '../calendar/stored-form.ts';
import { sha256 } from '../platform/hash.ts';
import type { EventStamps } from '../store/index.ts';
import type { Instant } from '../time/instant.ts';

/** Without a hash where it was stamped in this transaction: that is what is shown now. */
export type KnownStamps = Record<string, [hash: string | undefined, sequence: number, changed: Instant]>;

/** Marks of what is shown now: what shows the same as before keeps its own. `moved`: something shows other than before, came or went. */
export function stampsAfter(
  before: KnownStamps,
  shown: readonly { uid: string }[],
  next: Next,
): { stamps: EventStamps; moved: boolean } {
  const stamps: EventStamps = {};
  let moved = false;
  for (const [uid, events] of Map.groupBy(shown, (event) => event.uid)) {
    const hash = eventHash(events);
    const known = before[uid];
    const same = known !== undefined && (known[0] === hash || known[0] === undefined);
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
