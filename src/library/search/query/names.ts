import { defined } from '../../../opportunity/records.ts';
import { foldedKey } from '../../../search/document.ts';
import { type Filters, TIME_FILTERS } from '../../../search/filters.ts';
import { queryTerms } from '../../../search/terms.ts';
import type { Understood } from '../../../search/words.ts';
import type { Reader } from '../../../store/index.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { hasOne } from './matching.ts';

/** Whole names of places, organisers and series in the words of a search. Parts of such a name mean nothing by themselves. */

/** The most words of a text, and of a name, that are looked up. */
const MOST_WORDS = 12;
const MOST_NAME_WORDS = 8;
/** The lists of keys of names of places and organisers. */
const NAMES = ['places', 'organizers'] as const;
const QUOTED = /["“”]/;

/**
 * Words with the longest whole name of a place or an organiser in quotation marks. The gym of `Ashdown Pools & Gym` is no
 * activity.
 */
export async function withWholeName(read: Reader, understood: Understood): Promise<Understood> {
  const words = understood.words.split(/\s+/).slice(0, MOST_WORDS);
  if (words.length < 2 || QUOTED.test(understood.words)) return understood;
  const runs = words.flatMap((_, from) => runsFrom(words, from)).sort((a, b) => b.length - a.length);
  if (runs.length === 0) return understood;
  for (const list of NAMES) {
    const spelled = runs.flatMap((run) => spellings(run).map((name) => ({ run, name })));
    if (!(await hasOne(read, { kind: 'series', keys: { [list]: spelled.map(({ name }) => foldedKey(name)) } })))
      continue;
    for (const { run, name } of spelled) {
      if (!(await hasOne(read, { kind: 'series', keys: { [list]: [foldedKey(name)] } }))) continue;
      return { ...understood, words: understood.words.replace(/\s+/g, ' ').replace(run, `"${name}"`) };
    }
  }
  return understood;
}

/**
 * The whole name of a series as words alone, where the times in it would leave out some of its dates, or find nothing at all.
 * Friday Night Five-a-side is on Tuesdays too, and Summer Paddle Club has no dates yet. Undefined: the times are filters.
 *
 * @param count The number of occurrences that filters find.
 */
export async function asWholeName(
  read: Reader,
  { query, filters, words }: Understood,
  count: (filters: Filters) => Promise<number>,
): Promise<Understood | undefined> {
  const { day, after, before } = filters;
  if (TIME_FILTERS.every((name) => filters[name] === undefined)) return undefined;
  if (!(await hasOne(read, { kind: 'series', keys: { names: [foldedKey(query)] } }))) return undefined;
  const called: Filters = { series: [query] };
  const isLess = (await count({ ...called, ...defined({ day, after, before }) })) < (await count(called));
  const isNothing = !isLess && (await count({ ...filters, ...(words !== '' && { q: words }) })) === 0;
  return isLess || isNothing ? { query, filters: {}, words: query, understood: [] } : undefined;
}

/**
 * Runs of several words from one word on that may be a name: not of activities and weak words alone, as `tennis courts` is.
 */
function runsFrom(words: readonly string[], from: number): string[] {
  const ends = words.slice(from + 1, from + MOST_NAME_WORDS).map((_, more) => from + more + 2);
  const says = (run: string): boolean =>
    queryTerms(run, activityList()).some(({ concept, optional }) => concept === undefined && optional !== true);
  return ends.map((end) => words.slice(from, end).join(' ')).filter(says);
}

const spellings = (name: string): string[] => [name, name.replace(/ and /i, ' & '), name.replace(' & ', ' and ')];
