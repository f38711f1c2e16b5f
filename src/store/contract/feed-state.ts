import type { Instant } from '../../time/instant.ts';
import type { HeldSum, Loss } from './held.ts';
import { storedJson } from './trouble.ts';

/** How a feed is doing; kept with it, so that every process and a later start know. */
export interface FeedState {
  /**
   * `new`: never visited. `reading`: on its way to the end. `stalled`: the last visit did not get on, and was stopped.
   * `gone`: 404 or 410, visited once a day. `held`: read to its end, and losses wait for somebody to confirm them.
   * `retired`: not among the feeds of the settings any more.
   */
  state: 'new' | 'reading' | 'ended' | 'failing' | 'stalled' | 'gone' | 'held' | 'retired';
  lastAttempt: Instant | undefined;
  /** Read to its real end. */
  lastSuccess: Instant | undefined;
  /** A page was committed. */
  lastPage: Instant | undefined;
  /** A page that changed something was committed. */
  lastChange: Instant | undefined;
  /** `modified` of the last item that was read, as its publisher wrote it. */
  modified: string | undefined;
  /** In words, without secrets; stays until the next success. */
  lastError: string | undefined;
  lastErrorAt: Instant | undefined;
  /** Failed passes in a row. */
  failures: number;
  /** Failed passes ever. */
  totalFailures: number;
  /** Pages taken in, ever. */
  pages: number;
  /** Items on them, live and deleted. */
  taken: number;
  nextVisit: Instant | undefined;
  /**
   * A pass from the start is under way; what it has not met at the real end goes. `swept`: the last item read by
   * then; absent while pages are still read. `end`: the real end was met, by an answer that a cache may have kept; it is
   * read again from `due` on, before anything goes.
   */
  resync: { since: Instant; reason: string; swept?: number; end?: { at: Instant; due: Instant } } | undefined;
  /** When the last pass from the start began. */
  lastResync: Instant | undefined;
  /** Why another is needed as soon as it may begin. */
  resyncDue: string | undefined;
  /** Losses that are held back (held.ts), of so many calendars and sessions that the feed had. */
  held: (HeldSum & { of: Loss; since: Instant }) | undefined;
  /** Somebody confirmed them: whatever is on the way to the next real end is applied. */
  confirmed: Instant | undefined;
  /** Somebody wants it left alone since then. */
  paused: Instant | undefined;
  /** What the feed took away lately, and, where that is many, of how many. */
  burst: (Loss & { of?: Loss; since: Instant }) | undefined;
  /** The trouble that was last sent to `notifyUrl`; absent: none, or that it is over. */
  notified: 'failing' | 'gone' | 'held' | undefined;
  /** Items of a Slot kind were met: their tombstones are kept for a shorter time. */
  slots: boolean;
}

export const NEW_FEED: Readonly<FeedState> = {
  state: 'new',
  lastAttempt: undefined,
  lastSuccess: undefined,
  lastPage: undefined,
  lastChange: undefined,
  modified: undefined,
  lastError: undefined,
  lastErrorAt: undefined,
  failures: 0,
  totalFailures: 0,
  pages: 0,
  taken: 0,
  nextVisit: undefined,
  resync: undefined,
  lastResync: undefined,
  resyncDue: undefined,
  held: undefined,
  confirmed: undefined,
  paused: undefined,
  burst: undefined,
  notified: undefined,
  slots: false,
};

/** The state as a store keeps it: what is undefined is left out. */
export function feedStateOf(json: string | undefined): FeedState {
  const { held, burst, ...state } = json === undefined ? {} : storedJson<Partial<FeedState>>(json);
  return {
    ...NEW_FEED,
    ...state,
    // Earlier releases counted items, and left the page that held them unread: it is read again.
    held: held?.calendars === undefined ? undefined : held,
    burst: burst?.calendars === undefined ? undefined : burst,
  };
}

/** A feed's state alone, of everything that is known of it. */
export function stateOf(feed: FeedState): FeedState {
  const state: Partial<Record<keyof FeedState, unknown>> = {};
  for (const key of Object.keys(NEW_FEED) as (keyof FeedState)[]) state[key] = feed[key];
  return state as FeedState;
}
