import type { JsonObject } from '../item/json.ts';
import { type Defined, defined } from '../records.ts';

/** Coordinates and address of a place, in the JSON of feeds and of pages. */

/** The property `geo`; no property where one of the coordinates is missing. */
export function geoJson(latitude: number | undefined, longitude: number | undefined): JsonObject {
  if (latitude === undefined || longitude === undefined) return {};
  return { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}

/** The parts of an address that are stated, by their names in a PostalAddress. */
export function postalAddress(parts: {
  street?: string | undefined;
  locality?: string | undefined;
  region?: string | undefined;
  postalCode?: string | undefined;
  country?: string | undefined;
}): Defined<Record<string, string | undefined>> {
  const { street, locality, region, postalCode, country } = parts;
  return defined({
    streetAddress: street,
    addressLocality: locality,
    addressRegion: region,
    postalCode,
    addressCountry: country,
  });
}
