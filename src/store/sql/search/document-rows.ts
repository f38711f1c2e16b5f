import type { Insert, Value } from '../database.ts';
import { kindNumber, orNull } from '../rows.ts';
import type { IndexedDocument } from '../search-index.ts';

/** Rows of documents that every index has. */

const COLUMNS = ['record', 'kind', 'zone', 'latitude', 'longitude', 'age_min', 'age_max', 'gender', 'price', 'online'];

export const SEARCH: Insert = { table: 'search', columns: COLUMNS };
export const SEARCH_TERMS: Insert = { table: 'search_terms', columns: ['record', 'terms', 'added'] };
/** Most words and zones are there already. */
export const SEARCH_WORDS: Insert = {
  table: 'search_word',
  columns: ['length', 'word'],
  key: ['length', 'word'],
};
export const SEARCH_ZONES: Insert = { table: 'search_zone', columns: ['zone'], key: ['zone'] };

/** A row of `search`. */
export function searchRow({ record, kind, document }: IndexedDocument): Value[] {
  const { zone, latitude, longitude, ageMin, ageMax, gender, price, online } = document;
  return [
    record,
    kindNumber(kind),
    orNull(zone),
    orNull(latitude),
    orNull(longitude),
    orNull(ageMin),
    orNull(ageMax),
    orNull(gender),
    orNull(price),
    online ? 1 : 0,
  ];
}

/** A row of `search_terms`. */
export function termsRow({ record, document, added }: IndexedDocument): Value[] {
  return [record, document.terms, orNull(added)];
}

export function wordRows(documents: readonly IndexedDocument[]): Value[][] {
  const words = new Set(documents.flatMap(({ document }) => document.words.split(' ')));
  words.delete('');
  return [...words].map((word) => [[...word].length, word]);
}

export function zoneRows(documents: readonly IndexedDocument[]): Value[][] {
  const zones = new Set(documents.flatMap(({ document }) => document.zone ?? []));
  return [...zones].map((zone) => [zone]);
}
