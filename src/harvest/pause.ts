import type { Instant } from '../opportunity/records.ts';
import type { FeedReport, Store } from '../store/contract.ts';
import { stateOf } from '../store/feed-state.ts';
import { namedFeed } from './named-feed.ts';

/**
 * Leaves a feed alone until it is resumed: no process visits it, and none takes in a page that was on its way. What it
 * brought stays served.
 * @param feedUrl the feed's address, as it is stored or as it is shown
 * @returns the feed as it is now
 * @throws UsageError when there is no such feed, or what is shown stands for several
 */
export function pauseFeed(store: Store, feedUrl: string, now: Instant): Promise<FeedReport> {
  return savePaused(store, feedUrl, ({ paused }) => paused ?? now);
}

/** The wait that the feed was given holds. Otherwise as `pauseFeed`. */
export function resumeFeed(store: Store, feedUrl: string): Promise<FeedReport> {
  return savePaused(store, feedUrl, () => undefined);
}

function savePaused(
  store: Store,
  feedUrl: string,
  pausedOf: (feed: FeedReport) => Instant | undefined,
): Promise<FeedReport> {
  return store.write(async (tx) => {
    const feed = namedFeed(await tx.feedStates(), feedUrl);
    const paused = pausedOf(feed);
    if (paused !== feed.paused) await tx.saveFeedState(feed.id, { ...stateOf(feed), paused });
    return { ...feed, paused };
  });
}
