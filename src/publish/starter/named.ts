import { singular } from '../../vocabulary/folding.ts';
import { type Concept, MOST_LABEL_WORDS, type Vocabulary } from '../../vocabulary/vocabulary.ts';

/** The concepts in titles. */

/** A concept, and the words of the title that name it, in small letters. */
interface NamedConcept {
  concept: Concept;
  words: string;
}

/** Labels that are everyday words too: each names its concept only as the whole text. */
const EVERYDAY = new Set(
  `abs, acting, aerial, air, bounce, burn, camping, carnival, commercial, contemporary, disco, eton, extend, fierce, fives,
  freestyle, funk, hacking, house, insanity, jazz, latin, locking, lyrical, modern, nia, nova, pool, popping, pound, racing,
  rebound, schooling, shooting, snatch, spa, suspension, swing, synergy, tap, urban`.split(/,\s+/),
);

/** Verbs that name the activity of their gerund; `event`, `box` and `row` do not. */
const VERBS = new Set('bowl, climb, cycle, dive, jog, run, sail, ski, spin, swim, walk, wrestle'.split(', '));

/** Holidays with the name of an activity. */
const HOLIDAYS = /\bboxing day\b/gi;

/**
 * The concept that a text names by its label or another one, as whole words, in the singular or plural; the longest label, then
 * the first. Undefined: none.
 *
 * @example conceptNamed('Walking football, over 50s', activityList())?.concept.prefLabel // 'Walking Football'
 */
export function conceptNamed(text: string, list: Vocabulary): NamedConcept | undefined {
  const plain = text.replaceAll(HOLIDAYS, (holiday) => ' '.repeat(holiday.length));
  const tokens = [...plain.matchAll(/[\p{L}\p{N}'’]+/gu)].map(({ 0: word, index }) => ({
    index,
    end: index + word.length,
  }));
  for (let length = Math.min(MOST_LABEL_WORDS, tokens.length); length > 0; length -= 1) {
    for (let first = 0; first + length <= tokens.length; first += 1) {
      const words = plain.slice(tokens[first]?.index, tokens[first + length - 1]?.end).toLowerCase();
      const concept = list.byLabel(words);
      if (concept === undefined) continue;
      if (length === 1 && !isMeant(words, concept, list, tokens.length > 1)) continue;
      return { concept, words };
    }
  }
  return undefined;
}

/** Whether a single word names the concept. `isAmong`: there are other words beside it. */
function isMeant(word: string, { prefLabel }: Concept, list: Vocabulary, isAmong: boolean): boolean {
  if (isAmong && EVERYDAY.has(prefLabel.toLowerCase())) return false;
  const one = singular(word);
  return VERBS.has(one) || [word, one].some((form) => list.labelled(form).length > 0);
}
