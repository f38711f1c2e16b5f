import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type Context, type ErrorHandler, Hono } from 'hono';
import { BusyError, OverBudgetError } from '../errors.ts';
import type { Library } from '../library/index.ts';
import { problem, reading } from './api/json.ts';
import { asksWindow } from './api/window.ts';
import type { CalendarCache } from './cache/cache.ts';
import { type CalendarAddress, isCalendar } from './calendars/address.ts';
import { type CalendarRoutes, calendarResponse, line, permanentRedirect } from './calendars/calendars.ts';
import { mountDav } from './dav/dav.ts';
import { broken, refusalResponse } from './failures.ts';
import { imageAt } from './images/address.ts';
import type { Images } from './images/images.ts';
import { DAY, RETRY_SECONDS } from './lifetimes.ts';
import type { Limiter } from './limiter.ts';
import type { Links } from './links.ts';
import { mountLists } from './lists/lists.ts';
import { askedCalendar, costOfMerged } from './lists/merged-address.ts';
import { type Log, sparseWarning } from './operations/log.ts';
import { mountOperations } from './operations/operations.ts';
import { brandFiles, type Logo } from './pages/frame/brand.ts';
import { type Brand, type Site, siteOf } from './pages/frame/site.ts';
import { mountPublish, type PublishTrial } from './publishing/publishing.ts';
import { mountRpde, type Rpde } from './rpde/rpde.ts';

interface AppOptions {
  library: Pick<Library, 'chosenList' | 'feeds' | 'health' | 'lists' | 'noteError'>;
  cache: CalendarCache;
  /** Computes answers (`server/computing/answers.ts`), here or on another thread. */
  answer: (request: Request, base?: string) => Response | Promise<Response>;
  /** Limits the computed answers of each caller. */
  limiter?: Limiter | undefined;
  /** http(s) address under which people reach the service; every link is made from it. */
  baseUrl: string;
  brand?: Brand | undefined;
  /** Images of publishers; absent: none are served. */
  images?: Images | undefined;
  /** The octets of the brand's logo. */
  logo?: Logo | undefined;
  /** The base address that a trusted proxy sends; undefined: `baseUrl`. */
  baseOf?: ((incoming: IncomingMessage) => string | undefined) | undefined;
  /** CalDAV asks for a name and a password, any of them. */
  davLogin?: boolean | undefined;
  log: Log;
  /** Whether calendars are compressed on request; default true. */
  gzip?: boolean;
  rpde?: Rpde;
  /** Tries the publishing of a calendar; absent: there is no `/publish`. */
  publishing?: { trial: PublishTrial; now: () => number } | undefined;
}

/**
 * Calendars in memory and answers for operators are made where requests come in, so that they never wait for computed answers.
 * One handler an address and no middleware: Hono then calls it directly, and an answer made synchronously goes out
 * synchronously.
 */
export function createApp(options: AppOptions): Hono {
  const { library, answer, log, gzip = true, rpde, publishing } = options;
  const site = siteOf(options.baseUrl, options.brand);
  const limits = limitsOf(options, site);
  const touchList = (token: string) => library.lists?.touch(token);
  const app = new Hono();
  if (rpde !== undefined) mountRpde(app, { rpde, gzip });
  mountOperations(app, { library, log });
  app.all('/metrics', (c) => reading(c, () => problem(404, ELSEWHERE)));
  app.all('/robots.txt', (c) => reading(c, () => robots(site.links)));
  for (const [path, file] of brandFiles(site, options.logo)) app.all(path, (c) => reading(c, file));
  mountLists(app, { library, rateLimited: limits.rateLimited, site });
  if (publishing !== undefined) mountPublish(app, { ...publishing, rateLimited: limits.rateLimited, site });
  mountDav(app, {
    answer,
    rateLimited: limits.rateLimited,
    touchList,
    baseUrl: site.links.base,
    baseOf: (c) => baseFor(c, options),
    login: options.davLogin ?? false,
  });
  const routes = { cache: options.cache, links: site.links, gzip, touchList, rateLimited: limits.mergedLimited };
  app.all('*', (c) => calendarOrImage(c, options, routes, limits) ?? computeResponse(c, options, limits));
  app.onError(failureAnswer(options, site));
  return app;
}

