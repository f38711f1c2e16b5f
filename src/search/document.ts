import type { Details, Facility, Place, Series } from '../opportunity/records.ts';
import { stem, wordsIn } from '../vocabulary/folding.ts';
import { activityList, facilityTypes } from '../vocabulary/shipped.ts';
import { allBroader, type Concept, labelsOf, type Vocabulary } from '../vocabulary/vocabulary.ts';

/**
 * What a series, place or facility is found by: its words by field, and what filters compare. The store keeps an index of
 * documents; a document is made of nothing but the record with what it inherits.
 */

/** Fields of text, the most telling first: their order is that of the weights. */
export const SEARCH_FIELDS = [
  'name',
  'activity',
  'category',
  'place',
  'town',
  'organizer',
  'leader',
  'level',
  'description',
] as const;

export type SearchField = (typeof SEARCH_FIELDS)[number];

/** Lists of values that a filter compares whole. */
export const SEARCH_LISTS = ['concept', 'level', 'accessible', 'organizer', 'place', 'town', 'district'] as const;

export type SearchList = (typeof SEARCH_LISTS)[number];

export interface SearchDocument {
  /** Terms (`termsOf`), one blank between two; a field that says nothing is absent. */
  text: Partial<Record<SearchField, string>>;
  /**
   * `concept`: ids of its concepts and of all broader ones, and folded labels that no vocabulary has. `organizer` and
   * `place`: folded name, and `@id`. `town` and `district`: of places alone.
   */
  lists: Partial<Record<SearchList, readonly string[]>>;
  latitude?: number;
  longitude?: number;
  /** Whole years; where nothing is stated both are absent. */
  ages?: { min?: number; max?: number };
  gender?: 'FemaleOnly' | 'MaleOnly';
  /** The lowest price, 0 where it is free; absent: not stated. */
  price?: number;
  online?: true;
}

/** Descriptions are long, and what they are about stands at their beginning. */
const MAX_DESCRIPTION = 1000;
/** Terms of any other field. */
const MAX_TERMS = 60;

/**
 * The terms of a text as documents and queries have them: words without case, diacritics and the ends of plurals and
 * gerunds. Pure.
 *
 * @example termsOf('Swimming Classes') // ['swim', 'class']
 */
export function termsOf(text: string): string[] {
  return wordsIn(text).map(stem);
}

/** A name as filters compare it: its words, one blank between two. */
export function foldedName(name: string): string {
  return wordsIn(name).join(' ');
}

/**
 * The document of a series with what it inherits (`effectiveSeries`).
 *
 * @example seriesDocument(series).text.name // 'dawn yoga flow'
 */
export function seriesDocument({ details }: Series): SearchDocument {
  return documentOf(details, activityList());
}

/** The document of a facility with what it inherits (`effectiveVenue`). */
export function facilityDocument({ details }: Facility): SearchDocument {
  return documentOf(details, facilityTypes());
}

/** The document of a place. */
export function placeDocument(place: Place): SearchDocument {
  const { id, name, address, description, locality, postalCode, latitude, longitude } = place;
  return compact({
    text: {
      name: terms([name]),
      town: terms([address]),
      description: terms([description?.slice(0, MAX_DESCRIPTION)]),
    },
    lists: {
      place: [id, name && foldedName(name)],
      town: [locality && foldedName(locality)],
      district: [postcodeDistrict(postalCode ?? address)],
    },
    ...positionOf({ latitude, longitude }),
  });
}

function documentOf(details: Details, vocabulary: Vocabulary): SearchDocument {
  const { name, description, activity = [], category = [], location, organizer, leader = [], level = [] } = details;
  const concepts = activity.map((label) => vocabulary.byLabel(label) ?? label);
  const { ageRange, gender, offers = [], attendance, virtualLocation, accessibilitySupport = [] } = details;
  const prices = offers.flatMap(({ price }) => (price === undefined ? [] : [price]));
  return compact({
    text: {
      name: terms([name]),
      activity: terms(concepts.flatMap(labelsAround)),
      category: terms(category),
      place: terms([location?.name]),
      town: terms([location?.address]),
      organizer: terms([organizer?.name]),
      leader: terms(leader),
      level: terms(level),
      description: terms([description?.slice(0, MAX_DESCRIPTION)]),
    },
    lists: {
      concept: concepts.flatMap((one) =>
        typeof one === 'string' ? [foldedName(one)] : [one, ...allBroader(one)].map(({ id }) => id),
      ),
      level: level.map(foldedName),
      accessible: accessibilitySupport.map(foldedName),
      organizer: [organizer?.id, organizer?.name && foldedName(organizer.name)],
      place: [location?.id, location?.name && foldedName(location.name)],
    },
    ...positionOf(location ?? {}),
    ...(ageRange && { ages: ageRange }),
    ...(gender && { gender }),
    ...(prices.length > 0 && { price: Math.min(...prices) }),
    ...((attendance === 'online' || attendance === 'mixed' || virtualLocation !== undefined) && { online: true }),
  });
}

/** All labels of a concept and of what is broader: who looks for "swimming" finds Aqua Fit. */
function labelsAround(concept: Concept | string): string[] {
  return typeof concept === 'string' ? [concept] : [concept, ...allBroader(concept)].flatMap(labelsOf);
}

/**
 * The district of a British postcode within a text; undefined: there is none.
 *
 * @example postcodeDistrict('12 High Street, Wexcombe, EX99 1AB') // 'ex99'
 */
export function postcodeDistrict(text = ''): string | undefined {
  return /\b([A-Z]{1,2}\d[A-Z\d]?) ?\d[A-Z]{2}\b/i.exec(text.slice(-200))?.[1]?.toLowerCase();
}

function terms(texts: readonly (string | undefined)[]): string | undefined {
  const found = new Set(texts.flatMap((text) => (text === undefined ? [] : termsOf(text))));
  return found.size === 0 ? undefined : [...found].slice(0, MAX_TERMS).join(' ');
}

function positionOf({ latitude, longitude }: { latitude?: number | undefined; longitude?: number | undefined }) {
  return latitude === undefined || longitude === undefined ? {} : { latitude, longitude };
}

interface Loose extends Omit<SearchDocument, 'text' | 'lists'> {
  text: Partial<Record<SearchField, string | undefined>>;
  lists: Partial<Record<SearchList, readonly (string | undefined)[]>>;
}

/** Without what says nothing; a list has each value once. */
function compact({ text, lists, ...rest }: Loose): SearchDocument {
  return {
    text: withoutEmpty(text, (value) => value),
    lists: withoutEmpty(lists, (values) => {
      const stated = new Set(values?.filter((value) => value !== undefined && value !== ''));
      return stated.size === 0 ? undefined : [...stated];
    }) as SearchDocument['lists'],
    ...rest,
  };
}

function withoutEmpty<K extends string, T, U>(
  values: Partial<Record<K, T>>,
  made: (value: T | undefined) => U | undefined,
) {
  const entries = Object.entries(values).map(([key, value]) => [key, made(value as T | undefined)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Partial<Record<K, U>>;
}
