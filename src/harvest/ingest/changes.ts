import type { RawFinding } from '../../opportunity/findings.ts';
import { compareArrived } from '../../opportunity/page/page.ts';
import type { Change, ItemContent, PreparedItem } from '../../revision/records/prepared.ts';
import { unpack } from '../../store/bundles.ts';
import {
  DAMAGED_DATA,
  type FeedReport,
  type FeedRow,
  type HeldCopy,
  type ItemRow,
  type ItemWrite,
  type Loss,
  type NamedHeldCopy,
  type Writer,
} from '../../store/index.ts';
import { cleanRaw, speaks } from '../page/prepare.ts';
import { holdBack, type ToHold } from '../visit/deletion-guard.ts';
import type { IngestOptions, PageOutcome } from './contract.ts';

export interface Taken extends Omit<PageOutcome, 'items'> {
  changes: Change[];
  /** The held copies of the feed (harvest/visit/deletion-guard.ts) are more or fewer than before. */
  heldChanged: boolean;
  /** Row ids of all items of the page. */
  met: number[];
  /** `modified` of the stored copies that are newer than the page's, with other data. */
  newer: string[];
}

interface Draft {
  write: ItemWrite;
  before: ItemRow | undefined;
  content: ItemContent;
}

interface Resent {
  item: PreparedItem;
  row: ItemRow;
}

/** The settings and the state of the transaction with which items are taken in. */
interface Taking {
  options: IngestOptions;
  /** Items that changed earlier in the transaction: their claims are decided at its end. */
  undecided: ReadonlySet<number>;
  /** Items whose copies are to be held back. */
  toHold: ToHold;
}

/** Stores the items of a page. A good copy and the empty one behind it count as those of two pages (semantics 1.6). */
export async function takeItems(
  tx: Writer,
  feed: FeedReport,
  items: readonly PreparedItem[],
  taking: Taking,
): Promise<Taken> {
  const again = items.filter((item, index) => isCopyOf(item, items[index - 1]));
  if (again.length === 0) return takeOnce(tx, feed, items, taking);
  const empty = new Set(again);
  const first = items.filter((item) => !empty.has(item));
  const before = await takeOnce(tx, feed, first, taking);
  const undecided = new Set([...taking.undecided, ...before.changes.map(({ item }) => item)]);
  return bothTaken(before, await takeOnce(tx, feed, again, { ...taking, undecided }));
}

function isCopyOf({ kind, rpdeId }: PreparedItem, before: PreparedItem | undefined): boolean {
  return before !== undefined && before.rpdeId === rpdeId && before.kind === kind;
}

function bothTaken(a: Taken, b: Taken): Taken {
  return {
    changes: [...a.changes, ...b.changes],
    kept: a.kept + b.kept,
    deleted: a.deleted + b.deleted,
    findings: a.findings + b.findings,
    heldChanged: a.heldChanged || b.heldChanged,
    met: [...a.met, ...b.met],
    newer: [...a.newer, ...b.newer],
  };
}

/** Stores items of different keys, and leaves out copies that are older than the stored one (semantics 1.2). */
async function takeOnce(
  tx: Writer,
  feed: FeedReport,
  items: readonly PreparedItem[],
  { options, undecided, toHold }: Taking,
): Promise<Taken> {
  const rows = await tx.items(feed.id, items);
  const held = await heldAmong(tx, feed, rows, toHold);
  const drafts: Draft[] = [];
  const resent: Resent[] = [];
  const resentHeld: HeldCopy[] = [];
  const newer: string[] = [];
  for (const [index, item] of items.entries()) {
    const row = rows[index];
    const copy = row && held.get(row.id);
    const order = row === undefined ? 1 : compareArrived(item.modified, (copy ?? row).modified);
    if (row !== undefined && order < 0) {
      if (item.hash !== row.hash) newer.push((copy ?? row).modified);
    } else if (copy !== undefined && copy.hash === item.hash) resentHeld.push({ ...copy, modified: item.modified });
    else if (row === undefined || item.hash === undefined || row.hash !== item.hash) drafts.push(draftOf(item, row));
    else if (order > 0 || copy !== undefined) resent.push({ item, row });
  }
  const heldChanged = await holdCopies(tx, feed, { drafts, resent, resentHeld }, held, toHold);
  const changes = await takeResent(tx, feed, resent, undecided);
  const now = drafts.filter(({ write }) => !toHold.has(feed.url, write));
  await keepGoodCopies(tx, feed, now, options);
  const writes = now.map((draft) => draft.write);
  const ids = await tx.saveItems(feed.id, writes);
  const taken: Taken = { changes, kept: 0, deleted: 0, findings: 0, heldChanged, met: ids.slice(), newer };
  for (const row of rows) if (row !== undefined) taken.met.push(row.id);
  for (const [index, { write, before, content }] of now.entries()) {
    if (!write.keepRaw) changes.push(changeOf(feed, write, ids[index] as number, before !== undefined, content));
    taken.findings += findingsIn(write);
    taken[write.hash === undefined ? 'deleted' : 'kept'] += 1;
  }
  return taken;
}

const NOTHING_HELD: ReadonlyMap<number, HeldCopy> = new Map();

