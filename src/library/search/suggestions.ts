import { canonical, type FilterName, type Filters } from '../../search/filters.ts';
import { queryTerms } from '../../search/terms.ts';
import { withWord } from '../../search/tokens.ts';
import { type Understood, withoutPart } from '../../search/words.ts';
import type { Reader } from '../../store/index.ts';
import { wordsIn } from '../../vocabulary/folding.ts';
import { activityList } from '../../vocabulary/shipped.ts';
import { spellingsOf } from './query/spellings.ts';
import type { Suggestions } from './types.ts';

/** Suggestions for a search that finds nothing. */

/** The most spellings that are suggested. */
const MOST_SPELLINGS = 5;
/** The most searches that are tried for one kind of suggestion. */
const MOST_TRIED = 12;

/** The most occurrences that are counted for one suggestion. */
export const MOST_COUNTED = 200;

/** The suggestions for some filters. `count`: the number of occurrences that filters find, `MOST_COUNTED` at most. */
export async function suggestionsFor(
  read: Reader,
  filters: Filters,
  understood: Understood | undefined,
  count: (filters: Filters) => Promise<number>,
): Promise<Suggestions> {
  const tried = [...namedWithout(filters), ...wordsWithout(filters, understood)].slice(0, MOST_TRIED);
  const single = await findingSome(tried, count);
  const without = single.length > 0 ? single : await findingSome(pairsOf(tried).slice(0, MOST_TRIED), count);
  const didYouMean = understood === undefined ? [] : await spellings(read, filters, understood, count);
  if (didYouMean.length === 0 && without.every(({ name }) => name === 'q')) {
    // The words without an unwanted part may be in both lists.
    const known = new Set(without.map(({ part }) => part));
    const fewer = await lessThan(filters, understood, count);
    without.push(...fewer.filter(({ part }) => !known.has(part)));
  }
  return { didYouMean, without: without.sort((a, b) => b.count - a.count), most: MOST_COUNTED };
}

/** The tried searches that find something. */
async function findingSome(
  tried: readonly Tried[],
  count: (filters: Filters) => Promise<number>,
): Promise<Suggestions['without']> {
  const found: Suggestions['without'] = [];
  for (const one of tried) {
    const counted = await count(one.filters);
    if (counted > 0) found.push({ ...one, count: counted });
  }
  return found;
}

/** Each filter of the address together with each later filter or part of the words. */
function pairsOf(tried: readonly Tried[]): Tried[] {
  return tried.flatMap(({ name: also, part }, at) =>
    part !== undefined
      ? []
      : tried.slice(at + 1).map((one) => {
          const { [also]: _, ...filters } = one.filters;
          return { ...one, also, filters: canonical(filters) };
        }),
  );
}

/** The words without one word, and without all filters, where no filter alone is the cause. */
async function lessThan(
  filters: Filters,
  understood: Understood | undefined,
  count: (filters: Filters) => Promise<number>,
): Promise<Suggestions['without']> {
  if (understood === undefined) return [];
  const { query, words } = understood;
  const typed = words.split(/\s+/).filter((word) => wordsIn(word).length > 0);
  const fewer = typed.length === 1 ? [] : typed.slice(0, MOST_TRIED);
  const withoutWord = (part: string) => withWord(query, part, '').replaceAll(/\s+/g, ' ').trim();
  const tried = fewer.map((part): Tried => ({ name: 'q', part, filters: { ...filters, q: withoutWord(part) } }));
  const found = await findingSome(tried, count);
  const alone = words === '' || words === query ? 0 : await count({ q: words });
  const rest = understood.understood.map(({ text }) => text).join(' ');
  return alone === 0 ? found : [...found, { name: 'q', part: rest, filters: { q: words }, count: alone }];
}

type Tried = Omit<Suggestions['without'][number], 'count'>;

/** The filters without each one that the address names. */
function namedWithout(filters: Filters): Tried[] {
  const names = (Object.keys(filters) as FilterName[]).filter(
    (name) => name !== 'q' && name !== 'within' && name !== 'cancelled',
  );
  return names.map((name) => {
    const { [name]: _, ...rest } = filters;
    return { name, filters: canonical(rest) };
  });
}

/** The filters without each part of the words that is a filter, and without the other words. */
function wordsWithout(filters: Filters, understood: Understood | undefined): Tried[] {
  if (understood === undefined) return [];
  const parts = understood.understood.flatMap((part): Tried[] => {
    const [name = 'q'] = Object.keys(part.filters) as FilterName[];
    if (name === 'q' && part.unwanted === undefined) return [];
    const q = withoutPart(understood, part);
    const { q: _, ...rest } = filters;
    return [{ name, part: part.text, filters: canonical(q === '' ? rest : { ...rest, q }) }];
  });
  const { q: _, ...others } = filters;
  const isAlone = understood.words === '' || Object.keys({ ...others, ...understood.filters }).length === 0;
  return isAlone
    ? parts
    : [...parts, { name: 'q', part: understood.words, filters: canonical({ ...understood.filters, ...others }) }];
}

/** Spellings of the words that find something. */
async function spellings(
  read: Reader,
  filters: Filters,
  { query, words }: Understood,
  count: (filters: Filters) => Promise<number>,
): Promise<string[]> {
  const found: string[] = [];
  for (const word of new Set(wordsIn(words))) {
    for (const by of await spellingsOf(read, 'series', word)) {
      if (found.length >= MOST_SPELLINGS) return found;
      const q = withWord(query, word, by);
      if (q !== query && (await count({ ...filters, q })) > 0) found.push(q);
    }
  }
  // `two for one yoga` is nothing, and `yoga` is something.
  const kinds = queryTerms(words, activityList()).flatMap(({ concept }) => concept?.prefLabel.toLowerCase() ?? []);
  const q = query.replace(words, kinds.join(' '));
  if (kinds.length > 0 && q !== query && (await count({ ...filters, q })) > 0) found.push(q);
  return [...new Set(found)];
}
