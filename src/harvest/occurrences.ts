import { startOf } from '../calendar/compose.ts';
import type { LocalDate, Series } from '../opportunity/records.ts';
import { matchSessions, occurrences } from '../recurrence/overlay.ts';
import type { RecordBody, Writer } from '../store/contract.ts';
import type { StoredSession } from '../store/series.ts';

const DAY = 86_400_000;

/**
 * The occurrences generated from a series' Schedules, from today to the horizon (specification, "Processing a Schedule"):
 * upserted with the Schedule's `modified`, those that a run does not refresh deleted, those an explicit session stands for
 * hidden (`stored`: all there are). Those are rows of their own and never overwritten.
 */
export async function storeOccurrences(
  tx: Writer,
  row: RecordBody,
  series: Series,
  stored: readonly StoredSession[],
  today: LocalDate,
  horizonDays: number,
): Promise<void> {
  const from = startOf(today);
  const to = from + horizonDays * DAY;
  const sessions = stored.map(({ session }) => session);
  const stands = new Set(
    [...matchSessions(series, sessions).values()].map(({ schedule, start }) => `${schedule} ${start}`),
  );
  const generated = occurrences(series, [], from, to).map(({ start, end, schedule = 0 }) => ({
    start,
    end,
    schedule,
    hidden: stands.has(`${schedule} ${start}`),
  }));
  // The run is part of the stamp: a day that rolls on refreshes under the same `modified`.
  await tx.replaceOccurrences(row.id, `${row.owner?.modified} ${today}`, generated);
}
