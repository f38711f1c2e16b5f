/** Waits until the next request of a feed or message, after failures and after visits without news. Pure. */

import { FeedError, FetchError, RefusedAddressError, StatusError, StoreError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** Failures in a row up to which Retry-After alone decides; later waits grow, though a server names a second each time. */
const OBEYED = 3;

/**
 * Milliseconds until the next try, after `failures` failures in a row (1 = the first).
 * @param random 0 … 1: spreads the tries of many feeds, and of many harvesters of one feed
 */
export function waitAfter(error: unknown, failures: number, random: number): number {
  // A Retry-After of 0, or of a past date, does not count.
  if (error instanceof StatusError && error.retryAfter === 0) return backoff(failures, random);
  if (error instanceof StatusError && error.retryAfter !== undefined)
    return Math.max(error.retryAfter, failures > OBEYED ? backoff(failures - OBEYED, random) : 0);
  if (error instanceof StatusError) return statusWait(error.status, failures, random);
  // A refused address or broken paging does not change soon.
  if (error instanceof RefusedAddressError || error instanceof FeedError) return LIMITS.retryMaxMs;
  if (error instanceof FetchError && !error.transient) return LIMITS.retryMaxMs;
  // The store failed, not the publisher: the wait does not grow.
  if (error instanceof StoreError) return backoff(1, random);
  return backoff(failures, random);
}

/** RPDE, "HTTP status codes": 503 asks for 60 to 120 minutes, and 429 counts as 503. 404 and 410 are not to be retried. */
function statusWait(status: number, failures: number, random: number): number {
  if (status === 503 || status === 429) {
    return LIMITS.unavailableMinMs + random * (LIMITS.unavailableMaxMs - LIMITS.unavailableMinMs);
  }
  return isGone(status) ? LIMITS.goneMs : backoff(failures, random);
}

/** Whether a status means that a feed is gone. Such a feed is visited once a day, in case its publisher restores it. */
export function isGone(status: number): boolean {
  return status === 404 || status === 410;
}

/**
 * Milliseconds until a feed at its end is requested again, after `visits` visits without news: `poll` for about a minute,
 * then half as long again each time, up to `most`.
 */
export function quietWait(visits: number, poll: number, most: number, random: number): number {
  const steps = Math.min(Math.max(visits - LIMITS.quietVisits, 0), 60);
  const full = Math.min(poll * 1.5 ** steps, Math.max(most, poll));
  return steps === 0 ? full : Math.max(full * (1 - random / 10), poll);
}

/** Milliseconds until a message is sent again: Retry-After, up to an hour, else ever longer. */
export function resendWait(error: unknown, failures: number, random: number): number {
  const retryAfter = error instanceof StatusError ? error.retryAfter : undefined;
  return retryAfter === undefined ? backoff(failures, random) : Math.min(Math.max(retryAfter, 1000), LIMITS.retryMaxMs);
}

function backoff(failures: number, random: number): number {
  const full = Math.min(LIMITS.retryFirstMs * 2 ** Math.min(failures - 1, 30), LIMITS.retryMaxMs);
  return full / 2 + (random * full) / 2;
}
