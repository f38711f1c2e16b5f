import { nearest } from '../../../nearest.ts';
import type { FilterName, Filters } from '../../../search/filters.ts';
import { type FilterProblem, queryOf, readFilters, writable } from '../../../search/query.ts';

/** What the address of the results says, and the addresses of other results. Pure. */

const KINDS = ['sessions', 'places', 'facilities'] as const;
type ResultKind = (typeof KINDS)[number];

const VIEWS = ['list', 'week'] as const;

export interface FindQuery {
  filters: Filters;
  kind: ResultKind;
  view: (typeof VIEWS)[number];
  /** A cursor: where the rows of a long day, or of places, go on. */
  more?: string;
  problems: readonly FilterProblem[];
  /** `near` as it was typed. */
  nearText?: string;
}

/** Known besides the filters; `subscribe` opens the sheet, `list` is carried along. */
const OTHERS = ['kind', 'view', 'more', 'subscribe', 'list'];
const MOST_SHOWN = 100;

/** @example askedOf(new URLSearchParams('q=yoga&day=mon')).filters // { q: 'yoga', day: [0] } */
export function askedOf(params: URLSearchParams): FindQuery {
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

/** One of few values; none, or an empty one, is the first. `problems` takes what is none of them. */
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

/** The path of results with these filters, below the base; without those that no address can have. */
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

/** The filters without one of them, or without one of its values. */
export function withoutFilter(filters: Filters, name: FilterName, value?: unknown): Filters {
  const { [name]: given, ...rest } = filters;
  if (!Array.isArray(given) || value === undefined) return rest;
  const kept = given.filter((one) => one !== value);
  return kept.length === 0 ? rest : { ...rest, [name]: kept };
}

/** The filters of a calendar of a search: without a day that was turned to, with a range of days. */
export function standing(filters: Filters): Filters {
  return filters.to === undefined ? withoutFilter(filters, 'from') : filters;
}
