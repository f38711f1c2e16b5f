import { Publishers } from '../../join/publishers.ts';
import type { CleanOptions } from '../../opportunity/clean.ts';
import type { RawFinding } from '../../opportunity/findings.ts';
import { formerScopeOf, identOf, scopeOf } from '../../opportunity/identity.ts';
import { envelopeFindings } from '../../opportunity/page/page.ts';
import type { RecordKind } from '../../opportunity/records.ts';
import {
  type Affected,
  joinSessions,
  lastStates,
  NOTHING_ENDS,
  nothingAffected,
  type RevisionContext,
  RULES_VERSION,
  replan,
  reviseCalendars,
  revisionContext,
} from '../../revision/index.ts';
import type { Change } from '../../revision/records/prepared.ts';
import {
  batches,
  DAMAGED_DATA,
  type FeedReport,
  isShown,
  META,
  type RecordBody,
  rowBatches,
  type SessionStamp,
  type Store,
  stateOf,
  storedJson,
  type Writer,
} from '../../store/index.ts';
import { useVocabularies } from '../../vocabulary/shipped.ts';
import { cleanRaw } from '../page/prepare.ts';
import { isReadBy, readBy } from '../visit/states.ts';
import { applyChanges } from './apply-changes.ts';
import type { IngestOptions } from './contract.ts';
import { isForgotten } from './forget.ts';
import { assignOwners } from './ownership.ts';

const BATCH = 500;
/** Calendars made in one slice; the largest calendars take a tenth of a second each. */
const CALENDARS = 100;

/**
 * Makes every record again from the raw data if the rules or the vocabularies have changed, slice by slice to the end. Where
 * only settings of a feed have changed, its records alone.
 */
export async function rebuildIfNeeded(store: Store, options: IngestOptions): Promise<boolean> {
  if (!(await beginRebuild(store, options))) return false;
  while (await rebuildSlice(store, options));
  return true;
}

/** Whether records are to be made again. Pages are read by the new rules from now on; stored records are as they were. */
export async function beginRebuild(store: Store, options: IngestOptions): Promise<boolean> {
  const version = await store.read.meta(META.rules);
  const used = await store.read.meta(META.vocabularies);
  const newer = (await store.read.meta(META.newerVocabularies)) ?? used;
  const feeds = await store.read.feedStates();
  const isWhole = version !== RULES_VERSION || newer !== used;
  const changed = feeds.filter((feed) => hasOtherSettings(feed, options));
  if (!isWhole && changed.length === 0) return progressOf(await store.read.meta(META.rebuild)) !== undefined;
  if (isWhole) useVocabularies(newer);
  await store.write(async (tx) => {
    if (isWhole) {
      await tx.setMeta(META.rules, RULES_VERSION);
      if (newer !== undefined) await tx.setMeta(META.vocabularies, newer);
    }
    for (const feed of changed) await tx.saveFeedState(feed.id, readBy(stateOf(feed), options.cleanOptions(feed)));
    const under = progressOf(await tx.meta(META.rebuild));
    const begun = under === undefined ? [] : under.feeds;
    const ids = isWhole || begun === undefined ? undefined : [...new Set([...begun, ...changed.map(({ id }) => id)])];
    const progress: Progress = { step: 0, after: 0, ...(ids && { feeds: ids }) };
    if (feeds.length > 0) await tx.setMeta(META.rebuild, JSON.stringify(progress));
  });
  return feeds.length > 0;
}

/** Whether the settings of a feed differ from those that its records were made by. */
function hasOtherSettings(feed: FeedReport, { cleanOptions, names }: IngestOptions): boolean {
  return !isForgotten(feed) && names?.(feed) !== false && !isReadBy(feed, cleanOptions(feed));
}

interface Progress {
  step: number;
  after: number;
  /** The feeds whose records are made again, by other settings; absent: those of all feeds. */
  feeds?: number[];
}

function progressOf(text: string | undefined): Progress | undefined {
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as Progress);
}

/**
 * Runs one transaction of a rebuild. Returns whether another is to follow. Calendars that are not reached yet are served as
 * they were; a new process goes on here, and pages that come meanwhile are taken in between.
 */
export async function rebuildSlice(store: Store, options: IngestOptions, size: number = BATCH): Promise<boolean> {
  const { keys, more } = await store.write(async (tx) => {
    const progress = progressOf(await tx.meta(META.rebuild));
    const slices = progress?.feeds === undefined ? SLICES : slicesOf(progress.feeds);
    const slice = progress && slices[progress.step];
    if (progress === undefined || slice === undefined) return { keys: [], more: false };
    const { keys, last } = await slice(tx, { after: progress.after, size }, options);
    const next = last === undefined ? { ...progress, step: progress.step + 1, after: 0 } : { ...progress, after: last };
    const more = next.step < slices.length;
    await tx.setMeta(META.rebuild, more ? JSON.stringify(next) : '');
    return { keys, more };
  });
  if (keys.length > 0) options.onChange?.(keys);
  return more;
}

