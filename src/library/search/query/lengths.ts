import { ADULT, type Length } from '../../../search/values/context.ts';
import type { Understood } from '../../../search/words.ts';
import type { SearchQuery } from '../../../store/index.ts';

/** How long something is to last. It is asked for only where something that is on lasts as long. */

export interface AskedLength {
  length: Length;
  /** What says it, as it was typed. */
  text: string;
}

/** The first length that words ask for. Undefined: they ask for none. */
export function lengthIn(understood: Understood | undefined): AskedLength | undefined {
  const part = understood?.understood.find(({ lasts }) => lasts !== undefined);
  return part?.lasts && { length: part.lasts, text: part.text };
}

/** A query that names no age, for adults: a half hour for babies is no `half hour swim`. */
export function forAdults(query: SearchQuery): SearchQuery {
  return query.age === undefined ? { ...query, age: { min: ADULT } } : query;
}
