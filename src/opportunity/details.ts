import { hasMovedOnline } from './event/status.ts';
import { type FindingCode, shown } from './findings.ts';
import { statedId } from './identity.ts';
import { isObject, type Json, type JsonObject } from './item/json.ts';
import { at, first, isEmpty, many, note, noteOnce, type Reading } from './item/reading.ts';
import {
  lineFrom,
  lineOf,
  linesOf,
  noteNoObject,
  numberOf,
  objectReader,
  type Read,
  toNumber,
  urlFrom,
  urlOf,
  webAddress,
  wordOf,
} from './item/values.ts';
import { bareName, parseAttendance, parseGender } from './item/vocabulary.ts';
import { MAX_LIST } from './limits.ts';
import { isVirtual, locationOf, roomOf, virtualOf } from './place/place.ts';
import { type Details, type Kind, type Kinds, type Offer, type Organization, ROWS } from './properties.ts';
import { defined } from './records.ts';

type ReadKind<K extends Kind> = (
  reading: Reading,
  from: JsonObject,
  name: string,
  path: string,
  details: Details,
) => Kinds[K] | undefined;

/** Readers by kind of value: `name` is the name in `from`, which is there; `details` is what has been read before. */
const READERS: { readonly [K in Kind]: ReadKind<K> } = {
  line: lineOf,
  lines: (reading, from, name, path) => linesOf(reading, from, name, path, name === 'beta:formattedDescription'),
  text: (reading, from, name, path) => linesOf(reading, from, name, path)?.replaceAll(/\n+/g, ' '),
  url: firstUrlOf,
  concepts: labelsOf,
  activities: activitiesOf,
  labels: labelsOf,
  people: peopleOf,
  organization: organizationOf,
  brand: brandOf,
  ages: agesOf,
  gender: genderOf,
  attendance: wordReader(parseAttendance, 'attendance-mode-unknown'),
  place: locationOf,
  room: roomOf,
  virtual: virtualOf,
  capacity: (reading, from, name, path) => numberOf(reading, from, name, path, CAPACITY),
  offers: offersOf,
};

/** The model has lists of images; one is shown. */
function firstUrlOf(reading: Reading, from: JsonObject, name: string, path: string): string | undefined {
  const [one] = many(reading, from, name, path, Number.POSITIVE_INFINITY).filter((value) => !isEmpty(value));
  return one === undefined ? undefined : urlFrom(reading, one, name, path);
}

const READ = ROWS.map((row) => ({ ...row, read: READERS[row.kind] as ReadKind<Kind> }));

/** Every property of an object that its children inherit (semantics 2). What is not stated is absent. */
export function detailsOf(reading: Reading, from: JsonObject, path: string): Details {
  const details = statedDetails(reading, from, path);
  if (details.gender === 'NoRestriction') delete details.gender;
  return details;
}

/** The offers of a Slot, which has no other property that is inherited. */
export function slotOffers(reading: Reading, from: JsonObject, path: string): Offer[] | undefined {
  return statedRows(reading, from, path, OFFERS).offers;
}

const OFFERS = READ.filter(({ name }) => name === 'offers');

function statedDetails(reading: Reading, from: JsonObject, path: string): Details {
  const details = statedRows(reading, from, path, READ);
  if (details.attendance === undefined && hasMovedOnline(from)) details.attendance = 'online';
  return details;
}

function statedRows(reading: Reading, from: JsonObject, path: string, rows: typeof READ): Details {
  const details: Details = {};
  for (const row of rows) {
    for (const name of row.from) {
      if (isEmpty(from[name])) continue;
      if (name === row.misnamed) noteOnce(reading, 'property-misnamed', at(path, name), { found: name, use: row.name });
      const value = row.read(reading, from, name, path, details);
      if (value === undefined) continue;
      (details as Record<string, unknown>)[row.name] = value;
      break;
    }
  }
  return details;
}

/**
 * The details of something that inherits (semantics 2.2). A `location` that holds only VirtualLocations replaces the place above,
 * and means online where no attendance mode is stated. That it is for everybody replaces a restriction above.
 */
export function detailsBelow(reading: Reading, from: JsonObject, path: string): Details {
  const details = statedDetails(reading, from, path);
  const { location, attendance } = details;
  if (location === undefined && attendance === undefined && isVirtual(from.location)) details.attendance = 'online';
  return details;
}

function peopleOf(reading: Reading, from: JsonObject, property: string, path: string): string[] | undefined {
  return distinct(
    many(reading, from, property, path, MAX_LIST).map((value) =>
      isObject(value) ? personName(reading, value, at(path, property)) : labelOf(reading, value, property, path),
    ),
  );
}

