import { z } from 'zod';
import { queryOf, readFilters } from '../../search/query.ts';
import { isKey } from '../head.ts';
import type { Collection } from '../search/types.ts';

/** A series, place, facility or search that a person has chosen for a calendar. */

export type Thing =
  | { kind: Collection; key: string }
  /** `query`: filters as `queryOf` writes them. */
  | { kind: 'search'; query: string };

export interface ChosenList {
  things: readonly Thing[];
  /** The name of the calendar. */
  name?: string;
  /** The place stands before each title. */
  prefix?: 'place';
  /** Cancelled dates are left out; absent: they stay, shown as cancelled. */
  cancelled?: false;
}

/** The options of a list's calendar: how its things are shown. */
export type ListOptions = Pick<ChosenList, 'name' | 'prefix' | 'cancelled'>;

/** Options, as sent or stored, that differ from the defaults. */
export function nonDefaultOptions(options: { [option in keyof ListOptions]?: unknown }): ListOptions {
  const name = nameOfList(options.name);
  const prefix = options.prefix === 'place' && ({ prefix: 'place' } as const);
  const isWithout = options.cancelled === false || options.cancelled === '0';
  return { ...(name !== undefined && { name }), ...prefix, ...(isWithout && { cancelled: false }) };
}

/** Most things in one list: people choose ten, and programs can use several lists. */
export const MOST_THINGS = 100;
/** Most searches in one list, because each is computed again with the calendar. */
export const MOST_SEARCHES = 10;
/** Most characters of a list's name. */
export const MOST_NAME = 100;
/** Most characters of the query of one search. */
const MOST_QUERY = 1000;

const TEXT_OF: Record<Collection, string> = { series: 'series', places: 'places', facilities: 'facilities' };

/** `series/abc`, `places/abc`, `facilities/abc`, `search?day=tue`: as pages and JSON name a thing. */
export function thingText(thing: Thing): string {
  return thing.kind === 'search' ? `search?${thing.query}` : `${thing.kind}/${thing.key}`;
}

/** The thing of a text; undefined: the text names no thing. */
export function thingOf(text: string): Thing | undefined {
  if (text.startsWith('search?')) return searchThing(text.slice('search?'.length));
  const [kind = '', key = '', ...rest] = text.split('/');
  if (rest.length > 0 || !Object.hasOwn(TEXT_OF, kind) || !isKey(key)) return undefined;
  return { kind: kind as Collection, key };
}

/** A search as a thing; undefined: the query has no filter, or one that cannot be read. */
function searchThing(text: string): Thing | undefined {
  if (text.length > MOST_QUERY || !text.isWellFormed()) return undefined;
  const { filters, problems } = readFilters(new URLSearchParams(text));
  const query = problems.length > 0 ? '' : queryOf(filters);
  return query === '' || query.length > MOST_QUERY ? undefined : { kind: 'search', query };
}

/** Each thing once, in the order given. */
export function distinct(things: readonly Thing[]): Thing[] {
  return [...new Map(things.map((thing) => [thingText(thing), thing])).values()];
}

const nameText = z
  .string()
  .transform((text) =>
    text
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed(),
  )
  .pipe(z.string().max(MOST_NAME));

/** Whether a text is a valid name of a list; a blank one is, and means no name. */
export function isListName(text: string): boolean {
  return nameText.safeParse(text).success;
}

/** The name of a list; undefined: it is empty, too long, or no text. */
export function nameOfList(text: unknown): string | undefined {
  const { success, data } = nameText.safeParse(text);
  return success && data !== '' ? data : undefined;
}

/** The things that fit into one list, in the order given. */
export function fitting(things: readonly Thing[]): Thing[] {
  let searches = 0;
  const some = distinct(things).filter(({ kind }) => kind !== 'search' || ++searches <= MOST_SEARCHES);
  return some.slice(0, MOST_THINGS);
}

export function searchesIn(things: readonly Thing[]): number {
  return things.filter(({ kind }) => kind === 'search').length;
}

/** Things from their texts; undefined: there are too many, or one that cannot be read. */
export function thingsIn(texts: readonly string[]): Thing[] | undefined {
  if (texts.length > MOST_THINGS) return undefined;
  const things = texts.flatMap((text) => thingOf(text) ?? []);
  return things.length < texts.length ? undefined : distinct(things);
}
