import { revisionContext } from '../../revision/index.ts';
import type { Change } from '../../revision/records/prepared.ts';
import type { FeedReport, NamedHeldCopy, Store, Writer } from '../../store/index.ts';
import { cleanRaw } from '../page/prepare.ts';
import { isUnguarded, noteHeld } from '../visit/deletion-guard.ts';
import { applyChanges } from './apply-changes.ts';
import type { IngestOptions } from './contract.ts';

const BATCH = 500;

/**
 * Applies the losses of a feed that are held back, if somebody has confirmed them or the settings say so. In small
 * transactions: a process that dies in between goes on where it was. Returns how many items went.
 */
export async function applyHeld(
  store: Store,
  url: string,
  options: IngestOptions,
  signal?: AbortSignal,
): Promise<number> {
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
