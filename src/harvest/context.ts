import { attribution } from '../calendar/attribution.ts';
import type { ComposeOptions } from '../calendar/compose.ts';
import type { HolidayRegion } from '../hours/holidays.ts';
import { zoneOfSeries } from '../opportunity/effective.ts';
import type { Instant, LocalDate, Series } from '../opportunity/records.ts';
import type { FeedMeta, FeedRow, RecordBody } from '../store/contract.ts';
import { type RecordReader, withFound } from '../store/find.ts';
import { effectiveSeries } from '../store/series.ts';
import type { Withdrawal } from '../store/tail.ts';

/** What calendars are planned with besides their records. */
export interface SettleContext {
  now: Instant;
  /** The days that were stored when the clock was set. */
  daysBefore: readonly LocalDate[];
  compose: Omit<ComposeOptions, 'attribution'>;
  /** Public holidays of places that do not say where they are. */
  holidays: HolidayRegion | undefined;
  horizonDays: number;
  feeds: ReadonlyMap<string, FeedRow>;
}

function attributionOf(series: Series, row: RecordBody, { feeds }: Pick<SettleContext, 'feeds'>): string | undefined {
  return attribution(feeds.get(row.owner?.feed ?? '') ?? {}, series.details.organizer?.name);
}

/** What is withdrawn at this moment, by this clock, which may be wrong. */
export function withdrawalOf({ now, daysBefore, compose }: SettleContext): Withdrawal {
  return { clocks: [now], after: [...new Set([...daysBefore, compose.today])] };
}

/** A series as its calendar shows it, and with what. */
export interface Look {
  series: Series;
  /** Of times of its sessions that name none. */
  zone: string | undefined;
  options: ComposeOptions;
}

export async function lookAt(reader: RecordReader, row: RecordBody, context: SettleContext): Promise<Look> {
  const { series } = await effectiveSeries(reader, row);
  const zone = await withFound(reader, row, (find) => zoneOfSeries(series, find)?.id);
  return { series, zone, options: { ...context.compose, attribution: attributionOf(series, row, context) } };
}

/** Whether attribution stays as it was. */
export function sameSource(a: FeedMeta, b: FeedMeta): boolean {
  return a.publisher === b.publisher && a.publisherUrl === b.publisherUrl && a.license === b.license;
}
