import type { Details, Offer, Place, PlaceSummary } from '../opportunity/records.ts';
import { wordsIn } from '../vocabulary/folding.ts';
import { accessibilitySupport, activityList, facilityTypes } from '../vocabulary/shipped.ts';
import { allBroader, type Concept, labelsOf, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { termsOf } from './terms.ts';

/** What is searched of a series, session, facility or place. Pure: a rebuild gives the same. */

/** Texts of a document, and how much a word in each counts. */
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

/** Prices in one currency. */
export interface PriceRange {
  currency?: string;
  min: number;
  max: number;
}

export interface SearchDocument {
  /** Terms of each text, with blanks between them; empty: there is no such text. */
  fields: Record<Field, string>;
  /** Keys of its activities and of everything broader: `conceptKey` makes the same of what is asked for. */
  activities: string[];
  levels: string[];
  accessibility: string[];
  /** Sorted by currency; empty: no price is given. */
  prices: PriceRange[];
  free: boolean;
  age?: { min?: number; max?: number };
  gender?: 'FemaleOnly' | 'MaleOnly';
  online: boolean;
  latitude?: number;
  longitude?: number;
  /** As it is written. */
  town?: string;
  /** The first half of the postcode: `EX99`. */
  district?: string;
}

/** Vocabularies whose concepts are known; newer ones may take the place of those that ship with the program. */
export interface Vocabularies {
  activities: Vocabulary;
  facilities: Vocabulary;
  accessibility: Vocabulary;
}

/** Longest text of a document that is searched, in characters; of the description, the beginning says what it is. */
const MOST_TEXT = 500;
const MOST_DESCRIPTION = 2000;
const MOST_VALUES = 50;

export function shippedVocabularies(): Vocabularies {
  return { activities: activityList(), facilities: facilityTypes(), accessibility: accessibilitySupport() };
}

/**
 * The document of a series, a session or a facility. `details` as they are with everything inherited, `place` its Place where
 * there is one.
 *
 * @example searchDocument(effectiveSeries(series, find).details, undefined, shippedVocabularies()).fields.name
 */
export function searchDocument(
  details: Details,
  place: Place | undefined,
  { activities, facilities, accessibility }: Vocabularies,
): SearchDocument {
  const labels = (details.activity ?? []).slice(0, MOST_VALUES);
  const conceptOf = (label: string): Concept | undefined => activities.byLabel(label) ?? facilities.byLabel(label);
  const concepts = [...new Set(labels.flatMap((label) => conceptOf(label) ?? []))];
  const above = [...new Set(concepts.flatMap(allBroader))].filter((concept) => !concepts.includes(concept));
  const unknown = labels.filter((label) => conceptOf(label) === undefined);
  const { location, ageRange, gender, offers = [] } = details;
  return {
    fields: {
      ...placeFields(location, place),
      name: terms(details.name),
      activity: terms(...labels, ...concepts.flatMap(labelsOf)),
      broader: terms(...above.flatMap(labelsOf)),
      category: terms(...(details.category ?? []), details.programme?.name),
      organizer: terms(details.organizer?.name),
      leader: terms(...(details.leader ?? [])),
      level: terms(...(details.level ?? [])),
      description: termsOf((details.description ?? '').slice(0, MOST_DESCRIPTION)).join(' '),
    },
    activities: keys(
      [...concepts, ...above].map(({ id }) => id),
      unknown.map(foldedKey),
    ),
    levels: keys((details.level ?? []).map(foldedKey)),
    accessibility: keys((details.accessibilitySupport ?? []).map((label) => conceptKey(label, accessibility))),
    prices: pricesOf(offers),
    free: offers.some(({ price }) => price === 0),
    ...(ageRange && { age: ageRange }),
    ...(gender && { gender }),
    online: details.attendance === 'online' || details.attendance === 'mixed' || details.virtualLocation !== undefined,
    ...whereabouts(location, place),
  };
}

/** The document of a place. */
export function placeDocument(place: Place): SearchDocument {
  return {
    fields: {
      ...EMPTY,
      ...placeFields(undefined, place),
      name: terms(place.name),
      description: termsOf((place.description ?? '').slice(0, MOST_DESCRIPTION)).join(' '),
    },
    activities: [],
    levels: [],
    accessibility: [],
    prices: [],
    free: false,
    online: false,
    ...whereabouts(undefined, place),
  };
}

/**
 * The key of a concept by its id or label; of one that no vocabulary has, its folded label.
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

/** A text as it is compared with others of its kind: `all levels` of `All-Levels`. */
export function foldedKey(text: string): string {
  return wordsIn(text.slice(0, MOST_TEXT)).join(' ');
}

/** The district of a postcode that is in a text: `EX99` of `Harbour Lane, Wexcombe, EX99 9ZZ`. */
export function districtOf(text: string | undefined): string | undefined {
  return POSTCODE.exec(text?.slice(0, MOST_TEXT) ?? '')?.[1]?.toUpperCase();
}

const POSTCODE = /\b([a-z]{1,2}\d[a-z\d]?) ?\d[a-z]{2}\b/i;

const EMPTY = Object.fromEntries(Object.keys(FIELDS).map((field) => [field, ''])) as Record<Field, string>;

function placeFields(
  location: PlaceSummary | undefined,
  place: Place | undefined,
): Pick<SearchDocument['fields'], 'place' | 'town'> {
  const [, ...afterStreet] = (location?.address ?? '').split(', ');
  const town = [place?.locality, place?.region].filter((part) => part !== undefined);
  return {
    place: terms(...new Set([location?.name, place?.name])),
    town: terms(...(town.length > 0 ? town : afterStreet), districtOf(place?.postalCode ?? location?.address)),
  };
}

function whereabouts(location: PlaceSummary | undefined, place: Place | undefined): Partial<SearchDocument> {
  const { latitude, longitude } = location?.latitude === undefined ? (place ?? {}) : location;
  const district = districtOf(place?.postalCode) ?? districtOf(location?.address ?? place?.address);
  return {
    ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }),
    ...(place?.locality !== undefined && { town: place.locality.slice(0, MOST_TEXT) }),
    ...(district !== undefined && { district }),
  };
}

function pricesOf(offers: readonly Offer[]): PriceRange[] {
  const ranges = new Map<string, PriceRange>();
  for (const { price, currency } of offers) {
    if (price === undefined) continue;
    const { min = price, max = price } = ranges.get(currency ?? '') ?? {};
    ranges.set(currency ?? '', { ...(currency && { currency }), min: Math.min(min, price), max: Math.max(max, price) });
  }
  return [...ranges].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, range]) => range);
}

/** Terms of several texts; one that is there twice counts once. */
function terms(...texts: readonly (string | undefined)[]): string {
  const different = new Map(
    texts.slice(0, MOST_VALUES).map((text = '') => [foldedKey(text), text.slice(0, MOST_TEXT)]),
  );
  return [...different.values()].flatMap(termsOf).join(' ');
}

function keys(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat().filter((key) => key !== ''))].slice(0, MOST_VALUES).sort();
}
