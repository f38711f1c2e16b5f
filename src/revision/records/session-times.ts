import { isLong, yieldToEventLoop } from '../../process/event-loop.ts';
import { type SessionTimes, storedSessions, type Writer, type ZonedSession } from '../../store/index.ts';
import type { Affected } from './changed-records.ts';

/** Series whose sessions are read at a time. */
const BATCH = 200;

/**
 * Gives the rows of sessions whose times name no zone the times that they have by their places and series, as these now stand
 * (semantics 3). They are those that were written, and those of the series that are planned anew. Rows that hang on no series
 * keep what their item alone says.
 */
export async function timeSessions(tx: Writer, affected: Affected): Promise<void> {
  const written = [...affected.records.all()].filter(({ kind, zone }) => kind === 'session' && zone !== undefined);
  await timeRows(tx, written);
  const ids = [...affected.series];
  for (let at = 0; at < ids.length; at += BATCH) {
    if (isLong()) await yieldToEventLoop();
    const rows = await tx.zonedSessions(ids.slice(at, at + BATCH));
    await timeRows(
      tx,
      rows.filter(({ id }) => affected.records.get(id) === undefined),
    );
  }
}

type TimedRow = Omit<ZonedSession, 'parent'> & { parent: number | undefined };

async function timeRows(tx: Writer, all: readonly TimedRow[]): Promise<void> {
  for (const [series, rows] of Map.groupBy(all, ({ parent }) => parent)) {
    if (series === undefined) continue;
    const changed: SessionTimes[] = [];
    for (const { row, session } of await storedSessions(tx, series, rows)) {
      const { start, end = start, zone } = session;
      if (row.start === start && row.end === end && row.zone === zone) continue;
      changed.push(Object.assign(row, { start, end, zone }));
    }
    await tx.saveTimes(changed);
  }
}
