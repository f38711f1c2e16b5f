import { OvertakenError, PausedError } from '../../errors.ts';
import { revisionContext } from '../../revision/index.ts';
import { type FeedReport, type ItemRow, type Store, stateOf, type Writer } from '../../store/index.ts';
import { holdBack, noteHeld, type ToHold, writeGuarded } from '../visit/deletion-guard.ts';
import { applyChanges } from './apply-changes.ts';
import { changeOf } from './changes.ts';
import type { FeedHandle, IngestOptions } from './contract.ts';

/** Ids read in one go, and items deleted in one transaction. */
const SPAN = 20_000;
const BATCH = 500;

/**
 * Deletes items that a pass from the start has not met by the real end, as if the feed had sent tombstones. It takes small
 * transactions, so that a new process goes on where one died. Does nothing without such a pass.
 * @returns how many items were deleted
 * @throws OvertakenError when another process has read on meanwhile
 */
export async function sweepUnseen(
  store: Store,
  handle: FeedHandle,
  options: IngestOptions,
  { onStep, signal }: { onStep?: (() => void) | undefined; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const feed = await store.read.feedState(handle.url);
  if (feed?.resync === undefined) return 0;
  let deleted = 0;
  for (;;) {
    const step = await writeGuarded(store, (tx, toHold) => sweepSome(tx, handle, feed.resync?.since, toHold, options));
    if (step === undefined) return deleted;
    onStep?.();
    deleted += step.deleted;
    if (step.keys.length > 0) options.onChange?.(step.keys);
    signal?.throwIfAborted();
  }
}

async function sweepSome(
  tx: Writer,
  handle: FeedHandle,
  run: number | undefined,
  toHold: ToHold,
  options: IngestOptions,
): Promise<{ deleted: number; keys: string[] } | undefined> {
  await options.fence?.(tx, handle.url);
  const feed = (await tx.feedState(handle.url)) as FeedReport;
  const { resync } = feed;
  if (resync === undefined) return undefined;
  if (feed.paused !== undefined) throw new PausedError(feed.url);
  // Pages that were not read yet may hold items that seem unseen.
  if (resync.since !== run || (feed.cursor ?? null) !== handle.cursor) throw new OvertakenError(feed.url);
  const last = await tx.lastItem();
  const upTo = Math.min((resync.swept ?? 0) + SPAN, last);
  const rows = await tx.unseen(feed.id, resync.swept ?? 0, upTo);
  const batch = rows.slice(0, BATCH);
  const swept = rows.length > BATCH ? (batch.at(-1) as ItemRow).id : upTo;
  const over = swept >= last;
  if (over) await tx.forgetSeen(feed.id);
  await tx.saveFeedState(feed.id, { ...stateOf(feed), resync: over ? undefined : { ...resync, swept } });
  const held = feed.held === undefined ? undefined : await tx.heldOf(batch.map(({ id }) => id));
  const going = batch.filter((row) => !toHold.has(feed.url, row) && !held?.has(row.id));
  const keys = await deleteItems(tx, feed, going, options);
  const kept = batch.filter((row) => toHold.has(feed.url, row));
  await holdBack(tx, feed, kept.map(asDeleted), toHold);
  if (toHold.size > 0) await noteHeld(tx, feed.url, options.now());
  return { deleted: going.length, keys };
}

function asDeleted({ id, kind, rpdeId, modified }: ItemRow): Parameters<typeof holdBack>[2][number] {
  return { item: id, kind, rpdeId, modified, hash: undefined, raw: undefined };
}

/** Deletes items. Each keeps its `modified`, so that its publisher brings it back by sending the same copy again. */
export async function deleteItems(
  tx: Writer,
  feed: FeedReport,
  rows: readonly ItemRow[],
  options: IngestOptions,
): Promise<string[]> {
  const gone = { hash: undefined, raw: undefined, findings: undefined };
  const writes = rows.map(({ id, kind, rpdeId, modified }) => ({ id, kind, rpdeId, modified, ...gone }));
  await tx.saveItems(feed.id, writes);
  const changes = writes.map((write) => changeOf(feed, write, write.id, true, { records: [] }));
  return applyChanges(tx, changes, await revisionContext(tx, options), options);
}
