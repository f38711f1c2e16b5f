import type { NamedAside } from '../store/aside.ts';
import type { FeedReport, Store, Writer } from '../store/contract.ts';
import type { Change } from './changes.ts';
import { isFree, noteAside } from './guard.ts';
import type { IngestOptions } from './ingest.ts';
import { cleanRaw } from './prepared.ts';
import { contextOf, settleChanges } from './replan.ts';

const BATCH = 500;

/**
 * Applies the losses of a feed that are set aside, if somebody has confirmed them or the settings say so. In small
 * transactions: a process that dies in between goes on where it was. Returns how many items went.
 */
export async function applyAside(store: Store, url: string, options: IngestOptions): Promise<number> {
  const feed = await store.read.feedState(url);
  if (feed?.held === undefined || !isFree(feed, options)) return 0;
  for (let applied = 0; ; ) {
    const step = await store.write((tx) => applySome(tx, feed, options));
    if (step.keys.length > 0) options.onChange?.(step.keys);
    if (step.items === 0) return applied;
    applied += step.items;
  }
}

async function applySome(
  tx: Writer,
  feed: FeedReport,
  options: IngestOptions,
): Promise<{ items: number; keys: string[] }> {
  const rows = await tx.asideIn(feed.id, BATCH);
  const changes: Change[] = [];
  for (const row of rows) changes.push(await applyOne(tx, feed, row, options));
  await tx.dropAside(rows.map(({ item }) => item));
  const keys = await settleChanges(tx, changes, await contextOf(tx, options), options);
  await noteAside(tx, feed.url, options.now());
  return { items: rows.length, keys };
}

async function applyOne(
  tx: Writer,
  feed: FeedReport,
  { item, kind, rpdeId, modified, hash, raw }: NamedAside,
  options: IngestOptions,
): Promise<Change> {
  const said = raw === undefined ? undefined : cleanRaw({ kind, rpdeId, modified }, raw, options.door(feed));
  await tx.saveItems(feed.id, [{ id: item, kind, rpdeId, modified, hash, raw, findings: said?.findingsText }]);
  return { item, feed: feed.url, kind, rpdeId, modified, known: true, records: said?.records ?? [] };
}
