import { perObject } from '../bounded-map.ts';
import {
  type Details,
  type Offer,
  type Place,
  type PlaceSummary,
  type Series,
  usualCurrency,
} from '../opportunity/records.ts';
import { wordsIn } from '../vocabulary/folding.ts';
import { remembered } from '../vocabulary/remembered.ts';
import { accessibilitySupport, activityList, facilityTypes } from '../vocabulary/shipped.ts';
import { allBroader, type Concept, labelsOf, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { termsOf } from './terms.ts';

export { usesShipped, useVocabularies } from '../vocabulary/shipped.ts';
export { conceptUuid } from '../vocabulary/vocabulary.ts';

/** Search documents of series, sessions, facilities and places. Pure: a rebuild of the index gives the same. */

/** The fields of a document, and the weight of a word in each. */
export const FIELDS = {
  name: 10,
  activity: 8,
  place: 6,
  town: 5,
  category: 4,
  broader: 3,
  organizer: 3,
  leader: 3,
  level: 2,
  description: 1,
} as const;

export type Field = keyof typeof FIELDS;

export const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

/** Fields that say what something is, and not where or with whom. */
export const KIND_FIELDS = ['name', 'activity', 'category', 'broader'] as const satisfies readonly Field[];
/** Fields that say where something is. */
export const PLACE_FIELDS = ['place', 'town'] as const satisfies readonly Field[];
/** Fields that say who organises or leads something. */
export const PEOPLE_FIELDS = ['organizer', 'leader'] as const satisfies readonly Field[];

/** Prices in one currency. */
export interface PriceRange {
  currency?: string;
  min: number;
  max: number;
}

/** The searchable content of a record. */
export interface SearchDocument {
  /** The terms of each field, with blanks between them; empty where the record has no such text. */
  fields: Record<Field, string>;
  /** Keys of its activities and of everything broader. `conceptKey` makes the keys of a query. */
  activities: string[];
  levels: string[];
  accessibility: string[];
  /** Keys of its name, of its organiser's name and id, of its place's names, of towns and postcode districts. */
  names: string[];
  organizers: string[];
  places: string[];
  towns: string[];
  districts: string[];
  /** Folded words of its names, among which the meaning of a mistyped word is looked for. */
  words: string[];
  /** Prices, sorted by currency; empty where no offer has a price. */
  prices: PriceRange[];
  /** `free`: one of its offers costs nothing. */
  offers: string[];
  age?: { min?: number; max?: number };
  gender?: 'FemaleOnly' | 'MaleOnly';
  online: boolean;
  latitude?: number;
  longitude?: number;
  /** IANA zone of its local times; absent: the configured default. */
  zone?: string;
}

/** Vocabularies whose concepts are known; newer ones may take the place of those that ship with the program. */
export interface Vocabularies {
  activities: Vocabulary;
  facilities: Vocabulary;
  accessibility: Vocabulary;
}

/** The most characters of a text and of a description that are searched, and the most values of a list. */
const MOST_TEXT = 500;
const MOST_DESCRIPTION = 1000;
const MOST_VALUES = 50;
/** The shortest and the longest of `words`: shorter words differ by one letter too often. */
const SHORTEST_WORD = 4;
const LONGEST_WORD = 30;

/** The vocabularies in use: the same object until one of them is replaced. */
export function currentVocabularies(): Vocabularies {
  const [activities, facilities, accessibility] = [activityList(), facilityTypes(), accessibilitySupport()];
  const isCurrent =
    current?.activities === activities && current.facilities === facilities && current.accessibility === accessibility;
  if (current === undefined || !isCurrent) current = { activities, facilities, accessibility };
  return current;
}

let current: Vocabularies | undefined;

/**
 * The document of a record with these effective details, such as a facility. `place`: its Place record; `zone`: the IANA zone
 * of its local times.
 *
 * @example searchDocument(effectiveSeries(series, find).details, undefined, currentVocabularies()).fields.name
 */
export function searchDocument(
  details: Details,
  place: Place | undefined,
  vocabularies: Vocabularies,
  zone?: string,
): SearchDocument {
  const { location, ageRange, gender, offers = [], organizer, leader = [] } = details;
  const { activities, ...activityFields } = activityParts(details.activity ?? [], vocabularies);
  const around = placeParts(location, place);
  const organizers = [organizer?.name, organizer?.id];
  return {
    fields: {
      ...around.fields,
      ...activityFields,
      name: terms(details.name),
      category: terms(...(details.category ?? []), details.programme?.name),
      organizer: terms(organizer?.name),
      leader: terms(...leader),
      level: terms(...(details.level ?? [])),
      description: longTerms(details.description),
    },
    ...around.lists,
    activities,
    levels: keys((details.level ?? []).map(foldedKey)),
    accessibility: keys(
      (details.accessibilitySupport ?? []).map((label) => conceptKey(label, vocabularies.accessibility)),
    ),
    names: keys([foldedKey(details.name)]),
    organizers: keys(organizers.map(foldedKey)),
    words: words(details.name, organizer?.name, ...leader, ...around.names),
    prices: pricesOf(offers),
    offers: offers.some(({ price }) => price === 0) ? ['free'] : [],
    ...(ageRange && { age: ageRange }),
    ...(gender && gender !== 'NoRestriction' && { gender }),
    online: details.attendance === 'online' || details.attendance === 'mixed' || details.virtualLocation !== undefined,
    ...coordinates(location, place),
    ...(zone !== undefined && { zone }),
  };
}

/** The document of a series: that of `searchDocument`, with the word `Course` for a CourseInstance. */
export function seriesDocument(
  { type, details }: Pick<Series, 'type' | 'details'>,
  place: Place | undefined,
  vocabularies: Vocabularies,
  zone?: string,
): SearchDocument {
  const document = searchDocument(details, place, vocabularies, zone);
  if (type !== 'CourseInstance') return document;
  const category = terms(...(details.category ?? []), details.programme?.name, 'Course');
  return { ...document, fields: { ...document.fields, category } };
}

/** A document with the words of another name in front of its own: `Coaching Award, Level 1` for its `day one`. */
export function alsoNamed(document: SearchDocument, name: string | undefined): SearchDocument {
  const own = document.fields.name;
  const other = terms(name);
  return other === own ? document : { ...document, fields: { ...document.fields, name: `${other} ${own}`.trim() } };
}

/** The keys of activities and of everything broader that a document with these labels has. */
export function activityKeysOf(labels: readonly string[]): string[] {
  return activityParts(labels, currentVocabularies()).activities;
}

/** The document of a place. */
export function placeDocument(place: Place, zone?: string): SearchDocument {
  const around = placeParts(undefined, place);
  return {
    fields: { ...EMPTY, ...around.fields, name: terms(place.name), description: longTerms(place.description) },
    ...around.lists,
    activities: [],
    levels: [],
    accessibility: [],
    names: keys([foldedKey(place.name)]),
    organizers: [],
    words: words(...around.names),
    prices: [],
    offers: [],
    online: false,
    ...coordinates(undefined, place),
    ...(zone !== undefined && { zone }),
  };
}

/**
 * The key of a concept by its id or label: its id, or the folded label where no vocabulary has it.
 *
 * @example conceptKey('yoga', activityList()) // 'https://openactive.io/activity-list#bf1a5e00-…'
 */
export function conceptKey(text: string, ...vocabularies: readonly Vocabulary[]): string {
  for (const vocabulary of vocabularies) {
    const concept = vocabulary.byId(text) ?? vocabulary.byLabel(text);
    if (concept !== undefined) return concept.id;
  }
  return foldedKey(text);
}

/** The key of a text, by which it is compared: `all levels` of `All-Levels`. */
export function foldedKey(text: string | undefined): string {
  return analysed(cut(text)).key;
}

/** The district of the first postcode in a text: `EX99` of `Harbour Lane, Wexcombe, EX99 9ZZ`. */
export function districtOf(text: string | undefined): string | undefined {
  return POSTCODE.exec(text?.slice(0, MOST_TEXT) ?? '')?.[1]?.toUpperCase();
}

/** The first whole postcode in a text, in one spelling: `EX991AA` of `ex99 1aa`. */
export function postcodeOf(text: string | undefined): string | undefined {
  return POSTCODE.exec(text?.slice(0, MOST_TEXT) ?? '')?.[0]
    .replace(' ', '')
    .toUpperCase();
}

const POSTCODE = /\b([a-z]{1,2}\d[a-z\d]?) ?\d[a-z]{2}\b/i;

const EMPTY = Object.fromEntries(FIELD_NAMES.map((field) => [field, ''])) as Record<Field, string>;

/** The fields and keys of lists of activities. They are kept, because most series of a feed have one of few lists. */
const activityPartsIn = perObject((vocabularies: Vocabularies) =>
  remembered((labels: string) => newActivityParts(JSON.parse(labels), vocabularies)),
);

const activityParts = (labels: readonly string[], vocabularies: Vocabularies): ActivityParts =>
  activityPartsIn(vocabularies)(JSON.stringify(labels.slice(0, MOST_VALUES)));

type ActivityParts = Readonly<{ activity: string; broader: string; activities: string[] }>;

function newActivityParts(labels: readonly string[], { activities, facilities }: Vocabularies): ActivityParts {
  const conceptOf = (label: string): Concept | undefined => activities.byLabel(label) ?? facilities.byLabel(label);
  const concepts = [...new Set(labels.flatMap((label) => conceptOf(label) ?? []))];
  const above = [...new Set(concepts.flatMap(allBroader))].filter((concept) => !concepts.includes(concept));
  const unknown = labels.filter((label) => conceptOf(label) === undefined);
  return {
    activity: terms(...labels, ...concepts.flatMap(labelsOf)),
    broader: terms(...above.flatMap(labelsOf)),
    activities: keys(
      [...concepts, ...above].map(({ id }) => id),
      unknown.map(foldedKey),
    ),
  };
}

interface PlaceParts {
  fields: Pick<SearchDocument['fields'], 'place' | 'town'>;
  lists: Pick<SearchDocument, 'places' | 'towns' | 'districts'>;
  names: (string | undefined)[];
}

function placeParts(location: PlaceSummary | undefined, place: Place | undefined): PlaceParts {
  const stated = [place?.locality, place?.region].filter((part) => part !== undefined);
  const towns = stated.length > 0 ? stated : townsIn(location?.address);
  const district = districtOf(place?.postalCode) ?? districtOf(location?.address ?? place?.address);
  const names = [location?.name, place?.name];
  return {
    fields: { place: terms(...names), town: terms(...towns, district) },
    lists: {
      places: keys(names.map(foldedKey)),
      towns: keys(towns.map(foldedKey)),
      districts: keys([foldedKey(district)]),
    },
    names: [...names, ...towns],
  };
}

/** The parts of an address in one line, without its street and its postcode. */
function townsIn(address: string | undefined): string[] {
  const [, ...afterStreet] = (address ?? '').slice(0, MOST_TEXT).split(', ');
  return afterStreet.map((part) => part.replace(POSTCODE, '').trim()).filter((part) => part !== '');
}

function coordinates(location: PlaceSummary | undefined, place: Place | undefined): Partial<SearchDocument> {
  const { latitude, longitude } = location?.latitude === undefined ? (place ?? {}) : location;
  return latitude === undefined || longitude === undefined ? {} : { latitude, longitude };
}

/** The range of prices in each currency. A price without a currency is in the usual one, or has a range of its own. */
export function pricesOf(offers: readonly Offer[]): PriceRange[] {
  const ranges = new Map<string, PriceRange>();
  const usual = usualCurrency(offers);
  for (const { price, currency = usual } of offers) {
    if (price === undefined) continue;
    const { min = price, max = price } = ranges.get(currency ?? '') ?? {};
    ranges.set(currency ?? '', { ...(currency && { currency }), min: Math.min(min, price), max: Math.max(max, price) });
  }
  return [...ranges].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, range]) => range);
}

