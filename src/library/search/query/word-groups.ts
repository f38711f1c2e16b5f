import { isTypingError } from '../../../nearest.ts';
import type { RecordKind } from '../../../opportunity/records.ts';
import { isSentence } from '../../../search/subject.ts';
import { isNeed } from '../../../search/synonyms.ts';
import { fillerLike, isAnything, type QueryTerm, queryTerms, WEIGHTS } from '../../../search/terms.ts';
import { withWord } from '../../../search/tokens.ts';
import { NUMBERS } from '../../../search/values/context.ts';
import { understand } from '../../../search/words.ts';
import type { Reader, SearchReader, TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { labelsOf } from '../../../vocabulary/vocabulary.ts';
import type { ReplacedWord, UnderstoodQuery } from '../types.ts';
import { hasOne, isFound } from './matching.ts';
import { townsIn } from './places.ts';

/** Words, as groups of terms that documents have. */
export interface WordGroups {
  /** All of them are wanted. */
  wanted: TermGroup[];
  /** Documents with these come before others. */
  better: TermGroup[];
  replaced: ReplacedWord[];
  /** What is wanted where nothing has them all, the most first: `baby yoga` of `mum and baby yoga`. */
  instead: readonly WiderWords[];
}

interface TermWithGroups {
  term: QueryTerm;
  groups: TermGroup[];
}

interface WiderWords {
  words: TermGroup[];
  /** Words that are not asked for, as they were typed. */
  unmatched: string[];
  /** Only where nothing has the words, whenever it is on. */
  isLast?: true;
}

/** Fewer letters begin too many words. */
const SHORTEST_BEGINNING = 3;
const SHORTEST_TYPO = 4;
/** A word of four letters, one of which is missing: nothing else is forgiven in so few. */
const SHORTENED = /^\p{L}{3}$/u;
const NUMBER = /^\d+$/;

/**
 * Groups of some words. `isFiltered`: something else is asked for too. A word that nothing has may be the beginning of one, a typing
 * error, or an activity with something broader. The first of these that finds something is searched for.
 */
export async function wordGroups(
  read: Reader,
  kind: RecordKind,
  words: string,
  isFiltered: boolean,
): Promise<WordGroups> {
  const asked = { read, kind, words, isFiltered };
  const { mended, groups } = await groupsFor(asked);
  if (mended === words) return groups;
  // `table` of `tabel tennis` is no word of its own.
  const { groups: meant } = await groupsFor({ ...asked, words: mended });
  const typed = (word: string): string => groups.replaced.find(({ by }) => by === word)?.word ?? word;
  const wider = meant.instead.map((one) => ({ ...one, unmatched: one.unmatched.map(typed) }));
  return { ...meant, replaced: [...groups.replaced, ...meant.replaced], instead: wider };
}

/** `mended`: the words without typing errors. */
async function groupsFor({
  read,
  kind,
  words,
  isFiltered,
}: AskedWords): Promise<{ mended: string; groups: WordGroups }> {
  const terms = queryTerms(words, activityList());
  // `training` alone is all there is to search for, and `classes` are whatever is on.
  // A number says nothing without what it counts: `level 1`.
  const isEnough =
    isFiltered || terms.every(isAnything) || terms.some((term) => !term.optional && !NUMBER.test(term.terms.join('')));
  const isWeak = ({ optional }: QueryTerm): boolean => isEnough && optional === true;
  const finds: Finds = (group) => isFound(read, { kind, words: [group] });
  const strong = terms.filter((term) => !isWeak(term) && !(isOfVenues(term) && kind !== 'series'));
  const found = await Promise.all(strong.map((term) => foundFor(term, { read, kind, words, finds })));
  const wanted = found.flatMap(({ groups }) => groups);
  const replaced = found.flatMap(({ replaced: one }) => one ?? []);
  const better = terms.filter(isWeak).map(groupOf);
  const pairs = strong.map((term, at) => ({ term, groups: found[at]?.groups ?? [] }));
  // Of words that say little, the first that is found is enough: `coaching course`.
  const towns = pairs.length > 1 ? [...(await townsIn(read, words))].flatMap(wordsIn) : [];
  const wider = isEnough ? widerWords(pairs, words, isFiltered, towns) : [{ words: wanted.slice(0, 1), unmatched: [] }];
  const isWider = ({ words: one }: WiderWords): boolean => (isFiltered || one.length > 0) && one.length < wanted.length;
  return { mended: mendedWords(words, found), groups: { wanted, better, replaced, instead: wider.filter(isWider) } };
}

/** Without the words that yield; then any one of several activities; of a sentence the activities alone. */
function widerWords(
  pairs: readonly TermWithGroups[],
  words: string,
  isFiltered: boolean,
  towns: readonly string[],
): WiderWords[] {
  const firm = pairs.filter(({ term }) => !term.yields);
  const activities = firm.filter(({ term }) => term.concept !== undefined);
  const groupsOf = (of: typeof pairs): TermGroup[] => of.flatMap(({ groups }) => groups);
  const wider: WiderWords[] = [{ words: groupsOf(firm), unmatched: [] }];
  if (activities.length === firm.length) wider.push({ words: eitherOf(groupsOf(activities)), unmatched: [] });
  else if (isSentence(words) && (activities.length > 0 || isFiltered)) {
    const unmatched = firm
      .filter((one) => !activities.includes(one))
      .map(({ term }) => typedWords(words, term).join(' '));
    wider.push({ words: groupsOf(activities), unmatched }, { words: eitherOf(groupsOf(activities)), unmatched });
  } else if (!isSentence(words)) wider.push(...withoutSome(firm, words, towns));
  return wider;
}

/** Without a word of a name, then with its activities alone: `newbie` of `yoga newbie`. Beside no activity two words are left. */
function withoutSome(firm: readonly TermWithGroups[], words: string, towns: readonly string[]): WiderWords[] {
  const activities = firm.filter(({ term }) => term.concept !== undefined);
  const spare = firm.filter(({ term }) => term.concept === undefined && !isNeeded(term, words, towns));
  const without = (left: readonly TermWithGroups[]): WiderWords => {
    const rest = firm.filter((one) => !left.includes(one)).flatMap(({ groups }) => groups);
    const unmatched = left.map(({ term }) => typedWords(words, term).join(' '));
    return { words: activities.length > 0 ? rest : inNames(rest), unmatched, isLast: true };
  };
  if (activities.length === 0) return firm.length > 2 ? spare.map((one) => without([one])) : [];
  return [...spare.map((one) => without([one])), ...(spare.length > 1 ? [without(spare)] : [])];
}

const inNames = (groups: readonly TermGroup[]): TermGroup[] => groups.map((group) => ({ within: 'names', ...group }));

/** What may be a place that nobody knows. */
const SOMEWHERE = /\b(?:around|at|in|near) (.+)$/i;

/** Whether it says what somebody needs, where, or how much there is of something, or stands in quotation marks. */
function isNeeded(term: QueryTerm, words: string, towns: readonly string[]): boolean {
  const somewhere = [...towns, ...wordsIn(SOMEWHERE.exec(words)?.[1] ?? '')];
  const isOne = (word: string): boolean =>
    NUMBER.test(word) || NUMBERS.has(word) || isNeed(word) || somewhere.includes(word) || saysFilter(word);
  return term.phrase === true || typedWords(words, term).some(isOne);
}

const saysFilter = (word: string): boolean => Object.keys(understand(word, { today: '1970-01-01' }).filters).length > 0;

/** One group of several, which any of them fulfils. */
function eitherOf(groups: readonly TermGroup[]): TermGroup[] {
  const [first] = groups;
  if (first === undefined || groups.length === 1) return [...groups];
  const isKind = groups.every(({ within }) => within === 'kind');
  return [{ any: groups.flatMap(({ any }) => any), ...(isKind && { within: 'kind' as const }) }];
}

/** `hire` of `court hire`, `open` of `when is the pool open`: what all facilities and places are. */
const isOfVenues = ({ terms }: QueryTerm): boolean => terms.every((term) => OF_VENUES.has(term));
const OF_VENUES = new Set('hire open opens opening close closes closing hours times'.split(' ').map(stem));

/**
 * All words as they were typed, where documents may have others, or filters have them. A list of `group cycling` begins with
 * it, and not with spinning. Empty: they are the words that are searched for.
 */
export function asTyped(understood: UnderstoodQuery | undefined): TermGroup[] {
  if (understood === undefined) return [];
  const terms = queryTerms(understood.query, activityList());
  if (understood.understood.length === 0 && terms.every(({ others }) => others.length === 0)) return [];
  return terms.map(({ terms: own, concept, others }) => {
    const same = concept === undefined ? others.filter(({ weight }) => weight === WEIGHTS.label) : [];
    return { any: [own, ...same.map((one) => one.terms)], within: 'kind' };
  });
}

/** With the words that were meant for those that were mistyped. */
function mendedWords(words: string, found: readonly MendedGroups[]): string {
  const mistyped = found.flatMap(({ replaced, isSpelling }) => (isSpelling ? (replaced ?? []) : []));
  return mistyped.reduce((text, { word, by }) => withWord(text, word, by), words);
}

async function foundFor(term: QueryTerm, asked: GroupsContext): Promise<MendedGroups> {
  const { read, kind: of, finds } = asked;
  const narrows: Finds = (narrow) => hasOne(read, { kind: of, words: [narrow] });
  const group = groupOf(term);
  const kind: TermGroup = { ...group, within: 'kind' };
  const strict: TermGroup = { ...kind, not: term.not ?? [] };
  if (term.not !== undefined && (await narrows(strict))) return { groups: [strict] };
  // `gym` is no swimming at Pools & Gym, and `yoga` none that needs no yoga mat.
  if (term.concept !== undefined && (await narrows(kind))) return { groups: [kind] };
  // `yoga` and `baby` of one description name no baby yoga.
  const whole: TermGroup = term.concept === undefined ? group : { ...group, phrase: true };
  if (await finds(whole)) return { groups: [whole] };
  return (await instead(term, asked)) ?? { groups: [group] };
}

type Finds = (group: TermGroup) => Promise<boolean>;

/** Records of a name that are enough for it to be usual. */
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
 * The activity whose name was mistyped. More than one error is forgiven in one word alone, behind its first letter: `newborn` is
 * no new body.
 */
function labelLike(word: string): string | undefined {
  const label = activityList().nearest(word)?.prefLabel.toLowerCase();
  const names = label === undefined ? [] : wordsIn(label);
  const joined = names.join('');
  const isMeant = joined === word || isTypingError(word, joined) || (names.length === 1 && joined[0] === word[0]);
  return isMeant ? label : undefined;
}

interface MendedGroups {
  groups: TermGroup[];
  replaced?: ReplacedWord;
  /** Whether the word was mistyped. */
  isSpelling?: true;
}

interface AskedWords {
  read: Reader;
  kind: RecordKind;
  /** All that was typed. */
  words: string;
  isFiltered: boolean;
}

interface GroupsContext extends Omit<AskedWords, 'isFiltered'> {
  finds: Finds;
}

async function instead(term: QueryTerm, asked: GroupsContext): Promise<MendedGroups | undefined> {
  if (term.phrase) return undefined;
  // A name that is known is not mistyped.
  return (term.text === undefined ? await likeWords(term, asked) : undefined) ?? broaderThan(term, asked);
}

async function likeWords(
  term: QueryTerm,
  { read, kind, words, finds }: GroupsContext,
): Promise<MendedGroups | undefined> {
  for (const word of typedWords(words, term)) {
    const by = fillerLike(word) ?? besideKnown(words, word);
    if (by !== undefined) return { groups: [], replaced: { word, by }, isSpelling: true };
  }
  const beginning = { ...groupOf(term), prefix: true };
  const last = term.terms.at(-1) ?? '';
  if (last.length >= SHORTEST_BEGINNING && !NUMBER.test(last) && (await finds(beginning)))
    return { groups: [beginning] };
  for (const word of typedWords(words, term)) {
    for (const by of await spellingsOf(read, kind, word)) {
      const groups = queryTerms(by, activityList()).map(groupOf);
      const isFound = (await Promise.all(groups.map(finds))).every(Boolean);
      if (groups.length > 0 && isFound) return { groups, replaced: { word, by }, isSpelling: true };
    }
  }
  return undefined;
}

/** `football` of `walking footbal`: the word that makes an activity's name of it and the one beside it. */
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

/** The nearest broader activity that is found, with the words that it drops where something has them: `chair` of `chair yoga`. */
async function broaderThan(
  { text = '', others }: QueryTerm,
  { read, kind, finds }: GroupsContext,
): Promise<MendedGroups | undefined> {
  for (const { terms, weight, label } of others) {
    if (weight !== WEIGHTS.broader || label === undefined || dropsNeed(text, label)) continue;
    // Walking is broader than Nordic walking, and walking football is none.
    const not = queryTerms(label, activityList()).flatMap((meant) => meant.not ?? []);
    const group: TermGroup = { any: [terms], within: 'kind', ...(not.length > 0 && { not }) };
    if (!(await finds(group))) continue;
    const by = label.toLowerCase();
    const dropped = queryTerms(droppedWords(text, label), activityList()).filter(({ optional }) => !optional);
    const groups = [group, ...dropped.map(groupOf)];
    if (dropped.length > 0 && (await isFound(read, { kind, words: groups })))
      return {
        groups,
        replaced: { word: text, by: `${dropped.map(({ text: one, terms: [term] }) => one ?? term).join(' ')} ${by}` },
      };
    return { groups: [group], replaced: { word: text, by } };
  }
  return undefined;
}

/** Whether `wheelchair` of `wheelchair tennis` would be lost: whoever needs access is not helped by what is without. */
function dropsNeed(text: string, label: string): boolean {
  return understand(droppedWords(text, label), { today: '1970-01-01' }).filters.accessible !== undefined;
}

/** The words of a text that a label has not. */
function droppedWords(text: string, label: string): string {
  const kept = new Set(wordsIn(label).map(stem));
  return wordsIn(text)
    .filter((word) => !kept.has(stem(word)))
    .join(' ');
}

/** The words that a term was made of. */
function typedWords(words: string, { terms }: QueryTerm): string[] {
  return [...new Set(wordsIn(words))].filter((word) => terms.includes(stem(word)));
}

function groupOf(term: QueryTerm): TermGroup {
  const narrower = alternatives(term, ({ weight }) => weight !== WEIGHTS.broader);
  return { any: [term.terms, ...narrower], ...(term.phrase && { phrase: true }) };
}

function alternatives({ others }: QueryTerm, isWanted: (other: QueryTerm['others'][number]) => boolean) {
  return others.filter(isWanted).map(({ terms }) => terms);
}
