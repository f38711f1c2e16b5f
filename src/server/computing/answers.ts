import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Collection, Library } from '../../library/index.ts';
import { decodedId } from '../../opportunity/ids.ts';
import { explainJson } from '../api/explain.ts';
import { feedFindingsJson, feedForPeople, feedsForPeople, feedsJson } from '../api/feeds.ts';
import { json, type MaybePromise, preflightOf, problem, READ_ONLY, reading, seriesJson } from '../api/json.ts';
import { openapi } from '../api/openapi.ts';
import { unknownRefusal } from '../api/refusal.ts';
import { occurrencesJson, seriesListJson, venueListJson } from '../api/search-json.ts';
import { venueHoursJson, venueJson, venueOpenJson } from '../api/venue-json.ts';
import { calendarAt, isApi, isCalendar } from '../calendars/address.ts';
import { permanentRedirect, unknown } from '../calendars/calendars.ts';
import { type WindowRoutes, windowResponse } from '../calendars/free-busy.ts';
import { changesAnswer } from '../changes/changes.ts';
import { davResponse } from '../dav/response.ts';
import { broken } from '../failures.ts';
import { type Illustrated, shownImage } from '../images/address.ts';
import { HOUR } from '../lifetimes.ts';
import type { links } from '../links.ts';
import { listAnswer, wantsList } from '../lists/list-json.ts';
import { apiForPeople } from '../pages/api/page.tsx';
import { embedPlace, embedSearch, embedSeries } from '../pages/embed/embed-answer.tsx';
import { home, results } from '../pages/find/answers.ts';
import { notFound } from '../pages/frame/notice.tsx';
import { type Brand, isLocal, type PageRoutes, siteOf } from '../pages/frame/site.ts';
import { keptToken } from '../pages/my/asked.ts';
import { carrying } from '../pages/my/carried.ts';
import { listPage, myPage } from '../pages/my/my.ts';
import { explainForPeople, seriesByKey } from '../pages/series/answers.ts';
import { sitemap } from '../pages/sitemap.ts';
import { facilityByKey, placeByKey } from '../pages/venue/venue-answer.ts';
import { onWholeAnswer } from './on-condition.ts';

export interface AnswerOptions extends Omit<WindowRoutes, 'links'> {
  library: Library;
  /** http(s) address under which people reach the service; every link is made from it. */
  baseUrl: string;
  brand?: Brand | undefined;
  /** Whether images of publishers are shown, and the folder that keeps them. */
  images?: { folder: string | undefined } | undefined;
}

/**
 * Answers that are computed for each request: pages, JSON, free/busy of other windows. They need nothing of the process that
 * listens, so that they may run on a thread of their own (`computing.ts`).
 */
