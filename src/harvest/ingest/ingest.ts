import { ForgottenError, PausedError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { revisionContext, sameSource } from '../../revision/index.ts';
import type { Change } from '../../revision/records/prepared.ts';
import {
  type FeedMeta,
  type FeedReport,
  type FeedRow,
  type FeedState,
  type NamedHeldCopy,
  NEW_FEED,
  type Store,
  stateOf,
  type Writer,
} from '../../store/index.ts';
import { pageRequests } from '../page/page-requests.ts';
import { pageRoom } from '../page/page-room.ts';
import { cleanRaw } from '../page/prepare.ts';
import { isUnguarded, noteHeld } from '../visit/deletion-guard.ts';
import { onlyTimesDiffer, readBy, resyncBegun } from '../visit/states.ts';
import { applyChanges, replanFeed } from './apply-changes.ts';
import { commitQueue } from './commit-queue.ts';
import type { FeedHandle, FeedKeeper, IngestOptions } from './contract.ts';
import { finishForgetting, forgottenIn, isForgotten, nameForgotten } from './forget.ts';
import { assignPublishers } from './publishers.ts';
import { sweepUnseen } from './sweep.ts';

/**
 * Takes pages into the store: items, records, revisions and the feed's cursor in one transaction (commit-queue.ts). A
 * process that dies at any instruction leaves the store as it was after some page.
 */
export function createIngest(store: Store, options: IngestOptions): FeedKeeper {
  return {
    open: (url, meta) => openFeed(store, url, meta, options),
    ...commitQueue(store, options),
    ...pageRoom(LIMITS.pagesOctets),
    ...pageRequests(LIMITS.bodiesOctets, LIMITS.responseExpectedMs),
    state: async (url) => {
      const feed = await store.read.feedState(url);
      return feed && stateOf(feed);
    },
    wasForgotten: async (url) => (await forgottenIn(store.read)).includes(url),
    note: (feed, change) => noteState(store, feed, change, options),
    resync: (feed, reason) => beginResync(store, feed, reason, options),
    applyHeld: ({ url }, signal) => applyHeld(store, url, options, signal),
    sweep: (feed, onStep, signal) => sweepUnseen(store, feed, options, { onStep, signal }),
  };
}

async function openFeed(store: Store, url: string, meta: FeedMeta, options: IngestOptions): Promise<FeedHandle> {
  const known = await store.read.feedState(url);
  if (known !== undefined && isForgotten(known)) throw new ForgottenError(url);
  if (known?.paused !== undefined) throw new PausedError(url);
  // Every visit opens its feed: where nothing is new, nothing is written.
  if (known !== undefined && sameMeta(known, { ...known, ...meta })) return handleOf(known);
  const { feed, keys } = await store.write(async (tx) => {
    await options.fence?.(tx, url);
    const before = await tx.feedState(url);
    if (before === undefined ? (await forgottenIn(tx)).includes(url) : isForgotten(before))
      throw new ForgottenError(url);
    const after = await tx.openFeed(url, meta);
    if (before === undefined) await noteReading(tx, after, options);
    const context = await revisionContext(tx, options);
    const changed = before !== undefined && !sameSource(before, after) ? await replanFeed(tx, after.id, context) : [];
    return { feed: after, keys: changed };
  });
  if (keys.length > 0) options.onChange?.(keys);
  // A new feed, or one with another publisher, changes which publisher an `@id` belongs to.
  if (known?.publisherId !== feed.publisherId) await assignPublishers(store, options);
  return handleOf(feed);
}

const handleOf = ({ id, url, cursor }: FeedRow): FeedHandle => ({ id, url, cursor: cursor ?? null });

/**
 * Registers feeds in the order in which the settings and dataset sites name them, before any is read. The feed that is
 * known longest decides between publishers, and that must not depend on which feed answers first.
 */
export async function registerFeeds(
  store: Store,
  named: readonly { source: { url: string }; meta: FeedMeta }[],
  options: IngestOptions,
): Promise<void> {
  await finishForgetting(store, options);
  await nameForgotten(store, new Set(named.map(({ source }) => source.url)));
  const known = new Map((await store.read.feeds()).map((feed) => [feed.url, feed]));
  const fresh = named.filter(({ source: { url }, meta: { publisherKey } }) => {
    const feed = known.get(url);
    return feed === undefined || (publisherKey !== undefined && feed.publisherKey !== publisherKey);
  });
  if (fresh.length > 0)
    await store.write(async (tx) => {
      // Feeds that an operator had forgotten meanwhile are not removed yet.
      const forgotten = new Set((await tx.feeds()).filter(isForgotten).map(({ url }) => url));
      for (const { source, meta } of fresh.filter((one) => !forgotten.has(one.source.url))) {
        const key = meta.publisherKey === undefined ? {} : { publisherKey: meta.publisherKey };
        const feed = await tx.openFeed(source.url, key);
        if (!known.has(source.url)) await noteReading(tx, feed, options);
      }
    });
  // A process that was stopped may have left records to be assigned.
  await assignPublishers(store, options);
}

/** Notes with a new feed the settings that it is read with. */
async function noteReading(tx: Writer, feed: FeedRow, { cleanOptions }: IngestOptions): Promise<void> {
  await tx.saveFeedState(feed.id, readBy(NEW_FEED, cleanOptions(feed)));
}

async function noteState(
  store: Store,
  { url }: FeedHandle,
  change: (state: FeedState) => FeedState,
  options: IngestOptions,
): Promise<void> {
  const known = await store.read.feedState(url);
  if (known !== undefined) {
    const [before, after] = [stateOf(known), change(stateOf(known))];
    const since = Math.abs((after.lastAttempt ?? 0) - (before.lastAttempt ?? 0));
    if (onlyTimesDiffer(before, after) && since < LIMITS.noteMs) return;
  }
  await store.write(async (tx) => {
    await options.fence?.(tx, url);
    const feed = await tx.feedState(url);
    if (feed !== undefined) await tx.saveFeedState(feed.id, change(stateOf(feed)));
  });
}

async function beginResync(store: Store, handle: FeedHandle, reason: string, options: IngestOptions): Promise<void> {
  await store.write(async (tx) => {
    await options.fence?.(tx, handle.url);
    const feed = (await tx.feedState(handle.url)) as FeedReport;
    await tx.saveCursor(feed.id, undefined, undefined);
    await tx.forgetSeen(feed.id);
    if (feed.older !== undefined) await tx.savePageFindings(feed.id, feed.older.finding, []);
    await tx.saveFeedState(feed.id, resyncBegun(stateOf(feed), options.now(), reason));
  });
  handle.cursor = null;
}

function sameMeta(a: FeedMeta, b: FeedMeta): boolean {
  const isSame = a.name === b.name && a.listed === b.listed && a.publisherKey === b.publisherKey;
  return isSame && sameSource(a, b);
}

const BATCH = 500;

/**
 * Applies the held copies of a feed, if an operator has confirmed them or the settings apply them. It takes small
 * transactions, so that a new process goes on where one died. Returns how many items were applied.
 */
async function applyHeld(store: Store, url: string, options: IngestOptions, signal?: AbortSignal): Promise<number> {
  const feed = await store.read.feedState(url);
  if (feed?.held === undefined || !isUnguarded(feed, options)) return 0;
  for (let applied = 0; ; ) {
    const step = await store.write((tx) => applySome(tx, feed, options));
    if (step.keys.length > 0) options.onChange?.(step.keys);
    if (step.items === 0) return applied;
    applied += step.items;
    signal?.throwIfAborted();
  }
}

async function applySome(
  tx: Writer,
  feed: FeedReport,
  options: IngestOptions,
): Promise<{ items: number; keys: string[] }> {
  await options.fence?.(tx, feed.url);
  const rows = await tx.heldIn(feed.id, BATCH);
  const changes: Change[] = [];
  for (const row of rows) changes.push(await applyOne(tx, feed, row, options));
  await tx.dropHeld(rows.map(({ item }) => item));
  const keys = await applyChanges(tx, changes, await revisionContext(tx, options), options);
  await noteHeld(tx, feed.url, options.now());
  return { items: rows.length, keys };
}

async function applyOne(
  tx: Writer,
  feed: FeedReport,
  { item, kind, rpdeId, modified, hash, raw }: NamedHeldCopy,
  options: IngestOptions,
): Promise<Change> {
  const content = raw === undefined ? undefined : cleanRaw({ kind, rpdeId, modified }, raw, options.cleanOptions(feed));
  await tx.saveItems(feed.id, [{ id: item, kind, rpdeId, modified, hash, raw, findings: content?.findingsText }]);
  return { item, feed: feed.url, kind, rpdeId, modified, known: true, records: content?.records ?? [] };
}
