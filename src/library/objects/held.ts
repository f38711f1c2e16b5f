import type { CalendarName } from '../head.ts';
import type { ObjectCollection } from './types.ts';

/** Members of all collections that are held: some 20 MB. */
const MOST_MEMBERS = 5_000;
const MOST_COLLECTIONS = 200;

/**
 * Collections that were made lately: a client asks for objects in some dozens of requests, and for a state again and again. It
 * bounds memory. Each is held for as long as its calendar has the same version.
 */
export class HeldCollections {
  readonly #held = new Map<CalendarName, { version: string; collection: ObjectCollection }>();
  #members = 0;

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
    if (collection.members.length > MOST_MEMBERS) return;
    this.#held.set(name, { version, collection });
    this.#members += collection.members.length;
    for (const first of this.#held.keys()) {
      if (this.#members <= MOST_MEMBERS && this.#held.size <= MOST_COLLECTIONS) return;
      this.#drop(first);
    }
  }

  #drop(name: CalendarName): void {
    this.#members -= this.#held.get(name)?.collection.members.length ?? 0;
    this.#held.delete(name);
  }
}
