import type { CalendarName } from '../library.ts';
import { type ChosenList, nameOfList } from './list.ts';

/** The names under which calendars of lists and searches are kept: what follows decides what they say. */

/** How the calendar of a list is to be, besides what it holds. */
export type ListOptions = Pick<ChosenList, 'name' | 'prefix' | 'cancelled'>;

export type MergedName = { token: string; options: ListOptions } | { query: string };

/** `?name=`, `?prefix=place` and `?cancelled=0`; what they cannot be is left out. */
export function listOptions(params: URLSearchParams): ListOptions {
  const name = nameOfList(params.get('name') ?? '');
  return {
    ...(name !== undefined && { name }),
    ...(params.get('prefix') === 'place' && { prefix: 'place' }),
    ...(params.get('cancelled') === '0' && { cancelled: false }),
  };
}

export function listName(token: string, options: ListOptions = {}): CalendarName {
  const query = optionsQuery(options);
  return `my/${token}${query === '' ? '' : `?${query}`}`;
}

/** The query of the address of such a list; empty: it is as lists are. */
function optionsQuery({ name, prefix, cancelled }: ListOptions): string {
  const options = { ...(name && { name }), ...(prefix && { prefix }), ...(cancelled === false && { cancelled: '0' }) };
  return new URLSearchParams(options).toString();
}

/** `query`: as `queryOf` writes it. */
export function searchName(query: string): CalendarName {
  return `search?${query}`;
}

/** Undefined: it is of one series, place or facility. */
export function mergedName(name: CalendarName): MergedName | undefined {
  if (name.startsWith('search?')) return { query: name.slice('search?'.length) };
  if (!name.startsWith('my/')) return undefined;
  const [token = '', query = ''] = name.slice('my/'.length).split('?');
  return { token, options: listOptions(new URLSearchParams(query)) };
}

export function isMerged(name: CalendarName): boolean {
  return name.startsWith('my/') || name.startsWith('search?');
}
