import type { SearchDocument } from '../../../search/document.ts';
import type { Insert, Value } from '../database.ts';
import { kindNumber, orNull } from '../rows.ts';
import type { IndexedDocument } from '../search-index.ts';
import { storedTerms } from './stored-terms.ts';
import { keyTerms } from './terms.ts';

/** Rows of documents that every index has. */

const COLUMNS = ['record', 'kind', 'zone', 'latitude', 'longitude', 'age_min', 'age_max', 'gender', 'price', 'online'];

export const SEARCH: Insert = { table: 'search', columns: COLUMNS };
export const SEARCH_TERMS: Insert = { table: 'search_terms', columns: ['record', 'terms'] };
/** Most words and zones are there already. */
export const SEARCH_WORDS: Insert = {
  table: 'search_word',
  columns: ['length', 'word'],
  key: ['length', 'word'],
};
export const SEARCH_ZONES: Insert = { table: 'search_zone', columns: ['zone'], key: ['zone'] };

/** A row of `search`. */
export function searchRow({ record, kind, document }: IndexedDocument): Value[] {
  const { age, gender, latitude, longitude, zone, online } = document;
  return [
    record,
    kindNumber(kind),
    orNull(zone),
    orNull(latitude),
    orNull(longitude),
    orNull(age?.min),
    orNull(age?.max),
    orNull(gender),
    orNull(lowestPrice(document)),
    online ? 1 : 0,
  ];
}

/** A row of `search_terms`. */
export function termsRow({ record, document }: IndexedDocument): [record: number, terms: string] {
  return [record, storedTerms(document.fields, keyTerms(document).join(' '))];
}

export function wordRows(documents: readonly IndexedDocument[]): Value[][] {
  const words = new Set(documents.flatMap(({ document }) => document.words));
  return [...words].map((word) => [[...word].length, word]);
}

export function zoneRows(documents: readonly IndexedDocument[]): Value[][] {
  const zones = new Set(documents.flatMap(({ document }) => document.zone ?? []));
  return [...zones].map((zone) => [zone]);
}

function lowestPrice({ free, prices }: SearchDocument): number | undefined {
  if (free) return 0;
  return prices.length === 0 ? undefined : Math.min(...prices.map(({ min }) => min));
}
