import { type Context, Hono } from 'hono';
import type { Collection, Library } from '../../library/index.ts';
import { explainForPeople, explainJson } from '../api/explain.ts';
import { feedFindingsJson, feedForPeople, feedsForPeople, feedsJson } from '../api/feeds.ts';
import { type Answer, json, listJson, problem, reading, seriesJson } from '../api/json.ts';
import { openapi } from '../api/openapi.ts';
import { venueHoursJson, venueJson, venueOpenJson } from '../api/venue-json.ts';
import { calendarAt, isApi, isCalendar } from '../calendars/address.ts';
import { moved, unknown } from '../calendars/calendars.ts';
import { type WindowRoutes, windowResponse } from '../calendars/free-busy.ts';
import { broken } from '../failures.ts';
import { links } from '../links.ts';
import { home, notFound, seriesByKey, venueByKey } from '../pages/people.ts';

export interface AnswerOptions extends Omit<WindowRoutes, 'links'> {
  library: Library;
  /** http(s) address under which people reach the service; every link is made from it. */
  baseUrl: string;
}

/**
 * What is computed for each request and not held: pages, JSON, free/busy of other windows. It needs nothing of the process
 * that listens, so that it may run on a thread of its own (`computing.ts`).
 */
export function createAnswers(options: AnswerOptions): Hono {
  const { library, baseUrl, log } = options;
  const to = links(baseUrl);
  const routes = { ...options, links: to };
  const described = openapi(to.base);
  const app = new Hono();

  const at = (path: string, page: (c: Context) => Answer) =>
    app.all(path, (c) =>
      isCalendar(c) ? windowResponse(c, calendarAt(c.req.path), routes) : reading(c, () => page(c)),
    );

  at('/series/:file', (c) => seriesByKey(last(c), routes));
  app.all('/series/:key/explain', (c) => reading(c, () => explainForPeople(c, routes)));
  app.all('/series', (c) => reading(c, () => byId(c, 'series', library, to)));
  app.all('/api/series', (c) => reading(c, () => listJson(c, 'series', library, to)));
  app.all('/api/series/:key', (c) => reading(c, () => seriesJson(last(c), library, to)));
  app.all('/api/series/:key/explain', (c) => reading(c, () => explainJson(c, routes)));
  for (const collection of ['places', 'facilities'] as const) {
    at(`/${collection}/:file`, (c) => venueByKey(collection, last(c), routes));
    at(`/${collection}/:key/:file`, () => notFound(to));
    app.all(`/${collection}`, (c) => reading(c, () => byId(c, collection, library, to)));
    app.all(`/api/${collection}`, (c) => reading(c, () => listJson(c, collection, library, to)));
    app.all(`/api/${collection}/:key`, (c) => reading(c, () => venueJson(collection, last(c), routes)));
    app.all(`/api/${collection}/:key/hours`, (c) => reading(c, () => venueHoursJson(c, collection, routes)));
    app.all(`/api/${collection}/:key/open`, (c) => reading(c, () => venueOpenJson(c, collection, routes)));
  }
  app.all('/', (c) => reading(c, () => home(c, routes)));
  app.all('/feeds', (c) => reading(c, () => feedsForPeople(routes)));
  app.all('/feeds/:id', (c) => reading(c, () => feedForPeople(c, routes)));
  app.all('/api/feeds', (c) => reading(c, () => feedsJson(routes)));
  app.all('/api/feeds/:id/findings', (c) => reading(c, () => feedFindingsJson(c, routes)));
  app.all('/openapi.json', (c) => reading(c, () => json(described, 200, HOUR)));

  app.notFound((c) => {
    if (isCalendar(c)) return unknown();
    return isApi(c) ? problem(404, 'Not Found', 'There is nothing at this address.') : notFound(to);
  });
  app.onError((error, c) => broken(error, c, { library, links: to, log }));
  return app;
}

const HOUR = { 'Cache-Control': 'public, max-age=3600' };

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
