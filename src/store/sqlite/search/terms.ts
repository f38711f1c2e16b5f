import { FIELDS, type Field, KIND_FIELDS, type SearchDocument } from '../../../search/document.ts';
import type { KeyList, SearchQuery, TermGroup } from '../../contract/index.ts';

/** Terms and keys as FTS5 has them: all documents of one table, the keys of every list in one column. */

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
};
const LISTS = Object.keys(LETTERS) as KeyList[];

/** The terms of all keys of a document. */
export function keyTerms(document: SearchDocument): string[] {
  return LISTS.flatMap((list) => document[list].map((key) => keyTerm(list, key)));
}

/** Concepts are known by the UUID at the end of their address. */
function keyTerm(list: KeyList, key: string): string {
  const uuid = UUID.exec(key)?.[0];
  return `${LETTERS[list]}_${(uuid ?? key).replaceAll(/[^\p{L}\p{N}]/gu, '_')}`;
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

const NAMES = Object.keys(FIELDS) as Field[];
const NO_DESCRIPTION = NAMES.filter((name) => name !== 'description');
const SCOPES = { all: NAMES, names: NO_DESCRIPTION, kind: KIND_FIELDS } as const;

/** The best comes first: all words in the name, in what says the kind, in any name, anywhere. */
export const TIERS: readonly (readonly Field[])[] = [['name'], KIND_FIELDS, NO_DESCRIPTION, NAMES];

/** Fields in which the terms of a group may be. */
export function fieldsOf({ within }: TermGroup, tier: readonly Field[] = NAMES): Field[] {
  return SCOPES[within ?? 'all'].filter((name) => tier.includes(name));
}

/** The MATCH expression of words and keys; undefined: a query has neither. */
export function matchOf(
  { words = [], keys = {} }: Pick<SearchQuery, 'words' | 'keys'>,
  tier?: readonly Field[],
): string | undefined {
  const parts = [
    ...words.map((group) => groupMatch(group, tier)),
    ...wantedKeys(keys).map((wanted) => `(keys : (${wanted.map(quoted).join(' OR ')}))`),
  ];
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** Of each list that is named the terms of its keys: a document has one of each. */
export function wantedKeys(keys: NonNullable<SearchQuery['keys']>): string[][] {
  return LISTS.flatMap((list) => {
    const wanted = keys[list];
    return wanted === undefined ? [] : [wanted.map((key) => keyTerm(list, key))];
  });
}

function groupMatch(group: TermGroup, tier: readonly Field[] | undefined): string {
  const { not = [] } = group;
  const any = group.any.map((terms) => alternative(terms, group)).join(' OR ');
  const match = `({${fieldsOf(group, tier).join(' ')}} : (${any}))`;
  if (not.length === 0) return match;
  const others = not.map((terms) => quoted(terms.join(' '))).join(' OR ');
  return `(${match} NOT ({${KIND_FIELDS.join(' ')}} : (${others})))`;
}

/** More terms than any field has: all of them are in one field, in any order. */
const ONE_FIELD = 10_000;

function alternative(terms: readonly string[], { phrase, prefix }: TermGroup): string {
  const last = prefix ? ' *' : '';
  if (phrase) return `${quoted(terms.join(' '))}${last}`;
  const all = terms.map((term, index) => `${quoted(term)}${index === terms.length - 1 ? last : ''}`);
  return all.length === 1 ? (all[0] as string) : `NEAR(${all.join(' ')}, ${ONE_FIELD})`;
}

/** A string of FTS5. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
