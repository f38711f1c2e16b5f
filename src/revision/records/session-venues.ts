import type { Writer } from '../../store/index.ts';
import type { ChangedCalendar, Subject } from '../series-calendars.ts';
import type { Affected } from './changed-records.ts';

/** A series whose calendar changed visibly. */
export interface ChangedSeries {
  subject: Subject;
  revised: ChangedCalendar;
}

/** Notes the places of changed sessions: the calendar of such a place changes too (semantics 6.1). */
export async function placeSessions(
  tx: Writer,
  { records, sessionsAt }: Affected,
  changed: readonly ChangedSeries[],
): Promise<void> {
  const whole: number[] = [];
  for (const { subject, revised } of changed) {
    const { row, sessions } = subject;
    if (sessions === undefined || !areApart(subject, revised)) {
      whole.push(row.id);
      continue;
    }
    // The former place is noted with the change of the session.
    for (const { venue } of records.sessions(row.id, sessions)) if (venue !== undefined) sessionsAt.add(venue);
  }
  for (const venue of await tx.venuesOfSessions(whole)) sessionsAt.add(venue);
}

/** Whether each session is an event of its own, before and now, so that changed sessions change no other event. */
function areApart({ calendar }: Subject, revised: ChangedCalendar): boolean {
  const rows = [calendar, 'touch' in revised ? calendar : revised.full];
  return rows.every((row) => row?.state === 'live' && row.events.kind === 'sessions' && row.findings === undefined);
}
