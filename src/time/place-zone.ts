import tzLookup from '@photostructure/tz-lookup';
import { countryCode, countryZone } from './countries.ts';
import { type Zone, zone } from './zone.ts';

/** The coordinates and address parts of a place that its feed states. */
export interface Whereabouts {
  latitude?: number;
  longitude?: number;
  /** The country as written: a name or an ISO 3166 code. */
  country?: string;
  region?: string;
  postalCode?: string;
  /** One line, where the parts are not given apart. */
  address?: string;
}

/** The zone of a place: from its coordinates, else its country, else `otherwise` (semantics 5). */
export function placeZone(place: Whereabouts, otherwise: Zone): Zone {
  return knownZone(place) ?? otherwise;
}

/** The zone at the coordinates of a place, else that of its country, if it has only one. */
export function knownZone(place: Whereabouts): Zone | undefined {
  const country = countryCode(place.country);
  const name = zoneAt(place.latitude, place.longitude) ?? (country && countryZone(country));
  return name === undefined ? undefined : zone(name);
}

/**
 * The IANA name of the zone at a point on land; undefined at sea and for impossible coordinates.
 * The borders are those of timezone-boundary-builder (ODbL), simplified by tz-lookup: exact where people live.
 */
export function zoneAt(latitude: number | undefined, longitude: number | undefined): string | undefined {
  if (latitude === undefined || longitude === undefined || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    return undefined;
  }
  // Systems write 0, 0 for "not known". This point and swapped pairs lie at sea, where zones are named Etc/GMT±n.
  const name = tzLookup(latitude, longitude);
  return name.startsWith('Etc/') ? undefined : name;
}
