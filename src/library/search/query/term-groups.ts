import type { RecordKind } from '../../../opportunity/records.ts';
import { type QueryTerm, WEIGHTS } from '../../../search/terms.ts';
import type { Reader, TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import type { ReplacedWord } from '../types.ts';

/** Terms of a query as groups of terms that documents have. */

/** The groups of one term, with the word that was replaced for them. */
export interface MendedGroups {
  groups: TermGroup[];
  /** Whether something has the term as it was typed. */
  isFound?: true;
  replaced?: ReplacedWord;
  /** Whether the word was mistyped. */
  isSpelling?: true;
}

/** The context in which a term is looked up. */
export interface GroupsContext {
  read: Reader;
  kind: RecordKind;
  /** The words of the search that are no filters. */
  words: string;
  /** Whether anything has a group. */
  finds(group: TermGroup): Promise<boolean>;
}

/** Whether a word is digits alone. */
export const isNumber = (word: string): boolean => /^\d+$/.test(word);

/** Whether a term fits every facility or place: `hire` of `court hire`, `open` of `when is the pool open`. */
export const isOfVenues = ({ terms }: QueryTerm): boolean => terms.every((term) => OF_VENUES.has(term));
const OF_VENUES = new Set('hire open opens opening close closes closing hours times'.split(' ').map(stem));

/** The words from which a term was made. */
export function typedWords(words: string, { terms }: QueryTerm): string[] {
  return [...new Set(wordsIn(words))].filter((word) => terms.includes(stem(word)));
}

/** The group of a term: its words, other names, and narrower activities. */
export const groupOf = (term: QueryTerm): TermGroup => groupFrom(term, WEIGHTS.narrower);

/** The group of a term without narrower activities, whose names are common words of descriptions: house, modern and burn. */
export const ownGroupOf = (term: QueryTerm): TermGroup => groupFrom(term, WEIGHTS.label);

function groupFrom(term: QueryTerm, least: number): TermGroup {
  const others = term.others.filter(({ weight }) => weight >= least).map(({ terms }) => terms);
  return { any: [term.terms, ...others], ...(term.phrase && { phrase: true }) };
}
