import { compareModified } from '../opportunity/page.ts';
import type { FeedRow, ItemRow, ItemWrite, Writer } from '../store/contract.ts';
import type { PreparedItem, PreparedRecord, Said } from './prepared.ts';

/** What one item says after this page; no records: it was deleted. */
export interface Change {
  item: number;
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
  findings: number;
}

interface Draft {
  write: ItemWrite;
  known: boolean;
  said: Said;
}

/** Stores the items of a page: older copies than the stored one left out (semantics 1). */
export async function takeItems(tx: Writer, feed: FeedRow, items: readonly PreparedItem[]): Promise<Taken> {
  const rows = await tx.items(feed.id, items);
  const drafts: Draft[] = [];
  const resent: ItemWrite[] = [];
  items.forEach((item, index) => {
    const row = rows[index];
    if (row !== undefined && compareModified(item.modified, row.modified) < 0) return;
    if (row !== undefined && item.hash !== undefined && row.hash === item.hash) resent.push(again(item, row));
    else drafts.push(draftOf(item, row));
  });
  if (resent.length > 0) await tx.saveItems(feed.id, resent);
  const ids = await tx.saveItems(
    feed.id,
    drafts.map((draft) => draft.write),
  );
  return {
    changes: drafts.map(({ write, known, said }, index) => ({
      item: ids[index] as number,
      modified: write.modified,
      kind: write.kind,
      rpdeId: write.rpdeId,
      known,
      records: said.records,
    })),
    kept: drafts.filter((draft) => draft.write.hash !== undefined).length,
    deleted: drafts.filter((draft) => draft.write.hash === undefined).length,
    findings: drafts.reduce((sum, draft) => sum + draft.said.findings, 0),
  };
}

function draftOf({ kind, rpdeId, modified, hash, raw, said }: PreparedItem, row: ItemRow | undefined): Draft {
  return {
    write: { id: row?.id, kind, rpdeId, modified, hash, raw, findings: said.findingsText },
    known: row !== undefined,
    said,
  };
}

function again({ kind, rpdeId, modified, hash }: PreparedItem, { id }: ItemRow): ItemWrite {
  return { id, kind, rpdeId, modified, hash, raw: undefined, keepRaw: true, findings: undefined };
}
