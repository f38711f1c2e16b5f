/**
 * Whether the end of a pass from the start can be believed. An item that changes while the feed is read moves to its end. A
 * cache on the way may still answer with the end from before, and the item is on no page that was read though it lives. Such an
 * end is read again when the time of that answer is over, before anything is swept. Pure.
 */

import type { Freshness } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import type { FeedState } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';

type MetEnd = NonNullable<NonNullable<FeedState['resync']>['end']>;

/** A reading of the end: when it began, when it was over, and the times in the answer's headers. */
export interface EndReading extends Freshness {
  start: Instant;
  now: Instant;
}

/**
 * The end as it is remembered until it is read again; undefined: it is believed. It is in the end, whatever
 * caches say: what is deleted does not stay for ever.
 * @param met what was remembered at the reading before
 */
export function doubtfulEnd(met: MetEnd | undefined, reading: EndReading): MetEnd | undefined {
  const { start, now, age } = reading;
  const wait = Math.min(Math.max(reading.fresh ?? 0, age ? LIMITS.agedEndMs : 0), LIMITS.freshMaxMs);
  // A clock that was set back knows nothing of the reading before.
  if (met === undefined || met.at > now) return wait === 0 ? undefined : { at: now, due: now + wait };
  if (start < met.due) return met;
  const isFromBefore = age !== undefined && start - age < met.at;
  return isFromBefore && now - met.at < LIMITS.freshMaxMs ? { ...met, due: now + wait } : undefined;
}
