import type { RecordKind } from '../../opportunity/records.ts';
import type { DocumentRow, SearchReader } from '../contract/index.ts';

export interface IndexedDocument {
  record: number;
  kind: RecordKind;
  document: DocumentRow;
  /** Terms by which a session is found (`addedTerms`). */
  added?: string;
}

/** The search index of one database: what its reader and its writer need of it. */
export interface SearchIndex extends SearchReader {
  /** Each takes the place of the document that the record had. */
  save(documents: readonly IndexedDocument[]): Promise<void>;
  drop(records: readonly number[]): Promise<void>;
  /** Every document, at the start of a rebuild. */
  clear(): Promise<void>;
}