/** Returns the keys of the calendars that moved, and the last row; undefined: there was none. */
type Slice = (
  tx: Writer,
  range: { after: number; size: number },
  options: IngestOptions,
) => Promise<{ keys: string[]; last: number | undefined }>;

/** Stubs that nothing names any more. */
const clearStubs: Slice = async (tx, { after, size }) => {
  const ids = (await tx.unowned(after, size)).map(({ id }) => id);
  await tx.clearRecords(ids);
  return { keys: [], last: ids.at(-1) };
};

/** Slices that make records of some feeds again as if their items had been sent again: a difference is a change. */
const slicesOf = (feeds: readonly number[]): readonly Slice[] => [
  async (tx, { after, size }, options) => {
    const items = await tx.liveItems(after, size);
    const chosen = items.filter(({ feed }) => feeds.includes(feed));
    const changes = await cleanItems(tx, chosen, options, SAME);
    const keys = await applyChanges(tx, changes, await revisionContext(tx, options), options);
    return { keys, last: items.at(-1)?.id };
  },
  clearStubs,
];

/** Slices of a whole rebuild: all records before the calendars, as a series needs all its sessions. */
const SLICES: readonly Slice[] = [
  async (tx, { after, size }, options) => {
    const items = await tx.liveItems(after, size);
    const changes = await cleanItems(tx, items, options, SAME);
    return { keys: await applyAgain(tx, changes, options), last: items.at(-1)?.id };
  },
  clearStubs,
  ...(['series', 'place', 'facility'] as const).map(
    (kind): Slice =>
      async (tx, { after, size }, options) => {
        const ids = await tx.recordIds(kind, after, Math.min(size, CALENDARS));
        await tx.clearDerivedOf(ids);
        const keys = await replan(tx, ids, await silentContext(tx, options));
        return { keys, last: ids.at(-1) };
      },
  ),
];

/** Writes records, and the calendars of those that no item claims any more. Later slices make all other calendars once. */
async function applyAgain(tx: Writer, changes: readonly Change[], options: IngestOptions): Promise<string[]> {
  const context = await silentContext(tx, options);
  const publishers = new Publishers(context.feeds.values());
  const { affected, gone } = await assignOwners(tx, changes, { ...options, again: true }, publishers);
  for (const [now, before] of await movedRows(tx, gone)) affected.moved.set(now, before);
  const last = await lastStates(tx, gone, context);
  await tx.clearRecords(gone.map(({ id }) => id));
  await joinSessions(tx, affected, gone);
  const ids = [...gone.map(({ id }) => id), ...affected.moved.keys()];
  // Later slices cannot know that calendars showed sessions that are gone (`reduced`), or found them (`departed`).
  const { moved, reduced, departed } = affected;
  const series = new Set([...ids.filter((id) => affected.series.has(id)), ...reduced]);
  const venues = new Set(ids.filter((id) => affected.venues.has(id)));
  const ended: Affected = { ...nothingAffected(tx), moved, reduced, departed, series, venues };
  return reviseCalendars(tx, ended, last, context);
}

/** A context in which no change is noted for people, because no record changed. */
async function silentContext(tx: Writer, options: IngestOptions): Promise<RevisionContext> {
  return { ...(await revisionContext(tx, options)), silent: true };
}

/**
 * Rebuilds all records and calendars in one transaction from the raw data, for `store verify` to compare with. A calendar
 * that comes out the same keeps its revision.
 */
export async function rebuild(store: Store, options: IngestOptions): Promise<void> {
  const keys = await store.write(async (tx) => {
    await tx.clearDerived();
    const unnamed: number[] = [];
    const departed = new Map<number, RecordBody>();
    for await (const items of rowBatches((after) => tx.liveItems(after, BATCH)))
      unnamed.push(...(await cleanAgain(tx, items, options, departed)));
    await stampReturned(tx, departed);
    const affected = await abandon(tx);
    for (const id of unnamed) affected.unnamed.add(id);
    await joinSessions(tx, affected, []);
    for (const kind of ['series', 'place', 'facility'] as const)
      for await (const ids of batches((after) => tx.recordIds(kind, after, BATCH), Number))
        for (const id of ids) (kind === 'series' ? affected.series : affected.venues).add(id);
    return reviseCalendars(tx, affected, NOTHING_ENDS, await silentContext(tx, options));
  });
  if (keys.length > 0) options.onChange?.(keys);
}

type LiveItem = Awaited<ReturnType<Writer['liveItems']>>[number];

