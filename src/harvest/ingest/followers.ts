import type { Publishers } from '../../join/publishers.ts';
import type { NamedRecord } from '../../revision/index.ts';
import type { Change } from '../../revision/records/prepared.ts';
import { type RecordBody, strayIdent, type Writer } from '../../store/index.ts';
import { cleanRaw } from '../page/prepare.ts';
import type { Assigning, IngestOptions } from './contract.ts';

/** Finds items to be assigned again, because a record that they depend on has another publisher now. */

interface Decided extends NamedRecord {
  row: RecordBody | undefined;
  /** The item that owns the record from now on. */
  ownerItem: number | undefined;
}

/** Changes of further items that must be assigned again: those that depend on records with another publisher than before. */
export async function followers(
  { tx, options, publishers }: Assigning,
  decided: readonly Decided[],
  changes: readonly Change[],
): Promise<Change[]> {
  const items = new Set<number>();
  const several = publishers.ids().length > 1;
  for (const { row, ownerItem, owned, publisherId } of decided) {
    if (row === undefined) continue;
    // A new owner states other parents: the item of the last owner is assigned again.
    if (several && row.parent !== undefined && row.owner !== undefined && row.owner.item !== ownerItem)
      items.add(row.owner.item);
    const hasOtherPublisher = row.publisherId !== undefined && row.publisherId !== publisherId;
    const found = hasOtherPublisher ? await tx.itemsOn([row.id]) : [];
    if (row.strays && (hasOtherPublisher || row.publisherId !== publisherId || owned !== (row.owner !== undefined)))
      found.push(...(await itemsBeside(tx, row, publishers)));
    for (const item of found) items.add(item);
  }
  for (const { item } of changes) items.delete(item);
  return items.size === 0 ? [] : sameChanges(tx, [...items], options);
}

/** Items of other publishers with records that name this one as parent, and wait like orphans beside it. */
export async function itemsBeside(
  tx: Writer,
  { kind, ident }: Pick<RecordBody, 'kind' | 'ident'>,
  publishers: Publishers,
): Promise<number[]> {
  const idents = publishers.ids().map((id) => strayIdent(ident, id));
  const rows = await tx.records(kind, idents);
  return tx.itemsOn(rows.flatMap((row) => row?.id ?? []));
}

/** The stored data of items, as updates that change nothing. */
export async function sameChanges(tx: Writer, ids: readonly number[], options: IngestOptions): Promise<Change[]> {
  const feeds = new Map((await tx.feeds()).map((feed) => [feed.id, feed]));
  const raws = await tx.raw(ids);
  const changes: Change[] = [];
  for (const { id: item, feed: of, kind, rpdeId, modified } of await tx.itemsById(ids)) {
    const feed = feeds.get(of);
    if (feed === undefined) continue;
    const { records } = cleanRaw({ kind, rpdeId, modified }, raws.get(item) ?? 'null', options.cleanOptions(feed));
    changes.push({ item, feed: feed.url, kind, rpdeId, modified, known: true, same: true, records });
  }
  return changes;
}
