import type { DocumentRow } from '../../contract/index.ts';
import type { Insert, Value } from '../database.ts';
import { kindNumber, orNull } from '../rows.ts';
import type { IndexedDocument } from '../search-index.ts';

/** The rows of documents that every index has. */

/** The column of each fact of a document. */
const COLUMN_OF: Readonly<Record<Exclude<keyof DocumentRow, 'terms' | 'words'>, string>> = {
  zone: 'zone',
  latitude: 'latitude',
  longitude: 'longitude',
  ageMin: 'age_min',
  ageMax: 'age_max',
  gender: 'gender',
  price: 'price',
  online: 'online',
};
const FACTS = Object.keys(COLUMN_OF) as (keyof typeof COLUMN_OF)[];

export const SEARCH: Insert = { table: 'search', columns: ['record', 'kind', ...Object.values(COLUMN_OF)] };
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
  return [record, kindNumber(kind), ...FACTS.map((fact) => cell(document[fact]))];
}

function cell(value: string | number | boolean | undefined): Value {
  return typeof value === 'boolean' ? Number(value) : orNull(value);
}

/** A row of `search_terms`. */
export function termsRow({ record, document, added }: IndexedDocument): Value[] {
  return [record, document.terms, orNull(added)];
}

/** Rows of `search_word`. The length of a word is in characters. */
export function wordRows(documents: readonly IndexedDocument[]): Value[][] {
  const words = new Set(documents.flatMap(({ document }) => document.words.split(' ')));
  words.delete('');
  return [...words].map((word) => [[...word].length, word]);
}

/** Rows of `search_zone`. */
export function zoneRows(documents: readonly IndexedDocument[]): Value[][] {
  const zones = new Set(documents.flatMap(({ document }) => document.zone ?? []));
  return [...zones].map((zone) => [zone]);
}
