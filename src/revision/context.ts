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

/** Settings by which calendars are revised. */
export interface RevisionOptions {
  now(): Instant;
  compose: Omit<ComposeOptions, 'attribution' | 'today'>;
  horizonDays: number;
  /** Public holidays of places without a country. */
  holidays?: HolidayRegion | undefined;
  /** Other processes move the stored day of this store too, by their own clocks. */
  hasOtherClocks?: boolean;
  /** No fast path is taken; tests compare both ways. */
  withoutFastPaths?: boolean;
  /** Called after each commit that changed calendars. */
  onChange?(keys: readonly string[]): void;
}

/** The inputs of planning besides the records. */
export interface RevisionContext extends Pick<RevisionOptions, 'holidays' | 'horizonDays' | 'withoutFastPaths'> {
  now: Instant;
  /** Earlier stored days, from before the clock was set. */
  daysBefore: readonly LocalDate[];
  compose: Omit<ComposeOptions, 'attribution'>;
  /** No record changed: no change is noted for people. */
  silent?: boolean;
  feeds: ReadonlyMap<string, FeedRow>;
}

/** The withdrawal of a calendar now, with the clock and the stored days, as any of them may be wrong. */
export function withdrawalOf({ now, daysBefore, compose }: RevisionContext): Withdrawal {
  return { clocks: [now], after: [...new Set([...daysBefore, compose.today])] };
}

/** An effective series with the zone, the Place and the options that its calendar is made with. */
export interface ShownSeries {
  series: Series;
  /** The zone of sessions whose times name none. */
  zone: string | undefined;
  /** The Place that it inherits from. */
  place: Place | undefined;
  options: ComposeOptions;
}

/** Reads the effective series of a row, with all that its calendar is made with. */
export async function shownSeries(
  reader: IdentReader,
  row: RecordBody,
  context: RevisionContext,
): Promise<ShownSeries> {
  const series = await effectiveSeries(reader, row);
  const zone = await withFound(reader, row, (find) => zoneOfSeries(series, find)?.id);
  // Only the Place that is among the series' sources: the document is not made again for a change of another.
  const place = await namedPlace(reader, row);
  const credit = attribution(context.feeds.get(row.owner?.feed ?? '') ?? {}, series.details.organizer?.name);
  return { series, zone, place, options: { ...context.compose, attribution: credit } };
}

/** Whether two feeds have the same attribution. */
export function sameSource(a: FeedMeta, b: FeedMeta): boolean {
  return a.publisher === b.publisher && a.publisherUrl === b.publisherUrl && a.license === b.license;
}

/** Reads the context of a transaction: clock, stored day, vocabularies, feeds. */
export async function revisionContext(tx: Writer, options: RevisionOptions): Promise<RevisionContext> {
  const { holidays, horizonDays, withoutFastPaths = false } = options;
  const now = options.now();
  let today = await tx.meta(META.today);
  if (today === undefined) {
    today = utcDate(now);
    await tx.setMeta(META.today, today);
  }
  // Another process may have begun to use newer vocabularies for documents.
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
 * Version of all that is derived from raw data: records, identities, owners, findings, occurrences, and hashes of events.
 * Raise it with any change that derives something else from the same item: a store with another version is rebuilt from its
 * raw data when it is opened. Octets that no hash covers need none: another release moves every calendar once (semantics 6.1).
 */
export const RULES_VERSION = '21';
