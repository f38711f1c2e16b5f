import type { Context } from 'hono';
import { isKey, moved } from './calendars.ts';
import type { Library } from './library.ts';
import type { Links } from './links.ts';
import { type Found, homePage, type Search } from './pages/home.ts';
import { notice, pageResponse } from './pages/layout.ts';
import { seriesPage } from './pages/series.ts';

/** The pages for people: addresses in, library asked, page out. */
export interface Pages {
  library: Library;
  links: Links;
}

/** Rows of one list on one page; the first page shows fewer places, because most people look for a session. */
const ROWS = 20;
const PLACES_ON_FIRST = 8;

/** `/`: the lists, searched with `q`, continued with `kind` and `after`. */
export async function home(c: Context, { library, links }: Pages): Promise<Response> {
  const search = searchOf(c);
  const { kind, ...query } = search;
  const [series, places, publishers] = await Promise.all([
    kind === 'places' ? undefined : library.list({ ...query, kind: 'series', limit: ROWS }),
    kind === 'series' ? undefined : library.list({ ...query, kind: 'places', limit: kind ? ROWS : PLACES_ON_FIRST }),
    library.publishers(),
  ]);
  const found: Found = { publishers, ...(series && { series }), ...(places && { places }) };
  return pageResponse(homePage(search, found, links), links);
}

/** What a list is asked for, out of the query; what makes no sense is left out. */
export function searchOf(c: Context): Search {
  const { q = '', kind, place, after } = c.req.query();
  const words = q.trim().slice(0, 200).toWellFormed();
  const chosen = kind === 'series' || kind === 'places' ? kind : undefined;
  return {
    ...(words !== '' && { q: words }),
    ...(chosen && { kind: chosen }),
    ...(place !== undefined && isKey(place) && { place, kind: 'series' as const }),
    // A cursor belongs to one list.
    ...(after && after.length <= 500 && (chosen || place) && { after }),
  };
}

/** `/series/{key}`. */
export async function seriesByKey(key: string, { library, links }: Pages): Promise<Response> {
  if (!isKey(key)) return notFound(links);
  const head = await library.head(key);
  if (head?.movedTo !== undefined) return moved(links.path(`/series/${head.movedTo}`));
  if (head?.state === 'gone') return notice('This has ended', 'The publisher withdrew it some time ago.', 410, links);
  const series = head && (await library.series(key));
  return series ? pageResponse(seriesPage(series, links), links) : notFound(links);
}

export function notFound(links: Links): Promise<Response> {
  return notice('Not found', 'There is nothing at this address.', 404, links);
}

/** The page for a fault of ours. It says nothing of the cause: that is in the log. */
export function failed(links: Links): Promise<Response> {
  return notice('Something went wrong', 'The page could not be made. Try again in a few minutes.', 500, links);
}
