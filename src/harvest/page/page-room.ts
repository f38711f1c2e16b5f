/**
 * Room for pages that are read and are not stored yet, of all feeds. A page is several times as large once it is read, and
 * hundreds of publishers answer at a time. Where the store is slower than they are, bodies wait as they came. Who has a place
 * keeps it until its page is stored; none is given up for another, so that nobody waits in a circle.
 */
export interface PageRoom {
  /**
   * Resolves when there is room for a page of so many octets, in the order of asking; a larger one than all there is room
   * for comes alone. To be called once: what it resolves to, when the page is stored or nobody wants it.
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

/** What one pass over a feed has reserved, the oldest first. Whatever becomes of the pass, none stays taken. */
export class PageReservations {
  readonly #room: PageRoom;
  readonly #taken: (() => void)[] = [];
  #over = false;

  constructor(room: PageRoom) {
    this.#room = room;
  }

  /** Reserves room; what it resolves to gives the place back where the page is not read after all. */
  readonly reserve = async (octets: number): Promise<() => void> => {
    const release = await this.#room.reserve(octets);
    if (this.#over) release();
    else this.#taken.push(release);
    return () => this.#give(release);
  };

  /** A page is stored. */
  release(): void {
    this.#give(this.#taken[0]);
  }

  /** The pass is over; a page that is still to come gives its place back at once. */
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
