import { Publishers } from '../opportunity/publishers.ts';
import type { Instant, LocalDate } from '../opportunity/records.ts';
import { META, type Writer } from '../store/contract.ts';
import { breathe } from './breathe.ts';
import type { Change } from './changes.ts';
import type { SettleContext } from './context.ts';
import { lastLooks, NOTHING_ENDS } from './ending.ts';
import { countLosses } from './guard.ts';
import type { IngestOptions } from './ingest.ts';
import { joinSessions } from './joining.ts';
import { lossesOf } from './losses.ts';
import { settleOwners } from './ownership.ts';
import { saveSessions } from './saving.ts';
import { settleCalendars } from './settle.ts';
import { untouched } from './touched.ts';

/**
 * Records take their owners, calendars follow. Returns the keys of the calendars that moved.
 * @throws TooMuchError when a feed takes too much away: see `guarded`
 */
export async function settleChanges(
  tx: Writer,
  changes: readonly Change[],
  context: SettleContext,
  options: IngestOptions,
): Promise<string[]> {
  if (changes.length === 0) return [];
  const { touched, gone } = await settleOwners(tx, changes, options, new Publishers(context.feeds.values()));
  await breathe();
  const ended = gone.filter((row) => row.kind === 'series');
  // The last look at a series, and whether its row may go, are at its sessions too.
  for (const { id } of ended) await saveSessions(tx, touched, id);
  const last = await lastLooks(tx, gone, context);
  await tx.clearRecords(gone.map((row) => row.id));
  await joinSessions(tx, touched, gone);
  const keys = await settleCalendars(tx, touched, last, context);
  // What other publishers bring about is no doing of an item that stays as it was, and cannot be set aside with it.
  const told = new Set(changes.filter(({ same }) => same !== true).map(({ item }) => item));
  const losses = (await lossesOf(tx, gone, touched, context.now)).filter(({ item }) => told.has(item));
  await countLosses(tx, losses, options);
  return keys;
}

/** Everything that planning depends on besides the records, as it stands in this transaction. */
export async function contextOf(tx: Writer, options: IngestOptions): Promise<SettleContext> {
  const now = options.now();
  let today = await tx.meta(META.today);
  if (today === undefined) {
    today = dayOf(now);
    await tx.setMeta(META.today, today);
  }
  const daysBefore = JSON.parse((await tx.meta(META.daysBefore)) ?? '[]') as LocalDate[];
  const feeds = new Map((await tx.feeds()).map((feed) => [feed.url, feed]));
  return {
    now,
    daysBefore,
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

/** A publisher or a licence was named anew: every event of the feed says so, and all opening hours. */
export async function replanFeed(tx: Writer, feed: number, context: SettleContext): Promise<string[]> {
  const keys: string[] = [];
  const records = await tx.calendarsOfFeed(feed);
  for (let at = 0; at < records.length; at += BATCH)
    keys.push(...(await replan(tx, records.slice(at, at + BATCH), context)));
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
