import type { RecordKind } from '../../../opportunity/records.ts';
import { isCommonWord } from '../../../search/mistyped.ts';
import { isNeed } from '../../../search/synonyms.ts';
import { isAnything, type QueryTerm, queryTerms, WEIGHTS } from '../../../search/terms.ts';
import { withWord } from '../../../search/tokens.ts';
import { type Understood, understand } from '../../../search/words.ts';
import type { Reader, TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { allNarrower } from '../../../vocabulary/vocabulary.ts';
import type { ReplacedWord } from '../types.ts';
import { hasOne, isFound } from './matching.ts';
import { townsIn } from './places.ts';
import { likeWords } from './spellings.ts';
import { type GroupsContext, groupOf, isNumber, isOfVenues, type MendedGroups, ownGroupOf } from './term-groups.ts';
import { type WiderWords, widerWords } from './wider-words.ts';

/** Words as groups of terms that documents have. */

/** The groups of some words. */
export interface WordGroups {
  /** Groups that a document must have, all of them. */
  wanted: TermGroup[];
  /** Groups that only rank: documents with them come first. */
  better: TermGroup[];
  replaced: ReplacedWord[];
  /** Wider words for where nothing has all groups, in their order: `baby yoga` of `mum and baby yoga`. */
  instead: readonly WiderWords[];
  /** Towns in the data that are among several words, as keys. */
  towns: readonly string[];
}

/**
 * The groups of some words. `isFiltered`: whether the search has other filters. A word that nothing has may be the beginning of
 * another, a typing error, or an activity with a broader one. The first of these that finds something is searched for.
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
    isFiltered || terms.every(isAnything) || terms.some((term) => !term.optional && !isNumber(term.terms.join('')));
  const isWeak = ({ optional }: QueryTerm): boolean => isEnough && optional === true;
  const finds = (group: TermGroup): Promise<boolean> => isFound(read, { kind, words: [group] });
  const strong = terms.filter((term) => !isWeak(term) && !(isOfVenues(term) && kind !== 'series'));
  const mended = await Promise.all(strong.map((term) => foundFor(term, { read, kind, words, finds })));
  const found = withCommonWords(mended, strong, isFiltered);
  const wanted = found.flatMap(({ groups }) => groups);
  const replaced = found.flatMap(({ replaced: one }) => one ?? []);
  const better = terms.filter(isWeak).map(groupOf);
  const pairs = strong.map((term, at) => ({ term, groups: found[at]?.groups ?? [] }));
  // Of words that say little, the first that is found is enough: `coaching course`.
  const towns = pairs.length > 1 ? [...(await townsIn(read, words))] : [];
  const wider = isEnough
    ? widerWords(pairs, words, isFiltered, towns.flatMap(wordsIn))
    : [{ words: wanted.slice(0, 1), unmatched: [] }];
  const isWider = ({ words: one, joined }: WiderWords): boolean =>
    (isFiltered || one.length > 0) && (joined !== undefined || one.length < wanted.length);
  const groups = { wanted, better, replaced, instead: wider.filter(isWider), towns };
  return { mended: mendedWords(words, found), groups };
}

/** Groups in which a common word counts as mistyped only if nothing else is found: `late pilates` means no lane. */
function withCommonWords(found: MendedGroups[], terms: readonly QueryTerm[], isFiltered: boolean): MendedGroups[] {
  const isElse = (at: number): boolean => isFiltered || found.some(({ isFound }, one) => isFound && one !== at);
  return found.map((one, at) =>
    one.isSpelling && isCommonWord(one.replaced?.word ?? '') && isElse(at)
      ? { groups: [groupOf(terms[at] as QueryTerm)] }
      : one,
  );
}

/**
 * All words as they were typed, where documents may have others, or filters have them. A list of `group cycling` begins with
 * it, and not with spinning. Empty: they are the words that are searched for.
 */
export function asTyped(understood: Understood | undefined): TermGroup[] {
  if (understood === undefined) return [];
  const terms = queryTerms(understood.query, activityList());
  if (understood.understood.length === 0 && terms.every(({ others }) => others.length === 0)) return [];
  return terms.map(({ terms: own, concept, others }) => {
    const same = concept === undefined ? others.filter(({ weight }) => weight === WEIGHTS.label) : [];
    return { any: [own, ...same.map((one) => one.terms)], within: 'kind' };
  });
}

/** Words with the mistyped ones corrected. */
function mendedWords(words: string, found: readonly MendedGroups[]): string {
  const mistyped = found.flatMap(({ replaced, isSpelling }) => (isSpelling ? (replaced ?? []) : []));
  return mistyped.reduce((text, { word, by }) => withWord(text, word, by), words);
}

async function foundFor(term: QueryTerm, asked: GroupsContext): Promise<MendedGroups> {
  const { read, kind: of, finds } = asked;
  const narrows = (narrow: TermGroup): Promise<boolean> => hasOne(read, { kind: of, words: [narrow] });
  const group = groupOf(term);
  const kind: TermGroup = { ...group, within: 'kind' };
  const strict: TermGroup = { ...kind, not: term.not ?? [] };
  if (term.not !== undefined && (await narrows(strict))) return { groups: [strict], isFound: true };
  // `gym` is no swimming at Pools & Gym, and `yoga` none that needs no yoga mat.
  if (term.concept !== undefined && (await narrows(kind))) return { groups: [kind], isFound: true };
  // `yoga` and `baby` of one description name no baby yoga.
  const whole: TermGroup = term.concept === undefined ? group : { ...ownGroupOf(term), phrase: true };
  if (await finds(whole)) return { groups: [whole], isFound: true };
  return (await instead(term, asked)) ?? { groups: [group] };
}

interface AskedWords {
  read: Reader;
  kind: RecordKind;
  /** The words of the search that are no filters. */
  words: string;
  isFiltered: boolean;
}

async function instead(term: QueryTerm, asked: GroupsContext): Promise<MendedGroups | undefined> {
  if (term.phrase) return undefined;
  // A name that is known is not mistyped.
  return (term.text === undefined ? await likeWords(term, asked) : undefined) ?? broaderThan(term, asked);
}

/**
 * The nearest broader activity that is found, with the words that it drops, if something has both: `chair` of `chair yoga`.
 */
async function broaderThan(
  { text = '', others }: QueryTerm,
  { read, kind, finds }: GroupsContext,
): Promise<MendedGroups | undefined> {
  for (const { terms, weight, label } of others) {
    if (weight !== WEIGHTS.broader || label === undefined) continue;
    // Walking is broader than Nordic walking, and walking football is none.
    const not = queryTerms(label, activityList()).flatMap((meant) => meant.not ?? []);
    const group: TermGroup = { any: [terms], within: 'kind', ...(not.length > 0 && { not }) };
    if (!(await finds(group))) continue;
    const by = label.toLowerCase();
    const dropped = queryTerms(droppedWords(text, label), activityList()).filter(({ optional }) => !optional);
    // The street of a hall is no street dance.
    const groups = [group, ...dropped.map((one): TermGroup => ({ ...groupOf(one), within: 'kind' }))];
    if (dropped.length > 0 && (await isFound(read, { kind, words: groups })))
      return {
        groups,
        replaced: { word: text, by: `${dropped.map(({ text: one, terms: [term] }) => one ?? term).join(' ')} ${by}` },
      };
    if (!isTooBroad(label) && !dropsNeed(text, label)) return { groups: [group], replaced: { word: text, by } };
  }
  return undefined;
}

/** The most narrower activities of one that may replace a narrower one; Dance has 90, and Group Exercise 297. */
const MOST_NARROWER = 150;

/** Whether an activity is so broad that it says nothing of a narrower one: kettlebells are no meditation. */
function isTooBroad(label: string): boolean {
  const concept = activityList().byLabel(label);
  return concept !== undefined && allNarrower(concept).length > MOST_NARROWER;
}

/** Whether a broader activity drops a need: tennis without `wheelchair`, or yoga without `baby`, helps nobody who needs it. */
function dropsNeed(text: string, label: string): boolean {
  const dropped = droppedWords(text, label);
  return wordsIn(dropped).some(isNeed) || understand(dropped, { today: '1970-01-01' }).filters.accessible !== undefined;
}

/** The words of a text that a label does not have. */
function droppedWords(text: string, label: string): string {
  const kept = new Set(wordsIn(label).map(stem));
  return wordsIn(text)
    .filter((word) => !kept.has(stem(word)))
    .join(' ');
}
