import { perObject } from '../../../bounded-map.ts';
import { FIELD_NAMES, FIELDS, type Field } from '../../../search/document.ts';
import { type SearchQuery, type TermGroup, unwantedOf } from '../../contract/index.ts';
import { fieldsOf, TIERS, wantedKeys } from './terms.ts';

/**
 * The terms of a document as its row has them: a line for each field, and one for its keys. FTS5 finds the documents that have a
 * term. Whether one document has a term, its row tells two hundred times as fast.
 */

const WEIGHTS = Object.values(FIELDS);

/** The stored text of a document, with a blank before and after each term. */
export function storedTerms(fields: Readonly<Record<Field, string>>, keys: string): string {
  return [...FIELD_NAMES.map((name) => fields[name]), keys].map((line) => ` ${line} `).join('\n');
}

type Terms = Pick<SearchQuery, 'words' | 'keys'>;

/** A check of stored terms: whether a document has the words and keys of a query. `matchOf` asks FTS5 for the same. */
export function termsCheck({ words = [], keys = {} }: Terms): (stored: string) => boolean {
  const wanted = wantedKeys(keys).map((some) => some.map((key) => ` ${key} `));
  return (stored) => {
    // Most documents do not match, so the cheapest check is first.
    if (!words.every((group) => neededOf(group).some((part) => stored.includes(part)))) return false;
    const own = stored.slice(stored.lastIndexOf('\n') + 1);
    if (!wanted.every((some) => some.some((key) => own.includes(key)))) return false;
    if (words.length === 0) return true;
    const lines = stored.split('\n');
    return words.every((group) => isIn(stored, lines, group));
  };
}

/** The index of the first of `TIERS` in which a document has all words. */
export function tierOf(stored: string, { words = [] }: Terms): number {
  const lines = stored.split('\n');
  return TIERS.findIndex((tier) => words.every((group) => isIn(stored, lines, group, tier)));
}

/** Constants of BM25. The rarity of a word has no effect, because all compared documents have all words. */
const [SATURATION, BY_LENGTH, USUAL_LENGTH] = [1.2, 0.75, 60];

/** The score of a document that has the words of a query; higher is better. */
export function scoreOf(stored: string, { words = [] }: Terms): number {
  const lines = stored.split('\n');
  const length = stored.split(' ').length / USUAL_LENGTH;
  const least = SATURATION * (1 - BY_LENGTH + BY_LENGTH * length);
  const scores = words.map((group) => {
    const found = linesWith(group).map((line) => (WEIGHTS[line] as number) * timesIn(lines[line] as string, group));
    const all = found.reduce((sum, one) => sum + one, 0);
    return all / (all + least);
  });
  return scores.reduce((sum, one) => sum + one, 0);
}

function isIn(stored: string, lines: readonly string[], group: TermGroup, tier?: readonly Field[]): boolean {
  if (isOther(lines, group)) return false;
  const within = linesWith(group, tier);
  return alternativesOf(group).some(
    (parts) =>
      parts.every((part) => stored.includes(part)) &&
      within.some((line) => parts.every((part) => lines[line]?.includes(part))),
  );
}

/** Whether a document has one of the excluding phrases of a group. */
function isOther(lines: readonly string[], group: TermGroup): boolean {
  return unwantedOf(group).some(({ fields, names }) => {
    const own = fields.map((name) => lines[FIELD_NAMES.indexOf(name)]);
    return names.some((terms) => own.some((line) => line?.includes(` ${terms.join(' ')} `)));
  });
}

function linesWith(group: TermGroup, tier?: readonly Field[]): number[] {
  return fieldsOf(group, tier).map((name) => FIELD_NAMES.indexOf(name));
}

function timesIn(line: string, group: TermGroup): number {
  const asked = alternativesOf(group).filter((parts) => parts.length > 0);
  const counts = asked.map((parts) => Math.min(...parts.map((part) => line.split(part).length - 1)));
  return counts.reduce((sum, one) => sum + one, 0);
}

/** Texts of which a document has at least one if it has an alternative. They are few, as names of an activity share words. */
const neededOf = perObject((group: TermGroup): readonly string[] => {
  const alternatives = alternativesOf(group);
  // Every document has an alternative without terms.
  if (alternatives.some(({ length }) => length === 0)) return [''];
  const needed: string[] = [];
  for (let left = alternatives; left.length > 0; ) {
    const counts = new Map<string, number>();
    for (const part of left.flatMap((parts) => [...new Set(parts)])) counts.set(part, (counts.get(part) ?? 0) + 1);
    const [first] = [...counts].sort(([a, one], [b, other]) => other - one || a.length - b.length);
    const most = first?.[0] ?? '';
    // Without blanks the search begins at a rarer letter.
    needed.push(most.trim());
    left = left.filter((parts) => !parts.includes(most));
  }
  return needed;
});

/** The alternatives of a group, each as the texts that a line with it has. */
export const alternativesOf = perObject((group: TermGroup): readonly (readonly string[])[] => {
  const { any, phrase = false, prefix = false } = group;
  const textOf = (terms: readonly string[], isLast: boolean) => ` ${terms.join(' ')}${isLast && prefix ? '' : ' '}`;
  return any.map((terms) =>
    phrase ? [textOf(terms, true)] : terms.map((term, index) => textOf([term], index === terms.length - 1)),
  );
});
