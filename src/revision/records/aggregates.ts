import type { Writer } from '../../store/index.ts';
import { type Affected, aggregateOf } from './changed-records.ts';

/** Facilities of which something else can be booked: those with other slots, and those that they are courts of. */
export async function bookedOtherwise(tx: Writer, { slotsOf, aggregates, records }: Affected): Promise<number[]> {
  const found = new Set(slotsOf);
  const courts = (await records.byId([...slotsOf, ...aggregates.keys()])).filter((row) => row !== undefined);
  for (const court of courts) {
    const idents = new Set(aggregates.get(court.id));
    const aggregate = aggregateOf(court.body);
    if (slotsOf.has(court.id) && aggregate !== undefined) idents.add(aggregate);
    if (idents.size === 0 || (!slotsOf.has(court.id) && (await tx.countChildren('slot', court.id, 1)) === 0)) continue;
    // A court is one of its own publisher's facility only.
    for (const row of await tx.records('facility', [...idents]))
      if (row?.owner !== undefined && row.publisherId === court.publisherId) found.add(row.id);
  }
  return [...found];
}
