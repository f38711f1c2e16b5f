import { type Context, Hono } from 'hono';
import type { CalendarCache } from './cache.ts';
import { calendarResponse, isKey, moved, unavailable, unknown } from './calendars.ts';
import { json, problem, seriesJson, seriesListJson } from './json.ts';
import type { Library } from './library.ts';
import { links } from './links.ts';
import type { Log } from './log.ts';
import { failed, home, notFound, seriesByKey } from './people.ts';

export interface AppOptions {
  library: Library;
  cache: CalendarCache;
  /** http(s) address under which people reach the service; every link is made from it. */
  baseUrl: string;
  log: Log;
  /** Compress calendars for those who ask; default true. */
  gzip?: boolean;
}

type Answer = Response | Promise<Response>;

/**
 * Every address, one line each. One handler an address and no middleware: Hono then calls it directly, and an answer
 * made synchronously goes out synchronously (libs.md 4.6).
 */
export function createApp({ library, cache, baseUrl, log, gzip = true }: AppOptions): Hono {
  const to = links(baseUrl);
  const pages = { library, links: to };
  const calendars = { cache, links: to, gzip };
  const app = new Hono();

  app.all('/series/:file', (c) => {
    const file = c.req.path.slice('/series/'.length);
    if (file.endsWith('.ics')) return calendarResponse(c, file.slice(0, -'.ics'.length), calendars);
    return reading(c, () => seriesByKey(file, pages));
  });
  app.all('/series', (c) => reading(c, () => seriesById(c, library, to)));
  app.all('/places/:key', (c) => reading(c, () => placeByKey(c.req.path.slice('/places/'.length), pages)));
  app.all('/', (c) => reading(c, () => home(c, pages)));
  app.all('/api/series', (c) => reading(c, () => seriesListJson(c, library, to)));
  app.all('/api/series/:key', (c) =>
    reading(c, () => seriesJson(c.req.path.slice('/api/series/'.length), library, to)),
  );
  app.all('/healthz', (c) => reading(c, () => json({ status: 'ok', timezones: process.versions.tz }, 200, FRESH)));
  app.all('/readyz', (c) => reading(c, () => readiness(library, log)));
  app.all('/robots.txt', (c) => reading(c, robots));
  app.all('/favicon.ico', (c) => reading(c, () => new Response(null, { status: 204, headers: DAY })));

  app.notFound((c) => (isApi(c) ? problem(404, 'Not Found', 'There is nothing at this address.') : notFound(to)));
  app.onError((error, c) => {
    log.error({ err: error, path: c.req.path.slice(0, 200) }, 'A request failed.');
    if (c.req.path.endsWith('.ics')) return unavailable();
    return isApi(c) ? problem(500, 'Internal Server Error', 'The answer could not be made.') : failed(to);
  });
  return app;
}

const FRESH = { 'Cache-Control': 'no-store' };
const DAY = { 'Cache-Control': 'public, max-age=86400' };
const ALLOW = 'GET, HEAD, OPTIONS';

/** Everything here is read-only: GET and HEAD answer, OPTIONS says so, the rest is refused. */
function reading(c: Context, answer: () => Answer): Answer {
  const method = c.req.method;
  if (method === 'GET' || method === 'HEAD') return answer();
  const headers = { Allow: ALLOW, 'Access-Control-Allow-Origin': '*' };
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers });
  const refusal = problem(405, 'Method Not Allowed', 'This address can only be read.');
  refusal.headers.set('Allow', ALLOW);
  return refusal;
}

/** `/series?id=<@id>`: to the calendar. Ids are compared as given and percent-decoded (semantics 1). */
async function seriesById(c: Context, library: Library, to: ReturnType<typeof links>): Promise<Response> {
  const id = c.req.query('id');
  if (id === undefined) return new Response(null, { status: 302, headers: { Location: to.path('/?kind=series') } });
  for (const spelling of new Set([id, decoded(id)])) {
    const key = await library.keyOfId('series', spelling);
    if (key !== undefined) return moved(to.calendarPath('series', key));
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

/** The series at a place. */
async function placeByKey(key: string, { links: to }: { links: ReturnType<typeof links> }): Promise<Response> {
  if (!isKey(key)) return notFound(to);
  const query = new URLSearchParams({ kind: 'series', place: key });
  return new Response(null, { status: 302, headers: { Location: to.path(`/?${query}`) } });
}

/** 503 takes this process out of a load balancer; calendars it holds are served all the same. */
async function readiness(library: Library, log: Log): Promise<Response> {
  try {
    const { ready, reason, facts } = await library.health();
    return json({ status: ready ? 'ready' : 'not ready', reason, ...facts }, ready ? 200 : 503, FRESH);
  } catch (error) {
    log.error({ err: error }, 'The store does not answer.');
    return json({ status: 'not ready', reason: 'the store does not answer' }, 503, FRESH);
  }
}

/** A missing file, or one that forbids, kept Google from calendars (clients.md 1.1, feed rule 33). */
function robots(): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...DAY };
  return new Response('User-agent: *\nAllow: /\n', { headers });
}

function isApi(c: Context): boolean {
  return c.req.path.startsWith('/api/');
}
