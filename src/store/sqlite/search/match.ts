import { type Field, KIND_FIELDS } from '../../../search/document.ts';
import type { SearchQuery, TermGroup } from '../../contract/index.ts';
import { fieldsOf, wantedKeys } from '../../sql/search/terms.ts';

/** Terms and keys as FTS5 has them: all documents of one table, the keys of every list in one column. */

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
