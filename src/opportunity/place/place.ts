import { knownZone, zoneAt } from '../../time/place-zone.ts';
import { type Zone, zone as zoneNamed } from '../../time/zone.ts';
import { shown } from '../findings.ts';
import { identifierOf, isPointer, itemStandIn, referenceOf, standIn, statedId } from '../identity.ts';
import { isObject, type Json } from '../item/json.ts';
import {
  at,
  emit,
  first,
  isEmpty,
  many,
  note,
  noteOnce,
  noteProperty,
  type Part,
  partAt,
  type Rank,
  type Spot,
  statesAnything,
} from '../item/reading.ts';
import {
  lineFrom,
  lineOf,
  linesOf,
  noteNoObject,
  objectReader,
  toNumber,
  typeOf,
  urlOf,
  webAddress,
} from '../item/values.ts';
import { bareName } from '../item/vocabulary.ts';
import { MAX_DEPTH, MAX_LIST } from '../limits.ts';
import type { Details, PlaceSummary } from '../properties.ts';
import { defined, type Place } from '../records.ts';
import { isNearZero } from '../whereabouts.ts';
import { specialHours, standardHours } from './hours.ts';

/**
 * Reads `location`: Place, VirtualLocation, address or text, one or several; a Place with content becomes a record too. A
 * VirtualLocation and a room go into `details`.
 */
export function locationOf(part: Part, property: string, details: Details): PlaceSummary | undefined {
  let location: PlaceSummary | undefined;
  for (const value of many(part, property, MAX_LIST)) {
    const inner = isObject(value) ? partAt(part, value, property) : undefined;
    const type = inner === undefined || inner.from['@type'] === 'Place' ? undefined : typeOf(inner);
    if (inner !== undefined && type === 'VirtualLocation') {
      const virtual = virtualFrom(inner);
      if (virtual !== undefined) details.virtualLocation = virtual;
    } else if (location !== undefined) noteProperty(part, property, 'several-values');
    else if (inner === undefined) location = placeByText(part, value);
    else location = placeWithin(type === 'PostalAddress' ? placeAtAddress(inner) : inner, details, 0);
  }
  return location;
}

/** The place of a PostalAddress, which schema.org allows as `location`. */
function placeAtAddress(address: Part): Part {
  note(address, 'location-is-address');
  return { ...address, from: { '@type': 'Place', address: address.from } };
}

/** The place of a text: a web address or another id, or the name of a place. */
function placeByText(spot: Spot, value: Json): PlaceSummary | undefined {
  if (typeof value === 'string' && webAddress(value) === undefined && !/^[a-z]+:\S+$/i.test(value.trim())) {
    note(at(spot, 'location'), 'location-as-text');
    const name = lineFrom(spot, 'location', value);
    return name === undefined ? undefined : { name };
  }
  const id = referenceOf(spot, 'location', value);
  return id === undefined ? undefined : { id };
}

/** Properties of a place that is more than a room, though it lies within another place. */
const OF_ITS_OWN = ['address', 'geo', 'telephone', 'url', 'openingHoursSpecification'] as const;

/**
 * The place of an object with `containedInPlace`. A court or room is shown as a room of the outer place, which has the address
 * and the calendar. A place with properties of its own, such as a boathouse in a park, stays a place. Its address is its own,
 * else the name and address of the outer place.
 */
function placeWithin(part: Part, details: Details, depth: number): PlaceSummary | undefined {
  const { from } = part;
  if (isEmpty(from.containedInPlace) || !isEmpty(from.address) || depth >= MAX_DEPTH) return embeddedPlace(part);
  if (OF_ITS_OWN.some((name) => !isEmpty(from[name]))) return embeddedPlace(part, placeAround(part, {}, depth));
  const room = lineOf(part, 'name');
  if (room !== undefined) details.room = roomNames([details.room, room]) as string;
  return placeAround(part, details, depth);
}

function placeAround(part: Part, details: Details, depth: number): PlaceSummary | undefined {
  const one = first(part, 'containedInPlace');
  if (isObject(one)) return placeWithin(partAt(part, one, 'containedInPlace'), details, depth + 1);
  const id = one === undefined ? undefined : referenceOf(part, 'containedInPlace', one);
  return id === undefined ? undefined : { id };
}

function embeddedPlace(part: Part, around?: PlaceSummary): PlaceSummary | undefined {
  if (isPointer(part.from)) {
    const id = statedId(part);
    return id === undefined ? undefined : { id };
  }
  const place = placeOf(part, undefined);
  if (place === undefined) return undefined;
  const address = roomNames([around?.name, around?.address]);
  if (place.address === undefined && address !== undefined) place.address = address;
  if (place.id === '') note(part, 'place-unknown');
  else emit(part, place, 0);
  return placeSummary(place);
}

