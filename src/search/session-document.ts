import { type Details, inherit, type Place, type Series, type Session } from '../opportunity/records.ts';
import { alsoNamed, currentVocabularies, pricesOf, type SearchDocument, seriesDocument } from './document.ts';

/** Search documents of sessions with details of their own, beside the documents of their series. Pure. */

/**
 * Details for which a session has a document. Prices are none of them, as most sessions have some: `ownPrice` is in its row.
 */
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

/** A detail that a search depends on. */
export type SearchedDetail = (typeof OWN_DETAILS)[number] | 'offers';

/** Whether a session has a document: it has one of `OWN_DETAILS` itself. */
export function hasOwnDetails({ details }: Session): boolean {
  return OWN_DETAILS.some((name) => details[name] !== undefined);
}

/** The lowest price that a session has itself, in any currency; undefined where it has none. */
export function ownPrice({ details: { offers } }: Session): number | undefined {
  const prices = offers === undefined ? [] : pricesOf(offers);
  return prices.length === 0 ? undefined : Math.min(...prices.map(({ min }) => min));
}

/**
 * The document of a session: its own details over those of its series, and the name of the series too. Both have their effective
 * details. `place`: the Place record of the session.
 *
 * @example sessionDocument(series, session, undefined).fields.name // 'coaching award day one'
 */
export function sessionDocument(series: Series, session: Session, place: Place | undefined): SearchDocument {
  const { type } = series;
  const details = inherit(series.details, session.details, true);
  const document = seriesDocument({ type, details }, place, currentVocabularies());
  return alsoNamed(document, series.details.name);
}
