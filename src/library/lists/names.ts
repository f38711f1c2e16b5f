import type { CalendarName } from '../library.ts';
import { type ListOptions, nonDefaultOptions } from './list.ts';

/** The names under which calendars of lists and searches are kept: what follows decides what they say. */

export type MergedName = { token: string; options: ListOptions } | { query: string };

/** `?name=`, `?prefix=place` and `?cancelled=0`; what they cannot be is left out. */
export function listOptions(params: URLSearchParams): ListOptions {
  const [name, prefix, cancelled] = ['name', 'prefix', 'cancelled'].map((option) => params.get(option));
  return nonDefaultOptions({ name, prefix, cancelled });
}

export function listName(token: string, options: ListOptions = {}): CalendarName {
  const query = optionsQuery(options);
  return `my/${token}${query === '' ? '' : `?${query}`}`;
}

/** The query of the address of such a list; empty: it is as lists are. */
function optionsQuery(options: ListOptions): string {
  const { cancelled, ...texts } = nonDefaultOptions(options);
  return new URLSearchParams({ ...texts, ...(cancelled === false && { cancelled: '0' }) }).toString();
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
