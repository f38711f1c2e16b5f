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
import { askedOf, type FindQuery } from './asked.ts';
import { type Folded, folded, isRepetitive } from './folded.ts';
import { aroundOf, type SearchResult } from './found.tsx';
import { FIRST_ROWS, type HomeData, homePage } from './home.tsx';
import { problemsPage } from './problems.tsx';
import { ROWS, resultsPage, WEEK_ROWS } from './results.tsx';
import { dayOfItem } from './rows.tsx';
import { atAnyTime } from './typed.ts';
import { venuesPage } from './venues.tsx';

const TILES = 14;
const WEEKEND_ROWS = 4;
const POPULAR = 5;
const PLACES = 5;
const MOST_NEXT = 100;
const NEAREST = 3;
/** Nine series have so many dates within a year. */
const FOLDED_ROWS = 500;

/** `/`. Searches that earlier releases answered here are at `/search`. */
export async function home(c: Context, finding: PageRoutes): Promise<Response> {
  const { search } = new URL(c.req.url);
  const { site } = finding;
  if (/[?&](?:q|kind|place)=/.test(search)) {
    const to = search.replace(/([?&])kind=series(?:&|$)/, '$1').replace(/[?&]$/, '');
    return new Response(null, { status: 302, headers: { Location: site.links.path(`/search${to}`) } });
  }
  return pageResponse(homePage(await homeData(finding), site), site);
}

async function homeData(finding: PageRoutes): Promise<HomeData> {
  const { library, site, now: clock } = finding;
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
    placesNow(finding),
    library.publishers(),
  ]);
  // What goes on past midnight belongs to the evening before.
  const inside = weekend.items.filter((item) => dayOfItem(item, site.zone) >= saturday);
  const weekendCount = weekend.total === undefined ? undefined : weekend.total - (weekend.items.length - inside.length);
  const lists = { next: next.items, tomorrow: tomorrow.items, weekend: inside.slice(0, WEEKEND_ROWS), weekendCount };
  return { today, now, days, ...lists, popular, ...places, publishers };
}

const onDays = (from: Day, to: Day): Filters => ({ from: dateOfDay(from), to: dateOfDay(to) });

async function placesNow(finding: PageRoutes): Promise<Pick<HomeData, 'places' | 'placeCount'>> {
  const { items, total } = await finding.library.search.venues('places', {}, { limit: PLACES });
  return { places: await shownVenues(items, finding), placeCount: total };
}

/** Places without hours show what is on there next, as far as it is among what is on next at any of them. */
async function shownVenues(rows: readonly FoundRow[], finding: PageRoutes): Promise<ShownVenue[]> {
  const keys = rows.filter(({ kind, hours }) => kind === 'places' && hours === undefined).map(({ key }) => key);
  const items = await nextAt(keys, finding);
  const firsts = new Map(items.toReversed().map((item) => [item.place?.key, item]));
  return rows.map((row) => ({ row, ...defined({ next: firsts.get(row.key) }) }));
}

/** One filter has room for a part of a page's places. */
async function nextAt(keys: readonly string[], { library, now }: PageRoutes): Promise<OccurrenceItem[]> {
  const parts = Array.from({ length: Math.ceil(keys.length / MAX_VALUES) }, (_, at) =>
    keys.slice(at * MAX_VALUES, (at + 1) * MAX_VALUES),
  );
  const query = { limit: MOST_NEXT, notBefore: now() };
  const found = await Promise.all(parts.map((place) => library.search.occurrences({ place }, query)));
  return found.flatMap(({ items }) => items);
}

/** `/search`: filters in the address, and `kind`, `view`, `more`. */
export async function results(c: Context, finding: PageRoutes): Promise<Response> {
  const { library, site, now } = finding;
  const asked = askedOf(new URL(c.req.url).searchParams);
  if (asked.problems.length > 0) return pageResponse(problemsPage(asked, asked.problems, site), site);
  if (asked.kind !== 'sessions') return venues(asked, asked.kind, finding);
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
  const folded = understood?.filters.to === undefined ? await foldedOf(asked, page, finding) : undefined;
  const found = { asked, page, days, facets, understood, publishers, today, ...(folded && { folded }) };
  return pageResponse(resultsPage({ ...found, ...(await insteadOf(found, asTyped, finding)) }, site), site);
}

/** Dates of one series after the other are read once more than a page shows, and then each series is shown once. */
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
 * What else there is: facilities that the words find, and places where they ask when one is open. Where no session was found,
 * whatever comes nearest.
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

/** Series without dates that words find; filters of time would leave them out. Of what has no dates, nobody knows how long it lasts. */
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

/** How many of some kinds the words find near there, whatever else was asked for. */
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

async function venues(asked: FindQuery, kind: 'places' | 'facilities', finding: PageRoutes): Promise<Response> {
  const { library, site, now } = finding;
  const cursor = { ...(asked.more !== undefined && { after: asked.more }) };
  const [page, publishers] = await Promise.all([
    library.search.venues(kind, asked.filters, { limit: ROWS, ...cursor }),
    library.publishers(),
  ]);
  if (page.problems.length > 0) return pageResponse(problemsPage(asked, page.problems, site), site);
  const shown = await shownVenues(page.items, finding);
  return pageResponse(venuesPage({ asked, page, venues: shown, publishers, now: now() }, site), site);
}
