import type { Instant } from '../time/instant.ts';
import type { Collection } from './search/types.ts';

/** The facts about a calendar that need no rendering. */

/** The pattern of keys (`opportunity/identity.ts`). Requests with other keys never reach the store. */
export const KEY = '[a-z0-9]{1,64}';
const WHOLE_KEY = new RegExp(`^${KEY}$`);

export function isKey(text: string): boolean {
  return WHOLE_KEY.test(text);
}

/**
 * The name of a calendar in caches, requests and announcements: the key of a series; `places/{key}/hours` and the like for
 * others.
 */
export type CalendarName = string;

/** Most moves that are followed from one calendar: publishers seldom change an `@id`, and never in a circle. */
export const MOST_MOVES = 10;

/** The revision and state of a calendar: enough to answer a conditional request (semantics 6). */
export interface CalendarHead {
  key: string;
  kind: Collection;
  /** `deleted`: inside its 90-day tail and still served. `gone`: after it, answered with 410 for ever. */
  state: 'live' | 'deleted' | 'gone';
  /** A number that changes exactly when the octets do. It is compared for equality only. */
  revision: number;
  /**
   * When these octets first existed. It never moves back, and two revisions are at least a second apart, because clients that
   * revalidate by date see whole seconds alone (RFC 9110 8.8.2, feed rule 18).
   */
  changedAt: Instant;
  /** The new key of the calendar, to which 308 leads for ever (feed rule 22). */
  movedTo?: string;
}
