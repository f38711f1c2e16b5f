import { slotIn } from '../../opportunity/local-times.ts';
import type { Slot } from '../../opportunity/records.ts';
import { inParts } from '../../process/event-loop.ts';
import {
  facilityZone,
  recordOf,
  type SessionTimes,
  storedSessions,
  type Writer,
  type ZonedSession,
} from '../../store/index.ts';
import type { Affected } from './changed-records.ts';

/**
 * Gives sessions whose times name no zone the times in the zone of their place or series (semantics 3). It runs for written
 * sessions, and for those of series that are planned as a whole. Sessions without a series keep the times of their item.
 */
export async function timeSessions(tx: Writer, affected: Affected): Promise<void> {
  const written = [...affected.records.all()].filter(({ kind, zone }) => kind === 'session' && zone !== undefined);
  await timeRows(tx, written);
  await inParts([...affected.series], async (ids) => {
    const rows = await tx.zonedSessions(ids);
    const unwritten = rows.filter(({ id }) => affected.records.get(id) === undefined);
    await timeRows(tx, unwritten);
  });
}

/** Gives slots the times in the zone of their facility: written slots, and those of facilities that changed. */
export async function timeSlots(tx: Writer, { records, venues, slotsOf }: Affected): Promise<void> {
  const written = [...records.all()].filter(({ kind, zone }) => kind === 'slot' && zone !== undefined);
  const facilities = new Set([...venues, ...written.flatMap(({ parent }) => parent ?? [])]);
  await inParts([...facilities], async (ids) => {
    const rows = await tx.zonedSessions(ids);
    for (const [facility, its] of Map.groupBy(rows, ({ parent }) => parent)) {
      const [row] = await records.byId([facility]);
      if (row?.kind !== 'facility') continue;
      const zone = row.owner && (await facilityZone(tx, row));
      const changed = its.flatMap((slot): SessionTimes[] => {
        const { start, end, zone: now } = slotIn(zone, recordOf(slot) as Slot);
        const isSame = slot.start === start && slot.end === end && slot.zone === now;
        return isSame ? [] : [{ id: slot.id, start, end, zone: now }];
      });
      if (changed.length > 0) slotsOf.add(facility);
      await tx.saveTimes(changed);
    }
  });
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
