import type { FoundPage } from '../../../library/index.ts';
import { applicableFilters, type FilterName, type Filters, TIME_FILTERS } from '../../../search/filters.ts';
import { withWord } from '../../../search/tokens.ts';
import { type Understood, type UnderstoodText, withoutPart } from '../../../search/words.ts';
import { wordsIn } from '../../../vocabulary/folding.ts';

/** Filters that are understood in the words of a search. Filters of the address have precedence. Pure. */

/** The words that were searched for: typing errors corrected, and without words that nothing has together with the others. */
export function searchedWords(
  understood: Pick<Understood, 'words'> | undefined,
  { replaced, unmatched = [] }: Pick<FoundPage<unknown>, 'replaced' | 'unmatched'>,
): string {
  const found = unmatched.flatMap(wordsIn).reduce((text, word) => withWord(text, word, ''), understood?.words ?? '');
  const meant = replaced.reduce((text, { word, by }) => withWord(text, word, by), found);
  return meant.replaceAll(/\s+/g, ' ').replaceAll(/^[\s,;/&]+|[\s,;/&]+$/g, '');
}

/**
 * A search at any time: the filters of the address and the words, without those of time. Undefined where the search
 * has none of time.
 *
 * @example atAnyTime({ q: 'yoga tomorrow' }, understood) // { q: 'yoga' }
 */
export function atAnyTime(named: Filters, understood: Understood | undefined): Filters | undefined {
  const isTime = (name: string): boolean => TIME_FILTERS.some((one) => one === name);
  const { q: _, ...others } = named;
  const kept = Object.fromEntries(Object.entries(others).filter(([name]) => !isTime(name))) as Filters;
  const parts = understood?.understood.filter(
    ({ filters }) => Object.keys(filters).length > 0 && Object.keys(filters).every(isTime),
  );
  const isTimed = Object.keys(kept).length < Object.keys(others).length || (parts?.length ?? 0) > 0;
  if (!isTimed) return undefined;
  const q = understood === undefined ? named.q : withoutParts(understood, parts ?? []);
  return { ...kept, ...(q !== undefined && q !== '' && { q }) };
}

/** The words without some parts of them. */
function withoutParts(understood: Understood, parts: readonly UnderstoodText[]): string {
  const fromBehind = parts.toSorted((a, b) => b.start - a.start);
  return fromBehind.reduce((query, part) => withoutPart({ ...understood, query }, part), understood.query);
}

/** Whether the words have "near me", and the address has no position. */
export function asksWhere(named: Filters, understood: Pick<Understood, 'filters'> | undefined): boolean {
  return named.near === undefined && understood?.filters.near === 'me';
}

/**
 * The filters that a form with `fields` shows, those of the words included. `q` keeps the other words: a filter that a field
 * shows is removed in that field.
 */
export function inForm(named: Filters, understood: Understood | undefined, fields: readonly FilterName[]): Filters {
  if (understood === undefined) return named;
  const isShown = (name: string): boolean => name !== 'within' && fields.includes(name as FilterName);
  const typed = Object.entries(applicableFilters(understood, named)).filter(([name]) => isShown(name));
  const { q: _, ...others } = named;
  const shown = understood.understood.filter(
    ({ filters }) => Object.keys(filters).length > 0 && Object.keys(filters).every(isShown),
  );
  const q = withoutParts(understood, shown);
  return { ...(Object.fromEntries(typed) as Filters), ...others, ...(q !== '' && { q }) };
}
