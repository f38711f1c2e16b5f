import type { Details, Place, Session } from '../../opportunity/records.ts';
import { sessionDocument } from '../../search/session-document.ts';
import { type FoundOccurrence, namedPlace, type Reader, recordOf, type SearchQuery } from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';
import type { KnownSeries } from './known-series.ts';
import { asksDocument, matchesDocument } from './query/matching.ts';

/** Sessions that may differ from their series, and whether they match by their own details. */

/**
 * A check of the stored text of a session: whether it has one of these details itself. It holds for the event of a
 * HeadlineEvent, and without a text, too.
 */
export function ownDetails(names: readonly (keyof Details)[]): (body: string | undefined) => boolean {
  const mentioned = new RegExp(['"type":"HeadlineEvent"', ...names.map((name) => `"${name}":`)].join('|'));
  return (body) => {
    if (body === undefined) return true;
    if (!mentioned.test(body)) return false;
    const { type, details } = recordOf({ body }) as Session;
    return type === 'HeadlineEvent' || names.some((name) => details[name] !== undefined);
  };
}

/**
 * Whether only the record tells the times of a session: whether they are whole days, or the end that the replaced instance
 * gives.
 */
export function needsRecord({ start, session, instance }: FoundOccurrence): boolean {
  return session !== undefined && (instance !== undefined || start % DAY_MS === 0);
}

/** An occurrence with a session. */
interface OwnOccurrence {
  found: FoundOccurrence;
  known: KnownSeries;
  /** The session, with what it takes from other records. */
  session: Session;
}

/** Whether a session matches a query by its own details over those of its series. */
export async function sessionMatches(read: Reader, one: OwnOccurrence, query: SearchQuery): Promise<boolean> {
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