interface Limits {
  /** Seconds that the caller must wait; undefined: none. */
  waitOf(c: Context, cost?: number): Promise<number | undefined>;
  /** The 429 with the time to wait; undefined: the answer may be computed. */
  rateLimited(c: Context, cost?: number): Promise<Response | undefined>;
  mergedLimited(c: Context, address: CalendarAddress): Promise<Response | undefined>;
}

/** Undefined without a socket, as in tests: such requests are not counted. */
const incomingOf = (c: Context) => ((c.env ?? {}) as Partial<HttpBindings>).incoming;

function limitsOf({ limiter, library }: AppOptions, site: Site): Limits {
  async function waitOf(c: Context, cost?: number): Promise<number | undefined> {
    const incoming = incomingOf(c);
    return incoming && limiter?.(incoming, cost);
  }

  async function rateLimited(c: Context, cost?: number): Promise<Response | undefined> {
    const seconds = await waitOf(c, cost);
    return seconds === undefined ? undefined : refusalResponse(429, seconds, c, site);
  }

  async function mergedLimited(c: Context, address: CalendarAddress): Promise<Response | undefined> {
    const cost = await costOfMerged(address, library);
    return cost === 0 ? undefined : rateLimited(c, cost);
  }

  return { waitOf, rateLimited, mergedLimited };
}

/** Answers at once: calendars, images, redirects and refusals. Undefined: the address is another one. */
function calendarOrImage(
  c: Context,
  { images }: AppOptions,
  routes: CalendarRoutes,
  { waitOf }: Limits,
): Response | Promise<Response> | undefined {
  // A 404 and no redirect, which caches keep for a day, within which feeds may be published.
  if (/^\/rpde(?:\/|$)/.test(c.req.path)) return reading(c, () => problem(404, 'There are no feeds here.'));
  // People and proxies write `/search/` for `/search`. Two slashes at the front would lead to another host.
  const bare = /^(\/[^/](?:.*[^/])?)\/+$/.exec(c.req.path)?.[1];
  if (bare !== undefined) return permanentRedirect(routes.links.path(bare), c);
  const image = images && imageAt(c.req.path);
  if (image) return images.answer(c, image, () => waitOf(c));
  if (!isCalendar(c)) return undefined;
  const calendar = askedCalendar(c.req.path, new URL(c.req.url).searchParams);
  if ('bad' in calendar) return line(400, calendar.bad, 'no-store');
  const { address } = calendar;
  const isCacheable = address !== undefined && !(address.part === 'freebusy' && asksWindow(c));
  return isCacheable ? calendarResponse(c, address, routes) : undefined;
}

async function computeResponse(c: Context, options: AppOptions, { rateLimited }: Limits): Promise<Response> {
  const refusal = leadsToCalendar(c) ? undefined : await rateLimited(c);
  return refusal ?? options.answer(c.req.raw, baseFor(c, options));
}

function baseFor(c: Context, { baseOf }: AppOptions): string | undefined {
  const incoming = incomingOf(c);
  return incoming && baseOf?.(incoming);
}

function failureAnswer({ library, log }: AppOptions, site: Site): ErrorHandler {
  const warn = sparseWarning(log, 'Requests were refused.');
  return (error, c) => {
    // A Host such as `1.2.3.4.5` makes no address, and no fault of ours (RFC 9112 3.2).
    if (!URL.canParse(c.req.url)) return line(400, 'The Host of the request cannot be read.', 'no-store');
    if (error instanceof BusyError || error instanceof OverBudgetError) {
      warn({ reason: error.message, path: c.req.path.slice(0, 200) });
      return refusalResponse(503, error instanceof BusyError ? RETRY_SECONDS.soon : RETRY_SECONDS.later, c, site);
    }
    return broken(error, c, { library, site, log });
  };
}

/** Whether the address redirects to the calendar of an `@id`. Programs that poll calendars request such addresses too. */
function leadsToCalendar(c: Context): boolean {
  return /^\/(?:series|places|facilities)$/.test(c.req.path) && c.req.query('id') !== undefined;
}

const ELSEWHERE = 'Metrics are on the admin address alone: the setting adminPort (--admin-port) gives it one.';

/** `/robots.txt`. A missing or forbidding one kept Google from calendars (feed rule 33). */
function robots({ base }: Links): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...DAY };
  return new Response(`User-agent: *\nAllow: /\nSitemap: ${base}/sitemap.xml\n`, { headers });
}
