import { type FeedReport, type FeedRow, META, type Reader, type Store, type Writer } from '../../store/index.ts';
import { namedFeed } from '../feed/named-feed.ts';
import type { IngestOptions } from './contract.ts';
import { assignPublishers } from './publishers.ts';
import { deleteItems } from './sweep.ts';

/**
 * Takes a feed and all it brought out of the store, as if it had never been. Calendars that subscribers still hold end as any
 * deleted one does. In small transactions, beside a process that serves; a stopped one goes on where it was
 * (`finishForgetting`). From the first transaction on the feed may not speak, and nothing more of it is taken in.
 */

/** Items deleted in one transaction. */
const BATCH = 500;

/** @throws UsageError when there is no such feed. Returns its address and how many items it had. */
export async function forgetFeed(
  store: Store,
  feedUrl: string,
  options: IngestOptions,
): Promise<{ url: string; items: number }> {
  const feed = await beginForgetting(store, feedUrl);
  await finishForgetting(store, options);
  return { url: feed.url, items: feed.items };
}

/** From now on the feed may not speak; a process that harvests takes away what it brought. @throws UsageError as above */
export function beginForgetting(store: Store, feedUrl: string): Promise<FeedReport> {
  return store.write(async (tx) => {
    const found = namedFeed(await tx.feedStates(), feedUrl);
    await tx.beginForgetting(found.id);
    const noted = (await forgottenIn(tx)).filter((url) => url !== found.url);
    await tx.setMeta(META.forgotten, JSON.stringify([...noted, found.url]));
    return found;
  });
}

/** Addresses that a process which runs already does not make anew, whichever of them it comes to read. */
export async function forgottenIn(read: Pick<Reader, 'meta'>): Promise<string[]> {
  return JSON.parse((await read.meta(META.forgotten)) ?? '[]') as string[];
}

/** A process that starts names them: they are read anew. */
export async function nameForgotten(store: Store, urls: ReadonlySet<string>): Promise<void> {
  if (!(await forgottenIn(store.read)).some((url) => urls.has(url))) return;
  await store.write(async (tx) => {
    const others = (await forgottenIn(tx)).filter((url) => !urls.has(url));
    await tx.setMeta(META.forgotten, JSON.stringify(others));
  });
}

/** Goes on with what was begun or stopped; does nothing where nothing was. */
export async function finishForgetting(store: Store, options: IngestOptions): Promise<void> {
  const forgotten = (await store.read.feeds()).filter(isForgotten);
  if (forgotten.length === 0) return;
  // An operator asked for it: no deletion is held back.
  const free = { ...options, applyDeletes: () => true };
  for (const feed of forgotten) {
    for (let left = true; left; ) {
      const { keys, more } = await store.write((tx) => forgetSome(tx, feed, free));
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
  // Another process was faster.
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
