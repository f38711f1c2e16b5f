import { type Details, inherit, type Place, type Series, type Session } from '../opportunity/records.ts';
import { alsoNamed, currentVocabularies, pricesOf, type SearchDocument, seriesDocument } from './document.ts';

/** What a session is searched by itself, beside the document of its series. Pure. */

/** Details that have a session searched by itself. Its prices are beside its row (`ownPrice`): most sessions have some. */
const OWN_DETAILS = [
  'name',
  'description',
  'activity',
  'category',
  'programme',
  'location',
  'organizer',
  'leader',
  'level',
  'accessibilitySupport',
  'ageRange',
  'gender',
  'attendance',
  'virtualLocation',
] as const satisfies readonly (keyof Details)[];

/** A detail by which something is searched. */
export type SearchedDetail = (typeof OWN_DETAILS)[number] | 'offers';

/** Whether a session says something itself by which it is searched, its prices aside. */
export function saysOfItself({ details }: Session): boolean {
  return OWN_DETAILS.some((name) => details[name] !== undefined);
}

/** The lowest price that a session says itself, in whatever currency; undefined: it says none. */
export function ownPrice({ details: { offers } }: Session): number | undefined {
  const prices = offers === undefined ? [] : pricesOf(offers);
  return prices.length === 0 ? undefined : Math.min(...prices.map(({ min }) => min));
}

/**
 * The document of a session: what it says itself over what its series says, whose name it has too. Both are given with all that
 * they take from others; `place`: the Place that the session is at, where one is only named.
 *
 * @example sessionDocument(series, session, undefined).fields.name // 'coaching award day one'
 */
export function sessionDocument(series: Series, session: Session, place: Place | undefined): SearchDocument {
  const { type } = series;
  const details = inherit(series.details, session.details, true);
  const document = seriesDocument({ type, details }, place, currentVocabularies());
  return alsoNamed(document, series.details.name);
}
