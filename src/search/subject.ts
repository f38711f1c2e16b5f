import { wordsIn } from '../vocabulary/folding.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { FILLERS, labelAt, nameAt, queryTerms, STOP_WORDS, VERBS } from './terms.ts';

/** The subject of words, and whether words are a sentence. Pure. */

/** The most words of a name; more words are a sentence. */
const MOST_WORDS_OF_NAME = 4;

/**
 * The subject of a query, in its own words: from the first strong word to the last. The subject of a sentence is its activities
 * alone; empty where it has none.
 *
 * @example subjectOf('I am looking for a swimming session', activityList()) // 'swimming'
 */
export function subjectOf(words: string, vocabulary: Vocabulary): string {
  const isMeant = (word: string): boolean => queryTerms(word, vocabulary).some((term) => !term.optional);
  const name = betweenWords(words.split(/\s+/), isMeant, vocabulary);
  // `level 1` is more than its number.
  if (name.length > 0 && name.every((word) => /^\d+$/.test(word))) return words;
  // `love to try gymnastics` is about gymnastics.
  if (name.length <= MOST_WORDS_OF_NAME || !isSentence(words))
    return betweenWords(name, (word) => isMeant(word) && !VERBS.includes(word.toLowerCase()), vocabulary).join(' ');
  const activities = queryTerms(words, vocabulary).filter(({ concept }) => concept !== undefined);
  return activities.map(({ text }) => text).join(' ');
}

/** The words from the first that is wanted to the last. All words of a known name are wanted: `soft play`, `drop in`. */
function betweenWords(words: readonly string[], isOne: (word: string) => boolean, vocabulary: Vocabulary): string[] {
  const named = new Set(
    words.flatMap((_, at) => Array.from({ length: nameLength(words, at, vocabulary) }, (_one, more) => at + more)),
  );
  const isMeant = (word: string, at: number): boolean => named.has(at) || isOne(word);
  const from = words.findIndex(isMeant);
  return from < 0 ? [] : words.slice(from, words.findLastIndex(isMeant) + 1);
}

/**
 * The number of words of the longest name of several words that begins at one; 0 for none, and for one such as `fitness
 * class`.
 */
function nameLength(words: readonly string[], at: number, vocabulary: Vocabulary): number {
  const length = Math.max(labelAt(words, at, vocabulary).end, nameAt(words, at)?.end ?? 0) - at;
  return length > 1 && !FILLERS.includes((words[at + length - 1] ?? '').toLowerCase()) ? length : 0;
}

/** Words about people, and words that name no subject. */
const SPOKEN_OF = new Set(
  'something anything nothing things i id im ive me my we us our you your he hes his him she shes her they them their am was having'.split(
    ' ',
  ),
);

const ASKING_FIRST = new Set('when what where is are does do can how'.split(' '));

/**
 * Whether words are a sentence: a question, words about people, or more words than a name has.
 *
 * @example isSentence('my husband likes basketball') // true
 */
export function isSentence(words: string): boolean {
  const all = wordsIn(words);
  return (
    (all.length > 1 && ASKING_FIRST.has(all[0] ?? '')) ||
    all.some((word) => SPOKEN_OF.has(word)) ||
    all.filter((word) => !STOP_WORDS.has(word)).length > MOST_WORDS_OF_NAME
  );
}

const OPENS =
  /\b(?:opening|closing)\b|\bopens?\b(?! (?:air|days?|evenings?|mic|mornings?|sessions?|to|water)\b)|\bcloses?\b(?! (?:by|to)\b)/i;

/**
 * Whether a query asks for opening hours. `words`: the words of `query` that are no filters.
 *
 * @example asksHours({ query: 'is the pool open', words: 'is the pool open' }) // true
 */
export function asksHours({ query, words }: { query: string; words: string }): boolean {
  return OPENS.test(query) || /\bhours$/i.test(words);
}
