import { shareOf } from '../../calendar/size.ts';
import type { Writer } from '../../store/index.ts';
import type { ChangedCalendar, Subject } from '../series-calendars.ts';
import type { Affected } from './changed-records.ts';

/** A series whose calendar shows something else now. */
export interface ChangedSeries {
  subject: Subject;
  revised: ChangedCalendar;
}

/** Notes the places at which sessions of these series are, where the calendar of the place shows something else too (semantics 6.1). */
export async function placeSessions(
  tx: Writer,
  { records, venues }: Affected,
  changed: readonly ChangedSeries[],
): Promise<void> {
  const whole: number[] = [];
  const apart: number[] = [];
  let most = 0;
  for (const { subject, revised } of changed) {
    const { row, calendar, sessions } = subject;
    if (sessions === undefined || !areApart(subject, revised)) {
      whole.push(row.id);
      continue;
    }
    apart.push(row.id);
    most = Math.max(most, calendar?.sessions ?? 0, ('touch' in revised ? revised.touch : revised.full).sessions);
    // Where it was before is noted with the change of the session.
    for (const { venue } of records.sessions(row.id, sessions)) if (venue !== undefined) venues.add(venue);
  }
  for (const venue of await tx.venuesOfSessions(whole)) venues.add(venue);
  for (const venue of await tx.venuesOfSessions(apart))
    if (!venues.has(venue) && most > (await shareAt(tx, venue))) venues.add(venue);
}

/** Whether each session is an event of its own, before and now, so that no other one changes with it. */
function areApart({ calendar }: Subject, revised: ChangedCalendar): boolean {
  const rows = [calendar, 'touch' in revised ? calendar : revised.full];
  return rows.every((row) => row?.state === 'live' && row.events.kind === 'sessions' && row.findings === undefined);
}

/** How many sessions of a series the calendar of a place reads. Of one with more, any change may move others out. */
async function shareAt(tx: Writer, venue: number): Promise<number> {
  const series = new Set([...(await tx.seriesAt(venue)), ...(await tx.sessionsAt(venue)).map((one) => one.series)]);
  return shareOf(series.size);
}
