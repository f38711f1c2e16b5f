/**
 * Bounds the memory of pages that are read and not stored yet, of all feeds. A page is several times as large once it is
 * read, and hundreds of publishers answer at a time. Where the store is slower than they are, bodies wait as they came. A
 * pass keeps its reservation until the page is stored, and waits for nothing that another pass holds: there is no deadlock.
 */
export interface PageRoom {
  /**
   * Resolves when there is room for a page of so many octets, in the order of the calls; a page above the limit comes
   * alone. The caller calls the resolved function once, when the page is stored or dropped.
   */
  reserve(octets: number): Promise<() => void>;
}

/** @param most octets of all pages together */
export function pageRoom(most: number): PageRoom {
  const queue: { octets: number; grant: (release: () => void) => void }[] = [];
  let taken = 0;

  function admit(): void {
    for (let [next] = queue; next !== undefined; [next] = queue) {
      if (taken > 0 && taken + next.octets > most) return;
      queue.shift();
      const { octets } = next;
      taken += octets;
      next.grant(() => {
        taken -= octets;
        admit();
      });
    }
  }

  return {
    reserve(octets) {
      const { promise, resolve } = Promise.withResolvers<() => void>();
      queue.push({ octets: Math.max(1, octets), grant: resolve });
      admit();
      return promise;
    },
  };
}

/** The reservations of one pass over a feed, the oldest first. `end` releases all, however the pass ended. */
export class PageReservations {
  readonly #room: PageRoom;
  readonly #taken: (() => void)[] = [];
  #over = false;

  constructor(room: PageRoom) {
    this.#room = room;
  }

  /** Reserves room for a page; the resolved function releases it where the page is not read after all. */
  readonly reserve = async (octets: number): Promise<() => void> => {
    const release = await this.#room.reserve(octets);
    if (this.#over) release();
    else this.#taken.push(release);
    return () => this.#give(release);
  };

  /** Releases the oldest reservation: its page is stored. */
  release(): void {
    this.#give(this.#taken[0]);
  }

  /** Ends the pass; a reservation that is granted later is released at once. */
  end(): void {
    this.#over = true;
    for (const release of this.#taken.splice(0)) release();
  }

  #give(release: (() => void) | undefined): void {
    const at = release === undefined ? -1 : this.#taken.indexOf(release);
    if (at < 0) return;
    this.#taken.splice(at, 1);
    release?.();
  }
}
