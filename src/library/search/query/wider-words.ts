import type { Filters } from '../../../search/filters.ts';
import { isSentence } from '../../../search/subject.ts';
import { isNeed } from '../../../search/synonyms.ts';
import { type QueryTerm, queryTerms, WEIGHTS } from '../../../search/terms.ts';
import { GENERIC, NUMBERS } from '../../../search/values/context.ts';
import { understand } from '../../../search/words.ts';
import type { TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { allBroader } from '../../../vocabulary/vocabulary.ts';
import type { ReplacedWord } from '../types.ts';
import { isNumber, isOfVenues, typedWords } from './term-groups.ts';

/** Wider words, for a search of which nothing has all words. */

export interface TermWithGroups {
  term: QueryTerm;
  groups: TermGroup[];
}

/** Words that are tried instead. */
export interface WiderWords {
  words: TermGroup[];
  /** The words that are left out, as they were typed. */
  unmatched: string[];
  /** Whether only words that yield are left out. */
  isYielding?: true;
  /** Words that are replaced by one. */
  joined?: ReplacedWord;
  /** Whether they are tried only where nothing has all words on any date. */
  isLast?: true;
}

/**
 * Wider words in the order in which they are tried: two words as one, without words that yield, any one of several activities,
 * and of a sentence its activities alone.
 */
export function widerWords(
  pairs: readonly TermWithGroups[],
  words: string,
  isFiltered: boolean,
  towns: readonly string[],
): WiderWords[] {
  const hasActivity = pairs.some(({ term }) => term.concept !== undefined);
  // `gym open` is a gym, and `open evening` is a name.
  const isFirm = ({ term }: TermWithGroups): boolean => !term.yields && !(hasActivity && isOfVenues(term));
  const firm = pairs.filter(isFirm);
  const activities = firm.filter(({ term }) => term.concept !== undefined);
  const groupsOf = (of: typeof pairs): TermGroup[] => of.flatMap(({ groups }) => groups);
  const spare = pairs.filter((one) => !isFirm(one));
  const yielded = spare.flatMap(({ term }) => typedWords(words, term));
  const yielding = { unmatched: yielded, isYielding: true as const };
  const wider: WiderWords[] = [
    ...joinedWords(pairs, words),
    ...broaderNames(pairs),
    // Less is left out where one of them is in a name, as `fun` of `dads fun run` is.
    ...(spare.length > 1 ? spare.slice(0, MOST_JOINED).map((one) => withoutOne(one, pairs, words)) : []),
    { words: groupsOf(firm), ...yielding },
    ...(yielded.length > 0 ? joinedWords(firm, words).map((one) => ({ ...one, ...yielding })) : []),
  ];
  if (activities.length === firm.length) wider.push({ words: eitherOf(activities), ...yielding });
  else if (isSentence(words) && (activities.length > 0 || isFiltered)) {
    const isThere = ({ term }: TermWithGroups): boolean => typedWords(words, term).some((word) => towns.includes(word));
    const without = (left: readonly TermWithGroups[]): string[] => [
      ...yielded,
      ...left.map(({ term }) => typedWords(words, term).join(' ')),
    ];
    const others = firm.filter((one) => !activities.includes(one));
    const elsewhere = others.filter((one) => !isThere(one));
    if (elsewhere.length < others.length)
      wider.push({ words: groupsOf(firm.filter((one) => !elsewhere.includes(one))), unmatched: without(elsewhere) });
    const unmatched = without(others);
    wider.push({ words: groupsOf(activities), unmatched }, { words: eitherOf(activities), unmatched });
  } else if (!isSentence(words)) {
    const fewer = withoutSome(firm, words, towns);
    wider.push(...fewer.map((one) => ({ ...one, unmatched: [...yielded, ...one.unmatched] })));
  }
  return wider;
}

/** Without `exercise`, where somebody says what they need and nothing that has it is called so. */
export function withoutGeneric(words: string, { gender, accessible }: Filters): WiderWords[] {
  const firm = queryTerms(words, activityList()).filter(({ optional, yields }) => !optional && !yields);
  const typed = firm.flatMap((term) => typedWords(words, term));
  const isMeant = (gender ?? accessible) !== undefined && typed.length > 0 && typed.every((word) => GENERIC.has(word));
  return isMeant ? [{ words: [], unmatched: typed, isLast: true }] : [];
}

function withoutOne(one: TermWithGroups, pairs: readonly TermWithGroups[], words: string): WiderWords {
  const others = pairs.filter((other) => other !== one).flatMap(({ groups }) => groups);
  return { words: others, unmatched: typedWords(words, one.term), isYielding: true };
}

/** The fewest letters of two words together, and the most pairs that are tried. */
const SHORTEST_JOINED = 6;
const MOST_JOINED = 4;

/** Each word with the next as one word of a name: `candlelight` of `candle light yoga`. */
function joinedWords(pairs: readonly TermWithGroups[], words: string): WiderWords[] {
  const typed = pairs.map(({ term }) => (term.phrase ? [] : typedWords(words, term)));
  const line = wordsIn(words);
  const found = pairs.flatMap((_, at): WiderWords[] => {
    const [[first = '', ...more] = [], [next = '', ...others] = []] = [typed[at], typed[at + 1]];
    const by = first + next;
    const isPair = more.length + others.length === 0 && line[line.indexOf(first) + 1] === next;
    if (!isPair || next === '' || by.length < SHORTEST_JOINED || isNumber(first) || isNumber(next)) return [];
    const rest = pairs.toSpliced(at, 2).flatMap(({ groups }) => groups);
    const group: TermGroup = { any: [[stem(by)]], within: 'names' };
    const joined = { word: `${first} ${next}`, by };
    return [{ words: [...rest, group], unmatched: [], isYielding: true, joined }];
  });
  return found.slice(0, MOST_JOINED);
}

/** Broader names for names that are no activities: swimming lessons, where nothing is called `learn to swim`. */
function broaderNames(pairs: readonly TermWithGroups[]): WiderWords[] {
  return pairs.flatMap(({ term: { concept, text = '', others } }, at): WiderWords[] => {
    const broader = concept === undefined ? others.find(({ weight }) => weight === WEIGHTS.broader) : undefined;
    if (broader?.label === undefined) return [];
    const groups: TermGroup[] = [{ any: [broader.terms], within: 'kind' }];
    const called = pairs.map((one, other) => (other === at ? groups : one.groups));
    return [{ words: called.flat(), unmatched: [], isYielding: true, joined: { word: text, by: broader.label } }];
  });
}

/**
 * Words without one word that is no activity, then their activities alone: `yoga` of `yoga newbie`. Where there is no
 * activity, at least two words are kept.
 */
function withoutSome(firm: readonly TermWithGroups[], words: string, towns: readonly string[]): WiderWords[] {
  const activities = firm.filter(({ term }) => isKind(term));
  const spare = firm.filter(({ term }) => !isKind(term) && !isNeeded(term, words, towns));
  const without = (left: readonly TermWithGroups[]): WiderWords => {
    const rest = firm.filter((one) => !left.includes(one)).flatMap(({ groups }) => groups);
    const unmatched = left.map(({ term }) => typedWords(words, term).join(' '));
    return { words: activities.length > 0 ? rest : inNames(rest), unmatched, isLast: true };
  };
  // A town alone is not what `ballroom Castle Weir` asks for.
  const isOfTown = ({ term }: TermWithGroups): boolean => typedWords(words, term).every((word) => towns.includes(word));
  const isLeft = (one: TermWithGroups): boolean => firm.some((other) => other !== one && !isOfTown(other));
  if (activities.length === 0) return firm.length > 2 ? spare.filter(isLeft).map((one) => without([one])) : [];
  const fewer = [...spare.map((one) => without([one])), ...(spare.length > 1 ? [without(spare)] : [])];
  if (spare.length === 0 || activities.length === 1) return fewer;
  // `yoga and meditation for stress` is one of them.
  const others = firm
    .filter((one) => !spare.includes(one) && !activities.includes(one))
    .flatMap(({ groups }) => groups);
  return [...fewer, { ...without(spare), words: [...others, ...eitherOf(activities)] }];
}

/** Whether a term says what is asked for: an activity, or a name that has other names, such as `lengths`. */
const isKind = ({ concept, text, others }: QueryTerm): boolean =>
  concept !== undefined || (text !== undefined && others.length > 0);

const inNames = (groups: readonly TermGroup[]): TermGroup[] => groups.map((group) => ({ within: 'names', ...group }));

/** Words that may be an unknown place. */
const SOMEWHERE = /\b(?:around|at|in|near) (.+)$/i;

/** Whether a term cannot be left out: it is in quotation marks, or says a need, a place, a number or a filter. */
function isNeeded(term: QueryTerm, words: string, towns: readonly string[]): boolean {
  const somewhere = [...towns, ...wordsIn(SOMEWHERE.exec(words)?.[1] ?? '')];
  const isOne = (word: string): boolean =>
    isNumber(word) || NUMBERS.has(word) || isNeed(word) || somewhere.includes(word) || saysFilter(word);
  return term.phrase === true || typedWords(words, term).some(isOne);
}

const saysFilter = (word: string): boolean => Object.keys(understand(word, { today: '1970-01-01' }).filters).length > 0;

/**
 * One group of several activities, which any of them fulfils. `creche` is wanted beside one, and `dance` of `dance salsa` is salsa.
 */
function eitherOf(activities: readonly TermWithGroups[]): TermGroup[] {
  const needs = activities.filter(({ term: { text = '' } }) => wordsIn(text).every(isNeed));
  const kinds = activities.filter((one) => !needs.includes(one));
  const broader = new Set(kinds.flatMap(({ term: { concept } }) => (concept === undefined ? [] : allBroader(concept))));
  const either = kinds.filter(({ term: { concept } }) => concept === undefined || !broader.has(concept));
  const wanted = needs.flatMap(({ groups }) => groups);
  const groups = either.flatMap((one) => one.groups);
  if (groups.length <= 1) return [...wanted, ...groups];
  const isKind = groups.every(({ within }) => within === 'kind');
  return [...wanted, { any: groups.flatMap(({ any }) => any), ...(isKind && { within: 'kind' as const }) }];
}
