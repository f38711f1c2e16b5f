import type { RecordKind } from '../../../opportunity/records.ts';
import { type QueryTerm, queryTerms, WEIGHTS } from '../../../search/terms.ts';
import type { SearchReader, TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import type { ReplacedWord } from '../types.ts';

/** Words, as groups of terms that documents have. */
export interface WordGroups {
  /** All of them are wanted. */
  wanted: TermGroup[];
  /** Documents with these come before others. */
  better: TermGroup[];
  replaced: ReplacedWord[];
}

/** Fewer letters begin too many words. */
const SHORTEST_BEGINNING = 3;
const SHORTEST_TYPO = 4;

/**
 * `isFiltered`: something else is asked for too. A word that nothing has may be the beginning of one, a typing error, or an activity with something broader: the first of
 * these that finds something is searched for.
 */
export async function wordGroups(
  read: SearchReader,
  kind: RecordKind,
  words: string,
  isFiltered: boolean,
): Promise<WordGroups> {
  const terms = queryTerms(words, activityList());
  // `classes` alone is all there is to search for.
  const isEnough = isFiltered || terms.some((term) => !term.optional);
  const isWeak = ({ optional }: QueryTerm): boolean => isEnough && optional === true;
  const finds: Finds = async (group) => (await read.countFound({ kind, words: [group] }, 1)) > 0;
  const strong = terms.filter((term) => !isWeak(term));
  const found = await Promise.all(strong.map((term) => foundFor(words, term, finds, read)));
  const wanted = found.flatMap(({ groups }) => groups);
  const replaced = found.flatMap(({ replaced: one }) => one ?? []);
  return { wanted, better: terms.filter(isWeak).map(groupOf), replaced };
}

async function foundFor(words: string, term: QueryTerm, finds: Finds, read: SearchReader): Promise<Found> {
  const group = groupOf(term);
  const kind: TermGroup = { ...group, within: 'kind' };
  // `gym` is no swimming at Pools & Gym, and `yoga` none that needs no yoga mat.
  if (term.concept !== undefined && (await finds(kind))) return { groups: [kind] };
  if (await finds(group)) return { groups: [group] };
  return (await instead(read, words, term, finds)) ?? { groups: [group] };
}

type Finds = (group: TermGroup) => Promise<boolean>;

/** Spellings of a word that documents or the vocabulary have. */
export async function spellingsOf(read: SearchReader, word: string): Promise<string[]> {
  if (word.length < SHORTEST_TYPO) return [];
  const concept = activityList().nearest(word);
  return [...new Set([...(await read.wordsLike(word)), ...(concept ? [concept.prefLabel.toLowerCase()] : [])])];
}

interface Found {
  groups: TermGroup[];
  replaced?: ReplacedWord;
}

async function instead(read: SearchReader, words: string, term: QueryTerm, finds: Finds): Promise<Found | undefined> {
  const group = groupOf(term);
  if (term.phrase) return undefined;
  if (term.concept === undefined) {
    const beginning = { ...group, prefix: true };
    if ((term.terms.at(-1)?.length ?? 0) >= SHORTEST_BEGINNING && (await finds(beginning)))
      return { groups: [beginning] };
    for (const word of typedWords(words, term)) {
      for (const by of await spellingsOf(read, word)) {
        const groups = queryTerms(by, activityList()).map(groupOf);
        const isFound = (await Promise.all(groups.map(finds))).every(Boolean);
        if (groups.length > 0 && isFound) return { groups, replaced: { word, by } };
      }
    }
  }
  const broader = { any: alternatives(term, ({ weight }) => weight === WEIGHTS.broader) };
  return broader.any.length > 0 && (await finds(broader)) ? { groups: [broader] } : undefined;
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
