import type { RecordKind } from '../opportunity/records.ts';
import type { CalendarRow } from '../store/index.ts';
import { type CalendarName, type Collection, VENUE_PARTS, type VenuePart, venueName } from './library.ts';

/** Every name that calendars of one key can have. */
export const VENUE_NAMES = (['places', 'facilities'] as const).flatMap((collection) =>
  VENUE_PARTS.map((part) => (key: string) => venueName(collection, key, part)),
);

export const KINDS: Record<Collection, RecordKind> = { series: 'series', places: 'place', facilities: 'facility' };
export const COLLECTIONS: Partial<Record<RecordKind, Collection>> = {
  series: 'series',
  place: 'places',
  facility: 'facilities',
};

export function parseName(name: CalendarName): { collection: Collection; key: string; part?: VenuePart } {
  const [collection, key = '', part] = name.split('/');
  if (key === '') return { collection: 'series', key: name };
  return { collection: collection as Collection, key, part: part as VenuePart };
}

export function isVenue(row: CalendarRow, collection: Collection): boolean {
  return row.state === 'live' && row.kind === KINDS[collection];
}
