import { knownZone, zoneAt } from '../../time/place-zone.ts';
import { type Zone, zone as zoneNamed } from '../../time/zone.ts';
import { shown } from '../findings.ts';
import { identifierOf, isPointer, referenceOf, standIn, statedId } from '../identity.ts';
import { isObject, type Json, type JsonObject } from '../item/json.ts';
import { at, emit, first, isEmpty, many, note, noteOnce, type Rank, type Reading } from '../item/reading.ts';
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
 * Reads `location`: Place, VirtualLocation, address or text, one or several; a Place with content becomes a record too. An
 * address on the net and a room go to `details`.
 */
export function locationOf(
  reading: Reading,
  from: JsonObject,
  property: string,
  path: string,
  details: Details,
): PlaceSummary | undefined {
  const here = at(path, property);
  let location: PlaceSummary | undefined;
  for (const value of many(reading, from, property, path, MAX_LIST)) {
    if (isObject(value) && value['@type'] !== 'Place' && typeOf(reading, value, here) === 'VirtualLocation') {
      const virtual = virtualFrom(reading, value, here);
      if (virtual !== undefined) details.virtualLocation = virtual;
    } else if (location !== undefined) note(reading, 'several-values', here, { property });
    else {
      location = isObject(value) ? placeWithin(reading, value, here, details, 0) : placeByText(reading, value, path);
    }
  }
  return location;
}

/** A text is an address on the net, an id, or the name of a place. */
function placeByText(reading: Reading, value: Json, path: string): PlaceSummary | undefined {
  if (typeof value === 'string' && webAddress(value) === undefined && !/^[a-z]+:\S+$/i.test(value.trim())) {
    note(reading, 'location-as-text', at(path, 'location'));
    const name = lineFrom(reading, value, 'location', path);
    return name === undefined ? undefined : { name };
  }
  const id = referenceOf(reading, value, 'location', path);
  return id === undefined ? undefined : { id };
}

/** What a place states that is one of its own, though it lies within another. */
const OF_ITS_OWN = ['address', 'geo', 'telephone', 'url', 'openingHoursSpecification'] as const;

/**
 * A court or room within a place is shown as a room of that place, which has the address and the calendar. A place of its own
 * within another, a boathouse in a park, has the name and address of the other as its address. Its own address goes before.
 */
function placeWithin(
  reading: Reading,
  value: JsonObject,
  path: string,
  details: Details,
  depth: number,
): PlaceSummary | undefined {
  if (isEmpty(value.containedInPlace) || !isEmpty(value.address) || depth >= MAX_DEPTH) {
    return embeddedPlace(reading, value, path);
  }
  if (OF_ITS_OWN.some((name) => !isEmpty(value[name]))) {
    return embeddedPlace(reading, value, path, placeAround(reading, value, path, {}, depth));
  }
  const room = lineOf(reading, value, 'name', path);
  if (room !== undefined) details.room = roomNames([details.room, room]) as string;
  return placeAround(reading, value, path, details, depth);
}

function placeAround(
  reading: Reading,
  value: JsonObject,
  path: string,
  details: Details,
  depth: number,
): PlaceSummary | undefined {
  const one = first(reading, value, 'containedInPlace', path);
  if (isObject(one)) return placeWithin(reading, one, at(path, 'containedInPlace'), details, depth + 1);
  const id = one === undefined ? undefined : referenceOf(reading, one, 'containedInPlace', path);
  return id === undefined ? undefined : { id };
}

function embeddedPlace(
  reading: Reading,
  value: JsonObject,
  path: string,
  around?: PlaceSummary,
): PlaceSummary | undefined {
  if (isPointer(value)) {
    const id = statedId(reading, value, path);
    return id === undefined ? undefined : { id };
  }
  const place = placeOf(reading, value, path, undefined);
  if (place === undefined) return undefined;
  const address = roomNames([around?.name, around?.address]);
  if (place.address === undefined && address !== undefined) place.address = address;
  if (place.id === '') note(reading, 'place-unknown', path);
  else emit(reading, place, 0);
  return placeSummary(place);
}

export function placeItem(reading: Reading, from: JsonObject, fallback: string): void {
  const place = placeOf(reading, from, '$', fallback) as Place;
  if (place.name === undefined) note(reading, 'name-missing', '$', { type: 'Place' });
  emit(reading, place, 2 satisfies Rank);
}

/** Reads a Place; its id is empty if nothing tells it from others. Undefined: nothing is stated. */
function placeOf(reading: Reading, from: JsonObject, path: string, fallback: string | undefined): Place | undefined {
  const stated = statedId(reading, from, path);
  const place: Place = { kind: 'place', id: stated ?? '', hours: [], specialHours: [] };
  Object.assign(place, wordsOf(reading, from, path));
  addAddress(reading, from, path, place);
  addCoordinates(reading, from, path, place);
  const identifier = stated === undefined ? identifierOf(reading, from, path) : undefined;
  if (stated === undefined) place.id = standInOf(reading.feed, place, identifier) ?? fallback ?? '';
  if (place.id === '' && place.telephone === undefined) return undefined;
  if (stated === undefined && place.id !== '') noteOnce(reading, 'place-without-id', path);
  const zone = () => knownZone(place) ?? reading.zone;
  place.hours = standardHours(reading, from, 'openingHoursSpecification', path, zone);
  place.specialHours = specialHours(reading, from, 'specialOpeningHoursSpecification', path, zone);
  return place;
}

