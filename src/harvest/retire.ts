import type { FeedReport, FeedRow, Store } from '../store/contract.ts';
import { stateOf } from '../store/feed-state.ts';

/**
 * Marks the feeds that the settings no longer name. What they brought stays, and is served, until their publishers
 * delete it; a feed that is named again is read again. Returns them.
 */
export async function retireOthers(store: Store, named: ReadonlySet<string>): Promise<FeedRow[]> {
  const others = (feeds: readonly FeedReport[]) => feeds.filter(({ url }) => !named.has(url));
  const left = others(await store.read.feedStates());
  // Nothing is written where nothing is new: a service starts on a full disk too.
  if (left.every(({ state }) => state === 'retired')) return left;
  await store.write(async (tx) => {
    for (const feed of others(await tx.feedStates())) {
      if (feed.state !== 'retired') await tx.saveFeedState(feed.id, { ...stateOf(feed), state: 'retired' });
    }
  });
  return left;
}
