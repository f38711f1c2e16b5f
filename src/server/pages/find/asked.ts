import { nearest } from '../../../nearest.ts';
import type { FilterName, Filters } from '../../../search/filters.ts';
import { type FilterProblem, queryOf, readFilters, writable } from '../../../search/query.ts';

/** The query of an address of results, and the addresses of other results. Pure. */

const KINDS = ['sessions', 'places', 'facilities'] as const;
type ResultKind = (typeof KINDS)[number];

const VIEWS = ['list', 'week'] as const;

/** A page of results, as its address asks for it. */
export interface FindQuery {
  filters: Filters;
  kind: ResultKind;
  view: (typeof VIEWS)[number];
  /** The cursor of the next rows of a long day, or of places and facilities. */
  more?: string;
  problems: readonly FilterProblem[];
  /** `near` as it was typed. */
  nearText?: string;
}

/** Parameters besides the filters; `subscribe` opens the Subscribe sheet, `list` is a list that links carry. */
const OTHERS = ['kind', 'view', 'more', 'subscribe', 'list'];
/** The most characters of a wrong value that a page repeats. */
const MOST_SHOWN = 100;

/**
 * The query of `/search`. Unreadable parameters are its `problems`.
 *
 * @example readFindQuery(new URLSearchParams('q=yoga&day=mon')).filters // { q: 'yoga', day: [0] }
 */
export function readFindQuery(params: URLSearchParams): FindQuery {
  const { filters, problems } = readFilters(params, { others: OTHERS });
  const kind = oneOf(KINDS, 'kind', params, problems);
  const view = oneOf(VIEWS, 'view', params, problems);
  const more = params.get('more');
  const nearText = params.get('near')?.trim().slice(0, 100);
  return {
    filters,
    kind,
    view,
    ...(more !== null && more !== '' && { more }),
    problems,
    ...(nearText !== undefined && nearText !== '' && { nearText }),
  };
}

/** The value of a parameter with few values; the first where it is absent or empty. Any other value is added to `problems`. */
function oneOf<T extends string>(
  known: readonly [T, ...T[]],
  name: string,
  params: URLSearchParams,
  problems: FilterProblem[],
): T {
  const value = (params.get(name) ?? '').trim();
  const found = known.find((one) => one === value);
  if (found === undefined && value !== '') {
    const meant = nearest(value, known);
    const shown = value.toWellFormed().slice(0, MOST_SHOWN);
    problems.push({ name, value: shown, allowed: known.join(', '), ...(meant !== undefined && { nearest: meant }) });
  }
  return found ?? known[0];
}

interface Elsewhere {
  kind?: ResultKind;
  view?: FindQuery['view'];
  more?: string;
}

/** The path of results with these filters, below the base address. Filters that no address can have are left out. */
export function searchPath(filters: Filters, { kind = 'sessions', view = 'list', more }: Elsewhere = {}): string {
  const query = queryOf(writable(filters));
  const parts = [
    ...(kind === 'sessions' ? [] : [`kind=${kind}`]),
    ...(query === '' ? [] : [query]),
    ...(view === 'week' ? ['view=week'] : []),
    ...(more === undefined ? [] : [`more=${encodeURIComponent(more)}`]),
  ];
  return parts.length === 0 ? '/search' : `/search?${parts.join('&')}`;
}

/** The filters without `name`, or without one of its values where it is a list. */
export function withoutFilter(filters: Filters, name: FilterName, value?: unknown): Filters {
  const { [name]: given, ...others } = filters;
  // Without its place a distance is not around anything.
  const rest = name === 'near' ? withoutFilter(others, 'within') : others;
  if (!Array.isArray(given) || value === undefined) return rest;
  const kept = given.filter((one) => one !== value);
  return kept.length === 0 ? rest : { ...rest, [name]: kept };
}

/**
 * The filters of the calendar of a search. A first day alone is where the person turned to, and is left out; a range stays.
 */
export function calendarFilters(filters: Filters): Filters {
  return filters.to === undefined ? withoutFilter(filters, 'from') : filters;
}
