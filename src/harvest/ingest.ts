import type { ComposeOptions } from '../calendar/compose.ts';
import type { HolidayRegion } from '../hours/holidays.ts';
import type { CleanOptions } from '../opportunity/clean.ts';
import type { Page } from '../opportunity/page.ts';
import type { Instant } from '../opportunity/records.ts';
import { type FeedMeta, type FeedRow, META, type Store, type Writer } from '../store/contract.ts';
import { breathe } from './breathe.ts';
import { type Change, takeItems } from './changes.ts';
import type { SettleContext } from './context.ts';
import type { FeedHandle, Ingest, PageOutcome } from './contract.ts';
import { lastLooks, NOTHING_ENDS } from './ending.ts';
import { boundYoungSpace } from './heap.ts';
import { saveSessions, settleOwners } from './ownership.ts';
import { type PreparedPage, preparePage } from './prepared.ts';
import { settleCalendars } from './settle.ts';
import { untouched } from './touched.ts';

export interface IngestOptions {
  now(): Instant;
  /** How the items of a feed are cleaned. */
  door(feed: FeedRow): CleanOptions;
  compose: Omit<ComposeOptions, 'attribution' | 'today'>;
  horizonDays: number;
  /** Public holidays of places that do not say where they are. */
  holidays?: HolidayRegion | undefined;
  /** Called after each commit that moved calendars. */
  onChange?(keys: readonly string[]): void;
}

/**
 * Pages into the store: items, records, calendars' revisions and the feed's cursor in one transaction a page, so that a
 * process that dies between any two instructions leaves the state of some page's end.
 */
export function createIngest(store: Store, options: IngestOptions): Ingest {
  return {
    open: (url: string, meta: FeedMeta) => openFeed(store, url, meta, options),
    commit: (feed: FeedHandle, page: Page | PreparedPage, cursor: string) =>
      commitPage(store, feed, page, cursor, options),
  };
}

async function openFeed(store: Store, url: string, meta: FeedMeta, options: IngestOptions): Promise<FeedHandle> {
  const { feed, keys } = await store.write(async (tx) => {
    const before = (await tx.feeds()).find((one) => one.url === url);
    const after = await tx.openFeed(url, meta);
    const context = await contextOf(tx, options);
    const changed = before !== undefined && !sameSource(before, after) ? await replanFeed(tx, after.id, context) : [];
    return { feed: after, keys: changed };
  });
  if (keys.length > 0) options.onChange?.(keys);
  return { id: feed.id, url, cursor: feed.cursor ?? null };
}

async function commitPage(
  store: Store,
  handle: FeedHandle,
  page: Page | PreparedPage,
  cursor: string,
  options: IngestOptions,
): Promise<PageOutcome> {
  const { outcome, keys } = await store.write(async (tx) => {
    const before = (await tx.feeds()).find((one) => one.id === handle.id) as FeedRow;
    await tx.saveCursor(handle.id, cursor, page.license);
    await tx.savePageFindings(handle.id, cursor, page.findings);
    const context = await contextOf(tx, options);
    const feed = context.feeds.get(before.url) as FeedRow;
    const prepared = 'count' in page ? page : preparePage(page, options.door(feed));
    const taken = await takeItems(tx, feed, prepared.items);
    await breathe();
    const moved = await settleChanges(tx, feed, taken.changes, context, options);
    if (!sameSource(before, feed)) moved.push(...(await replanFeed(tx, feed.id, context)));
    const { kept, deleted } = taken;
    return {
      outcome: { items: prepared.count, kept, deleted, findings: taken.findings + page.findings.length },
      keys: moved,
    };
  });
  boundYoungSpace();
  if (keys.length > 0) options.onChange?.(keys);
  return outcome;
}

/** Records take their owners, calendars follow. Returns the keys of the calendars that moved. */
export async function settleChanges(
  tx: Writer,
  feed: FeedRow,
  changes: readonly Change[],
  context: SettleContext,
  options: IngestOptions,
): Promise<string[]> {
  if (changes.length === 0) return [];
  const { touched, gone } = await settleOwners(tx, feed, changes, options);
  await breathe();
  const ended = gone.filter((row) => row.kind === 'series');
  // The last look at a series, and whether its row may go, are at its sessions too.
  for (const { id } of ended) await saveSessions(tx, touched, id);
  const last = await lastLooks(tx, gone, context);
  await tx.clearRecords(gone.map((row) => row.id));
  return settleCalendars(tx, touched, last, context);
}

/** Everything that planning depends on besides the records, as it stands in this transaction. */
export async function contextOf(tx: Writer, options: IngestOptions): Promise<SettleContext> {
  const now = options.now();
  let today = await tx.meta(META.today);
  if (today === undefined) {
    today = dayOf(now);
    await tx.setMeta(META.today, today);
  }
  const feeds = new Map((await tx.feeds()).map((feed) => [feed.url, feed]));
  return {
    now,
    compose: { ...options.compose, today },
    holidays: options.holidays,
    horizonDays: options.horizonDays,
    feeds,
  };
}

/** The date of an instant in UTC: the day that calendars know. */
export function dayOf(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 10);
}

const BATCH = 500;

/** A publisher or a licence was named anew: every event of the feed says so. */
async function replanFeed(tx: Writer, feed: number, context: SettleContext): Promise<string[]> {
  const keys: string[] = [];
  const series = await tx.seriesOfFeed(feed);
  for (let at = 0; at < series.length; at += BATCH)
    keys.push(...(await replan(tx, series.slice(at, at + BATCH), context)));
  return keys;
}

/** Looks again at calendars whose records did not change, because something they depend on did. */
export async function replan(tx: Writer, records: readonly number[], context: SettleContext): Promise<string[]> {
  const touched = untouched();
  for (const row of await tx.recordsById(records)) {
    if (row?.kind === 'series') touched.series.add(row.id);
    else if (row !== undefined) touched.places.add(row.id);
  }
  return settleCalendars(tx, touched, NOTHING_ENDS, context);
}

function sameSource(a: FeedRow, b: FeedRow): boolean {
  return a.publisher === b.publisher && a.publisherUrl === b.publisherUrl && a.license === b.license;
}
