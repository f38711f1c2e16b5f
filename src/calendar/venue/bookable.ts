import type { Offer, Slot } from '../../opportunity/records.ts';

/** When a facility can be booked: its own slots with those of its courts. Pure. */

/** A start and end, with the uses of all slots between them. */
export interface BookableTime extends Pick<Slot, 'start' | 'end' | 'remainingUses' | 'maximumUses'> {
  /** Offers of slots with uses left; where none has any, of all slots. */
  offers: Offer[];
}

/**
 * The bookable times of a FacilityUse. At a time without slots of its own, the slots of its IndividualFacilityUses are added
 * up: each is one use, unless it states a number.
 */
export function bookableTimes(ofFacility: readonly Slot[], ofCourts: readonly Slot[]): BookableTime[] {
  const courts = ofCourts.map((slot) => ({
    ...slot,
    maximumUses: slot.maximumUses ?? Math.max(1, slot.remainingUses),
  }));
  const times = new Map([...addUp(courts), ...addUp(ofFacility)]);
  return [...times.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** One time for all slots with the same start and end. */
function addUp(slots: readonly Slot[]): [string, BookableTime][] {
  const together = Map.groupBy(slots, ({ start, end }) => `${start} ${end}`);
  return [...together].map(([key, same]) => [key, sum(same as [Slot, ...Slot[]])]);
}

function sum(slots: readonly [Slot, ...Slot[]]): BookableTime {
  const [{ start, end }] = slots;
  const left = slots.filter(({ remainingUses }) => remainingUses > 0);
  const offers = (left.length > 0 ? left : slots).flatMap(({ offers = [] }) => offers);
  const remainingUses = left.reduce((total, slot) => total + slot.remainingUses, 0);
  const maximumUses = slots.reduce<number | undefined>(
    (total, slot) => (total !== undefined && slot.maximumUses !== undefined ? total + slot.maximumUses : undefined),
    0,
  );
  return { start, end, remainingUses, ...(maximumUses !== undefined && { maximumUses }), offers };
}
