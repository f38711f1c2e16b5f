import type { CalendarName } from '../../library/index.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';

/** The hash of octets, and the time since which they are served. */
interface SeenOctets {
  hash: string;
  at: Instant;
}

/** Most calendars whose times are kept, in 150 octets each. */
const MOST = 20_000;

/**
 * The times at which octets of calendars were first served, where the store has none: a date that leaves a search has no time
 * of change (decision 22). A time never goes back, and moves by a second at least. Any moment at which these octets were
 * current is a true Last-Modified, so a forgotten time costs a transfer and no truth.
 */
export class FirstSeen {
  readonly #seen = new Map<CalendarName, SeenOctets>();

  /** The time for octets. `dated`: their time in the store. */
  of(name: CalendarName, hash: string, now: Instant, dated?: Instant): Instant {
    const known = this.#seen.get(name);
    this.#seen.delete(name);
    const at = seenSince(known, hash, wholeSecond(dated ?? now));
    if (this.#seen.size >= MOST) this.#seen.delete(this.#seen.keys().next().value as CalendarName);
    this.#seen.set(name, { hash, at });
    return at;
  }

  /**
   * Takes over a time of another process, or of this one before a restart. The later time holds: octets that return after
   * others of another process are new again.
   */
  learn(name: CalendarName, hash: string, at: Instant): void {
    const known = this.#seen.get(name);
    if (known === undefined || known.at < wholeSecond(at)) this.#seen.set(name, { hash, at: wholeSecond(at) });
  }

  get size(): number {
    return this.#seen.size;
  }
}

function seenSince(known: SeenOctets | undefined, hash: string, at: Instant): Instant {
  if (known === undefined) return at;
  return known.hash === hash ? known.at : Math.max(at, known.at + 1000);
}
