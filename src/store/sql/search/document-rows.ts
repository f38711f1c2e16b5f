import type { SearchDocument } from '../../../search/document.ts';
import type { DocumentRow } from '../../contract/index.ts';
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

/**
 * A document as the index has it. Pure, so that whoever reads a page makes it, beside the writing thread.
 *
 * @example documentRow(searchDocument(details, undefined, currentVocabularies())).terms.split('\n')[0] // ' hatha yoga '
 */
export function documentRow(document: SearchDocument): DocumentRow {
  const { fields, words, age, gender, latitude, longitude, zone, online } = document;
  return {
    terms: storedTerms(fields, keyTerms(document).join(' ')),
    words: words.join(' '),
    zone,
    latitude,
    longitude,
    ageMin: age?.min,
    ageMax: age?.max,
    gender,
    price: lowestPrice(document),
    online,
  };
}

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
export function termsRow({ record, document }: IndexedDocument): [record: number, terms: string] {
  return [record, document.terms];
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

function lowestPrice({ free, prices }: SearchDocument): number | undefined {
  if (free) return 0;
  return prices.length === 0 ? undefined : Math.min(...prices.map(({ min }) => min));
}
