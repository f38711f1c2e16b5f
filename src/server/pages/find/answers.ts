import type { Context } from 'hono';
import type { FoundPage, FoundRow, Library, OccurrenceItem } from '../../../library/index.ts';
import { defined } from '../../../opportunity/records.ts';
import type { Filters } from '../../../search/filters.ts';
import { asksHours } from '../../../search/subject.ts';
import { MAX_VALUES } from '../../../search/values/filter-types.ts';
import { asSearched } from '../../../search/words.ts';
import { type Day, dateOfDay, weekendFrom } from '../../../time/days.ts';
import { pageResponse } from '../frame/document.tsx';
import type { PageRoutes } from '../frame/site.ts';
import type { ShownVenue } from '../venue/open-or-next.tsx';
import { localMoment } from '../wording.ts';
import { type FindQuery, readFindQuery } from './asked.ts';
import { type Folded, folded, isRepetitive } from './folded.ts';
import { aroundOf, type SearchResult } from './found.tsx';
import { FIRST_ROWS, type HomeData, homePage } from './home.tsx';
import { problemsPage } from './problems.tsx';
import { ROWS, resultsPage, WEEK_ROWS } from './results.tsx';
import { dayOfItem } from './rows.tsx';
import { atAnyTime } from './typed.ts';
import { venuesPage } from './venues.tsx';

/** The answers at `/` and `/search`. */

/** Days above the results, each with its count. */
const TILES = 14;
/** The most rows of the weekend, activities and places on the first page. */
const WEEKEND_ROWS = 4;
const POPULAR = 5;
const PLACES = 5;
/** Occurrences among which the next one of each place is looked for. */
const MOST_NEXT = 100;
/** The most occurrences and series that are shown where nothing was found. */
const NEAREST = 3;
/** The occurrences that are read to show each series once: a year of nine weekly series. */
const FOLDED_ROWS = 500;

/** `/`: the first page. Earlier releases answered searches here: those lead to `/search`. */
export async function home(c: Context, routes: PageRoutes): Promise<Response> {
  const { search } = new URL(c.req.url);
  const { site } = routes;
  if (/[?&](?:q|kind|place)=/.test(search)) {
    const to = search.replace(/([?&])kind=series(?:&|$)/, '$1').replace(/[?&]$/, '');
    return new Response(null, { status: 302, headers: { Location: site.links.path(`/search${to}`) } });
  }
  return pageResponse(homePage(await homeData(routes), site), site);
}

async function homeData(routes: PageRoutes): Promise<HomeData> {
  const { library, site, now: clock } = routes;
  const { search } = library;
  const now = clock();
  const today = localMoment(site.zone, now).day;
  const [saturday, monday] = weekendFrom(today);
  const [days, next, tomorrow, weekend, popular, places, publishers] = await Promise.all([
    search.days({}, TILES),
    search.occurrences(onDays(today, today + 1), { limit: FIRST_ROWS, notBefore: now }),
    search.occurrences(onDays(today + 1, today + 2), { limit: FIRST_ROWS, notBefore: now }),
    search.occurrences(onDays(saturday, monday), { limit: 2 * WEEKEND_ROWS, notBefore: now }),
    search.popular(POPULAR),
    placesNow(routes),
    library.publishers(),
  ]);
  // A search from Saturday on also finds what began on Friday and ends after midnight.
  const inside = weekend.items.filter((item) => dayOfItem(item, site.zone) >= saturday);
  const weekendCount = weekend.total === undefined ? undefined : weekend.total - (weekend.items.length - inside.length);
  const lists = { next: next.items, tomorrow: tomorrow.items, weekend: inside.slice(0, WEEKEND_ROWS), weekendCount };
  return { today, now, days, ...lists, popular, ...places, publishers };
}

const onDays = (from: Day, to: Day): Filters => ({ from: dateOfDay(from), to: dateOfDay(to) });

async function placesNow(routes: PageRoutes): Promise<Pick<HomeData, 'places' | 'placeCount'>> {
  const { items, total } = await routes.library.search.venues('places', {}, { limit: PLACES });
  return { places: await shownVenues(items, routes), placeCount: total };
}

/** Venues for a list. A place without hours has its next occurrence, if that is among the next ones of all such places. */
async function shownVenues(rows: readonly FoundRow[], routes: PageRoutes): Promise<ShownVenue[]> {
  const keys = rows.filter(({ kind, hours }) => kind === 'places' && hours === undefined).map(({ key }) => key);
  const items = await nextAt(keys, routes);
  const firsts = new Map(items.toReversed().map((item) => [item.place?.key, item]));
  return rows.map((row) => ({ row, ...defined({ next: firsts.get(row.key) }) }));
}

/** The next occurrences at any of these places, with one search for each `MAX_VALUES` of them. */
async function nextAt(keys: readonly string[], { library, now }: PageRoutes): Promise<OccurrenceItem[]> {
  const parts = Array.from({ length: Math.ceil(keys.length / MAX_VALUES) }, (_, at) =>
    keys.slice(at * MAX_VALUES, (at + 1) * MAX_VALUES),
  );
  const query = { limit: MOST_NEXT, notBefore: now() };
  const found = await Promise.all(parts.map((place) => library.search.occurrences({ place }, query)));
  return found.flatMap(({ items }) => items);
}

