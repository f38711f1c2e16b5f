import { conceptUuid, FIELD_NAMES, type Field, KIND_FIELDS, type SearchDocument } from '../../../search/document.ts';
import type { KeyList, SearchQuery, TermGroup } from '../../contract/index.ts';

/** Terms and keys as every index has them: the fields that a question is about, and one term for each key. */

/** The letter in front of the keys of each list. */
const LETTERS: Readonly<Record<KeyList, string>> = {
  activities: 'a',
  levels: 'l',
  accessibility: 's',
  names: 'n',
  organizers: 'o',
  places: 'p',
  towns: 't',
  districts: 'd',
  offers: 'f',
};
const LISTS = Object.keys(LETTERS) as KeyList[];

/** The terms of all keys of a document. */
export function keyTerms(document: SearchDocument): string[] {
  return LISTS.flatMap((list) => document[list].map((key) => keyTerm(list, key)));
}

/** The key of an activity (`conceptKey`) as the index gives it back: of a concept its UUID, with underscores. */
export function activityTerm(key: string): string {
  return keyTerm('activities', key).slice(ACTIVITY.length);
}

/** Before the terms of activities. */
export const ACTIVITY = `${LETTERS.activities}_`;

/** Concepts are known by the UUID at the end of their address. */
function keyTerm(list: KeyList, key: string): string {
  return `${LETTERS[list]}_${(conceptUuid(key) ?? key).replaceAll(/[^\p{L}\p{N}]/gu, '_')}`;
}

const NO_DESCRIPTION = FIELD_NAMES.filter((name) => name !== 'description');
const SCOPES = { all: FIELD_NAMES, names: NO_DESCRIPTION, kind: KIND_FIELDS } as const;

/** Documents that are compared by a score; more are read in tiers, each by row. */
export const MOST_SCORED = 100;
/** Documents of which the median position is taken for that of all that are found. */
export const MOST_POSITIONS = 500;

/** The best comes first: all words in the name, in what says the kind, in any name, anywhere. */
export const TIERS: readonly (readonly Field[])[] = [['name'], KIND_FIELDS, NO_DESCRIPTION, FIELD_NAMES];

/** Whether a group has an alternative without terms, which every document has. */
export const isOpen = ({ any }: TermGroup): boolean => any.some((terms) => terms.length === 0);

/** Fields in which the terms of a group may be. */
export function fieldsOf({ within }: TermGroup, tier: readonly Field[] = FIELD_NAMES): Field[] {
  return SCOPES[within ?? 'all'].filter((name) => tier.includes(name));
}

/** The terms of the keys of each list that is named: a document has one of each. */
export function wantedKeys(keys: NonNullable<SearchQuery['keys']>): string[][] {
  return LISTS.flatMap((list) => {
    const wanted = keys[list];
    return wanted === undefined ? [] : [wanted.map((key) => keyTerm(list, key))];
  });
}