export function createAnswers(options: AnswerOptions, isForeign = false): Hono {
  const { library, baseUrl, brand, log } = options;
  const site = siteOf(baseUrl, brand, isForeign);
  const to = site.links;
  const { images } = options;
  const imageOf = (kind: Illustrated, key: string, url: string | undefined) => {
    const shown = images && shownImage(kind, key, url, images.folder);
    return shown && { ...shown, path: to.path(shown.path) };
  };
  const routes = { ...options, site, links: to, imageOf };
  const described = openapi(to.base);
  const app = new Hono();
  app.use(onWholeAnswer);
  // Calendars are compressed elsewhere, because some clients fail on it (feed rule 20).
  if (options.gzip) app.use(compress({ encoding: 'gzip', contentTypeFilter: COMPRESSED }));

  const at = (path: string, page: (c: Context) => MaybePromise<Response>, preflight = (_: Context) => READ_ONLY) =>
    app.all(path, (c) =>
      isCalendar(c) ? windowResponse(c, calendarAt(c.req.path), routes) : reading(c, () => page(c), preflight(c)),
    );

  /** Adds an address that accepts the described parameters alone. */
  const api = (path: string, answer: (c: Context) => MaybePromise<Response>) => {
    const name = path.replaceAll(/:(\w+)/g, '{$1}');
    app.all(path, (c) => reading(c, () => unknownRefusal(c, name, described.paths) ?? answer(c)));
  };

  at('/series/:file', (c) => seriesByKey(c, lastSegment(c), carrying(c, routes)));
  app.all('/series/:key/explain', (c) => reading(c, () => explainForPeople(c, routes)));
  app.all('/series', (c) => reading(c, () => byId(c, 'series', library, to)));
  api('/api/series', (c) => seriesListJson(c, routes));
  api('/api/occurrences', (c) => occurrencesJson(c, routes));
  api('/api/series/:key', (c) => seriesJson(lastSegment(c), library, to));
  api('/api/series/:key/explain', (c) => explainJson(c, routes));
  for (const collection of ['places', 'facilities'] as const) {
    const page = collection === 'places' ? placeByKey : facilityByKey;
    at(`/${collection}/:file`, (c) => page(c, lastSegment(c), carrying(c, routes)));
    at(`/${collection}/:key/:file`, () => notFound(site));
    app.all(`/${collection}`, (c) => reading(c, () => byId(c, collection, library, to)));
    api(`/api/${collection}`, (c) => venueListJson(c, collection, routes));
    api(`/api/${collection}/:key`, (c) => venueJson(collection, lastSegment(c), routes));
    api(`/api/${collection}/:key/hours`, (c) => venueHoursJson(c, collection, routes));
    api(`/api/${collection}/:key/open`, (c) => venueOpenJson(c, collection, routes));
  }
  app.all('/', (c) => reading(c, () => home(c, carrying(c, routes))));
  app.all('/search', (c) => reading(c, () => results(c, carrying(c, routes))));
  app.all('/sitemap.xml', (c) => reading(c, () => sitemap(library, to)));
  for (const kind of ['series', 'places'] as const)
    app.all(`/changes/${kind}/:file`, (c) => changesAnswer(c, kind, routes));
  app.all('/dav', (c) => davResponse(c, to.base, routes));
  app.all('/dav/*', (c) => davResponse(c, to.base, routes));
  app.all('/my', (c) => reading(c, () => myPage(c, routes), MAKES));
  const listPreflight = (c: Context) => (keptToken(c.req.path) === undefined ? READ_ONLY : CHANGES);
  at('/my/:token', (c) => listOrPage(c, routes), listPreflight);
  app.all('/embed/series/:key', (c) => reading(c, () => embedSeries(c, lastSegment(c), routes)));
  app.all('/embed/places/:key', (c) => reading(c, () => embedPlace(c, lastSegment(c), routes)));
  app.all('/embed/search', (c) => reading(c, () => embedSearch(c, routes)));
  app.all('/feeds', (c) => reading(c, () => feedsForPeople(c, routes)));
  app.all('/feeds/:id', (c) => reading(c, () => feedForPeople(c, routes)));
  api('/api/feeds', () => feedsJson(routes));
  api('/api/feeds/:id/findings', (c) => feedFindingsJson(c, routes));
  app.all('/api', (c) => reading(c, () => apiForPeople(described, routes)));
  app.all('/openapi.json', (c) => reading(c, () => json(described, 200, HOUR)));

  app.notFound((c) => {
    if (isCalendar(c)) return unknown();
    return isApi(c) ? problem(404, 'There is nothing at this address.') : notFound(site);
  });
  app.onError((error, c) => broken(error, c, { library, site, log }));
  return app;
}

/** Most base addresses of proxies: a service has one or two names. */
const MOST_BASES = 8;

/**
 * Answers for a service with several base addresses, each with its own. Where the base is an address of this machine alone,
 * pages for callers elsewhere show that.
 */
export function answersOf(options: AnswerOptions): (request: Request, base?: string) => Response | Promise<Response> {
  const known = new Map<string, Hono>();
  return (request, base = options.baseUrl) => {
    const isForeign = isLocal(new URL(base).hostname) && !isLocal(new URL(request.url).hostname);
    const name = `${isForeign} ${base}`;
    const app = known.get(name) ?? createAnswers({ ...options, baseUrl: base }, isForeign);
    if (!known.has(name) && known.size >= MOST_BASES) known.clear();
    known.set(name, app);
    return app.fetch(request);
  };
}

const [MAKES, CHANGES] = [preflightOf('POST'), preflightOf('POST', 'PUT')];

const COMPRESSED = /^(?:text\/html|application\/(?:problem\+|atom\+)?(?:json|xml))/;

function lastSegment(c: Context): string {
  return c.req.path.slice(c.req.path.lastIndexOf('/') + 1);
}

/** A list is JSON for programs that ask for it, and a page for all others. */
async function listOrPage(c: Context, routes: PageRoutes): Promise<Response> {
  if (wantsList(c)) return listAnswer(lastSegment(c), routes.library, routes.site.links);
  const page = await listPage(c, routes);
  page.headers.set('Vary', 'Accept');
  return page;
}

/** `/series?id=<@id>`: a redirect to the calendar. Ids are compared as given and percent-decoded (semantics 1.3). */
async function byId(c: Context, kind: Collection, library: Library, to: ReturnType<typeof links>): Promise<Response> {
  const id = c.req.query('id');
  if (id === undefined)
    return new Response(null, {
      status: 302,
      headers: { Location: to.path(kind === 'series' ? '/search' : `/search?kind=${kind}`) },
    });
  for (const spelling of new Set([id, decodedId(id)])) {
    const key = await library.keyOfId(kind, spelling);
    if (key !== undefined) return permanentRedirect(to.calendarPath(kind, key));
  }
  return unknown();
}
