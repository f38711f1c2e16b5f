import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../../opportunity/item/json.ts';
import { MAX_LINE } from '../../opportunity/limits.ts';
import { geoJson, postalAddress } from '../../opportunity/place/place-json.ts';
import { defined } from '../../opportunity/records.ts';
import { ATTENDANCE_MODES } from '../../opportunity/whereabouts.ts';
import { accessibilitySupport, activityList, MODEL_LEVELS } from '../../vocabulary/shipped.ts';
import type { Wording } from '../read/model.ts';
import { isAddress } from '../read/place.ts';
import { addressParts } from './address.ts';
import { hasPart, hasWords } from './choice/words.ts';
import { conceptJson, isListed } from './concepts.ts';
import { ANY_NAME, ageRangeJson, offerJson } from './json.ts';
import { linesAbout, type Mapped } from './mapped.ts';
import type { MappedBody, MappedConcept, MappedDetails, MappedOffer, MappedPlace, Mapping } from './schema.ts';

/** The description of an event, its place, organizer and price, out of the event and the mapping file. */

/** A short and stable hash, because UIDs may hold anything. */
export function keyOf(...parts: string[]): string {
  return hash('sha256', parts.join('\n')).slice(0, 20);
}

/** `url`, `name`, `activity`, … of a SessionSeries. A required property without a source is missing. */
export function describe(wording: Wording, mapped: Mapped, id: string): JsonObject {
  return { ...textsJson(wording, mapped, id), ...detailsJson(wording, mapped, id) };
}

/** The properties of a session that differ from its series, compared as JSON. `id` is that of the session. */
export function otherJson(own: Wording, series: Wording, mapped: Mapped, id: string): JsonObject {
  const usual = textsJson(series, mapped, id);
  // Two LOCATIONs may be one place of the mapping file.
  const isElsewhere = own.location !== undefined && own.location !== series.location;
  const other = Object.entries(textsJson(inherited(own, series), mapped, id)).filter(
    ([name, value]) => (isElsewhere && name === 'location') || JSON.stringify(value) !== JSON.stringify(usual[name]),
  );
  return { ...Object.fromEntries(other), ...otherDetailsJson(own, series, mapped, id) };
}

/** The wording of a session with what it inherits. Coordinates belong to their LOCATION. */
function inherited(own: Wording, series: Wording): Wording {
  const isThere = own.location === undefined || own.location === series.location;
  const { geo, ...rest } = series;
  return {
    ...rest,
    ...(isThere && geo && { geo }),
    ...own,
    categories: own.categories.length > 0 ? own.categories : series.categories,
  };
}

function textsJson(wording: Wording, mapped: Mapped, id: string): JsonObject {
  const { mapping, calendar } = mapped;
  const organizer = calendar?.organizer ?? mapping.organizer;
  const activity = activityOf(wording, mapped);
  const location = placeOf(wording, mapped);
  return defined({
    url: pageOf(wording, mapped) ?? id,
    name: wording.summary ?? activity?.label ?? ANY_NAME,
    description: descriptionOf(wording),
    activity: activity && [conceptJson(activity, activityList())],
    category: wording.categories.length > 0 ? wording.categories : undefined,
    organizer: organizer ? bodyJson(organizer) : wording.organizer && { '@type': 'Person', name: wording.organizer },
    location,
    ...meetingJson(wording, location),
  });
}

