import type { Field } from '../../../search/document.ts';
import { type SearchQuery, type TermGroup, unwantedOf } from '../../contract/index.ts';
import { wantedAdditions } from '../../sql/search/added-terms.ts';
import { fieldsOf, isOpen, wantedKeys } from '../../sql/search/terms.ts';

/** Terms and keys in FTS5: one table has all documents, and one of its columns all keys. */

/** The prefix of each term of a session. No other document has it, so that FTS5 reads sessions alone. */
const OF_SESSION = 's_';

/** The terms of a session as they are indexed. */
export function sessionTerms(terms: string): string {
  return terms.replaceAll(/\S+/g, `${OF_SESSION}$&`);
}

/**
 * The MATCH expression of words and keys, and of terms that a session adds. Undefined: the query has none of these, or only
 * excluding phrases.
 */
export function matchOf(query: Partial<SearchQuery>, tier?: readonly Field[]): string | undefined {
  const { words = [], keys = {} } = query;
  const isOfSession = query.kind === 'session';
  const quote = isOfSession ? quotedOfSession : quoted;
  const asked = words.filter((group) => !isOpen(group));
  const unwanted = words.filter(isOpen).flatMap(unwantedOf);
  const parts = [
    ...asked.map((group) => groupMatch(group, tier, quote)),
    ...[...wantedKeys(keys)].map((wanted) => `(keys : (${wanted.map(quote).join(' OR ')}))`),
    ...(isOfSession ? addedMatch(query) : []),
  ];
  return parts.length === 0 ? undefined : exceptFor(parts.join(' AND '), unwanted, quote);
}

function addedMatch(query: Partial<SearchQuery>): string[] {
  const wanted = wantedAdditions(query).map(({ term, prefix }) => `${quoted(term)}${prefix ? ' *' : ''}`);
  return wanted.length === 0 ? [] : [`(keys : (${wanted.join(' OR ')}))`];
}

type Quoted = (text: string) => string;

function groupMatch(group: TermGroup, tier: readonly Field[] | undefined, quote: Quoted): string {
  const any = group.any.map((terms) => alternative(terms, group, quote)).join(' OR ');
  return exceptFor(`({${fieldsOf(group, tier).join(' ')}} : (${any}))`, unwantedOf(group), quote);
}

/** An expression with the exclusion of some phrases. */
function exceptFor(match: string, unwanted: ReturnType<typeof unwantedOf>, quote: Quoted): string {
  if (unwanted.length === 0) return match;
  const others = unwanted.map(({ fields, names }) => {
    const any = names.map((terms) => quote(terms.join(' '))).join(' OR ');
    return `({${fields.join(' ')}} : (${any}))`;
  });
  return `((${match}) NOT (${others.join(' OR ')}))`;
}

/** More terms than any field has: all of them are in one field, in any order. */
const ONE_FIELD = 10_000;

function alternative(terms: readonly string[], { phrase, prefix }: TermGroup, quote: Quoted): string {
  const last = prefix ? ' *' : '';
  if (phrase) return `${quote(terms.join(' '))}${last}`;
  const all = terms.map((term, index) => `${quote(term)}${index === terms.length - 1 ? last : ''}`);
  return all.length === 1 ? (all[0] as string) : `NEAR(${all.join(' ')}, ${ONE_FIELD})`;
}

/** A string of FTS5. */
const quoted: Quoted = (text) => `"${text.replaceAll('"', '""')}"`;
const quotedOfSession: Quoted = (text) => quoted(sessionTerms(text));
