import type { RecordKind } from '../opportunity/records.ts';
import { type CalendarName, type Collection, VENUE_PARTS, type VenuePart, venueName } from './library.ts';

/** Every calendar name that a key may have. */
export function namesOf(key: string): CalendarName[] {
  const ofVenues = (['places', 'facilities'] as const).flatMap((collection) =>
    VENUE_PARTS.map((part) => venueName(collection, key, part)),
  );
  return [key, ...ofVenues];
}

export const KINDS: Record<Collection, RecordKind> = { series: 'series', places: 'place', facilities: 'facility' };
export const COLLECTIONS: Partial<Record<RecordKind, Collection>> = {
  series: 'series',
  place: 'places',
  facility: 'facilities',
};

/** A calendar name, taken apart; `part` is absent for series. */
export function parseName(name: CalendarName): { collection: Collection; key: string; part?: VenuePart } {
  const [collection, key = '', part] = name.split('/');
  if (key === '') return { collection: 'series', key: name };
  return { collection: collection as Collection, key, part: part as VenuePart };
}
