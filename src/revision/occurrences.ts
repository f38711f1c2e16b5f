import { startOf } from '../calendar/series/compose.ts';
import type { Series } from '../opportunity/records.ts';
import { matchSessions, occurrences } from '../recurrence/overlay.ts';
import { type OccurrenceRow, type RecordBody, recordOf, type StoredSession, type Writer } from '../store/index.ts';
import { DAY_MS } from '../time/days.ts';
import type { Work } from './changed-series.ts';
import type { ShownSeries } from './context.ts';

/**
 * The occurrences generated from a series' Schedules, from today to the horizon (semantics 4.10):
 * upserted with the Schedule's `modified`, those that a run does not refresh deleted, those an explicit session replaces
 * with its row (`stored`: all there are). Those are rows of their own and never overwritten.
 */
export async function storeOccurrences(
  tx: Writer,
  { series, zone, options: { today } }: ShownSeries,
  { row, changed }: Pick<Work, 'row' | 'changed'>,
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
  // The run is part of the stamp: a day that rolls on refreshes under the same `modified`, and so does the zone of the place.
  const stamp = [row.owner?.modified, today, ...(hasZone(row) ? [] : [zone])].join(' ');
  // A session can hide an occurrence or show it again, and nothing else.
  const known = changed === undefined ? [] : await tx.occurrences(row.id);
  const fresh = known.every((one) => one.stamp === stamp) ? unlike(generated, known) : generated;
  if (known.length === 0 || fresh.length > 0) await tx.replaceOccurrences(row.id, stamp, fresh);
}

/** Whether each Schedule states its zone. */
function hasZone(row: RecordBody): boolean {
  return (recordOf(row) as Series).schedules.every(({ zoneStated }) => zoneStated);
}

function unlike(rows: readonly OccurrenceRow[], known: readonly OccurrenceRow[]): OccurrenceRow[] {
  const before = new Map(known.map((one) => [`${one.schedule} ${one.start}`, one]));
  return rows.filter((one) => {
    const was = before.get(`${one.schedule} ${one.start}`);
    return was === undefined || was.session !== one.session;
  });
}
