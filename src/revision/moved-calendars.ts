import { keyOf } from '../opportunity/identity.ts';
import { type CalendarRow, type CalendarWrite, IN_SESSIONS, type RecordBody, type Writer } from '../store/index.ts';
import type { Instant } from '../time/instant.ts';
import { nextRevision } from './changed-events.ts';
import type { Affected } from './records/changed-records.ts';

/**
 * An item that gives its object another `@id` moves its calendar, and so does a rebuild by rules that make another stand-in
 * id: the old address leads to the new one for ever (feed rule 22), and revisions go on where they were.
 */
export interface Moves {
  /** Old record → the key its calendar has now. */
  to: ReadonlyMap<number, string>;
  /** New record → the parts of its calendar as they were under the old key. */
  from: ReadonlyMap<number, readonly CalendarRow[]>;
}

export async function movesOf(tx: Writer, { moved, records }: Affected): Promise<Moves> {
  const to = new Map<number, string>();
  const from = new Map<number, readonly CalendarRow[]>();
  for (const [now, before] of moved) {
    const { kind, ident } = (await records.byId([now]))[0] as RecordBody;
    to.set(before, keyOf(kind, ident));
    from.set(now, await tx.calendarParts(before));
  }
  return { to, from };
}

/** A calendar that lives elsewhere now. */
export function movedAway({ seq: _, ...row }: CalendarRow, to: string, now: Instant): CalendarWrite {
  const cleared = { tail: undefined, events: IN_SESSIONS, rolling: false };
  return { ...row, ...nextRevision(row, now), ...cleared, state: 'gone', movedTo: to, deletedAt: now };
}
