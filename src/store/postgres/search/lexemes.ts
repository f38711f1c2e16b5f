import { createHash } from 'node:crypto';
import { FIELD_NAMES, type Field } from '../../../search/document.ts';
import type { SearchQuery, TermGroup } from '../../contract/index.ts';
import { wantedAdditions } from '../../sql/search/added-terms.ts';
import { fieldsOf, isOpen, TIERS, wantedKeys } from '../../sql/search/terms.ts';

/**
 * Terms and keys as lexemes of a `tsvector`, which PostgreSQL neither parses nor stems. The prefix of a term is the index of the
 * first of `TIERS` that has it, as fields of a tier are fields of the next too. The prefix of a key is `k`. All lexemes of a
 * session have `s` in front, so that no other document has them.
 */

const KEY = 'k';

/**
 * The text of the `tsvector` of a document. `stored`: its terms, as `storedTerms` writes them; `added`: of a session
 * (`addedTerms`).
 */
export function lexemesOf(stored: string, added?: string): string {
  const of = added === undefined ? lexeme : lexemeOfSession;
  const lines = stored.split('\n').map((line) => line.split(' ').filter((one) => one !== ''));
  const tiers = new Map<string, number>();
  for (const [at, name] of FIELD_NAMES.entries()) {
    const tier = TIERS.findIndex((fields) => fields.includes(name));
    for (const term of lines[at] ?? []) tiers.set(term, Math.min(tier, tiers.get(term) ?? tier));
  }
  const terms = [...tiers].map(([term, tier]) => of(`${tier}${term}`));
  const keys = (lines[FIELD_NAMES.length] ?? []).map((key) => of(KEY + key));
  const additions = added === undefined ? [] : added.split(' ').map(lexemeOfSession);
  return [...new Set([...terms, ...keys, ...additions])].join(' ');
}

/**
 * The `tsquery` that all documents with these words and keys match, and maybe others (`isInexact`). Sessions must add a wanted
 * term too. Undefined: the query has neither words nor keys.
 */
export function tsqueryOf(query: Partial<SearchQuery>, tier?: readonly Field[]): string | undefined {
  const { words = [], keys = {} } = query;
  const isOfSession = query.kind === 'session';
  const of = isOfSession ? lexemeOfSession : lexeme;
  const added = isOfSession ? wantedAdditions(query) : [];
  const parts = [
    ...words.flatMap((group) => queryOf(group, tier, of) ?? []),
    ...wantedKeys(keys).map((wanted) => some(wanted.map((key) => of(KEY + key)))),
    ...(added.length === 0 ? [] : [some(added.map(({ term, prefix }) => of(term) + (prefix ? ':*' : '')))]),
  ];
  return parts.length === 0 ? undefined : parts.join(' & ');
}

/**
 * Whether `tsqueryOf` leaves out a condition of a group: that terms are within one field, in their order, or in few fields.
 */
export function isInexact({ any, not = [], notAt, notBy }: TermGroup): boolean {
  const isApart = notAt !== undefined || notBy !== undefined;
  return isApart || any.some((terms) => terms.length > 1) || not.some((terms) => terms.length > 1);
}

/** The `tsquery` of a group; undefined where it has neither wanted terms nor excluding phrases of one term. */
function queryOf(group: TermGroup, tier: readonly Field[] | undefined, of: typeof lexeme): string | undefined {
  const { any, prefix = false, not = [] } = group;
  const most = tierOf(fieldsOf(group, tier));
  const wanted = some(
    any.map((terms) =>
      every(terms.map((term, at) => anyTier(term, most, of, prefix && at === terms.length - 1 ? ':*' : ''))),
    ),
  );
  const others = not.filter((terms) => terms.length === 1).map(([term]) => anyTier(term as string, tierOf(KIND), of));
  const unwanted = others.length === 0 ? undefined : `!${some(others)}`;
  if (isOpen(group)) return unwanted;
  return unwanted === undefined ? wanted : `${wanted} & ${unwanted}`;
}

const KIND = TIERS[1] as readonly Field[];

/** The tier that has just these fields. */
function tierOf(fields: readonly Field[]): number {
  return TIERS.findIndex((tier) => tier.length === fields.length);
}

function anyTier(term: string, most: number, of: typeof lexeme, suffix = ''): string {
  return some(Array.from({ length: most + 1 }, (_, tier) => of(`${tier}${term}`) + suffix));
}

const some = (parts: readonly string[]): string => (parts.length === 0 ? NOTHING : `(${parts.join(' | ')})`);
const every = (parts: readonly string[]): string => `(${parts.join(' & ')})`;

/** The most octets of a lexeme without a hash; PostgreSQL takes less than 2 KB. */
const LONGEST = 1000;

/** A text as a quoted lexeme; a long one becomes its first characters with a hash. */
function lexeme(text: string): string {
  const octets = Buffer.byteLength(text);
  const short = octets <= LONGEST ? text : `${text.slice(0, 100)}${createHash('sha256').update(text).digest('hex')}`;
  return `'${short.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

const lexemeOfSession = (text: string): string => lexeme(`s${text}`);

/** A query that no document matches: no lexeme begins like this one. */
const NOTHING = "('-')";
