/**
 * Decides whether the end of a pass from the start may be stale. An item that changes while the feed is read moves to its
 * end. A cache may still answer with an earlier end, and the live item is on no page that was read. Such an end is read again
 * when the cached answer has expired, before items are swept. Pure.
 */

import type { Freshness } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import type { FeedState } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';

type MetEnd = NonNullable<NonNullable<FeedState['resync']>['end']>;

/** A reading of the end: when it began and ended, and the times in the headers of its response. */
export interface EndReading extends Freshness {
  start: Instant;
  now: Instant;
}

/**
 * The end to remember until it is read again; undefined: it is believed. After `freshMaxMs` every end is, whatever caches
 * answer, so that deleted items do not stay for ever.
 * @param met the end that the reading before remembered
 */
export function doubtfulEnd(met: MetEnd | undefined, reading: EndReading): MetEnd | undefined {
  const { start, now, age } = reading;
  const wait = Math.min(Math.max(reading.fresh ?? 0, age ? LIMITS.agedEndMs : 0), LIMITS.freshMaxMs);
  // After the clock was set back, the time of the reading before means nothing.
  if (met === undefined || met.at > now) return wait === 0 ? undefined : { at: now, due: now + wait };
  if (start < met.due) return met;
  const isFromBefore = age !== undefined && start - age < met.at;
  return isFromBefore && now - met.at < LIMITS.freshMaxMs ? { ...met, due: now + wait } : undefined;
}