function standInOf(feed: string, place: Place, identifier: string | undefined): string | undefined {
  if (identifier !== undefined) return standIn(feed, 'Place', identifier);
  const { url, name, postalCode, address, latitude, longitude } = place;
  if (url !== undefined) return standIn(feed, 'Place', url, name);
  // Three decimals are about a hundred metres: coordinates of one place differ between systems.
  const where =
    postalCode ?? (latitude === undefined ? address : `${latitude.toFixed(3)},${(longitude as number).toFixed(3)}`);
  return name === undefined && where === undefined ? undefined : standIn(feed, 'Place', name, where);
}

const wordsOf = objectReader<Pick<Place, 'name' | 'description' | 'url' | 'telephone' | 'email'>>({
  name: placeName,
  description: (reading, from, name, path) =>
    linesOf(reading, from, name, path) ?? linesOf(reading, from, 'beta:formattedDescription', path, true),
  url: urlOf,
  telephone: lineOf,
  email: lineOf,
});

function placeName(reading: Reading, from: JsonObject, property: string, path: string): string | undefined {
  const name = lineOf(reading, from, property, path);
  if (name === undefined || !COORDINATES.test(name)) return name;
  note(reading, 'place-name-is-coordinates', at(path, property), { value: shown(name) });
  return undefined;
}

/** `52.0383757, -0.7858541` */
const COORDINATES = /^-?\d{1,3}\.\d+ ?, ?-?\d{1,3}\.\d+$/;

function addAddress(reading: Reading, from: JsonObject, path: string, place: Place): void {
  if (from.address === undefined) return;
  const value = first(reading, from, 'address', path);
  if (typeof value === 'string') {
    noteOnce(reading, 'address-as-text', at(path, 'address'));
    const line = tidy(lineFrom(reading, value.replaceAll(/[\r\n]+/g, ', '), 'address', path));
    if (line !== undefined) place.address = line;
  } else if (isObject(value)) addPostalAddress(reading, value, at(path, 'address'), place);
  else if (value !== undefined)
    note(reading, 'value-not-text', at(path, 'address'), { property: 'address', value: shown(value) });
}

function addPostalAddress(reading: Reading, from: JsonObject, path: string, place: Place): void {
  for (const [name, property] of ADDRESS) {
    const value = from[property];
    const isCountry = name === 'country' && isObject(value);
    const line = tidy(isCountry ? lineOf(reading, value, 'name', path) : lineOf(reading, from, property, path));
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

function addCoordinates(reading: Reading, from: JsonObject, path: string, place: Place): void {
  const geo = geoOf(reading, from, path);
  const source = isObject(geo) ? geo : from;
  if (isEmpty(source.latitude) && isEmpty(source.longitude)) return;
  const [latitude, longitude] = [toNumber(source.latitude ?? null), toNumber(source.longitude ?? null)];
  const wrong = geoProblem(latitude, longitude, place.country, reading.zone.id);
  if (wrong !== undefined) {
    note(reading, wrong, at(path, 'geo'), { value: `${shown(source.latitude, 20)}, ${shown(source.longitude, 20)}` });
    return;
  }
  place.latitude = latitude as number;
  place.longitude = longitude as number;
}

/** The value of `geo`; one without a latitude and longitude by name is noted: pairs are written in either order. */
function geoOf(reading: Reading, from: JsonObject, path: string): Json | undefined {
  const { geo } = from;
  if (isEmpty(geo) || isObject(geo)) return geo;
  if (Array.isArray(geo) && geo.some(isObject)) return first(reading, from, 'geo', path);
  note(reading, 'geo-invalid', at(path, 'geo'), { value: shown(geo) });
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

/** Only right when exchanged: out of range as they are, or in Somalia's sea while the place is in Britain. */
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

export function virtualOf(reading: Reading, from: JsonObject, name: string, path: string): Details['virtualLocation'] {
  const value = first(reading, from, name, path);
  if (isObject(value)) return virtualFrom(reading, value, at(path, name));
  if (typeof value !== 'string') {
    noteNoObject(reading, value, name, path);
    return undefined;
  }
  const url = webAddress(value);
  if (url !== undefined) return { url };
  const line = lineFrom(reading, value, name, path);
  return line === undefined ? undefined : { name: line };
}

const virtualFrom = objectReader<NonNullable<Details['virtualLocation']>>({
  name: lineOf,
  url: urlOf,
  description: linesOf,
});

/** Courts and studios, by name; before them in `details`: the hall that the location says they are in. */
export function roomOf(
  reading: Reading,
  from: JsonObject,
  property: string,
  path: string,
  { room }: Details,
): string | undefined {
  const here = at(path, property);
  const names = many(reading, from, property, path, MAX_LIST)
    .flatMap((value) => (isObject(value) ? many(reading, value, 'name', here, MAX_LIST) : value))
    .map((name) => {
      if (typeof name === 'string' && webAddress(name) === undefined) return lineFrom(reading, name, property, path);
      noteNoObject(reading, name, property, path);
      return undefined;
    });
  return roomNames([...names, room]);
}

/** Different names in one line, what is within before what is around it. */
function roomNames(names: readonly (string | undefined)[]): string | undefined {
  return [...new Set(names)].filter((name) => name !== undefined).join(', ') || undefined;
}

/** A Place record as far as an event needs it. */
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
