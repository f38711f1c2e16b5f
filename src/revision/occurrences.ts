import { startOf } from '../calendar/series/compose.ts';
import type { Series } from '../opportunity/records.ts';
import { matchSessions, occurrences } from '../recurrence/overlay.ts';
import { type RecordBody, recordOf, type StoredSession, type Writer } from '../store/index.ts';
import { DAY_MS } from '../time/days.ts';
import type { ShownSeries } from './context.ts';

/**
 * The occurrences generated from a series' Schedules, from today to the horizon (semantics 4.10). They are upserted with the
 * Schedule's `modified`, and those that a run does not refresh are deleted. Those an explicit session replaces have its row
 * (`stored`: all there are). Those are rows of their own and never overwritten.
 */
export async function storeOccurrences(
  tx: Writer,
  { series, zone, options: { today } }: ShownSeries,
  row: RecordBody,
  stored: readonly StoredSession[],
  horizonDays: number,
): Promise<void> {
  const from = startOf(today);
  const to = from + horizonDays * DAY_MS;
  const sessions = stored.map(({ session }) => session);
  const rows = new Map(stored.map(({ row: { id }, session }) => [session.id, id]));
  const replaced = new Map(
    [...matchSessions(series, sessions)].map(([id, { schedule, start }]) => [`${schedule} ${start}`, rows.get(id)]),
  );
  const generated = occurrences(series, [], from, to).map(({ start, end, schedule = 0 }) => ({
    start,
    end,
    schedule,
    session: replaced.get(`${schedule} ${start}`),
  }));
  const hasZone = (recordOf(row) as Series).schedules.every(({ zoneStated }) => zoneStated);
  // The run is part of the stamp: a day that rolls on refreshes under the same `modified`, and so does the zone of the place.
  const stamp = [row.owner?.modified, today, ...(hasZone ? [] : [zone])].join(' ');
  await tx.replaceOccurrences(row.id, stamp, generated);
}
