import { sha256 } from '../platform/hash.ts';
import type { SearchDocument } from '../search/document.ts';
import type { CalendarRow, CalendarWrite } from '../store/index.ts';

/** What is searched of a calendar follows its record, as what is shown does. */

/** 22 characters of base64url are 132 bits. */
const HASH_LENGTH = 22;

/** What a row has of its document, which is written only where it changed. */
export function searched(
  document: SearchDocument,
  calendar: CalendarRow | undefined,
): Pick<CalendarWrite, 'search' | 'document'> {
  const search = sha256(JSON.stringify(document), 'base64url').slice(0, HASH_LENGTH);
  return calendar?.state === 'live' && calendar.search === search ? { search } : { search, document };
}
