import { zoneOfSeries } from '../opportunity/effective.ts';
import type { Series } from '../opportunity/records.ts';
import { sha256 } from '../platform/hash.ts';
import { currentVocabularies, type SearchDocument, seriesDocument, usesShipped } from '../search/document.ts';
import { documentRow } from '../store/document-row.ts';
import type { CalendarRow, CalendarWrite, DocumentRow } from '../store/index.ts';
import type { ShownSeries } from './context.ts';

/** Search documents of calendars, each with a hash by which an unchanged one is not written again. */

/** 22 characters of base64url are 132 bits. */
const HASH_LENGTH = 22;

/** A document, with its hash as the row of its calendar has it. */
export interface HashedDocument {
  search: string;
  document: DocumentRow;
}

/** The columns of a calendar for its document, which is written only where it changed. */
export function documentWrite(
  { search, document }: HashedDocument,
  calendar: CalendarRow | undefined,
): Pick<CalendarWrite, 'search' | 'document'> {
  if (calendar?.state === 'live' && calendar.search === search) return { search };
  return { search, document };
}

/** A document with its hash. Pure. */
export function hashedDocument(document: SearchDocument): HashedDocument {
  const search = sha256(JSON.stringify(document), 'base64url').slice(0, HASH_LENGTH);
  return { search, document: documentRow(document) };
}

/** The document of a series by its own record alone, made on the thread that reads pages. */
export function documentOfItself(series: Series): HashedDocument {
  const zone = zoneOfSeries(series, () => undefined)?.id;
  return hashedDocument(seriesDocument(series, undefined, currentVocabularies(), zone));
}

/**
 * The document of a series as it is shown. Fast path for one that takes nothing from another record: `itself` is the
 * `documentOfItself` of its record `own`, made with the vocabularies that ship. The rows `ingest` and `sync` of
 * `npm run bench` pay for it.
 */
export function documentOfShown(
  { series, zone, place }: ShownSeries,
  own: Series,
  itself: HashedDocument | undefined,
): HashedDocument {
  if (itself !== undefined && place === undefined && series.details === own.details && usesShipped()) return itself;
  return hashedDocument(seriesDocument(series, place, currentVocabularies(), zone));
}
