import type { Context } from 'hono';
import {
  type CalendarHead,
  distinctPublishers,
  isKey,
  type OccurrenceItem,
  venueName,
} from '../../../library/index.ts';
import { isOnline } from '../../../opportunity/whereabouts.ts';
import { SEASONAL } from '../../../search/filters.ts';
import { queryOf, readFilters } from '../../../search/query.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { familyOfActivities } from '../../../vocabulary/families.ts';
import { problemsOf, sentence } from '../../api/refusal.ts';
import { permanentRedirect } from '../../calendars/calendars.ts';
import { searchPath } from '../find/asked.ts';
import type { PageRoutes, Site } from '../frame/site.ts';
import { shownIn } from '../times.tsx';
import { nameWords, occurrenceName } from '../wording.ts';
import { type Embed, embedResponse, embedTheme, THEME_PARAMETERS } from './document.tsx';
import { EmbedBody, type EmbedEntry } from './embed.tsx';

/** The answers at `/embed/series/{key}`, `/embed/places/{key}` and `/embed/search?…`. */

/** The most entries of an embed. */
const MOST = 40;
/** Days of the embed of a place. */
const DAYS = 14;

/** `/embed/series/{key}`: the next dates of one series. */
export async function embedSeries(c: Context, key: string, { library, site, now }: PageRoutes): Promise<Response> {
  const head = isKey(key) ? await library.head(key) : undefined;
  if (head?.movedTo !== undefined)
    return permanentRedirect(site.links.path(`/embed/series/${head.movedTo}`) + searchIn(c));
  const [series, found] = head?.state === 'live' ? [await library.series(key), await library.seriesDates(key)] : [];
  if (series === undefined || found === undefined) return nothing(c, site, head);
  const { activity = [] } = series.details;
  const name = nameWords(series.details.name, activity);
  const family = familyOfActivities(activity);
  const entries = found.dates.slice(0, MOST).map(
    ({ was, place, ...date }): EmbedEntry => ({
      ...date,
      ...shownIn(found.zone, site.zone, date.start, isOnline(series.details)),
      name: date.name ?? name,
      seriesKey: key,
      ...(was !== undefined && { previousStart: was }),
      ...(place && { where: place }),
      ...(family && { family }),
    }),
  );
  const page = site.links.path(`/series/${key}`);
  const subscribe = series.hasCalendar && entries.length > 0 ? `${page}?subscribe` : undefined;
  const list = { site, name, subscribe, entries, now: now(), isSeries: true as const };
  return answer(c, site, {
    title: name,
    body: <EmbedBody {...list} />,
    publishers: series.publisher ? [series.publisher] : [],
    whole: { href: page, words: 'All about it' },
  });
}

/** `/embed/places/{key}`: what is on at a place. */
export async function embedPlace(c: Context, key: string, { library, site, now }: PageRoutes): Promise<Response> {
  const head = isKey(key) ? await library.head(venueName('places', key, 'all')) : undefined;
  if (head?.movedTo !== undefined)
    return permanentRedirect(site.links.path(`/embed/places/${head.movedTo}`) + searchIn(c));
  const venue = head?.state === 'live' ? await library.venue('places', key) : undefined;
  if (venue === undefined) return nothing(c, site, head);
  const from = now();
  const window = { from, to: from + DAYS * DAY_MS, limit: MOST };
  const found = await library.timetables.at(key, window, { isRunning: true });
  const entries = (found?.entries ?? []).map((entry) => ({ ...entry, ...shownIn(venue.zone, site.zone, entry.start) }));
  const name = venue.name || 'A place without a name';
  const page = site.links.path(`/places/${key}`);
  const subscribe = venue.upcoming.length > 0 ? `${page}?subscribe` : undefined;
  const rest = restFrom(found?.until, (date) => `${page}?week=${date}#timetable`);
  const list = { site, name, subscribe, entries, now: from, rest };
  const publishers = [...(venue.publisher ? [venue.publisher] : []), ...(found?.publishers ?? [])];
  return answer(c, site, {
    title: `Timetable of ${name}`,
    body: <EmbedBody {...list} />,
    publishers: distinctPublishers(publishers),
    whole: { href: page, words: 'Whole timetable' },
  });
}

/** `/embed/search?…`: what a search finds; 400 with a sentence where its filters cannot be read. */
export async function embedSearch(c: Context, { library, site, now }: PageRoutes): Promise<Response> {
  const params = new URL(c.req.url).searchParams;
  const read = readFilters(params, { others: THEME_PARAMETERS });
  const { filters } = read;
  const found = await library.search.occurrences(filters, { limit: MOST + 1, notBefore: now() });
  const [problem] = [...read.problems, ...problemsOf(found)];
  const items = problem === undefined ? found.items.slice(0, MOST) : [];
  const query = queryOf(filters);
  const page = site.links.path(`/search${query === '' ? '' : `?${query}`}`);
  const subscribe = items.length > 0 ? `${page}${page.includes('?') ? '&' : '?'}subscribe` : undefined;
  const entries = items.map((item) => entryOfItem(item, site));
  const rest = restFrom(found.items[MOST]?.start, (from) => site.links.path(searchPath({ ...filters, from })));
  const name = filters.q === undefined ? 'What’s on' : `What’s on: ${filters.q}`;
  const list = { site, name, subscribe, entries, now: now(), rest };
  return answer(c, site, {
    title: list.name,
    // The author of the framing site reads in the frame what is wrong.
    body: problem === undefined ? <EmbedBody {...list} /> : <p>{sentence(problem)}</p>,
    publishers: await library.publishers(),
    whole: { href: page, words: 'Search for more' },
    ...(problem !== undefined && !SEASONAL.includes(problem.name) && { status: 400 }),
  });
}

/** The start of the first entry that an embed leaves out, and the page that has it; undefined where nothing is left out. */
function restFrom(from: Instant | undefined, page: (date: string) => string) {
  return from === undefined ? undefined : { from, page };
}

function entryOfItem(item: OccurrenceItem, site: Site): EmbedEntry {
  const { start, end, allDay, status, series, place, activity, placesLeft, was, details } = item;
  const family = familyOfActivities(activity.map((one) => one.name));
  const where = isOnline(details) ? 'Online' : place?.name;
  return {
    seriesKey: series.key,
    name: occurrenceName(item),
    start,
    status,
    ...shownIn(item.zone, site.zone, start, isOnline(details)),
    ...(end > start && { end }),
    ...(allDay && { allDay }),
    ...(was !== undefined && { previousStart: was }),
    ...(placesLeft !== undefined && { placesLeft }),
    ...(where && { where }),
    ...(details.leader && { leader: details.leader }),
    ...(family && { family }),
  };
}

function answer(c: Context, site: Site, embed: Embed): Promise<Response> {
  return embedResponse(embed, embedTheme(new URL(c.req.url).searchParams, site));
}

function searchIn(c: Context): string {
  return new URL(c.req.url).search;
}

/** The answer where there is no timetable: 410 for a series or place that was withdrawn, as its page answers, else 404. */
function nothing(c: Context, site: Site, head: CalendarHead | undefined): Promise<Response> {
  const isWithdrawn = head !== undefined && head.state !== 'live';
  return embedNotice(c, site, isWithdrawn ? 410 : 404, 'This timetable is not here any more');
}

/** An embed of one line, because a whole notice would not fit the frame. */
export function embedNotice(c: Context, site: Site, status: number, says: string): Promise<Response> {
  return answer(c, site, {
    title: says,
    body: <h1>{says}</h1>,
    publishers: [],
    whole: { href: site.links.path('/'), words: 'What is on' },
    status,
  });
}