/** `/search?…`: sessions by day, or places or facilities, as `kind` says. */
export async function results(c: Context, routes: PageRoutes): Promise<Response> {
  const { library, site, now } = routes;
  const asked = readFindQuery(new URL(c.req.url).searchParams);
  if (asked.problems.length > 0) return pageResponse(problemsPage(asked, asked.problems, site), site);
  if (asked.kind !== 'sessions') return venues(asked, asked.kind, routes);
  const { search } = library;
  const { filters, more, view } = asked;
  const cursor = { ...(more !== undefined && { after: more }) };
  const limit = view === 'week' ? WEEK_ROWS : ROWS;
  const page = await search.occurrences(filters, { limit, notBefore: now(), ...cursor });
  if (page.problems.length > 0) return pageResponse(problemsPage(asked, page.problems, site), site);
  const { from: _from, to: _to, ...always } = filters;
  const [days, facets, asTyped, publishers] = await Promise.all([
    search.days(always, TILES),
    search.facets(filters, { notBefore: now() }),
    filters.q === undefined ? undefined : search.understood(filters.q, filters),
    library.publishers(),
  ]);
  const understood = asTyped && asSearched(asTyped, page.unmatched);
  const today = localMoment(site.zone, now()).day;
  const folded = understood?.filters.to === undefined ? await foldedOf(asked, page, routes) : undefined;
  const found = { asked, page, days, facets, understood, publishers, today, ...(folded && { folded }) };
  return pageResponse(resultsPage({ ...found, ...(await insteadOf(found, asTyped, routes)) }, site), site);
}

/**
 * Results that repeat few series, read once more beyond one page and shown with each series once; undefined for other
 * results.
 */
async function foldedOf(
  { filters, more, view }: FindQuery,
  page: FoundPage<OccurrenceItem>,
  { library, site, now }: PageRoutes,
): Promise<Folded | undefined> {
  if (view === 'week' || more !== undefined || filters.to !== undefined || !isRepetitive(page.items)) return undefined;
  const query = { limit: FOLDED_ROWS, notBefore: now() };
  const whole = page.next === undefined ? page : await library.search.occurrences(filters, query);
  const found = folded(whole, site.zone);
  return found.items.length <= ROWS ? found : undefined;
}

/**
 * What a page of results has besides: facilities that the words find, and places too where the words ask for opening hours.
 * Where no session was found: suggestions, series without dates, and occurrences at other times or of other words.
 */
async function insteadOf(
  { asked, page, understood }: SearchResult,
  asTyped: SearchResult['understood'],
  { library, now }: PageRoutes,
): Promise<Partial<SearchResult>> {
  if (page.items.length > 0) {
    const kinds = understood !== undefined && asksHours(understood) ? WITH_PLACES : FACILITIES;
    return asked.more === undefined ? { venues: await venuesFor(asked.filters, library, kinds) } : {};
  }
  const { q: _q, ...around } = aroundOf(asked.filters);
  const next = async (filters: Filters): Promise<readonly OccurrenceItem[]> =>
    (await library.search.occurrences(filters, { limit: NEAREST, notBefore: now() })).items;
  const anyTime = atAnyTime(asked.filters, understood);
  const [suggestions, venues, atOtherTimes = [], dateless] = await Promise.all([
    library.search.suggestions(asked.filters),
    venuesFor(asked.filters, library, WITH_PLACES),
    anyTime && next(anyTime),
    datelessOf(anyTime ?? asked.filters, asTyped, library),
  ]);
  if (atOtherTimes.length > 0) return { suggestions, venues, dateless, atOtherTimes };
  return { suggestions, venues, dateless, otherwise: await next(around) };
}

/**
 * Series without dates that the words find. `filters` have no time where that is possible, as it excludes such series, and
 * no length of theirs is known.
 */
async function datelessOf(
  filters: Filters,
  asTyped: SearchResult['understood'],
  { search }: Library,
): Promise<readonly FoundRow[]> {
  if (filters.q === undefined) return [];
  const { items, unmatched = [] } = await search.series(filters, { limit: NEAREST });
  const lengths = (asTyped?.understood ?? []).flatMap(({ text, lasts }) => (lasts === undefined ? [] : text));
  const isWhole = unmatched.every((text) => lengths.includes(text));
  return isWhole ? items.filter(({ next }) => next === undefined) : [];
}

type VenueKind = NonNullable<SearchResult['venues']>[number]['kind'];
const FACILITIES: readonly VenueKind[] = ['facilities'];
const WITH_PLACES: readonly VenueKind[] = ['places', ...FACILITIES];

/** The number of venues of each kind that words and place find, without the other filters. A kind without any is left out. */
async function venuesFor(
  filters: Filters,
  { search }: Library,
  kinds: readonly VenueKind[],
): Promise<NonNullable<SearchResult['venues']>> {
  if (filters.q === undefined) return [];
  const counts = kinds.map(async (kind) => {
    const { total } = await search.venues(kind, aroundOf(filters), { limit: 1 });
    return { kind, count: total };
  });
  return (await Promise.all(counts)).filter(({ count }) => count !== 0);
}

/** `/search?kind=places` and `kind=facilities`. */
async function venues(asked: FindQuery, kind: 'places' | 'facilities', routes: PageRoutes): Promise<Response> {
  const { library, site, now } = routes;
  const cursor = { ...(asked.more !== undefined && { after: asked.more }) };
  const [page, publishers] = await Promise.all([
    library.search.venues(kind, asked.filters, { limit: ROWS, ...cursor }),
    library.publishers(),
  ]);
  if (page.problems.length > 0) return pageResponse(problemsPage(asked, page.problems, site), site);
  const shown = await shownVenues(page.items, routes);
  return pageResponse(venuesPage({ asked, page, venues: shown, publishers, now: now() }, site), site);
}
