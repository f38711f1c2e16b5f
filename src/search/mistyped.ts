import { perObject } from '../bounded-map.ts';
import { isTypingError } from '../nearest.ts';
import { wordsIn } from '../vocabulary/folding.ts';
import { labelsOf, type Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Token } from './tokens.ts';

/** Words of filters with one typing error. Pure. */

/** Long enough that what differs in one letter is seldom another word. */
const OFTEN_TYPED =
  `monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays
  morning mornings afternoon afternoons evening evenings lunchtime tonight tomorrow weekday weekdays weekend weekends
  beginner beginners intermediate advanced children toddler toddlers teenager teenagers adults women ladies seniors
  pensioners wheelchair disabled accessible cancelled online`.split(/\s+/);
const TYPED: ReadonlySet<string> = new Set(OFTEN_TYPED);
/** Words in which many people make two errors, and words too short for `isTypingError`. */
const KNOWN_ERRORS: ReadonlyMap<string, string> = new Map([
  ['tommorow', 'tomorrow'],
  ['tomoro', 'tomorrow'],
  ['tomoz', 'tomorrow'],
  ['tomos', 'tomorrow'],
  ['tmrw', 'tomorrow'],
  ['tmrow', 'tomorrow'],
  ['tmoro', 'tomorrow'],
  ['tmw', 'tomorrow'],
  ['2moro', 'tomorrow'],
  ['2morro', 'tomorrow'],
  ['2morrow', 'tomorrow'],
  ['2mrw', 'tomorrow'],
  ['tonite', 'tonight'],
  ['2nite', 'tonight'],
  ['2night', 'tonight'],
  ['2day', 'today'],
  ['wkend', 'weekend'],
  ['wkends', 'weekends'],
  ['arvo', 'afternoon'],
  ['wensday', 'wednesday'],
  ['begginer', 'beginner'],
  ['begginers', 'beginners'],
  ['freee', 'free'],
  ['fre', 'free'],
  ['nite', 'night'],
  ['wimmin', 'women'],
  ['wimin', 'women'],
]);
/** Other words. */
const RIGHT: ReadonlySet<string> = new Set([
  'mourning',
  'womens',
  'advance',
  'sundry',
  'toddle',
  'teenage',
  'woman',
  'adult',
  'senior',
  'frida',
]);
const SHORTEST = 5;

/** The tokens with words of filters as they are written; labels of activities are never mistyped. */
export function spelled(tokens: readonly Token[], activities: Vocabulary): Token[] {
  return tokens.map((token) => {
    const { word, quoted } = token;
    if (quoted || TYPED.has(word) || RIGHT.has(word)) return token;
    const like = word.length < SHORTEST ? undefined : OFTEN_TYPED.find((one) => isTypingError(word, one));
    const meant = KNOWN_ERRORS.get(word) ?? like;
    return meant === undefined || labelWords(activities).has(word) ? token : { ...token, word: meant };
  });
}

const labelWords = perObject(
  ({ concepts }: Vocabulary): ReadonlySet<string> => new Set(concepts.flatMap(labelsOf).flatMap(wordsIn)),
);
