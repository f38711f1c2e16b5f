import { conceptUuid, FIELD_NAMES, type Field, KIND_FIELDS, type SearchDocument } from '../../../search/document.ts';
import type { KeyList, SearchQuery, TermGroup } from '../../contract/index.ts';

/** Fields, keys and tiers as every index has them. */

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

/** The key of an activity (`conceptKey`) as the index has it: the UUID of a concept, with underscores. */
export function activityTerm(key: string): string {
  return keyTerm('activities', key).slice(ACTIVITY.length);
}

/** The prefix of the terms of activities. */
export const ACTIVITY = `${LETTERS.activities}_`;

/** The term of a key. That of a concept is the UUID at the end of its id. */
function keyTerm(list: KeyList, key: string): string {
  return `${LETTERS[list]}_${(conceptUuid(key) ?? key).replaceAll(/[^\p{L}\p{N}]/gu, '_')}`;
}

const NO_DESCRIPTION = FIELD_NAMES.filter((name) => name !== 'description');
const SCOPES = { all: FIELD_NAMES, names: NO_DESCRIPTION, kind: KIND_FIELDS } as const;

/** The most documents that are ranked by a score; more are read in tiers, each by row. */
export const MOST_SCORED = 100;
/** The most documents whose mean position stands for that of all. */
export const MOST_POSITIONS = 500;

/** Tiers of rank, the best first: all words in the name, in `kind` fields, in any name, in any field. */
export const TIERS: readonly (readonly Field[])[] = [['name'], KIND_FIELDS, NO_DESCRIPTION, FIELD_NAMES];

/** Whether a group has an alternative without terms, which every document has. */
export const isOpen = ({ any }: TermGroup): boolean => any.some((terms) => terms.length === 0);

/** The fields in which the terms of a group may be. `tier`: among these fields. */
export function fieldsOf({ within }: TermGroup, tier: readonly Field[] = FIELD_NAMES): Field[] {
  return SCOPES[within ?? 'all'].filter((name) => tier.includes(name));
}

/** The terms of the wanted keys, a list for each `KeyList` of the query: a document has one term of each. */
export function wantedKeys(keys: NonNullable<SearchQuery['keys']>): string[][] {
  return LISTS.flatMap((list) => {
    const wanted = keys[list];
    return wanted === undefined ? [] : [wanted.map((key) => keyTerm(list, key))];
  });
}
