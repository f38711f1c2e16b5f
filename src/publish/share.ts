import { compareText } from '../opportunity/ids.ts';

/** What a calendar may have of the feeds: large series give way to small ones, earlier sessions to later ones. */

/** How much room a series takes. */
interface Room {
  id: string;
  /** The series and its sessions. */
  size: number;
  /** Something that sorts by when its last session is. */
  last: string;
}

/** Keeps as many as fit; what is too much goes, the largest first. */
export class Share<T> {
  readonly #most: number;
  #kept: { room: Room; value: T }[] = [];
  readonly #left: Room[] = [];
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(room: Room, value: T): void {
    this.#kept.push({ room, value });
    this.#size += room.size;
    // Not at each one: sorting would be quadratic.
    if (this.#size > 2 * this.#most) this.#cut();
  }

  finish(): { kept: T[]; left: Room[] } {
    if (this.#size > this.#most) this.#cut();
    return { kept: this.#kept.map(({ value }) => value), left: this.#left };
  }

  #cut(): void {
    const ranked = this.#kept.toSorted(
      ({ room: a }, { room: b }) => a.size - b.size || compareText(b.last, a.last) || compareText(a.id, b.id),
    );
    const gone = new Set<string>();
    while (this.#size > this.#most) {
      const { room } = ranked.pop() as { room: Room };
      this.#size -= room.size;
      this.#left.push(room);
      gone.add(room.id);
    }
    this.#kept = this.#kept.filter(({ room }) => !gone.has(room.id));
  }
}

/** The most that each of several may have so that all of them have no more than `total`: who needs less leaves it to the others. */
export function fairShare(needs: readonly number[], total: number): number {
  let left = total;
  const ascending = needs.toSorted((a, b) => a - b);
  for (const [index, need] of ascending.entries()) {
    const equal = Math.floor(left / (ascending.length - index));
    if (need > equal) return equal;
    left -= need;
  }
  return Number.POSITIVE_INFINITY;
}
