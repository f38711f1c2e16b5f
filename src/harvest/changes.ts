import { hash } from 'node:crypto';
import { cleanItem, type RankedRecord } from '../opportunity/clean.ts';
import { compareModified, latest, type RpdeItem, rawData } from '../opportunity/page.ts';
import type { FeedRow, ItemRow, ItemWrite, Writer } from '../store/contract.ts';
import type { IngestOptions } from './ingest.ts';

/** What one item says after this page; no records: it was deleted. */
export interface Change {
  item: number;
  modified: string;
  kind: string;
  rpdeId: string;
  /** It had a row before: it may own records it no longer names. */
  known: boolean;
  records: RankedRecord[];
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
  records: Change['records'];
  findings: number;
}

/** Stores the items of a page: newest copy of each key, older copies than the stored one left out (semantics 1). */
export async function takeItems(
  tx: Writer,
  feed: FeedRow,
  items: readonly RpdeItem[],
  options: IngestOptions,
): Promise<Taken> {
  const newest = latest(items);
  const rows = await tx.items(feed.id, newest.map((item) => ({ kind: item.kind, rpdeId: item.id })));
  const drafts: Draft[] = [];
  const resent: ItemWrite[] = [];
  newest.forEach((item, index) => {
    const row = rows[index];
    if (row !== undefined && compareModified(item.modified, row.modified) < 0) return;
    const draft = draftOf(item, row, feed, options);
    if (draft.write.keepRaw) resent.push(draft.write);
    else drafts.push(draft);
  });
  if (resent.length > 0) await tx.saveItems(feed.id, resent);
  const ids = await tx.saveItems(feed.id, drafts.map((draft) => draft.write));
  return {
    changes: drafts.map(({ write, known, records }, index) => ({
      item: ids[index] as number,
      modified: write.modified,
      kind: write.kind,
      rpdeId: write.rpdeId,
      known,
      records,
    })),
    kept: drafts.filter((draft) => draft.write.hash !== undefined).length,
    deleted: drafts.filter((draft) => draft.write.hash === undefined).length,
    findings: drafts.reduce((sum, draft) => sum + draft.findings, 0),
  };
}

function draftOf(item: RpdeItem, row: ItemRow | undefined, feed: FeedRow, options: IngestOptions): Draft {
  const write = { id: row?.id, kind: item.kind, rpdeId: item.id, modified: item.modified };
  const known = row !== undefined;
  if (item.state === 'deleted') {
    return { write: { ...write, hash: undefined, raw: undefined, findings: undefined }, known, records: [], findings: 0 };
  }
  const raw = rawData(item);
  const digest = hash('sha1', raw, 'base64');
  if (row?.hash === digest) {
    return { write: { ...write, hash: digest, raw: undefined, keepRaw: true, findings: undefined }, known, records: [], findings: 0 };
  }
  const { records, findings } = cleanItem(item, options.door(feed));
  const said = findings.length > 0 ? JSON.stringify(findings) : undefined;
  return { write: { ...write, hash: digest, raw, findings: said }, known, records, findings: findings.length };
}
