import type { RecordKind } from '../../../opportunity/records.ts';
import { type QueryTerm, WEIGHTS } from '../../../search/terms.ts';
import type { Reader, TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import type { ReplacedWord } from '../types.ts';

/** A term of a query as groups of terms that documents have. */

export interface MendedGroups {
  groups: TermGroup[];
  /** Whether something has the words as they are. */
  isFound?: true;
  replaced?: ReplacedWord;
  /** Whether the word was mistyped. */
  isSpelling?: true;
}

/** What a term is looked up with. */
export interface GroupsContext {
  read: Reader;
  kind: RecordKind;
  /** All that was typed. */
  words: string;
  finds(group: TermGroup): Promise<boolean>;
}

/** Whether a word is digits alone. */
export const isNumber = (word: string): boolean => /^\d+$/.test(word);

/** `hire` of `court hire`, `open` of `when is the pool open`: what all facilities and places are. */
export const isOfVenues = ({ terms }: QueryTerm): boolean => terms.every((term) => OF_VENUES.has(term));
const OF_VENUES = new Set('hire open opens opening close closes closing hours times'.split(' ').map(stem));

/** The words that a term was made of. */
export function typedWords(words: string, { terms }: QueryTerm): string[] {
  return [...new Set(wordsIn(words))].filter((word) => terms.includes(stem(word)));
}

export const groupOf = (term: QueryTerm): TermGroup => groupFrom(term, WEIGHTS.narrower);

/** Without what is narrower, whose names are common words of descriptions: house, modern and burn. */
export const ownGroupOf = (term: QueryTerm): TermGroup => groupFrom(term, WEIGHTS.label);

function groupFrom(term: QueryTerm, least: number): TermGroup {
  const others = term.others.filter(({ weight }) => weight >= least).map(({ terms }) => terms);
  return { any: [term.terms, ...others], ...(term.phrase && { phrase: true }) };
}
