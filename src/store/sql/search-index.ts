import type { RecordKind } from '../../opportunity/records.ts';
import type { CalendarQuery, DocumentRow, SearchReader } from '../contract/index.ts';
import type { Value } from './database.ts';

/** A document of a record. */
export interface IndexedDocument {
  record: number;
  kind: RecordKind;
  document: DocumentRow;
  /** Terms by which a session is found (`addedTerms`). */
  added?: string;
}

/** Rows of `calendar`, as a condition. */
export interface ListCondition {
  where: string;
  values: Value[];
}

/** The search index of one database: what its reader and its writer need of it. */
export interface SearchIndex extends SearchReader {
  /** The rows of `calendar` that a list has. */
  listed(query: CalendarQuery): ListCondition;
  /** Each takes the place of the document that the record had. */
  save(documents: readonly IndexedDocument[]): Promise<void>;
  drop(records: readonly number[]): Promise<void>;
  /** Every document, at the start of a rebuild. */
  clear(): Promise<void>;
}