/** Makes the records of items again. Returns the sessions that name no series. `departed`: sessions that left one, as before. */
async function cleanAgain(
  tx: Writer,
  items: readonly LiveItem[],
  options: IngestOptions,
  departed: Map<number, RecordBody>,
): Promise<number[]> {
  const changes = await cleanItems(tx, items, options, { known: false });
  const publishers = new Publishers(await tx.feeds());
  const { affected } = await assignOwners(tx, changes, options, publishers);
  for (const row of [...affected.departed.values()].flat()) if (!departed.has(row.id)) departed.set(row.id, row);
  return [...affected.unnamed];
}

/** Gives sessions their stamps again that one batch took to another series, and a later batch took back. */
async function stampReturned(tx: Writer, departed: ReadonlyMap<number, RecordBody>): Promise<void> {
  const rows = await tx.recordsById([...departed.keys()]);
  const stamps = rows.flatMap((row): SessionStamp[] => {
    const before = row && departed.get(row.id);
    if (before === undefined || before.parent !== row?.parent || before.hash.kind === 'none') return [];
    const { id, hash, sequence, changed } = before;
    return [{ id, hash, sequence, changed }];
  });
  await tx.stampSessions(stamps);
}

/** An update by an item that is sent again as it was. */
const SAME = { known: true, same: true } as const;

/** Reads items by the present rules, as updates, and saves their findings. */
async function cleanItems(
  tx: Writer,
  items: readonly LiveItem[],
  options: IngestOptions,
  as: Pick<Change, 'known' | 'same'>,
): Promise<Change[]> {
  const feeds = new Map((await tx.feedStates()).map((feed) => [feed.id, feed]));
  const ids = items.map(({ id }) => id);
  const [raws, found] = [await tx.raw(ids), await tx.findingsOfItems(ids)];
  const changes: Change[] = [];
  const findings: { item: number; findings: string | undefined }[] = [];
  for (const { id: item, feed: of, kind, rpdeId, modified, hash } of items) {
    const feed = feeds.get(of);
    if (feed === undefined) continue;
    const before = envelopeFindings(storedJson<RawFinding[]>(found.get(item) ?? '[]'));
    const content = cleanRaw({ kind, rpdeId, modified }, raws.get(item) ?? 'null', readAs(feed, options), before);
    changes.push({ item, feed: feed.url, kind, rpdeId, modified, ...as, records: content.records });
    // The finding of a later copy without data stays: that copy is not kept.
    if (hash !== DAMAGED_DATA) findings.push({ item, findings: content.findingsText });
  }
  await tx.saveFindings(findings);
  return changes;
}

/** The settings to read a feed with: its own earlier ones, where the present settings do not name it. */
function readAs(feed: FeedReport, { cleanOptions, names }: IngestOptions): CleanOptions {
  return { ...cleanOptions(feed), ...(names?.(feed) === false && feed.reading) };
}

/**
 * Clears records that no item claims under the new rules; the series that showed them lose them. The calendar of a record
 * with a new identity moves.
 */
async function abandon(tx: Writer): Promise<Affected> {
  const affected = nothingAffected(tx);
  for await (const rows of rowBatches((after) => tx.unowned(after, BATCH))) {
    for (const row of rows)
      if (row.kind === 'session' && isShown(row.hash) && row.parent !== undefined) affected.reduced.add(row.parent);
    for (const [now, before] of await movedRows(tx, rows)) affected.moved.set(now, before);
    await tx.clearRecords(rows.map((row) => row.id));
  }
  return affected;
}

/**
 * Maps a former identity to the present one; undefined: it is the same. Stand-in ids of rules before version 4 held the
 * path of a feed's address.
 */
function identNow(feeds: Iterable<{ url: string }>): (former: string) => string | undefined {
  const scopes = new Map([...feeds].map(({ url }) => [identOf(formerScopeOf(url)), scopeOf(url)]));
  return (former) => {
    const scope = former.split('#', 1)[0] as string;
    const now = scopes.get(identOf(scope));
    // A series may be known by the stand-in id of its place, of the same feed.
    return now === undefined || now === scope ? undefined : former.replaceAll(`${scope}#`, `${now}#`);
  };
}

/** Rows that no item claims any more, each with the row of the same object under its identity now: `Affected.moved`. */
async function movedRows(
  tx: Writer,
  rows: readonly { id: number; kind: RecordKind; ident: string }[],
): Promise<[now: number, before: number][]> {
  const now = identNow(await tx.feeds());
  const found: [number, number][] = [];
  for (const { id, kind, ident } of rows) {
    if (kind === 'session' || kind === 'slot') continue;
    const other = now(ident);
    const row = other === undefined ? undefined : (await tx.records(kind, [other]))[0];
    if (row?.owner !== undefined) found.push([row.id, id]);
  }
  return found;
}
