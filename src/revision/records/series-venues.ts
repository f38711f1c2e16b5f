import { MOST_PARENTS } from '../../opportunity/effective.ts';
import type { Series } from '../../opportunity/records.ts';
import { inParts } from '../../process/event-loop.ts';
import { type RecordBody, type RecordRow, recordOf, type Writer } from '../../store/index.ts';
import type { Affected } from './changed-records.ts';

/**
 * Gives series with a parent the Place of their effective location (semantics 2): that of the nearest series, upwards, with
 * a location. It runs for every series that is planned as a whole.
 */
export async function placeSeries(tx: Writer, { series, records, sessionsAt }: Affected): Promise<void> {
  await inParts([...series], async (ids) => {
    const moved: Pick<RecordRow, 'id' | 'venue'>[] = [];
    for (const row of await records.byId(ids)) {
      if (row?.kind !== 'series' || row.owner === undefined || row.parent === undefined) continue;
      const venue = await venueOf({ records }, row);
      if (venue === row.venue) continue;
      for (const one of [row.venue, venue]) if (one !== undefined) sessionsAt.add(one);
      moved.push(Object.assign(row, { venue }));
    }
    if (moved.length > 0) await tx.saveVenues(moved);
  });
}

/** The Place of the series that `effectiveSeries` takes the location from. */
async function venueOf({ records }: Pick<Affected, 'records'>, row: RecordBody): Promise<number | undefined> {
  let from: RecordBody | undefined = row;
  for (let depth = 0; from !== undefined && from.body !== '' && depth <= MOST_PARENTS; depth += 1) {
    const { location } = (recordOf(from) as Series).details;
    if (location !== undefined) return location.id === undefined ? undefined : from.venue;
    [from] = from.parent === undefined ? [] : await records.byId([from.parent]);
  }
  return undefined;
}