export function placeItem(part: Part): void {
  const place = placeOf(part, itemStandIn(part, 'Place')) as Place;
  if (place.name === undefined) note(part, 'name-missing', { type: 'Place' });
  emit(part, place, 2 satisfies Rank);
}

/** Reads a Place; its id is empty where nothing identifies it. Undefined: nothing is stated. */
function placeOf(part: Part, fallback: string | undefined): Place | undefined {
  const stated = statedId(part);
  const place: Place = { kind: 'place', id: stated ?? '', hours: [], specialHours: [] };
  Object.assign(place, wordsOf(part));
  addAddress(part, place);
  addCoordinates(part, place);
  const identifier = stated === undefined ? identifierOf(part) : undefined;
  if (stated === undefined) place.id = standInOf(part.reading.feed, place, identifier) ?? fallback ?? '';
  if (place.id === '' && place.telephone === undefined) return undefined;
  if (stated === undefined && place.id !== '') noteOnce(part, 'place-without-id');
  const zone = () => knownZone(place) ?? part.reading.zone;
  place.hours = standardHours(part, 'openingHoursSpecification', zone);
  place.specialHours = specialHours(part, 'specialOpeningHoursSpecification', zone);
  return place;
}

function standInOf(feed: string, place: Place, identifier: string | undefined): string | undefined {
  if (identifier !== undefined) return standIn(feed, 'Place', identifier);
  const { url, name, postalCode, address, latitude, longitude } = place;
  if (url !== undefined) return standIn(feed, 'Place', url, name);
  // Three decimals are about a hundred metres: coordinates of one place differ between systems.
  const near = latitude === undefined ? address : `${latitude.toFixed(3)},${(longitude as number).toFixed(3)}`;
  // Neighbours share a postcode, so without a name the address identifies a place.
  const where = (name === undefined ? address : undefined) ?? postalCode ?? near;
  return name === undefined && where === undefined ? undefined : standIn(feed, 'Place', name, where);
}

const wordsOf = objectReader<Pick<Place, 'name' | 'description' | 'url' | 'telephone' | 'email'>>({
  name: placeName,
  description: (part, name) => linesOf(part, name) ?? linesOf(part, 'beta:formattedDescription', true),
  url: urlOf,
  telephone: lineOf,
  email: lineOf,
});

function placeName(part: Part, property: string): string | undefined {
  const name = lineOf(part, property);
  if (name === undefined || !COORDINATES.test(name)) return name;
  note(at(part, property), 'place-name-is-coordinates', { value: shown(name) });
  return undefined;
}

/** `52.0383757, -0.7858541` */
const COORDINATES = /^-?\d{1,3}\.\d+ ?, ?-?\d{1,3}\.\d+$/;

function addAddress(part: Part, place: Place): void {
  if (part.from.address === undefined) return;
  const value = first(part, 'address');
  if (typeof value === 'string') {
    noteOnce(at(part, 'address'), 'address-as-text');
    const line = tidy(lineFrom(part, 'address', value.replaceAll(/[\r\n]+/g, ', ')));
    if (line !== undefined) place.address = line;
  } else if (isObject(value)) addPostalAddress(partAt(part, value, 'address'), place);
  else if (value !== undefined) noteProperty(part, 'address', 'value-not-text', { value: shown(value) });
}

function addPostalAddress(part: Part, place: Place): void {
  for (const [name, property] of ADDRESS) {
    const value = part.from[property];
    const isCountry = name === 'country' && isObject(value);
    const line = tidy(isCountry ? lineOf(partAt(part, value, property), 'name') : lineOf(part, property));
    if (line !== undefined) place[name] = line;
  }
  const { street, locality, region, postalCode, country } = place;
  // The town is often also the region.
  const parts = new Set([street, locality, region, postalCode, country].filter((part) => part !== undefined));
  if (parts.size > (country === undefined ? 0 : 1)) place.address = [...parts].join(', ');
}

const ADDRESS = [
  ['street', 'streetAddress'],
  ['locality', 'addressLocality'],
  ['region', 'addressRegion'],
  ['postalCode', 'postalCode'],
  ['country', 'addressCountry'],
] as const;

/** A line without the commas and blanks that empty parts of an address leave. */
function tidy(line: string | undefined): string | undefined {
  const parts = line
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts === undefined || parts.length === 0 ? undefined : parts.join(', ');
}

