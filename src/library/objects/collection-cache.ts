import { BoundedMap } from '../../bounded-map.ts';
import type { CalendarEvent } from '../../calendar/objects.ts';
import type { ObjectCollection } from './types.ts';

/** Most octets of all collections, by an estimate. */
const MOST_OCTETS = 24_000_000;
/** Least octets that a collection counts for, so that 200 are kept at most. */
const LEAST_OCTETS = MOST_OCTETS / 200;
/** Octets of a member without its texts. */
const BARE_MEMBER = 4_000;

/**
 * Recent collections, because a client reads objects in dozens of requests, and a state again and again. Memory is bounded. A
 * collection is valid while its calendar has the same version.
 */
export const collectionCache = (): BoundedMap<CacheEntry> =>
  new BoundedMap(MOST_OCTETS, ({ collection }) => octetsOf(collection));

interface CacheEntry {
  version: string;
  collection: ObjectCollection;
}

function octetsOf({ members }: ObjectCollection): number {
  let octets = BARE_MEMBER;
  for (const { events } of members) {
    octets += BARE_MEMBER;
    for (const event of events) octets += lengthOfTexts(event);
  }
  return Math.max(octets, LEAST_OCTETS);
}

function lengthOfTexts({ summary, description = '', exdates = [] }: CalendarEvent): number {
  return summary.length + description.length + 8 * exdates.length;
}