/** Organization or Person; a text is its name, or its address. */
function organizationOf(reading: Reading, from: JsonObject, property: string, path: string): Organization | undefined {
  const value = first(reading, from, property, path);
  if (typeof value === 'string') {
    if (webAddress(value) !== undefined) return { id: value.trim() };
    const name = lineFrom(reading, value, property, path);
    return name === undefined ? undefined : { name };
  }
  if (!isObject(value)) {
    noteNoObject(reading, value, property, path);
    return undefined;
  }
  return organizationWithin(reading, value, at(path, property));
}

const organizationWithin = objectReader<Organization>({
  id: (reading, from, _, path) => statedId(reading, from, path),
  name: (reading, from, _, path) => personName(reading, from, path),
  url: urlOf,
  email: lineOf,
  telephone: lineOf,
});

function brandOf(reading: Reading, from: JsonObject, property: string, path: string): Details['programme'] {
  const { name, url } = organizationOf(reading, from, property, path) ?? {};
  return name === undefined && url === undefined ? undefined : defined({ name, url });
}

function personName(reading: Reading, from: JsonObject, path: string): string | undefined {
  const name = lineOf(reading, from, 'name', path) ?? lineOf(reading, from, 'legalName', path);
  if (name !== undefined) return name;
  const parts = [lineOf(reading, from, 'givenName', path), lineOf(reading, from, 'familyName', path)];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}

/** Names of Concepts, written as objects or as texts. */
function labelsOf(reading: Reading, from: JsonObject, property: string, path: string): string[] | undefined {
  return distinct(labels(reading, from, property, path));
}

/** The activities, and the types of a facility. */
function activitiesOf(reading: Reading, from: JsonObject, property: string, path: string): string[] | undefined {
  if (property === 'facilityType' || from.facilityType === undefined) return labelsOf(reading, from, property, path);
  return distinct([...labels(reading, from, property, path), ...labels(reading, from, 'facilityType', path)]);
}

function labels(reading: Reading, from: JsonObject, property: string, path: string): (string | undefined)[] {
  return many(reading, from, property, path, MAX_LIST).map((value) => labelOf(reading, value, property, path));
}

function labelOf(reading: Reading, value: Json, property: string, path: string): string | undefined {
  if (isObject(value)) {
    const label = lineOf(reading, value, isEmpty(value.prefLabel) ? 'name' : 'prefLabel', at(path, property));
    return label ?? listedLabel(reading, value['@id'] ?? value.id);
  }
  if (typeof value !== 'string') {
    noteNoObject(reading, value, property, path);
    return undefined;
  }
  if (value === '') return undefined;
  // The address of a Concept says nothing to people.
  return webAddress(value) === undefined ? lineFrom(reading, value, property, path) : listedLabel(reading, value);
}

/** The label that OpenActive's lists have for the address of a Concept. */
function listedLabel({ conceptLabel }: Reading, id: Json | undefined): string | undefined {
  return typeof id === 'string' ? conceptLabel?.(id.trim()) : undefined;
}

function distinct(values: readonly (string | undefined)[]): string[] | undefined {
  if (values.length === 1) return values[0] === undefined ? undefined : [values[0]];
  const found = [...new Set(values)].filter((value) => value !== undefined);
  return found.length === 0 ? undefined : found;
}

/** Places in a session, or uses of a slot: whole, and never negative. */
export const CAPACITY = { min: 0, max: 1_000_000, integer: true };

function agesOf(reading: Reading, from: JsonObject, property: string, path: string): Details['ageRange'] {
  const value = first(reading, from, property, path);
  if (isObject(value) && isInMonths(value)) {
    note(reading, 'age-range-in-months', at(path, property), { value: agesShown(value) });
    return undefined;
  }
  const { min, max } = isObject(value) ? { min: value.minValue, max: value.maxValue } : (agesFromText(value) ?? {});
  const isRead = isAge(min) && isAge(max) && (isObject(value) || min !== undefined);
  const range = { min: ageOf(min), max: ageOf(max) };
  const isReversed = range.min !== undefined && range.max !== undefined && range.min > range.max;
  if (!isRead || isReversed) {
    note(reading, 'age-range-invalid', at(path, property), {
      value: isObject(value) ? agesShown(value) : shown(value),
    });
  }
  if (isReversed || (range.min ?? range.max) === undefined) return undefined;
  return defined(range);
}

function agesShown({ minValue, maxValue }: JsonObject): string {
  return `${shown(minValue, 10)} to ${shown(maxValue, 10)}`;
}

/** UN/CEFACT has MON for months; schema.org allows its texts too. */
function isInMonths({ unitCode, unitText }: JsonObject): boolean {
  const unit = isEmpty(unitCode) ? unitText : unitCode;
  return typeof unit === 'string' && /^mon(?:ths?)?$/i.test(unit.trim());
}

