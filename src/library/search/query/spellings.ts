import { isTypingError } from '../../../nearest.ts';
import type { RecordKind } from '../../../opportunity/records.ts';
import { fillerLike, type QueryTerm, queryTerms } from '../../../search/terms.ts';
import type { SearchReader, TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { labelsOf } from '../../../vocabulary/vocabulary.ts';
import { type GroupsContext, groupOf, isNumber, type MendedGroups, typedWords } from './term-groups.ts';

/** Words that nothing has, read as the beginning of another word, as two words, or as a typing error. */

/** The fewest letters of a beginning, and of a word with a typing error. */
const SHORTEST_BEGINNING = 3;
const SHORTEST_TYPO = 4;
/** The fewest letters of each of two words that were typed as one. */
const SHORTEST_APART = 3;
/** A word of four letters, one of which is missing: nothing else is forgiven in so few. */
const SHORTENED = /^\p{L}{3}$/u;

/** `at least`, `at most`: words in front of a number, and no names with a typing error. */
const COUNTING = new Set(['least', 'most']);

/** The most records that are counted for one spelling. */
const OFTEN = 50;

/**
 * Spellings of a word that documents or the vocabulary have, the most frequent first. The first letter of a name is seldom
 * mistyped: `megan`, who leads a class, is not what `vegan` means.
 */
export async function spellingsOf(read: SearchReader, kind: RecordKind, word: string): Promise<string[]> {
  const isShortened = SHORTENED.test(word) && queryTerms(word, activityList()).length > 0;
  if (word.length < SHORTEST_TYPO && !isShortened) return [];
  const concept = isShortened ? undefined : labelLike(word);
  const like = (await read.wordsLike(word)).filter((by) => by.length >= SHORTEST_TYPO);
  const counted = like.map(async (by) => {
    const words: TermGroup[] = [{ any: [[stem(by)]], within: 'kind' }];
    return { by, count: await read.countFound({ kind, words }, OFTEN) };
  });
  const likely = (await Promise.all(counted)).filter(({ by, count }) => count > 0 || by[0] === word[0]);
  const spellings = likely.sort((a, b) => b.count - a.count).map(({ by }) => by);
  return [...new Set([...spellings, ...(concept === undefined ? [] : [concept])])].filter(
    (by) => stem(by) !== stem(word),
  );
}

/**
 * The activity that a mistyped word means. More than one error is forgiven only in a name of one word with the same first
 * letter: `newborn` does not mean new body.
 */
function labelLike(word: string): string | undefined {
  const label = activityList().nearest(word)?.prefLabel.toLowerCase();
  const names = label === undefined ? [] : wordsIn(label);
  const joined = names.join('');
  const isMeant = joined === word || isTypingError(word, joined) || (names.length === 1 && joined[0] === word[0]);
  return isMeant ? label : undefined;
}

/** The groups that a term without any document was meant to be; undefined: none is found. */
export async function likeWords(
  term: QueryTerm,
  { read, kind, words, finds }: GroupsContext,
): Promise<MendedGroups | undefined> {
  if (typedWords(words, term).some((word) => COUNTING.has(word))) return undefined;
  for (const word of typedWords(words, term)) {
    const by = fillerLike(word) ?? besideKnown(words, word);
    if (by !== undefined) return { groups: [], replaced: { word, by }, isSpelling: true };
  }
  // The stem of `late` begins Latin. Words of descriptions are too many for beginnings.
  const last = typedWords(words, term).at(-1) ?? '';
  const typed = term.others.length > 0 ? groupOf(term).any : [[...term.terms.slice(0, -1), last]];
  const beginning: TermGroup = { any: typed, prefix: true, within: 'names' };
  if (last.length >= SHORTEST_BEGINNING && !isNumber(last) && (await finds(beginning))) return { groups: [beginning] };
  for (const word of typedWords(words, term)) {
    const apart = await wordsApart(word, finds);
    if (apart !== undefined) return apart;
    for (const by of await spellingsOf(read, kind, word)) {
      const groups = queryTerms(by, activityList()).map(groupOf);
      const isFound = (await Promise.all(groups.map(finds))).every(Boolean);
      if (groups.length > 0 && isFound) return { groups, replaced: { word, by }, isSpelling: true };
    }
  }
  return undefined;
}

/** `fit barn` of `fitbarn`: two words that stand together in a name. */
async function wordsApart(word: string, finds: GroupsContext['finds']): Promise<MendedGroups | undefined> {
  const cuts = Array.from(
    { length: Math.max(0, word.length + 1 - 2 * SHORTEST_APART) },
    (_, at) => at + SHORTEST_APART,
  );
  const pairs = cuts.map((at) => [word.slice(0, at), word.slice(at)] as const);
  const named = (some: typeof pairs): TermGroup => ({
    any: some.map((pair) => pair.map(stem)),
    phrase: true,
    within: 'names',
  });
  if (pairs.length === 0 || !(await finds(named(pairs)))) return undefined;
  for (const pair of pairs) {
    const group = named([pair]);
    if (await finds(group)) return { groups: [group], replaced: { word, by: pair.join(' ') }, isSpelling: true };
  }
  return undefined;
}

/** `football` of `walking footbal`: the word with which the word beside it is the name of an activity. */
function besideKnown(words: string, typed: string): string | undefined {
  const all = wordsIn(words);
  const at = all.indexOf(typed);
  for (const [from, own] of [[at - 1, 1] as const, [at, 0] as const]) {
    const pair = all.slice(Math.max(0, from), from + 2);
    const label = pair.length < 2 ? undefined : activityList().nearest(pair.join(' '));
    const meant = (label === undefined ? [] : labelsOf(label)).map(wordsIn).find((names) => {
      const [by = '', other = ''] = [names[own], names[1 - own]];
      return names.length === 2 && isTypingError(typed, by) && stem(other) === stem(pair[1 - own] as string);
    });
    if (meant !== undefined && typed.length >= SHORTEST_TYPO) return meant[own];
  }
  return undefined;
}
