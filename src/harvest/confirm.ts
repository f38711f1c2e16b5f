import { publicUrl, UsageError } from '../errors.ts';
import type { Instant } from '../opportunity/records.ts';
import type { FeedState, Store } from '../store/contract.ts';
import { stateOf } from '../store/feed-state.ts';

/**
 * Lets the deletions of a feed through that wait for somebody: all those on the way to its next real end, once.
 * @param feedUrl the feed's address, as it is stored or as it is shown
 * @returns what waited; undefined: nothing did, and nothing is confirmed
 * @throws UsageError when there is no such feed, or what is shown stands for several
 */
export function confirmDeletes(store: Store, feedUrl: string, now: Instant): Promise<FeedState['held']> {
  return store.write(async (tx) => {
    const feeds = await tx.feedStates();
    const exact = feeds.filter(({ url }) => url === feedUrl);
    const [feed, other] = exact.length > 0 ? exact : feeds.filter(({ url }) => publicUrl(url) === feedUrl);
    if (feed === undefined) throw new UsageError(`there is no feed ${publicUrl(feedUrl)} in this --data folder`);
    // Addresses are shown without their keys, so two feeds may look alike.
    if (other !== undefined)
      throw new UsageError(`several feeds are shown as ${feedUrl}: name one by its whole address`);
    const state = stateOf(feed);
    if (state.held !== undefined) await tx.saveFeedState(feed.id, { ...state, confirmed: now, nextVisit: now });
    return state.held;
  });
}
