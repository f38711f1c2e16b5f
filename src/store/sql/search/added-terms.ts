import { FIELD_NAMES, type Field } from '../../../search/document.ts';
import type { DocumentRow, SearchQuery, TermGroup } from '../../contract/index.ts';
import { wantedKeys } from './terms.ts';

/**
 * Terms that the document of a session adds to that of its series. A session is found by itself only if it adds a term that the
 * query asks for. Otherwise it is found exactly where its series is. Pure.
 */

/** In front of a term that the session has in a field where the series does not have it, and of such a key. */
const ADDED = 'added_';
/** In front of a difference that is no term. */
const DIFFERS = 'differs_';
/** The session has terms of the series in another text, so that phrases may be the session's alone. */
const TEXT = `${DIFFERS}text`;
const KIND = `${DIFFERS}kind`;
const PLACE = `${DIFFERS}place`;
const AGE = `${DIFFERS}age`;
const GENDER = `${DIFFERS}gender`;
const PRICE = `${DIFFERS}price`;
const ONLINE = `${DIFFERS}online`;

/** The columns of a document besides its terms. */
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

/** Conditions of a query on facts. */
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

/** Fields in which a session may lack terms of its series. Its name has the name of the series too (`sessionDocument`). */
const LOSING = ['activity', 'category', 'broader'] as const satisfies readonly Field[];

/**
 * The terms that a session adds, with blanks between them; empty: the session is found as its series is. `isElsewhere`: the
 * session is at another Place, which may have the same words.
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

/** A term of `addedTerms`. `prefix`: longer terms that begin with it match too. */
interface AddedTerm {
  term: string;
  prefix?: boolean;
}

/**
 * Added terms, of which a session has one if a query finds it and not its series. None: the query has no condition on documents,
 * or it excludes places or people, as no term tells that a session lacks those of its series.
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

/** A check of the added terms of a session: whether it has one that a query wants. */
export function additionCheck(query: SearchQuery): (added: string) => boolean {
  const wanted = wantedAdditions(query).map(({ term, prefix = false }) => ` ${term}${prefix ? '' : ' '}`);
  return (added) => {
    const terms = ` ${added} `;
    return wanted.length === 0 || wanted.some((term) => terms.includes(term));
  };
}

/** The added terms of a group: a session with an alternative that its series does not have has added one of them. */
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
