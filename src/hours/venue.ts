import type { EffectiveVenue } from '../opportunity/effective.ts';
import { defined, type Facility, type Place, type PlaceSummary } from '../opportunity/records.ts';
import { placeZone, type Whereabouts } from '../time/place-zone.ts';
import type { Zone } from '../time/zone.ts';
import type { Hours } from './decide.ts';
import { placeHolidays } from './holiday-region.ts';
import type { HolidayRegion } from './holidays.ts';
import type { HoursContext } from './periods.ts';

/** The zone and holidays of places that do not show their own, from the operator's settings. */
export interface VenueDefaults {
  zone: Zone;
  holidays: HolidayRegion | undefined;
}

/** Anything with opening hours: a Place, or a FacilityUse or IndividualFacilityUse, with what its hours depend on. */
export interface Venue {
  kind: 'place' | 'facility';
  /** The `@id` of the place or facility. */
  id: string;
  name?: string;
  url?: string;
  location?: PlaceSummary;
  whereabouts: Whereabouts;
  hours: Hours;
  context: HoursContext;
}

/** The venue of a place or facility after inheritance. */
export function venueOf({ record, around }: EffectiveVenue, defaults: VenueDefaults): Venue {
  return record.kind === 'place' ? placeVenue(record, defaults) : facilityVenue(record, around, defaults);
}

/**
 * A Place with its standard and special hours.
 *
 * @example
 * ```ts
 * const venue = placeVenue(place, { zone: london, holidays: { country: 'GB', region: 'ENG' } });
 * ```
 */
export function placeVenue(place: Place, defaults: VenueDefaults): Venue {
  const { id, name, url, address, telephone } = place;
  const whereabouts = placeWhereabouts(place);
  return {
    kind: 'place',
    id,
    ...defined({ name, url }),
    location: { id, ...defined({ name, url, address, telephone }), ...coordinates(place) },
    whereabouts,
    hours: { standard: place.hours, special: place.specialHours },
    context: hoursContext(whereabouts, defaults),
  };
}

/**
 * A facility with its own hours (`hoursAvailable`); it has no special ones, and the hours of the place around it are not
 * its own. Zone and holidays are those of its location, or of its Place record where the location says nothing.
 *
 * @example
 * ```ts
 * const venue = facilityVenue(facility, place, { zone: london, holidays: undefined });
 * ```
 */
export function facilityVenue(facility: Facility, place: Place | undefined, defaults: VenueDefaults): Venue {
  const { location, name } = facility.details;
  const whereabouts = facilityWhereabouts(facility, place);
  return {
    kind: 'facility',
    id: facility.id,
    ...defined({ name, url: facility.url }),
    ...(location && { location }),
    whereabouts,
    hours: { standard: facility.hours, special: [] },
    context: hoursContext(whereabouts, defaults),
  };
}

/**
 * Whether a venue has published hours. Without hours it is unknown whether the venue is open.
 *
 * @example
 * ```ts
 * const shown = [venue].filter(hasHours);
 * ```
 */
export function hasHours({ hours }: Venue): boolean {
  return hours.standard.length > 0 || hours.special.length > 0;
}

/** Where a facility lies, as its location says, or its Place record where the location says nothing. */
export function facilityWhereabouts(facility: Facility, place: Place | undefined): Whereabouts {
  const { location } = facility.details;
  return {
    ...(place && placeWhereabouts(place)),
    ...(location && { ...coordinates(location), ...defined({ address: location.address }) }),
  };
}

function hoursContext(whereabouts: Whereabouts, { zone, holidays }: VenueDefaults): HoursContext {
  return { zone: placeZone(whereabouts, zone), holidays: placeHolidays(whereabouts, holidays) };
}

/** Where a Place record lies. */
export function placeWhereabouts(place: Place): Whereabouts {
  const { country, region, postalCode, address } = place;
  return { ...coordinates(place), ...defined({ country, region, postalCode, address }) };
}

interface Coordinates {
  latitude?: number | undefined;
  longitude?: number | undefined;
}

/** Latitude and longitude, or neither: one alone could be joined with that of another source. */
export function coordinates({ latitude, longitude }: Coordinates): Whereabouts {
  return latitude === undefined || longitude === undefined ? {} : { latitude, longitude };
}
