import { shown } from './findings.ts';
import { statedId } from './identity.ts';
import { isObject, type Json, type JsonObject } from './item/json.ts';
import { at, first, isEmpty, many, named, note, noteOnce, type Reading } from './item/reading.ts';
import { remembered } from './item/remembered.ts';
import { lineFrom, lineOf, linesOf, numberOf, toNumber, urlFrom, urlOf, webAddress, wordOf } from './item/values.ts';
import { bareName, parseAttendance, parseGender } from './item/vocabulary.ts';
import { MAX_LIST } from './limits.ts';
import { addLocations } from './place/place.ts';
import type { Details, Offer, Organization } from './records.ts';

/** Everything an object says that its children inherit (semantics 2). What is not said is absent. */
export function detailsOf(reading: Reading, from: JsonObject, path: string): Details {
  const details: Details = {};
  addTexts(reading, from, path, details);
  addPeople(reading, from, path, details);
  addLists(reading, from, path, details);
  addAudience(reading, from, path, details);
  addLocations(reading, from, path, details);
  addOffers(reading, from, path, details);
  const image = from.image === undefined ? undefined : first(reading, from, 'image', path);
  const url = image === undefined ? undefined : urlFrom(reading, image, 'image', path);
  if (url !== undefined) details.image = url;
  return details;
}

const TEXTS = ['meetingPoint', 'schedulingNote'] as const;

function addTexts(reading: Reading, from: JsonObject, path: string, details: Details): void {
  const name = lineOf(reading, from, 'name', path);
  if (name !== undefined) details.name = name;
  const description = descriptionOf(reading, from, path);
  if (description !== undefined) details.description = description;
  for (const property of TEXTS) {
    if (from[property] === undefined) continue;
    const text = lineOf(reading, from, property, path);
    if (text !== undefined) details[property] = text;
  }
  if (from.attendeeInstructions === undefined) return;
  const instructions = linesOf(reading, from, 'attendeeInstructions', path);
  if (instructions !== undefined) details.attendeeInstructions = instructions;
}

function descriptionOf(reading: Reading, from: JsonObject, path: string): string | undefined {
  const plain = from.description === undefined ? undefined : linesOf(reading, from, 'description', path);
  if (plain !== undefined || from['beta:formattedDescription'] === undefined) return plain;
  return linesOf(reading, from, 'beta:formattedDescription', path, true);
}

function addPeople(reading: Reading, from: JsonObject, path: string, details: Details): void {
  const property = isEmpty(from.organizer) ? 'provider' : 'organizer';
  if (!isEmpty(from[property])) {
    const organizer = organizationOf(reading, from, property, path);
    if (organizer !== undefined) details.organizer = organizer;
  }
  if (isEmpty(from.leader)) return;
  const people = many(reading, from, 'leader', path, MAX_LIST).map((value) =>
    isObject(value) ? personName(reading, value, at(path, 'leader')) : labelOf(reading, value, 'leader', path),
  );
  const leader = distinct(people);
  if (leader.length > 0) details.leader = leader;
}

/** Organization or Person; a text is its name, or its address. */
function organizationOf(reading: Reading, from: JsonObject, property: string, path: string): Organization | undefined {
  const value = first(reading, from, property, path);
  if (typeof value === 'string') {
    if (webAddress(value) !== undefined) return { id: value.trim() };
    const name = lineFrom(reading, value, property, path);
    return name === undefined ? undefined : { name };
  }
  if (!isObject(value)) return undefined;
  return remembered(reading, value, at(path, property), organizationWithin);
}

function organizationWithin(reading: Reading, value: JsonObject, here: string): Organization | undefined {
  const organization: Organization = {};
  const id = statedId(reading, value, here);
  if (id !== undefined) organization.id = id;
  const name = personName(reading, value, here);
  if (name !== undefined) organization.name = name;
  const url = urlOf(reading, value, 'url', here);
  if (url !== undefined) organization.url = url;
  const email = lineOf(reading, value, 'email', here);
  if (email !== undefined) organization.email = email;
  const telephone = lineOf(reading, value, 'telephone', here);
  if (telephone !== undefined) organization.telephone = telephone;
  return saysNothing(organization) ? undefined : organization;
}

function saysNothing(record: Offer | Organization): boolean {
  for (const _ in record) return false;
  return true;
}

function personName(reading: Reading, from: JsonObject, path: string): string | undefined {
  const name = lineOf(reading, from, 'name', path) ?? lineOf(reading, from, 'legalName', path);
  if (name !== undefined) return name;
  const parts = [lineOf(reading, from, 'givenName', path), lineOf(reading, from, 'familyName', path)];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}

const ACTIVITIES = ['activities'];
const OFFERS = ['offer'];
const NONE: readonly undefined[] = [];

function addLists(reading: Reading, from: JsonObject, path: string, details: Details): void {
  const activities = labels(reading, from, named(reading, from, 'activity', path, ACTIVITIES), path);
  const activity = distinct(
    from.facilityType === undefined ? activities : [...activities, ...labels(reading, from, 'facilityType', path)],
  );
  if (activity.length > 0) details.activity = activity;
  const category = distinct(labels(reading, from, 'category', path));
  if (category.length > 0) details.category = category;
  const level = distinct(labels(reading, from, from.level === undefined ? 'beta:level' : 'level', path));
  if (level.length > 0) details.level = level;
}