/** DESCRIPTION, and CONTACT where it is public. */
function descriptionOf({ description, contact }: Wording): string | undefined {
  const texts = [description, contact && `Contact: ${contact}`].filter((text) => text !== undefined && text !== '');
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function pageOf(wording: Wording, { mapping, calendar }: Mapped): string | undefined {
  return wording.url ?? linesAbout(wording, mapping).find(({ url }) => url)?.url ?? calendar?.url ?? mapping.url;
}

/** The activity by the mapping's lines of words, then by a category of the same name as an activity, else the usual one. */
function activityOf({ categories, summary }: Wording, { mapping, calendar }: Mapped): MappedConcept | undefined {
  const text = [...categories, summary ?? ''].join('\n');
  const line = mapping.activities.find(({ words }) => hasWords(words, text));
  const named = categories.find((label) => isListed({ label }, activityList()));
  return line?.activity ?? (named === undefined ? (calendar?.activity ?? mapping.activity) : { label: named });
}

/** The place: the mapping's place for this LOCATION, else LOCATION and GEO, else the usual place. */
export function placeOf(wording: Wording, { mapping, calendar, base }: Mapped): JsonObject | undefined {
  const { location, geo } = wording;
  const line = location === undefined ? undefined : mapping.places.find((one) => hasWords(one.location, location));
  const usual = calendar?.place ?? mapping.place;
  if (line !== undefined) return placeJson(line.place, base);
  if (location !== undefined && !isAddress(location)) {
    const same = usual !== undefined && hasPart([usual.name], location) ? usual : undefined;
    return same ? placeJson(same, base) : statedPlace(location, wording, mapping, base);
  }
  if (geo !== undefined) return pointJson(geo, base);
  // An online meeting has no usual place, unless the event states one.
  return usual && wording.meeting === undefined ? placeJson(usual, base) : undefined;
}

/** The online meeting of an event. */
function meetingJson({ meeting }: Wording, location: JsonObject | undefined): JsonObject {
  if (meeting === undefined) return {};
  const { url } = meeting;
  return {
    ...(url !== undefined && { 'beta:virtualLocation': { '@type': 'VirtualLocation', url } }),
    eventAttendanceMode: ATTENDANCE_MODES[location ? 'mixed' : 'online'],
  };
}

/** A place with coordinates alone, which are its name. */
function pointJson(geo: Coordinates, base: string): JsonObject {
  const name = pointText(geo);
  return { '@type': 'Place', '@id': `${base}places/${keyOf(name)}`, name, ...geoJson(geo.latitude, geo.longitude) };
}

type Coordinates = NonNullable<Wording['geo']>;

function pointText({ latitude, longitude }: Coordinates): string {
  return `${latitude}, ${longitude}`;
}

/** `name (street, town)`. */
const WITH_ADDRESS = /^([^(),\n]+?)\s*\(([^()\n]+,[^()\n]+)\)$/;

/** A place out of LOCATION: name and address on lines of their own, `name, address`, or `name (address)`. */
function statedPlace(location: string, { geo }: Wording, mapping: Mapping, base: string): JsonObject {
  const stated = location.replace(WITH_ADDRESS, '$1\n$2');
  const [name = '', ...rest] = stated
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [title = name] = rest.length > 0 ? [name] : name.split(/,\s*/);
  const street = rest.length > 0 ? rest.join(', ') : name;
  const parts = addressParts(stated);
  // Parts are used only of addresses that were not cut.
  const isWhole = parts.locality !== undefined && location.length <= MAX_LINE;
  const region = isWhole ? regionOf(parts.locality as string, mapping) : undefined;
  const whole = region === undefined ? undefined : addressJson({ ...parts, region });
  return {
    '@type': 'Place',
    // Many villages have a hall of one name, so coordinates are part of the id.
    '@id': `${base}places/${keyOf(location, ...(geo === undefined ? [] : [pointText(geo)]))}`,
    name: title,
    address: whole ?? street,
    ...geoJson(geo?.latitude, geo?.longitude),
  };
}

/** The region of a place of the mapping file in the same town, because calendars leave it out. */
function regionOf(locality: string, { place, places, calendars }: Mapping): string | undefined {
  const known = [place, ...places.map((one) => one.place), ...calendars.map((one) => one.place)];
  return known.find((one) => one?.locality?.toLowerCase() === locality.toLowerCase())?.region;
}

export function placeJson(place: MappedPlace, base: string): JsonObject {
  const { name, latitude, longitude, url, telephone } = place;
  const id = place.id ?? `${base}places/${keyOf(name, place.street ?? '', place.postalCode ?? '')}`;
  const address = addressJson(place);
  return {
    '@type': 'Place',
    ...defined({ '@id': id, name, url, telephone, address }),
    ...geoJson(latitude, longitude),
  };
}

/** An address in parts, if it has all that the model requires; else as one line. */
function addressJson({ street, locality, region, postalCode, country }: MappedPlace): Json | undefined {
  const parts = postalAddress({ street, locality, region, postalCode, country });
  const given = Object.values(parts);
  if (given.length === 0) return undefined;
  return given.length < 5 ? given.join(', ') : { '@type': 'PostalAddress', ...parts };
}

export function bodyJson({ name, id, url, email, telephone, logo }: MappedBody): JsonObject {
  const image = logo === undefined ? undefined : { '@type': 'ImageObject', url: logo };
  return { '@type': 'Organization', ...defined({ '@id': id, name, url, email, telephone, logo: image }) };
}

/**
 * `offers`, `leader`, `ageRange`, … of a series. A line about the event precedes the event itself, which precedes lines of its
 * calendar or of all. `id` is that of the series.
 */
function detailsJson(wording: Wording, mapped: Mapped, id: string): JsonObject {
  const { calendar = {}, mapping } = mapped;
  return jsonOf([...statedDetails(wording, mapped), calendar, mapping], id);
}

/** The details of a session that differ from its series. `id` is that of the session. */
function otherDetailsJson(own: Wording, series: Wording, mapped: Mapped, id: string): JsonObject {
  const [of, usual] = [jsonOf(statedDetails(own, mapped), id), detailsJson(series, mapped, id)];
  const other = Object.entries(of).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]));
  return Object.fromEntries(other);
}

