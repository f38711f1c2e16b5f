import { compareModified } from '../opportunity/page.ts';
import type { FeedRow, ItemRow, ItemWrite, Writer } from '../store/contract.ts';
import type { PreparedItem, PreparedRecord, Said } from './prepared.ts';

/** What one item says now; no records: it was deleted. */
export interface Change {
  item: number;
  /** The address of its feed. */
  feed: string;
  modified: string;
  kind: string;
  rpdeId: string;
  /** It had a row before: it may own records it no longer names. */
  known: boolean;
  records: readonly PreparedRecord[];
}

export interface Taken {
  changes: Change[];
  kept: number;
  deleted: number;
  /** Of the deleted ones, those that were live. */
  lost: number;
  findings: number;
  /** The rows of all items of the page. */
  met: number[];
}

interface Draft {
  write: ItemWrite;
  known: boolean;
  /** Its row was not a tombstone. */
  live: boolean;
  said: Said;
}

interface Resent {
  item: PreparedItem;
  row: ItemRow;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Stores the items of a page: older copies than the stored one left out (semantics 1). `unsettled` are items that changed
 * earlier in the transaction: who is to be believed is yet to be told from what they say.
 */
export async function takeItems(
  tx: Writer,
  feed: FeedRow,
  items: readonly PreparedItem[],
  unsettled: ReadonlySet<number> = NONE,
): Promise<Taken> {
  const rows = await tx.items(feed.id, items);
  const drafts: Draft[] = [];
  const resent: Resent[] = [];
  for (const [index, item] of items.entries()) {
    const row = rows[index];
    const age = row === undefined ? 1 : compareModified(item.modified, row.modified);
    if (age < 0) continue;
    if (row === undefined || item.hash === undefined || row.hash !== item.hash) drafts.push(draftOf(item, row));
    else if (age > 0) resent.push({ item, row });
  }
  const changes = await takeResent(tx, feed, resent, unsettled);
  const ids = await tx.saveItems(
    feed.id,
    drafts.map((draft) => draft.write),
  );
  const taken: Taken = { changes, kept: 0, deleted: 0, lost: 0, findings: 0, met: ids.slice() };
  for (const row of rows) if (row !== undefined) taken.met.push(row.id);
  for (const [index, { write, known, live, said }] of drafts.entries()) {
    changes.push(changeOf(feed, write, ids[index] as number, known, said));
    taken.findings += said.findings;
    taken[write.hash === undefined ? 'deleted' : 'kept'] += 1;
    if (write.hash === undefined && live) taken.lost += 1;
  }
  return taken;
}

/** The same as before, only newer: that may be enough to be believed where others were until now. */
async function takeResent(
  tx: Writer,
  feed: FeedRow,
  resent: readonly Resent[],
  unsettled: ReadonlySet<number>,
): Promise<Change[]> {
  if (resent.length === 0) return [];
  await tx.saveItems(
    feed.id,
    resent.map(({ item, row }) => again(item, row)),
  );
  const waiting = new Set((await tx.claimsBy(resent.map(({ row }) => row.id))).map((claim) => claim.item));
  return resent
    .filter(({ row }) => waiting.has(row.id) || unsettled.has(row.id))
    .map(({ item, row }) => changeOf(feed, item, row.id, true, item.said));
}

function changeOf(
  { url }: FeedRow,
  { modified, kind, rpdeId }: PreparedItem | ItemWrite,
  item: number,
  known: boolean,
  { records }: Said,
): Change {
  return { item, feed: url, modified, kind, rpdeId, known, records };
}

function draftOf({ kind, rpdeId, modified, hash, raw, said }: PreparedItem, row: ItemRow | undefined): Draft {
  return {
    write: { id: row?.id, kind, rpdeId, modified, hash, raw, findings: said.findingsText },
    known: row !== undefined,
    live: row?.deleted === false,
    said,
  };
}

function again({ kind, rpdeId, modified, hash }: PreparedItem, { id }: ItemRow): ItemWrite {
  return { id, kind, rpdeId, modified, hash, raw: undefined, keepRaw: true, findings: undefined };
}
