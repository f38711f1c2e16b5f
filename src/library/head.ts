import type { Instant } from '../time/instant.ts';
import type { Collection } from './search/types.ts';

/** What is known of a calendar without making it. */

/** What keys are made of (`opportunity/identity.ts`), as part of a pattern. Whatever else is asked for never reaches the store. */
export const KEY = '[a-z0-9]{1,64}';
const WHOLE_KEY = new RegExp(`^${KEY}$`);

export function isKey(text: string): boolean {
  return WHOLE_KEY.test(text);
}

/**
 * The name by which a calendar is kept, asked for and announced: the key of a series; `places/{key}/hours` and the like
 * for the others.
 */
export type CalendarName = string;

/** New addresses that are followed from one calendar: a publisher gives few items a new `@id`, and never in a circle. */
export const MOST_MOVES = 10;

/** The revision of a calendar, without the calendar: enough to answer a conditional request (semantics 6). */
export interface CalendarHead {
  key: string;
  kind: Collection;
  /** `deleted`: inside its 90-day tail and still served. `gone`: after it, answered with 410 for ever. */
  state: 'live' | 'deleted' | 'gone';
  /** Moves exactly when the bytes that would be served change. Compared for equality only. */
  revision: number;
  /**
   * When these bytes first existed. Must not move back, and must differ by a whole second between two revisions:
   * clients that revalidate by date alone see nothing smaller (RFC 9110 8.8.2, feed rule 18).
   */
  changedAt: Instant;
  /** The calendar lives under this key now: answered with 308 for ever (feed rule 22). */
  movedTo?: string;
}
