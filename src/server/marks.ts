import { sessionUid } from '../calendar/uid.ts';
import type { Instant } from '../opportunity/records.ts';
import type { CalendarRow } from '../store/contract.ts';
import type { StoredSession } from '../store/series.ts';

/** SEQUENCE and time of change of each UID of a series' calendar, from where they are kept (`harvest/settle.ts`). */
export function marks(
  row: CalendarRow,
  sessions: readonly StoredSession[],
): (uid: string) => [sequence: number, changed: Instant] | undefined {
  if (row.events !== undefined) {
    const events = JSON.parse(row.events) as Record<string, [string, number, Instant]>;
    return (uid) => (events[uid] === undefined ? undefined : [events[uid][1], events[uid][2]]);
  }
  const own = new Map(
    sessions.map(({ row: { sequence, changed }, session }) => [
      sessionUid(session.id),
      [sequence, changed] as [number, Instant],
    ]),
  );
  return (uid) => own.get(uid);
}
