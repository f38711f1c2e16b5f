import { type FeedReport, type FeedRow, META, type Reader, type Store, type Writer } from '../../store/index.ts';
import { namedFeed } from '../feed/named-feed.ts';
import type { IngestOptions } from './contract.ts';
import { assignPublishers } from './publishers.ts';
import { deleteItems } from './sweep.ts';

/**
 * Removes a feed with its items and records from the store. Calendars that subscribers still have end as any deleted
 * calendar does. It takes small transactions, beside a process that serves; `finishForgetting` goes on where a process
 * stopped. From the first transaction on, claims of the feed do not count, and no page of it is taken in.
 */

/** Items deleted in one transaction. */
const BATCH = 500;

/** Removes a feed. Returns its address and how many items it had. @throws UsageError when there is no such feed */
export async function forgetFeed(
  store: Store,
  feedUrl: string,
  options: IngestOptions,
): Promise<{ url: string; items: number }> {
  const feed = await beginForgetting(store, feedUrl);
  await finishForgetting(store, options);
  return { url: feed.url, items: feed.items };
}

/** Ends the claims of a feed; a process that harvests removes its items. @throws UsageError when there is no such feed */
export function beginForgetting(store: Store, feedUrl: string): Promise<FeedReport> {
  return store.write(async (tx) => {
    const found = namedFeed(await tx.feedStates(), feedUrl);
    await tx.beginForgetting(found.id);
    const noted = (await forgottenIn(tx)).filter((url) => url !== found.url);
    await tx.setMeta(META.forgotten, JSON.stringify([...noted, found.url]));
    return found;
  });
}

/** Addresses of forgotten feeds: a process that was started before does not register them again. */
export async function forgottenIn(read: Pick<Reader, 'meta'>): Promise<string[]> {
  return JSON.parse((await read.meta(META.forgotten)) ?? '[]') as string[];
}

/** Ends the forgetting of feeds that a starting process names: they are read anew. */
export async function nameForgotten(store: Store, urls: ReadonlySet<string>): Promise<void> {
  if (!(await forgottenIn(store.read)).some((url) => urls.has(url))) return;
  await store.write(async (tx) => {
    const others = (await forgottenIn(tx)).filter((url) => !urls.has(url));
    await tx.setMeta(META.forgotten, JSON.stringify(others));
  });
}

/** Removes all feeds whose forgetting was begun; does nothing where there is none. */
export async function finishForgetting(store: Store, options: IngestOptions): Promise<void> {
  const forgotten = (await store.read.feeds()).filter(isForgotten);
  if (forgotten.length === 0) return;
  // An operator asked for it: no deletion is held back.
  const unguarded = { ...options, applyDeletes: () => true };
  for (const feed of forgotten) {
    for (let left = true; left; ) {
      const { keys, more } = await store.write((tx) => forgetSome(tx, feed, unguarded));
      if (keys.length > 0) options.onChange?.(keys);
      left = more;
    }
  }
  await assignPublishers(store, options);
}

export function isForgotten({ publisherId }: FeedRow): boolean {
  return publisherId === 0;
}

async function forgetSome(
  tx: Writer,
  { id, url }: FeedRow,
  options: IngestOptions,
): Promise<{ keys: string[]; more: boolean }> {
  const feed = await tx.feedState(url);
  // Another process has removed it.
  if (feed === undefined) return { keys: [], more: false };
  const items = await tx.itemsOf(id, BATCH);
  const ids = items.map((item) => item.id);
  await tx.dropHeld(ids);
  const live = items.filter(({ deleted }) => !deleted);
  const keys = await deleteItems(tx, feed, live, options);
  await tx.dropItems(ids);
  if (items.length === BATCH) return { keys, more: true };
  await tx.dropFeed(id);
  return { keys, more: false };
}
