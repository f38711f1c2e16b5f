import { zoneOfSeries } from '../opportunity/effective.ts';
import type { Series } from '../opportunity/records.ts';
import { sha256 } from '../platform/hash.ts';
import { currentVocabularies, type SearchDocument, searchDocument, usesShipped } from '../search/document.ts';
import type { CalendarRow, CalendarWrite } from '../store/index.ts';
import type { ShownSeries } from './context.ts';

/** What is searched of a calendar follows its record, as what is shown does. */

/** 22 characters of base64url are 132 bits. */
const HASH_LENGTH = 22;

/** What a row has of its document, which is written only where it changed. `made`: the document, or its JSON text. */
export function searched(
  made: SearchDocument | string,
  calendar: CalendarRow | undefined,
): Pick<CalendarWrite, 'search' | 'document'> {
  const text = typeof made === 'string' ? made : JSON.stringify(made);
  const search = sha256(text, 'base64url').slice(0, HASH_LENGTH);
  if (calendar?.state === 'live' && calendar.search === search) return { search };
  return { search, document: typeof made === 'string' ? (JSON.parse(made) as SearchDocument) : made };
}

/** The document of a series by its own record alone, as JSON: whoever reads a page makes it, beside the writing thread. */
export function documentOfItself(series: Series): string {
  const zone = zoneOfSeries(series, () => undefined)?.id;
  return JSON.stringify(searchDocument(series.details, undefined, currentVocabularies(), zone));
}

/**
 * The document of a series as it is shown. Fast path for one that takes nothing from another record: `itself` is the
 * `documentOfItself` of its record `own`, made with the vocabularies that ship. The rows `ingest` and `sync` of
 * `npm run bench` pay for it.
 */
export function documentOfShown(
  { series, zone, place }: ShownSeries,
  own: Series,
  itself: string | undefined,
): SearchDocument | string {
  if (itself !== undefined && place === undefined && series.details === own.details && usesShipped()) return itself;
  return searchDocument(series.details, place, currentVocabularies(), zone);
}
