import type { UnderstoodQuery } from '../../../library/index.ts';
import type { FilterName, Filters } from '../../../search/filters.ts';
import { type UnderstoodText, withoutPart } from '../../../search/words.ts';

/** What words say beside the filters of an address, which go before them. Pure. */

/** The filters of a part of the words that hold: none that the address names, and no `near` without a place. */
export function heldOf({ filters }: Pick<UnderstoodText, 'filters'>, named: Filters): Filters {
  const hasNoPlace = named.near !== undefined || filters.near === 'me';
  const held = Object.entries(filters).filter(
    ([name]) => named[name as FilterName] === undefined && !(hasNoPlace && (name === 'near' || name === 'within')),
  );
  return Object.fromEntries(held) as Filters;
}

/** Whether words ask for what is near a person of whom nobody knows where they are. */
export function asksWhere(named: Filters, understood: Pick<UnderstoodQuery, 'filters'> | undefined): boolean {
  return named.near === undefined && understood?.filters.near === 'me';
}

/**
 * The filters of a form that shows `fields`, those that words say too. Words that only say what the form shows are left
 * out of its `q`: there it can be taken off.
 */
export function inForm(
  named: Filters,
  understood: UnderstoodQuery | undefined,
  fields: readonly FilterName[],
): Filters {
  if (understood === undefined) return named;
  const isShown = (name: string): boolean => name !== 'within' && fields.includes(name as FilterName);
  const typed = Object.entries(heldOf(understood, named)).filter(([name]) => isShown(name));
  const { q: _, ...others } = named;
  const q = understood.understood
    .filter(({ filters }) => Object.keys(filters).length > 0 && Object.keys(filters).every(isShown))
    .sort((a, b) => b.start - a.start)
    .reduce((query, part) => withoutPart({ ...understood, query }, part), understood.query);
  return { ...(Object.fromEntries(typed) as Filters), ...others, ...(q !== '' && { q }) };
}
