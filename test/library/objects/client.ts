import { expect } from 'vitest';
import type { ObjectCollection, Objects } from '../../../src/library/objects/types.ts';
import type { Instant } from '../../../src/time/instant.ts';

const DAYS_90 = 90 * 86_400_000;

/** ETags by name. */
export type Listed = ReadonlyMap<string, string>;

export function listedOf({ members }: ObjectCollection): Listed {
  return new Map(members.map(({ name, etag }) => [name, etag]));
}

interface Seen {
  state: string;
  listed: Listed;
  /** When another state took its place; undefined: none has. */
  until: Instant | undefined;
  /** That was 90 days ago by some clock. */
  wasOld?: boolean;
}

/** A client that remembers every state of a collection that it ever had, and comes back with any of them. */
export class SyncClient {
  readonly name: string;
  readonly #seen = new Map<string, Seen>();
  #last: Seen | undefined;
  /** How many changes were asked for, and how many of them were expired. */
  asked = 0;
  expired = 0;

  constructor(name: string) {
    this.name = name;
  }

  get states(): string[] {
    return [...this.#seen.keys()];
  }

  /** Takes note of what there is now. */
  async sync(objects: Objects, now: Instant): Promise<ObjectCollection | undefined> {
    const collection = await objects.collection(this.name);
    if (collection === undefined) return undefined;
    const listed = listedOf(collection);
    const known = this.#seen.get(collection.state);
    // A state is one listing, and a listing one state.
    if (known !== undefined) expect(listed).toEqual(known.listed);
    for (const one of this.#seen.values())
      if (one.state !== collection.state) expect([...one.listed], this.name).not.toEqual([...listed]);
    if (this.#last !== undefined && this.#last.state !== collection.state) this.#last.until = now;
    for (const one of this.#seen.values()) if (isOld(one, now)) one.wasOld = true;
    this.#last = known ?? { state: collection.state, listed, until: undefined };
    this.#last.until = undefined;
    this.#last.wasOld = false;
    this.#seen.set(collection.state, this.#last);
    return collection;
  }

  /** Syncs from a state that it had; the end is the listing of now. */
  async syncFrom(state: string, objects: Objects, now: Instant): Promise<void> {
    const seen = this.#seen.get(state) as Seen;
    const changes = await objects.changes(this.name, state);
    if (changes === undefined) throw new Error(`${this.name} is unknown`);
    this.asked += 1;
    if (changes === 'expired' || isOld(seen, now)) {
      expect([changes, seen.wasOld === true || isOld(seen, now)], this.name).toEqual(['expired', true]);
      this.expired += 1;
      return;
    }
    const current = listedOf(changes.collection);
    expect(changes.changed.filter((name) => !current.has(name))).toEqual([]);
    expect(changes.removed.filter((name) => current.has(name))).toEqual([]);
    const mine = new Map(seen.listed);
    for (const name of changes.removed) mine.delete(name);
    for (const name of changes.changed) mine.set(name, current.get(name) ?? '');
    expect(new Map([...mine].sort()), `${this.name} from ${state}`).toEqual(new Map([...current].sort()));
    if (state === changes.collection.state) expect([changes.changed, changes.removed]).toEqual([[], []]);
  }
}

function isOld({ until }: Seen, now: Instant): boolean {
  return until !== undefined && now - until > DAYS_90;
}
