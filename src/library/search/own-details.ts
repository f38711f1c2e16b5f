import type { Details, Place, Session } from '../../opportunity/records.ts';
import { sessionDocument } from '../../search/session-document.ts';
import { type FoundOccurrence, namedPlace, type Reader, recordOf, type SearchQuery } from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';
import type { KnownSeries } from './known-series.ts';
import { asksDocument, matchesDocument } from './query/matching.ts';

/** Details of a session that only its record says. */

/** Whether a session says one of these details itself, by its text; also the own event of a HeadlineEvent, and what has no text. */
export function ownDetails(names: readonly (keyof Details)[]): (body: string | undefined) => boolean {
  const mentioned = new RegExp(['"type":"HeadlineEvent"', ...names.map((name) => `"${name}":`)].join('|'));
  return (body) => {
    if (body === undefined) return true;
    if (!mentioned.test(body)) return false;
    const { type, details } = recordOf({ body }) as Session;
    return type === 'HeadlineEvent' || names.some((name) => details[name] !== undefined);
  };
}

/** Only the record says whether it is of whole days, and when it ends by the instance that it replaces. */
export function isKnownLater({ start, session, instance }: FoundOccurrence): boolean {
  return session !== undefined && (instance !== undefined || start % DAY_MS === 0);
}

/** An occurrence that a session says. */
interface OwnOccurrence {
  found: FoundOccurrence;
  known: KnownSeries;
  /** With all that it takes from others. */
  session: Session;
}

/** Whether a session has what is asked for by all that it says itself, over what its series says. */
export async function hasAsked(read: Reader, one: OwnOccurrence, query: SearchQuery): Promise<boolean> {
  const { known, session } = one;
  const row = one.found.session as number;
  const isElsewhere = session.details.location !== undefined;
  if (isElsewhere && query.venues !== undefined) {
    const [listed] = await read.listedRecords([row]);
    if (!query.venues.includes(listed?.venue ?? 0)) return false;
  }
  if (!asksDocument(query)) return true;
  const place = isElsewhere ? await placeOfSession(read, row) : await known.namedPlace();
  return matchesDocument(sessionDocument(known.series, session, place), query);
}

async function placeOfSession(read: Reader, row: number): Promise<Place | undefined> {
  const body = (await read.bodies([row])).get(row);
  return body === undefined ? undefined : namedPlace(read, { body });
}
