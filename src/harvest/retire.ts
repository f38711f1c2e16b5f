import type { FeedRow, Store } from '../store/contract.ts';
import { stateOf } from '../store/feed-state.ts';

/**
 * Marks the feeds that the settings no longer name. What they brought stays, and is served, until their publishers
 * delete it; a feed that is named again is read again. Returns them.
 */
export function retireOthers(store: Store, named: ReadonlySet<string>): Promise<FeedRow[]> {
  return store.write(async (tx) => {
    const left = (await tx.feedStates()).filter(({ url }) => !named.has(url));
    for (const feed of left) {
      if (feed.state !== 'retired') await tx.saveFeedState(feed.id, { ...stateOf(feed), state: 'retired' });
    }
    return left;
  });
}
