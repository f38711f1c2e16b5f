import { type Context, Hono } from 'hono';
import { calendarAt } from './address.ts';
import type { CalendarCache } from './cache.ts';
import { calendarResponse, moved, unavailable, unknown } from './calendars.ts';
import { explainForPeople, explainJson } from './explain.ts';
import { feedFindingsJson, feedForPeople, feedsForPeople, feedsJson } from './feeds.ts';
import { windowResponse } from './free-busy.ts';
import { json, listJson, problem, seriesJson } from './json.ts';
import type { Collection, Library } from './library.ts';
import { links } from './links.ts';
import type { Log } from './log.ts';
import { Metrics } from './metrics.ts';
import { openapi } from './openapi.ts';
import { mountOperations } from './operations.ts';
import { failed, home, notFound, seriesByKey, venueByKey } from './people.ts';
import { reading } from './reading.ts';
import { mountRpde, type Rpde } from './rpde.ts';
import { venueHoursJson, venueJson, venueOpenJson } from './venue-json.ts';
import { asksWindow } from './window.ts';

export interface AppOptions {
  library: Library;
  cache: CalendarCache;
  /** http(s) address under which people reach the service; every link is made from it. */
  baseUrl: string;
  log: Log;
  /** Compress calendars for those who ask; default true. */
  gzip?: boolean;
  /** The clock, for questions that do not say when; calendars never depend on it. */
  now?: () => number;
  /** Feeds published beside the calendars. */
  rpde?: Rpde;
  /** Transactions of this process, for `/metrics`. */
  writes?: (() => number) | undefined;
}

type Answer = Response | Promise<Response>;

/**
 * Every address, one line each. One handler an address and no middleware: Hono then calls it directly, and an answer
 * made synchronously goes out synchronously (libs.md 4.6).
 */
export function createApp(options: AppOptions): Hono {
  const { library, cache, baseUrl, log, gzip = true, now = Date.now, rpde, writes } = options;
  const to = links(baseUrl);
  const pages = { library, links: to };
  const routes = { library, cache, links: to, gzip, log, now };
  const described = openapi(to.base);
  const { meters } = cache;
  const serving = { meters, held: () => cache.held(), shared: () => cache.shared() };
  const metrics = new Metrics({ serving, feeds: () => library.feeds(), writes, now, log });
  const app = new Hono();

  const calendar = (c: Context): Answer => {
    const address = calendarAt(c.req.path);
    if (address?.part === 'freebusy' && asksWindow(c)) return windowResponse(c, address, routes);
    return calendarResponse(c, address, routes);
  };
  const at = (path: string, page: (c: Context) => Answer) =>
    app.all(path, (c) => (c.req.path.endsWith('.ics') ? calendar(c) : reading(c, () => page(c))));

  at('/series/:file', (c) => seriesByKey(last(c), pages));
  app.all('/series/:key/explain', (c) => reading(c, () => explainForPeople(c, routes)));
  app.all('/series', (c) => reading(c, () => byId(c, 'series', library, to)));
  app.all('/api/series', (c) => reading(c, () => listJson(c, 'series', library, to)));
  app.all('/api/series/:key', (c) => reading(c, () => seriesJson(last(c), library, to)));
  app.all('/api/series/:key/explain', (c) => reading(c, () => explainJson(c, routes)));
  for (const collection of ['places', 'facilities'] as const) {
    at(`/${collection}/:file`, (c) => venueByKey(collection, last(c), pages));
    at(`/${collection}/:key/:file`, () => notFound(to));
    app.all(`/${collection}`, (c) => reading(c, () => byId(c, collection, library, to)));
    app.all(`/api/${collection}`, (c) => reading(c, () => listJson(c, collection, library, to)));
    app.all(`/api/${collection}/:key`, (c) => reading(c, () => venueJson(collection, last(c), routes)));
    app.all(`/api/${collection}/:key/hours`, (c) => reading(c, () => venueHoursJson(c, collection, routes)));
    app.all(`/api/${collection}/:key/open`, (c) => reading(c, () => venueOpenJson(c, collection, routes)));
  }
  if (rpde !== undefined) mountRpde(app, { rpde, gzip });
  app.all('/', (c) => reading(c, () => home(c, pages)));
  app.all('/feeds', (c) => reading(c, () => feedsForPeople(routes)));
  app.all('/feeds/:id', (c) => reading(c, () => feedForPeople(c, routes)));
  app.all('/api/feeds', (c) => reading(c, () => feedsJson(pages)));
  app.all('/api/feeds/:id/findings', (c) => reading(c, () => feedFindingsJson(c, pages)));
  app.all('/openapi.json', (c) => reading(c, () => json(described, 200, HOUR)));
  mountOperations(app, { library, metrics, log });
  app.all('/robots.txt', (c) => reading(c, robots));
  app.all('/favicon.ico', (c) => reading(c, () => new Response(null, { status: 204, headers: DAY })));

  app.notFound((c) => {
    if (c.req.path.endsWith('.ics')) return unknown();
    return isApi(c) ? problem(404, 'Not Found', 'There is nothing at this address.') : notFound(to);
  });
  app.onError((error, c) => {
    log.error({ err: error, path: c.req.path.slice(0, 200) }, 'A request failed.');
    if (c.req.path.endsWith('.ics')) return unavailable();
    return isApi(c) ? problem(500, 'Internal Server Error', 'The answer could not be made.') : failed(to);
  });
  return app;
}

const HOUR = { 'Cache-Control': 'public, max-age=3600' };
const DAY = { 'Cache-Control': 'public, max-age=86400' };

/** The last segment of the path. */
function last(c: Context): string {
  return c.req.path.slice(c.req.path.lastIndexOf('/') + 1);
}

/** `/series?id=<@id>`: to the calendar. Ids are compared as given and percent-decoded (semantics 1). */
async function byId(c: Context, kind: Collection, library: Library, to: ReturnType<typeof links>): Promise<Response> {
  const id = c.req.query('id');
  if (id === undefined) return new Response(null, { status: 302, headers: { Location: to.path(`/?kind=${kind}`) } });
  for (const spelling of new Set([id, decoded(id)])) {
    const key = await library.keyOfId(kind, spelling);
    if (key !== undefined) return moved(to.calendarPath(kind, key));
  }
  return unknown();
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** A missing file, or one that forbids, kept Google from calendars (clients.md 1.1, feed rule 33). */
function robots(): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...DAY };
  return new Response('User-agent: *\nAllow: /\n', { headers });
}

function isApi(c: Context): boolean {
  return c.req.path.startsWith('/api/') || c.req.path.startsWith('/rpde/');
}
