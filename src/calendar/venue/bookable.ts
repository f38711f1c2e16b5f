import type { Slot } from '../../opportunity/records.ts';

/** When a facility can be booked: its own slots with those of its courts. Pure. */

/** A start and end, with the uses of everything that can be booked from one to the other. */
export type BookableTime = Pick<Slot, 'start' | 'end' | 'remainingUses' | 'maximumUses'>;

/**
 * What a FacilityUse says of a time counts for all of it. Where it says nothing, its IndividualFacilityUses are added up: each
 * is one use, unless it says how many it has.
 */
export function bookableTimes(own: readonly Slot[], ofCourts: readonly Slot[]): BookableTime[] {
  const times = addUp(own.map(timeOf));
  const courts = addUp(
    ofCourts.map(timeOf).map((time) => ({ ...time, maximumUses: time.maximumUses ?? Math.max(1, time.remainingUses) })),
  );
  return [...new Map([...courts, ...times]).values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

function timeOf({ start, end, remainingUses, maximumUses }: Slot): BookableTime {
  return { start, end, remainingUses: Math.max(0, remainingUses), ...(maximumUses !== undefined && { maximumUses }) };
}

/** One time for all that have the same start and end. */
function addUp(times: readonly BookableTime[]): Map<string, BookableTime> {
  const found = new Map<string, BookableTime>();
  for (const time of times) {
    const key = `${time.start} ${time.end}`;
    const other = found.get(key);
    found.set(key, other === undefined ? time : sum(other, time));
  }
  return found;
}

function sum(a: BookableTime, b: BookableTime): BookableTime {
  const { start, end, maximumUses: most } = a;
  const both = most !== undefined && b.maximumUses !== undefined ? { maximumUses: most + b.maximumUses } : {};
  return { start, end, remainingUses: a.remainingUses + b.remainingUses, ...both };
}
