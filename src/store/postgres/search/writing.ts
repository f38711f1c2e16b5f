import { type Insert, LISTED } from '../../sql/database.ts';
import {
  SEARCH,
  SEARCH_TERMS,
  SEARCH_WORDS,
  SEARCH_ZONES,
  searchRow,
  termsRow,
  wordRows,
  zoneRows,
} from '../../sql/search/document-rows.ts';
import type { IndexedDocument } from '../../sql/search-index.ts';
import type { PostgresConnection } from '../connection.ts';
import { lexemesOf } from './lexemes.ts';

/** Writes documents into the index. The caller has a transaction. */

const ROWS: Insert = { table: SEARCH.table, columns: [...SEARCH.columns, 'lexemes'] };

/** Saves documents; each replaces that of its record. */
export async function saveDocuments(db: PostgresConnection, documents: readonly IndexedDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const last = [...new Map(documents.map((one) => [one.record, one])).values()];
  const records = last.map(({ record }) => record);
  await dropDocuments(db, records);
  const cells = last.map((one) => [...searchRow(one), lexemesOf(one.document.terms, one.added)]);
  await db.insert(ROWS, cells);
  await db.insert(SEARCH_TERMS, last.map(termsRow));
  await db.insert(SEARCH_WORDS, wordRows(last));
  await db.insert(SEARCH_ZONES, zoneRows(last));
}

/** Drops the documents of records. */
export async function dropDocuments(db: PostgresConnection, records: readonly number[]): Promise<void> {
  if (records.length === 0) return;
  const listed = JSON.stringify(records);
  for (const table of ['search', 'search_terms'])
    await db.run(`DELETE FROM ${table} WHERE record IN ${LISTED}`, listed);
}

/** Drops every document, at the start of a rebuild. */
export async function clearDocuments(db: PostgresConnection): Promise<void> {
  for (const table of ['search', 'search_terms', 'search_word', 'search_zone']) await db.run(`DELETE FROM ${table}`);
}
