/** Transitions of a feed's stored state: a page, an end, a failure, a resync. Pure. */

import { LIMITS } from '../../limits.ts';
import type { CleanOptions } from '../../opportunity/clean.ts';
import type { FeedState } from '../../store/index.ts';
import { type Instant, utcDate } from '../../time/instant.ts';

/** When a visit began and ended, and how long the feed is left alone now (milliseconds). */
interface VisitTimes {
  start: Instant;
  now: Instant;
  wait: number;
}

const afterVisit = (state: FeedState, { start, now, wait }: VisitTimes): FeedState => ({
  ...state,
  lastAttempt: start,
  nextVisit: now + wait,
});

interface TakenPage {
  now: Instant;
  /** On the page. */
  items: number;
  /** `modified` of its last item; undefined: the page is empty. */
  modified?: string | undefined;
  changed: boolean;
  slots: boolean;
}

/** The state after a committed page. */
export function pageTaken(state: FeedState, { now, items, modified, changed, slots }: TakenPage): FeedState {
  return {
    ...state,
    state: 'reading',
    lastPage: now,
    lastChange: changed ? now : state.lastChange,
    modified: modified ?? state.modified,
    pages: state.pages + 1,
    taken: state.taken + items,
    slots: state.slots || slots,
  };
}

/** The state at the real end, without errors. A confirmation is kept until a pass from the start has been swept. */
export function passEnded(state: FeedState, visit: VisitTimes): FeedState {
  const { confirmed, held, resync } = state;
  return {
    ...afterVisit(state, visit),
    state: held === undefined ? 'ended' : 'held',
    lastSuccess: visit.now,
    lastError: undefined,
    lastErrorAt: undefined,
    failures: 0,
    confirmed: resync === undefined ? undefined : confirmed,
  };
}

interface Failure extends VisitTimes {
  state: 'failing' | 'stalled' | 'gone';
  /** In words. */
  error: string;
}

/** The state after a pass that ended before the real end. */
export function passFailed(state: FeedState, failure: Failure): FeedState {
  return {
    ...afterVisit(state, failure),
    state: failure.state,
    lastError: failure.error,
    lastErrorAt: failure.now,
    failures: state.failures + 1,
    totalFailures: state.totalFailures + 1,
  };
}

/** The state at the beginning of a pass from the start. */
export function resyncBegun(state: FeedState, now: Instant, reason: string): FeedState {
  return { ...state, resync: { since: now, reason }, lastResync: now, resyncDue: undefined, older: undefined };
}

/** The state of a feed that is read by these settings from now on. */
export function readBy(state: FeedState, { zone, slots = false }: CleanOptions): FeedState {
  return { ...state, reading: { zone, slots } };
}

export function isReadBy({ reading }: FeedState, { zone, slots = false }: CleanOptions): boolean {
  return reading?.zone === zone && reading.slots === slots;
}

/**
 * The reason why a cursor is no longer to be trusted; undefined: it is. Feeds keep deleted items for seven days, those of
 * Slots for two: a later visit misses deletions.
 */
export function outdated(state: FeedState, now: Instant): string | undefined {
  const known = state.lastSuccess ?? state.lastPage;
  if (known === undefined) return undefined;
  const last = Math.max(known, state.lastResync ?? known);
  // After the clock was set back, the time since the last page is not known.
  if (last - now > LIMITS.clockSkewMs) return 'the clock was set back since it was last read';
  if (now - last <= (state.slots ? LIMITS.slotCursorMs : LIMITS.cursorMs)) return undefined;
  return `it was last read on ${utcDate(last)}, and deleted items are not retained for so long`;
}

/** Whether a week has passed since the feed was last read from its start. */
export function mayResync({ lastResync }: FeedState, now: Instant): boolean {
  return lastResync === undefined || now - lastResync >= LIMITS.resyncMs || lastResync - now > LIMITS.clockSkewMs;
}

/** Milliseconds left of a feed's wait, and never more than the whole wait where the clock was set back. */
export function waitLeft({ nextVisit, lastAttempt }: FeedState, now: Instant): number {
  if (nextVisit === undefined || lastAttempt === undefined) return 0;
  const whole = Math.min(Math.max(nextVisit - lastAttempt, 0), LIMITS.retryAfterMaxMs);
  return Math.min(Math.max(nextVisit - now, 0), whole);
}

/** Whether two states differ in nothing but the times that every visit changes. */
export function onlyTimesDiffer(before: FeedState, after: FeedState): boolean {
  return JSON.stringify({ ...before, ...NO_TIMES }) === JSON.stringify({ ...after, ...NO_TIMES });
}

const NO_TIMES = { lastAttempt: undefined, lastSuccess: undefined, lastErrorAt: undefined, nextVisit: undefined };
