import type { Instant } from '../opportunity/records.ts';
import type { FeedState, Store } from '../store/contract.ts';
import { stateOf } from '../store/feed-state.ts';
import { namedFeed } from './named-feed.ts';

/**
 * Lets the deletions of a feed through that wait for somebody: all those on the way to its next real end, once.
 * @param feedUrl the feed's address, as it is stored or as it is shown
 * @returns what waited; undefined: nothing did, and nothing is confirmed
 * @throws UsageError when there is no such feed, or what is shown stands for several
 */
export function confirmDeletes(store: Store, feedUrl: string, now: Instant): Promise<FeedState['held']> {
  return store.write(async (tx) => {
    const feed = namedFeed(await tx.feedStates(), feedUrl);
    const state = stateOf(feed);
    if (state.held !== undefined) await tx.saveFeedState(feed.id, { ...state, confirmed: now, nextVisit: now });
    return state.held;
  });
}
