import { attribution } from '../calendar/attribution.ts';
import type { ComposeOptions } from '../calendar/compose.ts';
import type { HolidayRegion } from '../hours/holidays.ts';
import type { Instant, Series } from '../opportunity/records.ts';
import type { FeedRow, RecordBody } from '../store/contract.ts';

/** What calendars are planned with besides their records. */
export interface SettleContext {
  now: Instant;
  compose: Omit<ComposeOptions, 'attribution'>;
  /** Public holidays of places that do not say where they are. */
  holidays: HolidayRegion | undefined;
  horizonDays: number;
  feeds: ReadonlyMap<string, FeedRow>;
}

export function attributionOf(
  series: Series,
  row: RecordBody,
  { feeds }: Pick<SettleContext, 'feeds'>,
): string | undefined {
  return attribution(feeds.get(row.owner?.feed ?? '') ?? {}, series.details.organizer?.name);
}
