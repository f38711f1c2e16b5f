import type { CalendarName } from '../library.ts';
import { type ListOptions, nonDefaultOptions } from './list.ts';

/** The calendar names of lists and searches, with everything on which their content depends. */

export type MergedName = { token: string; options: ListOptions } | { query: string };

/** The options in `?name=`, `?prefix=place` and `?cancelled=0`; invalid values are left out. */
export function listOptions(params: URLSearchParams): ListOptions {
  const [name, prefix, cancelled] = ['name', 'prefix', 'cancelled'].map((option) => params.get(option));
  return nonDefaultOptions({ name, prefix, cancelled });
}

export function listName(token: string, options: ListOptions = {}): CalendarName {
  const query = optionsQuery(options);
  return `my/${token}${query === '' ? '' : `?${query}`}`;
}

/** The options as a query; empty: they are the defaults. */
function optionsQuery(options: ListOptions): string {
  const { cancelled, ...texts } = nonDefaultOptions(options);
  return new URLSearchParams({ ...texts, ...(cancelled === false && { cancelled: '0' }) }).toString();
}

/** `query`: as `queryOf` writes it. */
export function searchName(query: string): CalendarName {
  return `search?${query}`;
}

/** The parts of the name of a merged calendar; undefined: the name is of one series, place or facility. */
export function mergedName(name: CalendarName): MergedName | undefined {
  if (name.startsWith('search?')) return { query: name.slice('search?'.length) };
  if (!name.startsWith('my/')) return undefined;
  const [token = '', query = ''] = name.slice('my/'.length).split('?');
  return { token, options: listOptions(new URLSearchParams(query)) };
}

export function isMerged(name: CalendarName): boolean {
  return name.startsWith('my/') || name.startsWith('search?');
}
