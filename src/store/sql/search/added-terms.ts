import { FIELD_NAMES, type Field } from '../../../search/document.ts';
import type { DocumentRow, SearchQuery, TermGroup } from '../../contract/index.ts';
import { wantedKeys } from './terms.ts';

/**
 * What the document of a session adds to that of its series. A session is found by itself where it adds some of what a query asks
 * for. Without that it is found where its series is. Pure.
 */

/** A term that the session has in a field, and the series has not there; or a key likewise. */
const ADDED = 'added_';
/** What is no term, and differs. */
const DIFFERS = 'differs_';
/** Terms of the series in another text: phrases may be the session's alone. */
const TEXT = `${DIFFERS}text`;
const KIND = `${DIFFERS}kind`;
const PLACE = `${DIFFERS}place`;
const AGE = `${DIFFERS}age`;
const GENDER = `${DIFFERS}gender`;
const PRICE = `${DIFFERS}price`;
const ONLINE = `${DIFFERS}online`;

/** What a document says that no term of it does. */
type Fact = Exclude<keyof DocumentRow, 'terms' | 'words' | 'zone'>;

const OF_FACTS: Readonly<Record<Fact, string>> = {
  latitude: PLACE,
  longitude: PLACE,
  ageMin: AGE,
  ageMax: AGE,
  gender: GENDER,
  price: PRICE,
  online: ONLINE,
};
const FACTS = Object.keys(OF_FACTS) as Fact[];

/** Parts of a query that ask for facts. */
type FactPart = Exclude<keyof SearchQuery, 'kind' | 'words' | 'keys' | 'records' | 'sessionPrice'>;

const OF_PARTS: Readonly<Record<FactPart, string>> = {
  near: PLACE,
  venues: PLACE,
  age: AGE,
  notAge: AGE,
  gender: GENDER,
  notGender: GENDER,
  maxPrice: PRICE,
  online: ONLINE,
};

/** Fields whose texts may lose terms. That of the name begins with the name of the series (`sessionDocument`). */
const LOSING = ['activity', 'category', 'broader'] as const satisfies readonly Field[];

/**
 * The terms by which an index finds a session, with blanks between them; empty: the session is found as its series is.
 * `isElsewhere`: at another Place, which may have the same words.
 *
 * @example addedTerms(withLeader('Anna'), series, false) // 'added_anna'
 */
export function addedTerms(session: DocumentRow, series: DocumentRow, isElsewhere: boolean): string {
  const [lines, others] = [fieldLines(session), fieldLines(series)];
  const differing = lines.flatMap((line, at) => (line === others[at] ? [] : [at]));
  const terms: string[] = [];
  for (const at of differing) {
    const [own, known] = [termsIn(lines[at]), new Set(termsIn(others[at]))];
    terms.push(...own.filter((term) => !known.has(term)).map((term) => ADDED + term));
    if (at < FIELD_NAMES.length && own.some((term) => known.has(term))) terms.push(TEXT);
  }
  if (LOSING.some((name) => differing.includes(FIELD_NAMES.indexOf(name)))) terms.push(KIND);
  if (isElsewhere) terms.push(PLACE);
  for (const fact of FACTS) if (session[fact] !== series[fact]) terms.push(OF_FACTS[fact]);
  return [...new Set(terms)].join(' ');
}

const fieldLines = ({ terms }: DocumentRow): string[] => terms.split('\n');
const termsIn = (line = ''): string[] => line.split(' ').filter((term) => term !== '');

/** A term of `addedTerms`. `prefix`: or a longer one that begins so. */
interface AddedTerm {
  term: string;
  prefix?: boolean;
}

/**
 * Terms of which a session that a query finds has one, or else its series is found too. None: it asks nothing of documents, or
 * some places or people are unwanted. No term says that a session has them no more.
 */
export function wantedAdditions(query: Partial<SearchQuery>): AddedTerm[] {
  const { words = [], keys = {} } = query;
  if (words.some(({ notAt, notBy }) => notAt !== undefined || notBy !== undefined)) return [];
  const facts = (Object.keys(OF_PARTS) as FactPart[]).filter((part) => query[part] !== undefined);
  return [
    ...words.flatMap(ofGroup),
    ...wantedKeys(keys).flatMap((some) => some.map((key) => ({ term: ADDED + key }))),
    ...[...new Set(facts.map((part) => OF_PARTS[part]))].map((term) => ({ term })),
  ];
}

/** A check whether a session that adds these terms to its series has one that a query wants. */
export function additionCheck(query: SearchQuery): (added: string) => boolean {
  const wanted = wantedAdditions(query).map(({ term, prefix = false }) => ` ${term}${prefix ? '' : ' '}`);
  return (added) => {
    const terms = ` ${added} `;
    return wanted.length === 0 || wanted.some((term) => terms.includes(term));
  };
}

/** Terms of a group: a session that has an alternative in a field, as its series has not, has added one of them there. */
function ofGroup({ any, phrase = false, prefix = false, not = [] }: TermGroup): AddedTerm[] {
  const terms = any.flatMap((alternative) =>
    alternative.map((term, at) => ({
      term: ADDED + term,
      ...(prefix && at === alternative.length - 1 && { prefix: true }),
    })),
  );
  // The session may have the terms of its series in another order.
  const isOrdered = phrase && any.some(({ length }) => length > 1);
  return [...terms, ...(isOrdered ? [{ term: TEXT }] : []), ...(not.length > 0 ? [{ term: KIND }] : [])];
}