/** Names of Concepts, written as objects or as texts. */
function labels(reading: Reading, from: JsonObject, property: string, path: string): readonly (string | undefined)[] {
  if (from[property] === undefined) return NONE;
  const found: (string | undefined)[] = [];
  for (const value of many(reading, from, property, path, MAX_LIST))
    found.push(labelOf(reading, value, property, path));
  return found;
}

function labelOf(reading: Reading, value: Json, property: string, path: string): string | undefined {
  if (isObject(value))
    return lineOf(reading, value, isEmpty(value.prefLabel) ? 'name' : 'prefLabel', at(path, property));
  if (typeof value !== 'string' || value === '') return undefined;
  // The address of a Concept says nothing to people.
  return webAddress(value) === undefined ? lineFrom(reading, value, property, path) : undefined;
}

function distinct(values: readonly (string | undefined)[]): string[] {
  if (values.length === 0) return [];
  if (values.length === 1) return values[0] === undefined ? [] : [values[0]];
  return [...new Set(values)].filter((value) => value !== undefined);
}

function addAudience(reading: Reading, from: JsonObject, path: string, details: Details): void {
  if (!isEmpty(from.ageRange)) addAges(reading, from, path, details);
  if (!isEmpty(from.genderRestriction)) addGender(reading, from, path, details);
  if (!isEmpty(from.eventAttendanceMode)) addAttendance(reading, from, path, details);
  const most = numberOf(reading, from, 'maximumAttendeeCapacity', path, CAPACITY);
  if (most !== undefined) details.maximumAttendeeCapacity = most;
}

/** Places in a session: whole, and never negative. */
export const CAPACITY = { min: 0, max: 1_000_000, integer: true };

function addAges(reading: Reading, from: JsonObject, path: string, details: Details): void {
  const value = first(reading, from, 'ageRange', path);
  const range = isObject(value) ? { min: ageOf(value.minValue), max: ageOf(value.maxValue) } : agesFromText(value);
  if (range === undefined || (range.min ?? 0) > (range.max ?? 200)) {
    note(reading, 'age-range-invalid', at(path, 'ageRange'), {
      value: isObject(value) ? `${shown(value.minValue, 10)} to ${shown(value.maxValue, 10)}` : shown(value),
    });
    return;
  }
  const { min, max } = range;
  if (min === undefined && max === undefined) return;
  details.ageRange = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function ageOf(value: Json | undefined): number | undefined {
  const age = toNumber(value ?? null);
  return age !== undefined && age >= 0 && age <= 150 ? age : undefined;
}

/** `18`, `18+`, `11-16`. */
function agesFromText(value: Json | undefined): { min?: number | undefined; max?: number | undefined } | undefined {
  if (typeof value === 'number') return { min: ageOf(value) };
  const match =
    typeof value === 'string' && value.length < 40
      ? /^(\d{1,3})(?: ?(?:\+|(?:-|–|to) ?(\d{1,3})))?$/.exec(value.trim())
      : null;
  if (match === null) return undefined;
  return { min: ageOf(Number(match[1])), ...(match[2] !== undefined && { max: ageOf(Number(match[2])) }) };
}

function addGender(reading: Reading, from: JsonObject, path: string, details: Details): void {
  const value = first(reading, from, 'genderRestriction', path);
  const word = wordOf(value);
  const gender = word === undefined ? undefined : parseGender(word);
  if (gender === undefined) note(reading, 'gender-unknown', at(path, 'genderRestriction'), { value: shown(value) });
  else if (gender !== 'all') details.gender = gender;
}

function addAttendance(reading: Reading, from: JsonObject, path: string, details: Details): void {
  const value = first(reading, from, 'eventAttendanceMode', path);
  const word = wordOf(value);
  const attendance = word === undefined ? undefined : parseAttendance(word);
  if (attendance !== undefined) details.attendance = attendance;
  else note(reading, 'attendance-mode-unknown', at(path, 'eventAttendanceMode'), { value: shown(value) });
}

function addOffers(reading: Reading, from: JsonObject, path: string, details: Details): void {
  const property = named(reading, from, 'offers', path, OFFERS);
  if (from[property] !== undefined) {
    const here = at(path, property);
    const offers: Offer[] = [];
    for (const [index, value] of many(reading, from, property, path, MAX_LIST).entries()) {
      const offer = isObject(value) ? offerOf(reading, value, `${here}[${index}]`) : undefined;
      if (offer !== undefined) offers.push(offer);
    }
    if (offers.length > 0) details.offers = offers;
  }
  if (details.offers === undefined && from.isAccessibleForFree === true) details.offers = [{ price: 0 }];
}

function offerOf(reading: Reading, from: JsonObject, path: string): Offer | undefined {
  const offer: Offer = {};
  const name = lineOf(reading, from, 'name', path);
  if (name !== undefined) offer.name = name;
  const price = priceOf(reading, from, path);
  if (price !== undefined) offer.price = price;
  const currency = lineOf(reading, from, 'priceCurrency', path);
  const code = currency === undefined ? undefined : currencyOf(currency);
  if (code !== undefined) offer.currency = code;
  const url = urlOf(reading, from, 'url', path);
  if (url !== undefined) offer.url = url;
  return saysNothing(offer) ? undefined : offer;
}

function currencyOf(word: string): string | undefined {
  if (/^[A-Z]{3}$/.test(word)) return word;
  const name = bareName(word);
  return /^[A-Za-z]{3}$/.test(name) ? name.toUpperCase() : undefined;
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