/**
 * Prices as people read them, each currency by itself (semantics 2.6). What is free is free in each currency. Amounts without
 * a currency come last.
 */
export function shownPrices(offers: readonly Offer[]): PriceRange[] {
  const ranges = pricesOf(offers);
  if (ranges.length < 2) return ranges;
  const isFree = ranges.some(({ min }) => min === 0);
  const paid = ranges.filter(({ max }) => max > 0);
  const [named, others] = [paid.filter(({ currency }) => currency), paid.filter(({ currency }) => !currency)];
  const shown = paid.length === 0 ? ranges.slice(0, 1) : [...named, ...others];
  return isFree ? shown.map((range) => ({ ...range, min: 0 })) : shown;
}

/** The key, terms and words of a short text. They are kept, because texts recur in a feed. */
const analysed = remembered((text: string) => ({
  key: wordsIn(text).join(' '),
  terms: termsOf(text).join(' '),
  words: wordsIn(text).filter((word) => word.length >= SHORTEST_WORD && word.length <= LONGEST_WORD),
}));

const cut = (text: string | undefined): string => (text ?? '').slice(0, MOST_TEXT);

/** The terms of several texts; equal texts count once. */
function terms(...texts: readonly (string | undefined)[]): string {
  const different = new Map(texts.slice(0, MOST_VALUES).map((text) => [foldedKey(text), analysed(cut(text)).terms]));
  return [...different.values()].filter((text) => text !== '').join(' ');
}

/** The terms of a description, which is too rarely repeated to be kept. */
function longTerms(text: string | undefined): string {
  return termsOf((text ?? '').slice(0, MOST_DESCRIPTION)).join(' ');
}

function words(...texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.slice(0, MOST_VALUES).flatMap((text) => analysed(cut(text)).words))].sort();
}

function keys(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat().filter((key) => key !== ''))].slice(0, MOST_VALUES).sort();
}
