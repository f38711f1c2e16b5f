import { createHash } from 'node:crypto';
import { FIELDS, type Field } from '../../../search/document.ts';
import type { SearchQuery, TermGroup } from '../../contract/index.ts';
import { fieldsOf, TIERS, wantedKeys } from '../../sql/search/terms.ts';

/**
 * Terms and keys as lexemes of a `tsvector`, which PostgreSQL neither parses nor stems. Before a term stands the number of the
 * first of `TIERS` that has it: fields of a tier are fields of the next too. Before a key stands a letter.
 */

const KEY = 'k';
const NAMES = Object.keys(FIELDS) as Field[];

/** The text of the `tsvector` of a document. `stored`: its terms, as `storedTerms` writes them. */
export function lexemesOf(stored: string): string {
  const lines = stored.split('\n').map((line) => line.split(' ').filter((one) => one !== ''));
  const tiers = new Map<string, number>();
  for (const [at, name] of NAMES.entries()) {
    const tier = TIERS.findIndex((fields) => fields.includes(name));
    for (const term of lines[at] ?? []) tiers.set(term, Math.min(tier, tiers.get(term) ?? tier));
  }
  const terms = [...tiers].map(([term, tier]) => lexeme(`${tier}${term}`));
  const keys = (lines[NAMES.length] ?? []).map((key) => lexeme(KEY + key));
  return [...new Set([...terms, ...keys])].join(' ');
}

/** The `tsquery` that documents with these words and keys match, and maybe others; undefined: a query has neither. */
export function tsqueryOf(
  { words = [], keys = {} }: Pick<SearchQuery, 'words' | 'keys'>,
  tier?: readonly Field[],
): string | undefined {
  const parts = [
    ...words.map((group) => queryOf(group, tier)),
    ...wantedKeys(keys).map((wanted) => some(wanted.map((key) => lexeme(KEY + key)))),
  ];
  return parts.length === 0 ? undefined : parts.join(' & ');
}

/** Whether what `tsqueryOf` says of a group is not all of it: terms within one field, and in their order. */
export function isInexact({ any, not = [] }: TermGroup): boolean {
  return any.some((terms) => terms.length > 1) || not.some((terms) => terms.length > 1);
}

function queryOf(group: TermGroup, tier: readonly Field[] | undefined): string {
  const { any, prefix = false, not = [] } = group;
  const most = tierOf(fieldsOf(group, tier));
  const wanted = some(
    any.map((terms) =>
      every(terms.map((term, at) => anyTier(term, most, prefix && at === terms.length - 1 ? ':*' : ''))),
    ),
  );
  const others = not.filter((terms) => terms.length === 1).map(([term]) => anyTier(term as string, tierOf(KIND), ''));
  return others.length === 0 ? wanted : `${wanted} & !${some(others)}`;
}

const KIND = TIERS[1] as readonly Field[];

/** The tier that has just these fields. */
function tierOf(fields: readonly Field[]): number {
  return TIERS.findIndex((tier) => tier.length === fields.length);
}

function anyTier(term: string, most: number, suffix: string): string {
  return some(Array.from({ length: most + 1 }, (_, tier) => lexeme(`${tier}${term}`) + suffix));
}

const some = (parts: readonly string[]): string => (parts.length === 0 ? NOTHING : `(${parts.join(' | ')})`);
const every = (parts: readonly string[]): string => `(${parts.join(' & ')})`;

/** More octets than this are no lexeme, and no word that anybody asks for. */
const LONGEST = 1000;

/** The first octets of a long one tell it apart, with its hash. */
function lexeme(text: string): string {
  const octets = Buffer.byteLength(text);
  const short = octets <= LONGEST ? text : `${text.slice(0, 100)}${createHash('sha256').update(text).digest('hex')}`;
  return `'${short.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** No document has it: every lexeme begins otherwise. */
const NOTHING = "('-')";
