import { FIELD_NAMES } from '../../../search/document.ts';
import type { Insert } from '../../sql/database.ts';
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
import type { Connection } from '../connection.ts';
import { sessionTerms } from './match.ts';

/** Writes documents into the index. The caller has a transaction. */

/** The columns of FTS5, in the order of the lines of a document's terms. */
const TEXT: Insert = { table: 'search_text', columns: ['rowid', ...FIELD_NAMES, 'keys'] };
const POSITION: Insert = { table: 'search_near', columns: ['record', 'south', 'north', 'west', 'east'] };

/**
 * Saves documents; each replaces that of its record. They are written in the order of rows, because FTS5 begins a new segment
 * with each row that is below the one before.
 */
export function saveDocuments(db: Connection, documents: readonly IndexedDocument[]): void {
  for (const one of documents.toSorted((a, b) => a.record - b.record)) saveDocument(db, one);
  db.insert(SEARCH_WORDS, wordRows(documents));
  db.insert(SEARCH_ZONES, zoneRows(documents));
}

function saveDocument(db: Connection, one: IndexedDocument): void {
  const { record, document, added } = one;
  const { terms, latitude, longitude } = document;
  dropDocument(db, record);
  db.insert(SEARCH, [searchRow(one)]);
  db.insert(SEARCH_TERMS, [termsRow(one)]);
  const indexed = added === undefined ? terms : `${sessionTerms(terms)}${added}`;
  db.insert(TEXT, [[record, ...indexed.split('\n')]]);
  if (added === undefined && latitude !== undefined && longitude !== undefined)
    db.insert(POSITION, [[record, latitude, latitude, longitude, longitude]]);
}

/** Drops the document of a record. */
export function dropDocument(db: Connection, record: number): void {
  if (db.get('SELECT 1 FROM search WHERE record = ?', record) === undefined) return;
  for (const sql of [
    'DELETE FROM search WHERE record = ?',
    'DELETE FROM search_terms WHERE record = ?',
    'DELETE FROM search_text WHERE rowid = ?',
    'DELETE FROM search_near WHERE record = ?',
  ])
    db.run(sql, record);
}

/** Drops every document, at the start of a rebuild. */
export function clearDocuments(db: Connection): void {
  for (const table of ['search', 'search_terms', 'search_near', 'search_word', 'search_zone'])
    db.run(`DELETE FROM ${table}`);
  db.run("INSERT INTO search_text (search_text) VALUES ('delete-all')");
}
