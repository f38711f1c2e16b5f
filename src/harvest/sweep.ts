import { OvertakenError } from '../errors.ts';
import type { FeedReport, ItemRow, Store, Writer } from '../store/contract.ts';
import { stateOf } from '../store/feed-state.ts';
import { breathe } from './breathe.ts';
import type { FeedHandle } from './contract.ts';
import { burstWith, checkBurst } from './guard.ts';
import type { IngestOptions } from './ingest.ts';
import { contextOf, settleChanges } from './replan.ts';

/** Ids looked at in one go, and items deleted in one transaction. */
const SPAN = 20_000;
const BATCH = 500;

/**
 * What a pass from the start has not met at the real end is deleted as if the feed had said so. In small transactions:
 * a process that dies in between goes on where it was. Does nothing without such a pass.
 * @returns how many items went
 * @throws HeldError before the first deletion; OvertakenError when another process has moved the feed meanwhile
 */
export async function sweepUnseen(store: Store, handle: FeedHandle, options: IngestOptions): Promise<number> {
  const feed = await store.read.feedState(handle.url);
  if (feed?.resync === undefined) return 0;
  if (feed.resync.swept === undefined) await checkSweep(store, feed, options);
  let deleted = 0;
  for (;;) {
    const step = await store.write((tx) => sweepSome(tx, handle, feed.resync?.since, options));
    if (step === undefined) return deleted;
    deleted += step.deleted;
    if (step.keys.length > 0) options.onChange?.(step.keys);
  }
}

async function checkSweep(store: Store, feed: FeedReport, options: IngestOptions): Promise<void> {
  const { held, lastPage = 0, lastAttempt = 0 } = feed;
  // Nothing came since it was counted: a sweep that waits for weeks is not counted again at every visit.
  const known = held?.where === 'sweep' && held.applied !== undefined && lastPage < lastAttempt ? held : undefined;
  const burst = burstWith(feed, known?.deletes ?? (await countUnseen(store, feed.id)), options.now());
  checkBurst(feed, burst, 'sweep', options.applyDeletes?.(feed));
}

async function countUnseen(store: Store, feed: number): Promise<number> {
  const last = await store.read.lastItem();
  let count = 0;
  for (let after = 0; after < last; after += SPAN) {
    count += (await store.read.unseen(feed, after, after + SPAN)).length;
    await breathe();
  }
  return count;
}

interface Step {
  deleted: number;
  keys: string[];
}

async function sweepSome(
  tx: Writer,
  handle: FeedHandle,
  run: number | undefined,
  options: IngestOptions,
): Promise<Step | undefined> {
  const feed = (await tx.feedState(handle.url)) as FeedReport;
  const { resync } = feed;
  if (resync === undefined) return undefined;
  // Pages that were not read yet may hold what looks unseen.
  if (resync.since !== run || (feed.cursor ?? null) !== handle.cursor) throw new OvertakenError(feed.url);
  const last = await tx.lastItem();
  const upTo = Math.min((resync.swept ?? 0) + SPAN, last);
  const rows = await tx.unseen(feed.id, resync.swept ?? 0, upTo);
  const batch = rows.slice(0, BATCH);
  const swept = rows.length > BATCH ? (batch.at(-1) as ItemRow).id : upTo;
  const over = swept >= last;
  if (over) await tx.forgetSeen(feed.id);
  await tx.saveFeedState(feed.id, { ...stateOf(feed), resync: over ? undefined : { ...resync, swept } });
  return { deleted: batch.length, keys: await deleteItems(tx, feed, batch, options) };
}

/** Tombstones keep their `modified`: the publisher's own word, also the same one again, brings an item back. */
async function deleteItems(
  tx: Writer,
  feed: FeedReport,
  rows: readonly ItemRow[],
  options: IngestOptions,
): Promise<string[]> {
  const gone = { hash: undefined, raw: undefined, findings: undefined };
  await tx.saveItems(
    feed.id,
    rows.map(({ id, kind, rpdeId, modified }) => ({ id, kind, rpdeId, modified, ...gone })),
  );
  const changes = rows.map(({ id, kind, rpdeId, modified }) => ({
    item: id,
    feed: feed.url,
    kind,
    rpdeId,
    modified,
    known: true,
    records: [],
  }));
  return settleChanges(tx, changes, await contextOf(tx, options), options);
}
