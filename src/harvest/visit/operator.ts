import {
  type FeedReport,
  type FeedRow,
  type FeedState,
  isTroubled,
  type Store,
  stateOf,
  type Writer,
} from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { namedFeed } from '../feed/named-feed.ts';

/**
 * Pauses a feed until it is resumed: no process visits it, or commits a page of it that was read before. Its calendars stay
 * served.
 * @param feedUrl the feed's address, as it is stored or as it is shown
 * @returns the feed as it is now
 * @throws UsageError when there is no such feed, or what is shown stands for several
 */
export function pauseFeed(store: Store, feedUrl: string, now: Instant): Promise<FeedReport> {
  return savePaused(store, feedUrl, ({ paused }) => paused ?? now);
}

/** Resumes a feed, with the rest of the wait from before the pause. Otherwise as `pauseFeed`. */
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

/**
 * Confirms the held deletions of a feed, and all others until its next real end.
 * @param feedUrl the feed's address, as it is stored or as it is shown
 * @returns the held losses; undefined: none were held, and none are confirmed
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

/**
 * Flags feeds that the settings no longer name as retired, and returns them. Their calendars stay served until an operator
 * has the feed forgotten; a feed that is named again is read again. `check`: called before the first write.
 */
export async function retireOthers(
  store: Store,
  named: ReadonlySet<string>,
  check?: (tx: Writer) => Promise<void>,
): Promise<FeedRow[]> {
  const unnamed = (feeds: readonly FeedReport[]) => feeds.filter(({ url }) => !named.has(url));
  const left = unnamed(await store.read.feedStates());
  // Without a new one nothing is written, so that a service starts on a full disk too.
  if (left.every(({ state }) => state === 'retired')) return left;
  await store.write(async (tx) => {
    await check?.(tx);
    for (const feed of unnamed(await tx.feedStates())) {
      if (feed.state !== 'retired') await tx.saveFeedState(feed.id, { ...stateOf(feed), state: 'retired' });
    }
  });
  return left;
}
