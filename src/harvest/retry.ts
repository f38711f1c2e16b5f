import type { Instant } from '../opportunity/records.ts';
import type { FeedReport, FeedState, Store } from '../store/contract.ts';
import { stateOf } from '../store/feed-state.ts';
import { namedFeed } from './named-feed.ts';

/** What is waited out before such a feed is visited again; the others are visited every few minutes anyway. */
export function isTroubled({ state, paused }: Pick<FeedState, 'state' | 'paused'>): boolean {
  if (paused !== undefined) return false;
  return state === 'failing' || state === 'stalled' || state === 'gone' || state === 'held';
}

/**
 * Ends the wait of a feed in trouble: a process that harvests visits it within seconds, or as soon as one is started.
 * @param feedUrl the feed's address, as it is stored or as it is shown
 * @returns the feed as it was; where it is not in trouble, nothing was changed
 * @throws UsageError when there is no such feed, or what is shown stands for several
 */
export function visitSoon(store: Store, feedUrl: string, now: Instant): Promise<FeedReport> {
  return store.write(async (tx) => {
    const feed = namedFeed(await tx.feedStates(), feedUrl);
    if (isTroubled(feed)) await tx.saveFeedState(feed.id, { ...stateOf(feed), nextVisit: now });
    return feed;
  });
}