function addCoordinates(part: Part, place: Place): void {
  const geo = geoOf(part);
  const source = isObject(geo) ? geo : part.from;
  if (isEmpty(source.latitude) && isEmpty(source.longitude)) {
    // GeoJSON, a shape, or other names: the value is not used.
    if (source === geo && statesAnything(source)) note(at(part, 'geo'), 'geo-invalid', { value: shown(geo) });
    return;
  }
  const [latitude, longitude] = [toNumber(source.latitude ?? null), toNumber(source.longitude ?? null)];
  const wrong = geoProblem(latitude, longitude, place.country, part.reading.zone.id);
  if (wrong !== undefined) {
    note(at(part, 'geo'), wrong, { value: `${shown(source.latitude, 20)}, ${shown(source.longitude, 20)}` });
    return;
  }
  place.latitude = latitude as number;
  place.longitude = longitude as number;
}

/** The value of `geo`, if it is an object. Other values are noted, because pairs are written in either order. */
function geoOf(part: Part): Json | undefined {
  const { geo } = part.from;
  if (isEmpty(geo) || isObject(geo)) return geo;
  if (Array.isArray(geo) && geo.some(isObject)) return first(part, 'geo');
  note(at(part, 'geo'), 'geo-invalid', { value: shown(geo) });
  return undefined;
}

function geoProblem(
  latitude: number | undefined,
  longitude: number | undefined,
  country: string | undefined,
  zone: string,
): 'geo-invalid' | 'geo-zero' | 'geo-transposed' | undefined {
  if (latitude === undefined || longitude === undefined) return 'geo-invalid';
  if (isNearZero({ latitude, longitude })) return 'geo-zero';
  if (isTransposed(latitude, longitude, country, zone)) return 'geo-transposed';
  return Math.abs(latitude) > 90 || Math.abs(longitude) > 180 ? 'geo-invalid' : undefined;
}

/** Whether coordinates are right only when exchanged: out of range, or off Somalia for a place in Britain. */
function isTransposed(latitude: number, longitude: number, country: string | undefined, zone: string): boolean {
  if (Math.abs(latitude) > 90) return Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180;
  const british =
    /^(?:gb|uk|gbr|united kingdom|great britain)$/i.test(country ?? '') ||
    (country === undefined && zone === 'Europe/London');
  return british && longitude > 49 && longitude < 61 && latitude > -9 && latitude < 3;
}

/** Whether a `location` holds a VirtualLocation. */
export function isVirtual(location: Json | undefined): boolean {
  const types = [location ?? null].flat().flatMap((one) => (isObject(one) ? (one['@type'] ?? null) : null));
  return types.some((type) => typeof type === 'string' && bareName(type) === 'VirtualLocation');
}

export function virtualOf(part: Part, name: string): Details['virtualLocation'] {
  const value = first(part, name);
  if (isObject(value)) return virtualFrom(partAt(part, value, name));
  if (typeof value !== 'string') {
    noteNoObject(part, name, value);
    return undefined;
  }
  const url = webAddress(value);
  if (url !== undefined) return { url };
  const line = lineFrom(part, name, value);
  return line === undefined ? undefined : { name: line };
}

const virtualFrom = objectReader<NonNullable<Details['virtualLocation']>>({
  name: lineOf,
  url: urlOf,
  description: linesOf,
});

/** Names of courts and studios, with the hall of the location, which is `room` of `details` already. */
export function roomOf(part: Part, property: string, { room }: Details): string | undefined {
  const names = many(part, property, MAX_LIST)
    .flatMap((value) => (isObject(value) ? many(partAt(part, value, property), 'name', MAX_LIST) : value))
    .map((name) => {
      if (typeof name === 'string' && webAddress(name) === undefined) return lineFrom(part, property, name);
      noteNoObject(part, property, name);
      return undefined;
    });
  return roomNames([...names, room]);
}

/** Names in one line, each once, from the inside outwards. */
function roomNames(names: readonly (string | undefined)[]): string | undefined {
  return [...new Set(names)].filter((name) => name !== undefined).join(', ') || undefined;
}

/** The properties of a Place record that an event needs. */
export function placeSummary(place: Place): PlaceSummary {
  const { id, name, address, latitude, longitude, url, telephone, country } = place;
  const zone = country === undefined ? undefined : zoneOfCountry(place, country)?.id;
  return defined({ id: id === '' ? undefined : id, name, address, latitude, longitude, url, telephone, zone });
}

/** The zone at the coordinates of a location, else that of its country. */
export function zoneOfLocation({ latitude, longitude, zone }: PlaceSummary): Zone | undefined {
  const name = zoneAt(latitude, longitude) ?? zone;
  return name === undefined ? undefined : zoneNamed(name);
}

function zoneOfCountry({ latitude, longitude }: Place, country: string): Zone | undefined {
  return zoneAt(latitude, longitude) === undefined ? knownZone({ country }) : undefined;
}
