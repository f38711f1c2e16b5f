import type { CalendarEvent } from '../../calendar/objects.ts';
import type { CalendarName } from '../head.ts';
import type { ObjectCollection } from './types.ts';

const MOST_COLLECTIONS = 200;
/** Octets of all that is held, about. */
const MOST_OCTETS = 24_000_000;
/** A member without its texts. */
const BARE_MEMBER = 4_000;

/**
 * Collections that were made lately: a client asks for objects in some dozens of requests, and for a state again and again. It
 * bounds memory. Each is held for as long as its calendar has the same version.
 */
export class HeldCollections {
  readonly #held = new Map<CalendarName, { version: string; collection: ObjectCollection; octets: number }>();
  #octets = 0;

  get(name: CalendarName, version: string): ObjectCollection | undefined {
    const one = this.#held.get(name);
    if (one?.version !== version) return undefined;
    // The one that was asked for last stands last.
    this.#held.delete(name);
    this.#held.set(name, one);
    return one.collection;
  }

  set(name: CalendarName, version: string, collection: ObjectCollection): void {
    this.#drop(name);
    const octets = octetsOf(collection);
    if (octets > MOST_OCTETS) return;
    this.#held.set(name, { version, collection, octets });
    this.#octets += octets;
    for (const first of this.#held.keys()) {
      if (this.#octets <= MOST_OCTETS && this.#held.size <= MOST_COLLECTIONS) return;
      this.#drop(first);
    }
  }

  #drop(name: CalendarName): void {
    this.#octets -= this.#held.get(name)?.octets ?? 0;
    this.#held.delete(name);
  }
}

function octetsOf({ members }: ObjectCollection): number {
  let octets = BARE_MEMBER;
  for (const { events } of members) {
    octets += BARE_MEMBER;
    for (const event of events) octets += lengthOfTexts(event);
  }
  return octets;
}

function lengthOfTexts({ summary, description = '', exdates = [] }: CalendarEvent): number {
  return summary.length + description.length + 8 * exdates.length;
}