function statedDetails(wording: Wording, mapped: Mapped): MappedDetails[] {
  const { mapping, calendar } = mapped;
  const own = defined({
    offers: offersOf(wording, calendar?.offers ?? mapping.offers),
    level: levelsOf(wording),
    image: wording.images?.slice(),
  });
  return [...linesAbout(wording, mapping), own];
}

/** The details as JSON, each from the first of the lines that has it. */
function jsonOf(from: readonly MappedDetails[], id: string): JsonObject {
  const first = <K extends keyof MappedDetails>(key: K) => from.find((one) => one[key] !== undefined)?.[key];
  const [offers, ageRange, gender] = [first('offers'), first('ageRange'), first('genderRestriction')];
  return defined({
    offers: offers?.length ? offers.map((one, index) => pricedOffer(one, `${id}#/offers/${index}`)) : undefined,
    leader: first('leader')?.map(({ name, id: own, url }) => ({
      '@type': 'Person',
      ...defined({ '@id': own, name, url }),
    })),
    ageRange: ageRange && ageRangeJson(ageRange),
    genderRestriction: gender && `https://openactive.io/${gender}`,
    level: first('level'),
    maximumAttendeeCapacity: first('maximumAttendeeCapacity'),
    accessibilitySupport: first('accessibilitySupport')?.map((one) => conceptJson(one, accessibilitySupport())),
    accessibilityInformation: first('accessibilityInformation'),
    image: first('image')?.map((url) => ({ '@type': 'ImageObject', url })),
  });
}

/** The price that the event states, in the currency of its calendar's other prices. */
function offersOf({ price }: Wording, usual: readonly MappedOffer[] | undefined): MappedOffer[] | undefined {
  if (price === undefined) return undefined;
  const currency = price.currency ?? usual?.find((one) => one.currency !== undefined)?.currency;
  return [{ price: price.amount, ...defined({ currency, url: price.url }) }];
}

/** CATEGORIES with the names of levels of the data model. */
function levelsOf({ categories }: Wording): string[] | undefined {
  const labels = new Set(categories.map((one) => one.trim().toLowerCase().replace(/s$/, '')));
  const found = MODEL_LEVELS.filter((level) => labels.has(level.toLowerCase()));
  return found.length === 0 ? undefined : found;
}

/** An offer as JSON; an amount without a currency is in pounds. */
function pricedOffer(offer: MappedOffer, id: string): JsonObject {
  return offerJson({ ...offer, currency: offer.currency ?? (offer.price > 0 ? 'GBP' : undefined) }, id);
}