/** Whether a bound of ages says nothing, or something that can be an age. */
function isAge(value: Json | undefined): boolean {
  return isEmpty(value) || ageOf(value) !== undefined;
}

function ageOf(value: Json | undefined): number | undefined {
  const age = toNumber(value ?? null);
  return age !== undefined && age >= 0 && age <= 150 ? age : undefined;
}

/** `18`, `18+`, `11-16`. */
function agesFromText(value: Json | undefined): { min: number; max?: number | undefined } | undefined {
  if (typeof value === 'number') return { min: value };
  const match =
    typeof value === 'string' && value.length < 40
      ? /^(\d{1,3})(?: ?(?:\+|(?:-|–|to) ?(\d{1,3})))?$/.exec(value.trim())
      : null;
  if (match === null) return undefined;
  return { min: Number(match[1]), ...(match[2] !== undefined && { max: Number(match[2]) }) };
}

function genderOf(...given: Parameters<typeof statedGender>): Details['gender'] {
  const gender = statedGender(...given);
  return gender === 'all' ? 'NoRestriction' : gender;
}

const statedGender = wordReader(parseGender, 'gender-unknown');

/** Reads a word of a vocabulary. */
function wordReader<T>(parse: (word: string) => T | undefined, unknown: FindingCode): Read<T> {
  return (reading, from, property, path) => {
    const value = first(reading, from, property, path);
    const word = wordOf(value);
    const known = word === undefined ? undefined : parse(word);
    if (known === undefined) note(reading, unknown, at(path, property), { value: shown(value) });
    return known;
  };
}

function offersOf(reading: Reading, from: JsonObject, property: string, path: string): Offer[] | undefined {
  if (property === 'isAccessibleForFree') return isFree(reading, from, path) ? [{ price: 0 }] : undefined;
  const here = at(path, property);
  const offers = many(reading, from, property, path, MAX_LIST)
    .map((value, index) => offerFrom(reading, value, `${here}[${index}]`))
    .filter((offer) => offer !== undefined);
  const costs = offers.length > 0 && offers.every(({ price = 0 }) => price > 0);
  if (costs && from.isAccessibleForFree === true) note(reading, 'free-with-price', at(path, 'isAccessibleForFree'));
  return offers.length === 0 ? undefined : offers;
}

/** Whether `isAccessibleForFree` says so, in a text too. */
function isFree(reading: Reading, from: JsonObject, path: string): boolean {
  const value = first(reading, from, 'isAccessibleForFree', path);
  if (value !== undefined && typeof value !== 'boolean') {
    const facts = { property: 'isAccessibleForFree', expected: 'true or false', value: shown(value) };
    note(reading, 'value-of-wrong-type', at(path, 'isAccessibleForFree'), facts);
  }
  return value === true || (typeof value === 'string' && bareName(value).toLowerCase() === 'true');
}

/** A text may say anything of a price: only an object is read. */
function offerFrom(reading: Reading, value: Json, path: string): Offer | undefined {
  if (isObject(value)) return offerOf(reading, value, path);
  if (!isEmpty(value)) note(reading, 'offer-not-an-object', path, { value: shown(value) });
  return undefined;
}

const offerOf = objectReader<Offer>({
  name: lineOf,
  price: (reading, from, _, path) => priceOf(reading, from, path),
  currency: (reading, from, _, path) => {
    const word = lineOf(reading, from, 'priceCurrency', path);
    const currency = currencyOf(word);
    if (currency === '') note(reading, 'currency-unknown', at(path, 'priceCurrency'), { value: shown(word) });
    return currency === '' && isEmpty(from.price) ? undefined : currency;
  },
  url: urlOf,
});

/** Empty: one is stated, and cannot be read (semantics 2.6). */
function currencyOf(word: string | undefined): string | undefined {
  if (word === undefined || /^[A-Z]{3}$/.test(word)) return word;
  const name = bareName(word);
  return /^[A-Za-z]{3}$/.test(name) ? name.toUpperCase() : '';
}

function priceOf(reading: Reading, from: JsonObject, path: string): number | undefined {
  if (isEmpty(from.price)) return undefined;
  const value = first(reading, from, 'price', path) as Json;
  const price = toNumber(value);
  if (price === undefined || price < 0 || price > 1_000_000) {
    note(reading, 'price-invalid', at(path, 'price'), { value: shown(value) });
    return undefined;
  }
  if (typeof value === 'string') noteOnce(reading, 'price-as-text', at(path, 'price'), { value: shown(value) });
  return price;
}
