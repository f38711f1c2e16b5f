import { compareText } from '../opportunity/ids.ts';

/** The share of a calendar in the feeds: large series give way to small ones, earlier sessions to later ones. */

/** The size of a series, by which it is kept or dropped. */
interface Room {
  id: string;
  /** The series and its sessions. */
  size: number;
  /** A text that sorts by the time of its last session. */
  last: string;
}

/** Keeps as many entries as fit; the largest are dropped first. */
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
    // The entries are not cut after each one, because repeated sorting would be quadratic.
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

/** The largest share with which all have no more than `total` together; unused room goes to the others. */
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
