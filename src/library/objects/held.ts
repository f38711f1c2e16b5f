import { BoundedMap } from '../../bounded-map.ts';
import type { CalendarEvent } from '../../calendar/objects.ts';
import type { CalendarName } from '../head.ts';
import type { ObjectCollection } from './types.ts';

/** Octets of all that is held, about. */
const MOST_OCTETS = 24_000_000;
/** What a collection counts for at least: 200 are held at most. */
const LEAST_OCTETS = MOST_OCTETS / 200;
/** A member without its texts. */
const BARE_MEMBER = 4_000;

/**
 * Collections that were made lately: a client asks for objects in some dozens of requests, and for a state again and again. It
 * bounds memory. Each is held for as long as its calendar has the same version.
 */
export class HeldCollections {
  readonly #held = new BoundedMap<Held>(MOST_OCTETS, ({ collection }) => octetsOf(collection));

  get(name: CalendarName, version: string): ObjectCollection | undefined {
    const one = this.#held.get(name);
    return one?.version === version ? one.collection : undefined;
  }

  set(name: CalendarName, version: string, collection: ObjectCollection): void {
    this.#held.set(name, { version, collection });
  }
}

interface Held {
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
