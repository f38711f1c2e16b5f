import { isLong, yieldToEventLoop } from '../../process/event-loop.ts';
import { type SessionTimes, storedSessions, type Writer, type ZonedSession } from '../../store/index.ts';
import { type Affected, append } from './changed-records.ts';
import type { Written } from './record-write.ts';

/** Series whose sessions are read at a time. */
const BATCH = 200;

/**
 * Gives the rows of sessions whose times name no zone the times that they have by their places and series, as these now
 * stand (semantics 3): those that were written, and those of the series that are planned anew. Rows that hang on no series
 * keep what their item alone says.
 */
export async function timeSessions(tx: Writer, affected: Affected): Promise<void> {
  const fresh = new Map<number, Written[]>();
  for (const written of affected.records.all()) {
    const { kind, parent, prepared } = written;
    if (kind === 'session' && prepared.zone !== undefined && parent !== undefined) append(fresh, parent, written);
  }
  for (const [id, sessions] of fresh) {
    const timed = await timesOf(tx, id, sessions);
    for (const { row, times } of timed) row.times = times;
    await tx.saveTimes(timed.map(({ times }) => times));
  }
  const ids = [...affected.series];
  for (let at = 0; at < ids.length; at += BATCH) {
    if (isLong()) await yieldToEventLoop();
    const rows = await tx.zonedSessions(ids.slice(at, at + BATCH));
    const others = rows.filter(({ id }) => affected.records.get(id) === undefined);
    for (const [id, sessions] of Map.groupBy(others, ({ parent }) => parent)) {
      await tx.saveTimes(
        (await timesOf(tx, id, sessions)).flatMap(({ row, times }) => (isAs(row, times) ? [] : times)),
      );
    }
  }
}

async function timesOf<Row extends Pick<ZonedSession, 'id' | 'place' | 'body' | 'record'>>(
  tx: Writer,
  series: number,
  rows: readonly Row[],
): Promise<{ row: Row; times: SessionTimes }[]> {
  const stored = await storedSessions(tx, series, rows);
  return stored.map(({ row, session: { start, end = start, zone } }) => ({
    row,
    times: { id: row.id, start, end, zone },
  }));
}

function isAs(row: SessionTimes, { start, end, zone }: SessionTimes): boolean {
  return row.start === start && row.end === end && row.zone === zone;
}
