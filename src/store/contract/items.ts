import type { Bundled } from '../bundles.ts';

export interface ItemKey {
  kind: string;
  rpdeId: string;
}

/** A stored item. A deleted item stays as a tombstone, so that an older copy cannot bring it back (semantics 1.2). */
export interface ItemRow extends ItemKey {
  id: number;
  modified: string;
  deleted: boolean;
  /** Hash of the raw data, or `DAMAGED_DATA`; undefined: a tombstone. */
  hash: string | undefined;
}

export interface ItemWrite extends ItemKey {
  /** The row to replace; undefined: a new item. */
  id: number | undefined;
  modified: string;
  hash: string | undefined;
  /** The item's `data` as JSON text, alone or in a bundle; undefined: deleted, or unchanged where `keepRaw`. */
  raw: string | Bundled | undefined;
  /** Keep the stored data, and change `modified` only; with `DAMAGED_DATA` the hash and the findings too. */
  keepRaw?: boolean;
  /** Findings as JSON text; undefined: none. */
  findings: string | undefined;
}

export interface ItemReader {
  /** Live items of a feed, with ids in (after, upTo], that the pass from its start has not met; by id. */
  unseen(feed: number, after: number, upTo: number): Promise<ItemRow[]>;
  lastItem(): Promise<number>;
  /** Live items after the given id, ascending: for a rebuild. */
  liveItems(after: number, limit: number): Promise<(ItemRow & { feed: number })[]>;
  /** Raw `data` of live items, by item id. */
  raw(items: readonly number[]): Promise<Map<number, string>>;
  /** Items of a feed with findings, after an id, ascending. `ident`: of the item's record; `findings`: JSON of RawFinding[]. */
  itemFindings(
    feed: number,
    after: number,
    limit: number,
  ): Promise<{ id: number; kind: string; rpdeId: string; ident: string | undefined; findings: string }[]>;
  /** Findings of one item: JSON of RawFinding[]. */
  findingsOf(item: number): Promise<string | undefined>;
  /** Findings of many items; items with none are left out. */
  findingsOfItems(items: readonly number[]): Promise<Map<number, string>>;
  /** The number of live Slot items of a feed, at most `most`, and the first of them; undefined: none. */
  slotItems(feed: number, most: number): Promise<{ count: number; first: ItemKey } | undefined>;
}

export interface ItemWriter {
  items(feed: number, keys: readonly ItemKey[]): Promise<(ItemRow | undefined)[]>;
  /** The live items among these. */
  itemsById(ids: readonly number[]): Promise<(ItemRow & { feed: number })[]>;
  /** Items of a feed, deleted ones too. */
  itemsOf(feed: number, limit: number): Promise<ItemRow[]>;
  /** Returns the ids, in order. `id` of a row may be undefined only where this transaction has not found the item. */
  saveItems(feed: number, rows: readonly ItemWrite[]): Promise<number[]>;
  saveFindings(rows: readonly { item: number; findings: string | undefined }[]): Promise<void>;
  /** Deletes items that own no records, with their claims. */
  dropItems(items: readonly number[]): Promise<void>;
}
