import { perObject } from '../../../bounded-map.ts';
import { FIELD_NAMES, FIELDS, type Field } from '../../../search/document.ts';
import { type SearchQuery, type TermGroup, unwantedOf } from '../../contract/index.ts';
import { fieldsOf, TIERS, wantedKeys } from './terms.ts';

/**
 * The terms of a document as its row has them: a line for each field, and one for its keys. FTS5 finds the documents that have a
 * term; whether a document has one, it tells two hundred times as slowly as its row does.
 */

const WEIGHTS = Object.values(FIELDS);

/** A blank before and after each term. */
export function storedTerms(fields: Readonly<Record<Field, string>>, keys: string): string {
  return [...FIELD_NAMES.map((name) => fields[name]), keys].map((line) => ` ${line} `).join('\n');
}

type Terms = Pick<SearchQuery, 'words' | 'keys'>;

/** Tells whether a document with these stored terms has the words and keys of a query: what `matchOf` asks of FTS5. */
export function termsCheck({ words = [], keys = {} }: Terms): (stored: string) => boolean {
  const wanted = wantedKeys(keys).map((some) => some.map((key) => ` ${key} `));
  return (stored) => {
    // Most documents have not: as little as can be is done for them.
    if (!words.every((group) => neededOf(group).some((part) => stored.includes(part)))) return false;
    const own = stored.slice(stored.lastIndexOf('\n') + 1);
    if (!wanted.every((some) => some.some((key) => own.includes(key)))) return false;
    if (words.length === 0) return true;
    const lines = stored.split('\n');
    return words.every((group) => isIn(stored, lines, group));
  };
}

/** How many of `TIERS` come before the one in which a document has all words. */
export function tierOf(stored: string, { words = [] }: Terms): number {
  const lines = stored.split('\n');
  return TIERS.findIndex((tier) => words.every((group) => isIn(stored, lines, group, tier)));
}

/** Constants of BM25, without what a word counts for being rare: all documents that are compared have all of them. */
const [SATURATION, BY_LENGTH, USUAL_LENGTH] = [1.2, 0.75, 60];

/** How well a document that has the words of a query answers them. */
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

/** Whether it has one of the names that are not wanted. */
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

/** Texts of which a document has one that has an alternative: few, for names of an activity have words in common. */
const neededOf = perObject((group: TermGroup): readonly string[] => {
  const alternatives = alternativesOf(group);
  // One without terms is everywhere.
  if (alternatives.some(({ length }) => length === 0)) return [''];
  const needed: string[] = [];
  for (let left = alternatives; left.length > 0; ) {
    const counts = new Map<string, number>();
    for (const part of left.flatMap((parts) => [...new Set(parts)])) counts.set(part, (counts.get(part) ?? 0) + 1);
    const [first] = [...counts].sort(([a, one], [b, other]) => other - one || a.length - b.length);
    const most = first?.[0] ?? '';
    // Without its blanks it is found by a rarer letter.
    needed.push(most.trim());
    left = left.filter((parts) => !parts.includes(most));
  }
  return needed;
});

/** The texts that a line has which has an alternative. */
export const alternativesOf = perObject((group: TermGroup): readonly (readonly string[])[] => {
  const { any, phrase = false, prefix = false } = group;
  const textOf = (terms: readonly string[], isLast: boolean) => ` ${terms.join(' ')}${isLast && prefix ? '' : ' '}`;
  return any.map((terms) =>
    phrase ? [textOf(terms, true)] : terms.map((term, index) => textOf([term], index === terms.length - 1)),
  );
});
