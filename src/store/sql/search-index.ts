import type { RecordKind } from '../../opportunity/records.ts';
import type { DocumentRow, SearchReader } from '../contract/index.ts';

/** The search index of a SQL database, as its store uses it. */

/** A document of a record. */
export interface IndexedDocument {
  record: number;
  kind: RecordKind;
  document: DocumentRow;
  /** Terms by which a session is found (`addedTerms`). */
  added?: string;
}

/** The search index of one database, for its reader and its writer. */
export interface SearchIndex extends SearchReader {
  /** Saves documents; each replaces that of its record. */
  save(documents: readonly IndexedDocument[]): Promise<void>;
  /** Drops the documents of records. */
  drop(records: readonly number[]): Promise<void>;
  /** Drops every document, at the start of a rebuild. */
  clear(): Promise<void>;
}
