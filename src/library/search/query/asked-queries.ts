import type { Filters } from '../../../search/filters.ts';
import type { Understood } from '../../../search/words.ts';
import type { SearchQuery } from '../../../store/index.ts';
import type { ReplacedWord } from '../types.ts';
import type { WordGroups } from './word-groups.ts';

/** Queries to try one after the other, with those for words that name boys, girls, men or women. */

/** A query that is tried where the ones before it find nothing. */
export interface WiderQuery {
  query: SearchQuery;
  /** Parts of the words that the query leaves out. */
  unmatched: string[];
  /** Whether it leaves out only words that yield. */
  isYielding?: true;
  /** Words that the query replaces by one. */
  joined?: ReplacedWord;
  /** Whether it is tried only where nothing matches all words on any date. */
  isLast?: true;
  /** The condition on which it is tried. */
  condition?: () => Promise<boolean>;
}

/** Words for boys or girls: most of what they may come to is not for one gender alone. */
const CHILDREN = /\b(?:boys?|girls?)\b/i;
/** Words for men or women without `only`: most of what they come to is not for one gender alone. */
const FOR_ADULTS = /\b(?:for (?:men|women)|mens|womens|ladies)$/i;
/** Words that ask for one gender alone: a woman who asks for women's swimming does not come to another. */
const EXACT = /\b(?:only|women|men)\b/i;
/** Words for adults of one gender. */
const ADULTS = /\b(?:women|womens|ladies|men|mens|gents|gentlemen)\b/i;
/** The ages of boys and girls, where the search has none. */
const AGES_OF_CHILDREN = { min: 5, max: 15 };

/**
 * The queries to try, in their order: as asked, with wider words, then without the gender where the words name boys, girls, men
 * or women. For boys and girls, queries with the ages of children come first.
 */
export function askedQueries(
  query: SearchQuery,
  instead: WordGroups['instead'],
  understood: Understood | undefined,
  named: Filters,
): [WiderQuery, ...WiderQuery[]] {
  const { words: _, ...others } = query;
  const first: WiderQuery = { query, unmatched: [] };
  const withWords = instead.map(({ words, ...rest }): WiderQuery => {
    return { query: { ...others, ...(words.length > 0 && { words }) }, ...rest };
  });
  const asIs = [first, ...withWords] as const;
  const parts = (understood?.understood ?? []).filter((part) => part.filters.gender !== undefined);
  const says = (pattern: RegExp): boolean => parts.some(({ text }) => pattern.test(text));
  const [ofAdults, ofGirlsOrBoys] = [says(FOR_ADULTS), says(CHILDREN)];
  if (named.gender !== undefined || query.gender === undefined || !(ofAdults || ofGirlsOrBoys)) return [...asIs];
  const notGender = query.gender === 'MaleOnly' ? 'FemaleOnly' : 'MaleOnly';
  const forEverybody = ({
    query: { gender: _gender, ...open },
    unmatched,
    isYielding: _,
    ...rest
  }: WiderQuery): WiderQuery => ({
    ...rest,
    query: { ...open, notGender },
    unmatched: [...unmatched, ...parts.map(({ text }) => CHILDREN.exec(text)?.[0] ?? text)],
  });
  const all: readonly WiderQuery[] = says(EXACT) && !ofAdults ? asIs : [...asIs, ...asIs.map(forEverybody)];
  const isOfAge = query.age !== undefined || !ofGirlsOrBoys || says(ADULTS);
  const ofChildren = isOfAge ? [] : all.map((one) => ({ ...one, query: { ...one.query, age: AGES_OF_CHILDREN } }));
  const inOrder = [...ofChildren, ...all];
  const isWhole = ({ isLast }: WiderQuery): boolean => isLast !== true;
  return [...inOrder.filter(isWhole), ...inOrder.filter((one) => !isWhole(one))] as [WiderQuery, ...WiderQuery[]];
}

/** Whether words ask for women or men alone, and not for girls or boys too: then something must be open to adults. */
export function asksForAdults(understood: Understood | undefined, named: Filters): boolean {
  const parts = (understood?.understood ?? []).filter(({ filters: { gender } }) => gender !== undefined);
  return named.gender === undefined && parts.some(({ text }) => ADULTS.test(text) && !CHILDREN.test(text));
}
