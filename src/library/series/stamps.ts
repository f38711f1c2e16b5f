import type { Revision } from '../../calendar/objects.ts';
import { sessionUid } from '../../calendar/uid.ts';
import { type CalendarRow, type StoredSession, stampsIn } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';

/** SEQUENCE and time of change of each UID of a series' calendar, as `revision/series-calendars.ts` stores them. */
export function stampsOf(
  row: CalendarRow,
  sessions: readonly StoredSession[],
): (uid: string) => [sequence: number, changed: Instant] | undefined {
  // Deferred stamps: all events are as they were when the calendar was made.
  if (row.events.kind === 'deferred') return () => [row.revision, row.changed];
  const events = stampsIn(row.events);
  if (events !== undefined) return (uid) => (events[uid] === undefined ? undefined : [events[uid][1], events[uid][2]]);
  const ofSessions = new Map(
    sessions.map(({ row: { sequence, changed }, session }) => [
      sessionUid(session.id),
      [sequence, changed] as [number, Instant],
    ]),
  );
  return (uid) => ofSessions.get(uid);
}

/** The served revision of each event of opening hours; undefined: the event has the revision of the calendar. */
export function openingStamps(
  row: CalendarRow,
  served: (revision: Revision) => Revision,
): (uid: string) => Revision | undefined {
  const stampOf = stampsOf(row, []);
  return (uid) => {
    const [sequence, modified] = stampOf(uid) ?? [];
    // Revisions of a part count from one, as in `venueRevision`.
    return sequence === undefined || modified === undefined ? undefined : served({ sequence: sequence + 1, modified });
  };
}
