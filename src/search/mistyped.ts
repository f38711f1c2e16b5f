import { perObject } from '../bounded-map.ts';
import { isTypingError } from '../nearest.ts';
import { wordsIn } from '../vocabulary/folding.ts';
import { labelsOf, type Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Token } from './tokens.ts';

/** Words of filters with one typing error. Pure. */

/** Words of filters that are long enough: a word that differs from one in one letter is seldom another word. */
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
  ['excersise', 'exercise'],
  ['excersize', 'exercise'],
  ['begginers', 'beginners'],
  ['freee', 'free'],
  ['fre', 'free'],
  ['nite', 'night'],
  ['wimmin', 'women'],
  ['wimin', 'women'],
]);
/** Words that differ from one of these in one letter, and are right. */
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
/** Common words that one letter makes another of, such as `late` and `lane`: who types one of them seldom means the other. */
const COMMON: ReadonlySet<string> = new Set(
  `able bank bath bend best bike bill boat body book born both bring busy call camp card care cash cast cell chat city clean clear close coat
  cold come cook cool cost dark date deal dear deep desk does done door down drop each east easy even ever every face fact fair fall
  fast feel feet field file fill film find fine fire first fish fold food foot form full game gate give goal gold gone good great hair
  half hand hard hate have head hear heat held help here high hill hire hold hole home hope host hour house idea into join jump just keep kind
  knee know lack lady lake land large last late lead left less life lift light like line link list live loan long look lost love main
  make male many mark mate meal mean meet mile milk mind mine miss more most move much must name near neck need never news next nice north
  note ones only open over pack page paid pain pair part pass past path phone pick plan plus poor port post quick quiet rain rate
  read real rent rest rich right ring rise road rock role roof room rose rule safe sale same save seat sell send ship shoe shop short show
  shut sick side sign sing site size skin slow small snow soft some song soon sort south stay step still stop sure take talk tall tell
  than that them then there they thin thing think this time tiny tour town tree trip true turn upon very view visit wait wake
  want warm wash watch wear west wide wild will wind wine wish wood word work worth year young`.split(/\s+/),
);

/** Whether a word is so common that it is seldom a typing error. */
export const isCommonWord = (word: string): boolean => COMMON.has(word);

/** The tokens with mistyped words of filters corrected. Words of labels of activities stay as they are. */
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
