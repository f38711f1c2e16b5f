import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';
import type { JsonObject } from '../../src/opportunity/item/json.ts';
import type { Previous, Published, PublishResult } from '../../src/publish/contract.ts';
import { type Mapping, parseMapping } from '../../src/publish/map/mapping.ts';
import { publishCalendars } from '../../src/publish/publish-calendars.ts';
import { occurrences } from '../../src/recurrence/overlay.ts';
import type { Instant } from '../../src/time/instant.ts';

/** Helpers of the tests of publishing: a mapping that says everything, and the feeds read back by our own reader. */

export const NOW = Date.parse('2026-11-21T12:00:00Z');

/** Everything that the model requires and calendars do not say. */
export const MAPPING: Mapping = parseMapping(
  JSON.stringify({
    base: 'https://club.example/open-data',
    url: 'https://club.example/timetable',
    organizer: { name: 'Marlowe Harriers', url: 'https://club.example/', id: 'https://club.example/#us' },
    activity: { label: 'Running', id: 'https://openactive.io/activity-list#72ddb2dc-7d75-424e-880a-d90eabe91381' },
    place: {
      name: 'Marlowe Track',
      street: 'Canterbury Road',
      locality: 'Canterbury',
      region: 'Kent',
      postalCode: 'CT1 1AA',
      country: 'GB',
      latitude: 51.28,
      longitude: 1.08,
    },
    offers: [{ name: 'Free', price: 0, currency: 'GBP' }],
  }),
  'mapping.json',
);

export function publish(text: string, mapping: Mapping = MAPPING, previous: Previous = [], now = NOW): PublishResult {
  return publishCalendars([{ source: 'club.ics', text }], mapping, previous, now);
}

/** All objects of the feeds, series first. */
export function objectsOf(published: Published): JsonObject[] {
  return Object.values(published).flatMap((objects) => objects.map(({ data }) => data));
}

/** `start end status name` of what a reader of the feeds sees in [from, to), sorted. */
export function rowsOf(published: Published, from: Instant, to: Instant): string[] {
  const { records } = readInput(JSON.stringify(objectsOf(published)), { zone: 'Europe/London', feed: 'published' });
  const rows: string[] = [];
  for (const { series, sessions } of join(records).series) {
    for (const { start, end, status, name } of occurrences(series, sessions, from, to)) {
      rows.push(rowOf(start, end, STATUS[status], name ?? ''));
    }
  }
  return rows.sort();
}

const STATUS = {
  EventScheduled: 'CONFIRMED',
  EventRescheduled: 'CONFIRMED',
  EventCancelled: 'CANCELLED',
  EventPostponed: 'TENTATIVE',
} as const;

export function rowOf(start: Instant, end: Instant, status: string, name: string): string {
  return [start, end]
    .map((one) => new Date(one).toISOString().slice(0, 19))
    .concat(status, name)
    .join(' ');
}

/** A calendar around components. */
export function calendarOf(...components: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//test//EN', ...components, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

/** A VEVENT of lines. */
export function eventOf(...lines: string[]): string {
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
}

export function codesOf({ findings }: PublishResult): string[] {
  return [...new Set(findings.map(({ code }) => code))].sort();
}
