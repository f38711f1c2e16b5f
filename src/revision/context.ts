import type { ComposeOptions } from '../calendar/series/compose.ts';
import { attribution } from '../calendar/wording/attribution.ts';
import type { HolidayRegion } from '../hours/holidays.ts';
import { zoneOfSeries } from '../opportunity/effective.ts';
import type { Place, Series } from '../opportunity/records.ts';
import { useVocabularies } from '../search/document.ts';
import {
  effectiveSeries,
  type FeedMeta,
  type FeedRow,
  type IdentReader,
  META,
  namedPlace,
  type RecordBody,
  type Withdrawal,
  type Writer,
  withFound,
} from '../store/index.ts';
import { type Instant, type LocalDate, utcDate } from '../time/instant.ts';

/** What the operator decides about calendars. */
export interface RevisionOptions {
  now(): Instant;
  compose: Omit<ComposeOptions, 'attribution' | 'today'>;
  horizonDays: number;
  /** Public holidays of places that do not say where they are. */
  holidays?: HolidayRegion | undefined;
  /** Other processes move the stored day of this store too, by clocks of their own. */
  hasOtherClocks?: boolean;
  /** Without fast paths; tests compare the two. */
  withoutFastPaths?: boolean;
  /** Called after each commit that changed calendars. */
  onChange?(keys: readonly string[]): void;
}

/** What calendars are planned with besides their records. */
export interface RevisionContext extends Pick<RevisionOptions, 'holidays' | 'horizonDays' | 'withoutFastPaths'> {
  now: Instant;
  /** The days that were stored when the clock was set. */
  daysBefore: readonly LocalDate[];
  compose: Omit<ComposeOptions, 'attribution'>;
  /** No record changed: nothing is noted for people. */
  silent?: boolean;
  feeds: ReadonlyMap<string, FeedRow>;
}

/** What is withdrawn at this moment, by this clock, which may be wrong. */
export function withdrawalOf({ now, daysBefore, compose }: RevisionContext): Withdrawal {
  return { clocks: [now], after: [...new Set([...daysBefore, compose.today])] };
}

/** A series as its calendar shows it, and with what. */
export interface ShownSeries {
  series: Series;
  /** The zone of times of its sessions that name none. */
  zone: string | undefined;
  /** The Place that it takes from. */
  place: Place | undefined;
  options: ComposeOptions;
}

/** Reads a series as its calendar shows it. */
export async function shownSeries(
  reader: IdentReader,
  row: RecordBody,
  context: RevisionContext,
): Promise<ShownSeries> {
  const series = await effectiveSeries(reader, row);
  const zone = await withFound(reader, row, (find) => zoneOfSeries(series, find)?.id);
  // Of the Place alone that the calendar follows: another one may change without a new document.
  const place = await namedPlace(reader, row);
  const credit = attribution(context.feeds.get(row.owner?.feed ?? '') ?? {}, series.details.organizer?.name);
  return { series, zone, place, options: { ...context.compose, attribution: credit } };
}

/** Whether attribution stays as it was. */
export function sameSource(a: FeedMeta, b: FeedMeta): boolean {
  return a.publisher === b.publisher && a.publisherUrl === b.publisherUrl && a.license === b.license;
}

/** Everything that planning depends on besides the records, as it stands in this transaction. */
export async function revisionContext(tx: Writer, options: RevisionOptions): Promise<RevisionContext> {
  const { holidays, horizonDays, withoutFastPaths = false } = options;
  const now = options.now();
  let today = await tx.meta(META.today);
  if (today === undefined) {
    today = utcDate(now);
    await tx.setMeta(META.today, today);
  }
  // Another process may have begun to make documents with newer ones.
  useVocabularies(await tx.meta(META.vocabularies));
  const daysBefore = JSON.parse((await tx.meta(META.daysBefore)) ?? '[]') as LocalDate[];
  const feeds = new Map((await tx.feeds()).map((feed) => [feed.url, feed]));
  return {
    now,
    daysBefore,
    compose: { ...options.compose, today },
    holidays,
    horizonDays,
    withoutFastPaths,
    feeds,
  };
}

/**
 * Version of what is stored of raw data: records, identities, owners, findings, occurrences, and hashes of what calendars show.
 * Raise it with any change that makes something else of the same item: a store made with another version is rebuilt from its
 * raw data when it is opened. Octets that no hash covers need none: another release moves every calendar once (semantics 6.1).
 */
export const RULES_VERSION = '21';
