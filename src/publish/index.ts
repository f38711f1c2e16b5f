import type { Instant } from '../opportunity/records.ts';
import { type CalendarText, type Previous, PUBLISHED_FEEDS, type Published, type PublishResult } from './contract.ts';
import type { Mapping } from './map/mapping.ts';

/**
 * Calendars as the objects of the three feeds. Pure: the same input gives the same objects in the same order. `now` only
 * bounds how far rules that a Schedule cannot say are written out.
 */
export function publishCalendars(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  previous: Previous,
  now: Instant,
): PublishResult {
  const published = Object.fromEntries(PUBLISHED_FEEDS.map((feed) => [feed, []])) as unknown as Published;
  void [mapping, previous, now];
  const calendars = inputs.map(({ source }) => ({ source, events: 0, overrides: 0, availabilities: 0, skipped: 0 }));
  return { published, findings: [], calendars };
}