/** The held copies of the items of a page. Most feeds have none, and their items are not asked for. */
function heldAmong(
  tx: Writer,
  { held }: FeedReport,
  rows: readonly (ItemRow | undefined)[],
  toHold: ToHold,
): Promise<ReadonlyMap<number, HeldCopy>> | ReadonlyMap<number, HeldCopy> {
  if (held === undefined && toHold.size === 0) return NOTHING_HELD;
  return tx.heldOf(rows.flatMap((row) => (row === undefined ? [] : [row.id])));
}

interface Sorted {
  drafts: readonly Draft[];
  resent: readonly Resent[];
  /** Held copies, sent again. */
  resentHeld: readonly HeldCopy[];
}

/** Holds copies back, and drops a held copy when a newer one is applied. Returns whether copies were added or dropped. */
async function holdCopies(
  tx: Writer,
  feed: FeedRow,
  { drafts, resent, resentHeld }: Sorted,
  held: ReadonlyMap<number, HeldCopy>,
  toHold: ToHold,
): Promise<boolean> {
  await tx.saveHeld(resentHeld);
  const kept = drafts.filter(({ write }) => toHold.has(feed.url, write));
  await holdBack(tx, feed, await copiesOf(tx, feed, kept), toHold);
  const applied = drafts.filter(({ write }) => !toHold.has(feed.url, write)).map(({ write }) => write.id ?? 0);
  const dropped = [...applied, ...resent.map(({ row }) => row.id)].filter((id) => held.has(id));
  await tx.dropHeld(dropped);
  return kept.length + dropped.length > 0;
}

/** Copies with the rows of their items. A new item gets the row of a deleted one, which is older than any copy. */
async function copiesOf(
  tx: Writer,
  feed: FeedRow,
  drafts: readonly Draft[],
): Promise<Omit<NamedHeldCopy, keyof Loss | 'feed'>[]> {
  const fresh = drafts.map(({ write }) => write).filter(({ id }) => id === undefined);
  const gone = fresh.map(({ kind, rpdeId }) => ({ ...NO_ITEM, kind, rpdeId }));
  const ids = new Map((await tx.saveItems(feed.id, gone)).map((id, at) => [fresh[at], id]));
  return drafts.map(({ write }) => {
    const { kind, rpdeId, modified, hash, raw } = write;
    const item: number = write.id ?? (ids.get(write) as number);
    const text = typeof raw === 'object' ? unpack(raw.bundle.data)(raw.slot) : raw;
    return { item, kind, rpdeId, modified, hash, raw: text };
  });
}

const NO_ITEM = { id: undefined, modified: '', hash: undefined, raw: undefined, findings: undefined };

/**
 * Keeps the good copy of an item until the feed sends a usable or a deleted one (semantics 1.6). A copy without usable
 * data leaves a finding and no more, so that the order of copies does not matter.
 */
async function keepGoodCopies(
  tx: Writer,
  feed: FeedRow,
  drafts: readonly Draft[],
  options: IngestOptions,
): Promise<void> {
  const empty = drafts.filter(
    ({ write, before, content }) => before?.deleted === false && write.hash !== undefined && !speaks(content),
  );
  if (empty.length === 0) return;
  const raws = await tx.raw(empty.map(({ write }) => write.id as number));
  for (const { write, before } of empty) {
    if (!speaks(cleanRaw(write, raws.get(write.id as number) ?? 'null', options.cleanOptions(feed)))) continue;
    const found = write.findings === undefined ? [] : (JSON.parse(write.findings) as RawFinding[]);
    const findings = JSON.stringify([{ code: 'item-lost-its-data', path: '$' }, ...found]);
    Object.assign(write, { raw: undefined, keepRaw: true, modified: before?.modified, hash: DAMAGED_DATA, findings });
  }
}

const findingsIn = ({ findings }: ItemWrite): number =>
  findings === undefined ? 0 : (JSON.parse(findings) as unknown[]).length;

/** Takes items with the stored data and a newer `modified`, by which their claims may now win. Returns those with claims. */
async function takeResent(
  tx: Writer,
  feed: FeedRow,
  resent: readonly Resent[],
  undecided: ReadonlySet<number>,
): Promise<Change[]> {
  if (resent.length === 0) return [];
  const writes = resent.map(({ item, row }) => withNewModified(item, row));
  await tx.saveItems(feed.id, writes);
  const claiming = new Set((await tx.claimsBy(resent.map(({ row }) => row.id))).map((claim) => claim.item));
  return resent
    .filter(({ row }) => claiming.has(row.id) || undecided.has(row.id))
    .map(({ item, row }) => ({ ...changeOf(feed, item, row.id, true, item.content), same: true }));
}

export function changeOf(
  { url }: FeedRow,
  { modified, kind, rpdeId }: PreparedItem | ItemWrite,
  item: number,
  known: boolean,
  { records }: Pick<ItemContent, 'records'>,
): Change {
  return { item, feed: url, modified, kind, rpdeId, known, records };
}

function draftOf({ kind, rpdeId, modified, hash, raw, content }: PreparedItem, row: ItemRow | undefined): Draft {
  return {
    write: { id: row?.id, kind, rpdeId, modified, hash, raw, findings: content.findingsText },
    before: row,
    content,
  };
}

function withNewModified({ kind, rpdeId, modified, hash }: PreparedItem, { id }: ItemRow): ItemWrite {
  return { id, kind, rpdeId, modified, hash, raw: undefined, keepRaw: true, findings: undefined };
}
