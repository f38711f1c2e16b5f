import { holidayCalendar } from '../../src/hours/holidays.ts';
import type { Venue } from '../../src/hours/venue.ts';
import { type Zone, zone } from '../../src/time/zone.ts';
import { cleanHours } from './clean.ts';
import type { PlaceHours } from './reference.ts';

/** A place of these hours in a zone, with the holidays of a UK nation. */
export function venueOf(hours: PlaceHours, zoneId = 'Europe/London', nation = 'ENG'): Venue {
  return {
    kind: 'place',
    id: 'https://example.org/places/1',
    name: 'Belle Vue',
    whereabouts: {},
    hours: cleanHours(hours),
    context: { zone: zone(zoneId) as Zone, holidays: holidayCalendar({ country: 'GB', region: nation }) },
  };
}
