/** The places and facilities of an input, for `hours` and `convert`. */

import { type Venue, type VenueDefaults, venueOf } from '../hours/venue.ts';
import type { Input } from '../join/input.ts';
import { claimKey, type Joined, join } from '../join/join.ts';
import { effectiveVenue, type Find } from '../opportunity/effective.ts';
import { identOf } from '../opportunity/identity.ts';

/** Every place and facility, with or without hours, in the order of first mention; an item before those embedded in it. */
export function venuesOf(input: Input, defaults: VenueDefaults): { venues: Venue[]; joined: Joined } {
  const joined = join(input.records);
  const places = new Map(joined.places.map((place) => [identOf(place.id), place]));
  const find = ((kind, id) => (kind === 'place' ? places.get(identOf(id)) : undefined)) as Find;
  const venues = [...joined.places, ...joined.facilities].map((one) => venueOf(effectiveVenue(one, find), defaults));
  const order = mentions(input);
  const positionOf = ({ kind, id }: Venue) => order.get(claimKey(kind, id)) ?? 0;
  return { venues: venues.sort((a, b) => positionOf(a) - positionOf(b)), joined };
}

/** The position of the first mention of each place and facility: items in order, and in each the item before embedded ones. */
function mentions({ records }: Input): Map<string, number> {
  const order = new Map<string, number>();
  let item = 0;
  for (const [index, { kind, rpdeId, rank, record }] of records.entries()) {
    const before = records[index - 1];
    if (before !== undefined && (before.kind !== kind || before.rpdeId !== rpdeId)) item = index;
    const position = item + (2 - rank) / 3 + index / records.length / 3;
    const key = claimKey(record.kind, record.id);
    if (position < (order.get(key) ?? Number.POSITIVE_INFINITY)) order.set(key, position);
  }
  return order;
}
