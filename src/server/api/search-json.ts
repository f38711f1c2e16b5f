import type { Context } from 'hono';
import type { Facets, FoundPage, PageQuery } from '../../library/index.ts';
import { nearest } from '../../nearest.ts';
import type { FilterName, Filters } from '../../search/filters.ts';
import { type FilterProblem, queryOf, readFilters } from '../../search/query.ts';
import type { Pages } from '../pages/frame/site.ts';
import { json, rowJson } from './json.ts';
import { occurrenceItemJson } from './occurrence-item.ts';
import { problemsOf, refusal } from './refusal.ts';

/** `/api/occurrences`, and the lists of series, places and facilities, with one set of filters. */

/** Rows of an answer, by default and at most. */
export const USUAL_ROWS = 50;
export const MOST_ROWS = 500;
const OTHERS = ['limit', 'facets'] as const;

/** The filters of lists of places and facilities. */
export const VENUE_FILTERS = {
  places: ['q', 'near', 'within'],
  facilities: ['q', 'near', 'within', 'place', 'activity', 'organizer', 'accessible'],
} as const satisfies Record<string, readonly FilterName[]>;

interface SearchRequest {
  filters: Filters;
  query: PageQuery;
  facets: boolean;
}

/** `/api/occurrences`: a page of occurrences, with the counts of its filters. */
export async function occurrencesJson(c: Context, { library, links }: Pages): Promise<Response> {
  const asked = readSearchRequest(c);
  if (asked instanceof Response) return asked;
  const page = await library.search.occurrences(asked.filters, asked.query);
  const facets = await facetsOf(page, asked, library);
  const total = page.total ?? (facets?.whole ? facets.counted : undefined);
  const address = `${links.base}/api/occurrences`;
  return foundJson(
    asked,
    { ...page, ...(total !== undefined && { total }) },
    { address, facets, itemJson: occurrenceItemJson },
  );
}

/** `/api/series`: a page of series, with the counts of its filters. */
export async function seriesListJson(c: Context, { library, links }: Pages): Promise<Response> {
  const asked = readSearchRequest(c);
  if (asked instanceof Response) return asked;
  const page = await library.search.series(asked.filters, asked.query);
  const facets = await facetsOf(page, asked, library);
  return foundJson(asked, page, {
    address: `${links.base}/api/series`,
    facets,
    itemJson: (row) => rowJson(row, links),
  });
}

/** `/api/places` and `/api/facilities`: a page of them. */
export async function venueListJson(
  c: Context,
  collection: 'places' | 'facilities',
  { library, links }: Pages,
): Promise<Response> {
  const asked = readSearchRequest(c, VENUE_FILTERS[collection]);
  if (asked instanceof Response) return asked;
  const page = await library.search.venues(collection, asked.filters, asked.query);
  return foundJson(asked, page, { address: `${links.base}/api/${collection}`, itemJson: (row) => rowJson(row, links) });
}

/** The counts of filters; undefined: they were not requested, or the page has problems. */
async function facetsOf(
  page: FoundPage<unknown>,
  asked: SearchRequest,
  { search }: Pages['library'],
): Promise<Facets | undefined> {
  return asked.facets && problemsOf(page).length === 0 ? search.facets(asked.filters) : undefined;
}

interface ListOptions<Item> {
  address: string;
  itemJson: (item: Item) => object;
  facets?: Facets | undefined;
}

function foundJson<Item>(
  { filters, query, facets: isFaceted }: SearchRequest,
  { items, total, next, replaced, understood, leftOut, unmatched, forChildren, ...page }: FoundPage<Item>,
  { address, itemJson, facets }: ListOptions<Item>,
): Response {
  const problems = problemsOf(page);
  if (problems.length > 0) return refusal(problems);
  const { counted: _, whole: _whole, ...shown } = facets ?? {};
  const rest = new URLSearchParams({
    ...(isFaceted && { facets: '1' }),
    limit: String(query.limit),
    ...(next !== undefined && { after: next }),
  });
  const following = [queryOf(filters), String(rest)].filter((part) => part !== '').join('&');
  return json({
    items: items.map(itemJson),
    ...(total !== undefined && { total }),
    ...(next !== undefined && { next: `${address}?${following}` }),
    ...(facets && { facets: shown }),
    ...(replaced.length > 0 && { replaced }),
    ...(understood && { understood }),
    ...(leftOut && { leftOut }),
    ...(unmatched && { unmatched }),
    ...(forChildren && { forChildren }),
  });
}

/** The search of a request, or its refusal. `allowed`: filters of the list; absent: all. */
function readSearchRequest(c: Context, allowed?: readonly FilterName[]): SearchRequest | Response {
  const params = new URL(c.req.url).searchParams;
  const others = allowed === undefined ? OTHERS : (['limit'] as const);
  const { filters, problems, cursor } = readFilters(params, { others, cursor: allowed === undefined || 'alone' });
  if (allowed !== undefined) problems.push(...unsupported(filters, allowed));
  const limit = limitOf(params, problems);
  const facets = flagOf(params, problems, allowed === undefined);
  if (problems.length > 0) return refusal(problems);
  return { filters, query: { limit, ...(cursor !== undefined && { after: cursor }) }, facets };
}

/** The problems of filters that a list does not have. */
function unsupported(filters: Filters, allowed: readonly FilterName[]): FilterProblem[] {
  const known = [...allowed, 'limit', 'after'];
  return Object.keys(filters)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return { name, allowed: known.join(', '), ...(meant !== undefined && { nearest: meant }) };
    });
}

function limitOf(params: URLSearchParams, problems: FilterProblem[]): number {
  const given = params.getAll('limit');
  const limit = given.length === 0 ? USUAL_ROWS : /^\d{1,4}$/.test(given[0] ?? '') ? Number(given[0]) : 0;
  if (limit >= 1 && limit <= MOST_ROWS && given.length <= 1) return limit;
  problems.push({ name: 'limit', value: cut(given.join(', ')), allowed: `a whole number from 1 to ${MOST_ROWS}` });
  return USUAL_ROWS;
}

function flagOf(params: URLSearchParams, problems: FilterProblem[], isKnown: boolean): boolean {
  const given = isKnown ? params.getAll('facets') : [];
  const wrong = given.find((value) => value !== '1' && value !== '');
  if (wrong !== undefined) problems.push({ name: 'facets', value: cut(wrong), allowed: '1' });
  return given.includes('1');
}

const cut = (value: string): string => value.toWellFormed().slice(0, 100);
