import type { CalendarName } from '../../library/index.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';

/** Octets, and since when they are served. */
interface SeenOctets {
  hash: string;
  at: Instant;
}

/** 150 octets each. */
const MOST = 20_000;

/**
 * When the octets of a calendar were first seen here, where nothing stored says it: what leaves a search leaves no time behind
 * (decision 22). The time never goes back, and moves by a second at least. Any moment at which these octets were the current
 * ones is a true Last-Modified, so one that was forgotten costs a transfer and no truth.
 */
export class FirstSeen {
  readonly #seen = new Map<CalendarName, SeenOctets>();

  /** `dated`: the time that the store has for these octets. */
  of(name: CalendarName, hash: string, now: Instant, dated?: Instant): Instant {
    const known = this.#seen.get(name);
    this.#seen.delete(name);
    const at = seenSince(known, hash, wholeSecond(dated ?? now));
    if (this.#seen.size >= MOST) this.#seen.delete(this.#seen.keys().next().value as CalendarName);
    this.#seen.set(name, { hash, at });
    return at;
  }

  /**
   * What another process, or this one before it was started again, saw. The later one holds: octets that return here after
   * others that another process served are new again.
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
