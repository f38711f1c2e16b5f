import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { matchingTag } from '../../entity-tags.ts';
import { type Collection, isMerged } from '../../library/index.ts';
import type { FilterProblem } from '../../search/query.ts';
import type { CacheAnswer, CalendarCache } from '../cache/cache.ts';
import { DAY, RETRY_SECONDS, retry } from '../lifetimes.ts';
import type { Links } from '../links.ts';
import { type CalendarAddress, calendarAt } from './address.ts';
import { isMicrosoft, isRefused, READABLE_WITH_TIME, unmodifiedSince, wantsGzip } from './conditions.ts';
import { disposition, type Entry, type Variant } from './entry.ts';

/**
 * Answers at addresses that end in `.ics` (README.md, "What is served"). Every header is set here, and no middleware runs on
 * these routes: one that touches the answer after `next()` costs more than the whole request. The usual request, for a
 * calendar in memory, is answered synchronously from headers and octets that were made with the calendar.
 */

/** The parts of the server that these answers need. */
export interface CalendarRoutes {
  cache: CalendarCache;
  links: Links;
  gzip: boolean;
  /** Called with the token of each list whose calendar is requested. */
  touchList?(token: string): void;
  /** The 429 with the time to wait; undefined: the calendar may be computed for this caller. */
  rateLimited?(c: Context, address: CalendarAddress): Promise<Response | undefined>;
}

/** The headers of a request that matter once the calendar is found. */
type CalendarHeaders = Pick<
  IncomingHttpHeaders,
  'if-match' | 'if-unmodified-since' | 'if-none-match' | 'if-modified-since' | 'accept-encoding' | 'user-agent'
>;

export const ALLOW = 'GET, HEAD, OPTIONS';

/** The answer to any method for a calendar. `address`: undefined where no calendar can be. */
export function calendarResponse(
  c: Context,
  address: CalendarAddress | undefined,
  routes: CalendarRoutes,
): Response | Promise<Response> {
  const method = c.req.method;
  if (method !== 'GET' && method !== 'HEAD') return otherMethod(method);
  if (address === undefined) return unknown();
  if (address.collection === 'my') routes.touchList?.(address.key);
  const entry = routes.cache.peek(address.name);
  if (entry) return entryAnswer(c, entry, routes);
  return loadResponse(c, address, routes);
}

/** Loads a calendar. A caller beyond the limit gets a merged calendar that was made earlier, if it is in memory. */
async function loadResponse(c: Context, address: CalendarAddress, routes: CalendarRoutes): Promise<Response> {
  const { cache, rateLimited } = routes;
  const refusal = isMerged(address.name) ? await rateLimited?.(c, address) : undefined;
  if (refusal === undefined) return answerResponse(c, address, await cache.load(address.name), routes);
  const last = cache.lastMade(address.name);
  return last === undefined ? refusal : entryAnswer(c, last, routes);
}

/**
 * Fast path for a GET of a calendar in memory, without a query. Other requests get undefined, and go through the router to the
 * same functions. Routing costs a tenth of such a request (decision 23), which made the difference to a bare server larger
 * than allowed: the row `http` of `npm run bench` pays for this path.
 */
export function cachedResponse(
  incoming: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { cache, gzip, touchList }: Omit<CalendarRoutes, 'links'>,
): Response | undefined {
  const { method, url = '', headers } = incoming;
  const address = method === 'GET' ? calendarAt(url) : undefined;
  const entry = address && cache.peek(address.name);
  if (entry && address.collection === 'my') touchList?.(address.key);
  return entry && entryResponse(headers, entry, gzip);
}

function answerResponse(
  c: Context,
  { collection, part }: CalendarAddress,
  answer: CacheAnswer,
  routes: CalendarRoutes,
): Response {
  switch (answer.kind) {
    case 'entry':
      return entryAnswer(c, answer.entry, routes);
    case 'moved':
      // Things of a list may move; a list does not.
      return permanentRedirect(routes.links.calendarPath(collection as Collection, answer.to, part), c);
    case 'gone':
      return gone();
    case 'unknown':
      return unknown();
    case 'refused':
      return line(400, problemLine(answer.problem), 'no-store');
    case 'failed':
      return unavailable();
  }
}

/** A 200 with the octets of an entry, or a 304. */
export function entryAnswer(c: Context, entry: Entry, { gzip }: Pick<CalendarRoutes, 'gzip'>): Response {
  return entryResponse(c.req.header(), entry, gzip, { asFile: wantsFile(c), hasBody: c.req.method !== 'HEAD' });
}

const WHOLE = { asFile: false, hasBody: true };

/**
 * 412 where the request wants other octets than these. 304 by If-None-Match where the request has one, matching or not; else
 * by If-Modified-Since (RFC 9110 13.2.2).
 */
function entryResponse(
  requestHeaders: CalendarHeaders,
  entry: Entry,
  gzipAllowed: boolean,
  { asFile, hasBody } = WHOLE,
): Response {
  if (isRefused(requestHeaders['if-match'], requestHeaders['if-unmodified-since'], entry.tags, entry.modified))
    return line(412, 'The calendar is not the one that If-Match or If-Unmodified-Since names.', 'no-store');
  const ifNoneMatch = requestHeaders['if-none-match'];
  const since = requestHeaders['if-modified-since'];
  if (ifNoneMatch !== undefined) {
    const tag = matchingTag(ifNoneMatch, entry.tags);
    if (tag !== undefined) return notModified(entry, tag === entry.gzip?.tag ? entry.gzip : entry.identity);
  } else if (since !== undefined && (since === entry.lastModified || unmodifiedSince(since, entry.modified))) {
    return notModified(entry, negotiatedVariant(requestHeaders, entry, gzipAllowed));
  }
  const variant = negotiatedVariant(requestHeaders, entry, gzipAllowed);
  entry.meter.full += 1;
  if (hasBody) entry.meter.bytes += variant.body.length;
  const headers = asFile ? download(variant, entry.slug) : variant.headers;
  return new Response(variant.body, { headers });
}

function wantsFile(c: Context): boolean {
  return c.req.query('download') === '1';
}

function negotiatedVariant(headers: CalendarHeaders, { identity, gzip }: Entry, gzipAllowed: boolean): Variant {
  const accepted = headers['accept-encoding'];
  if (!gzipAllowed || gzip === undefined || accepted === undefined || !wantsGzip(accepted)) return identity;
  return isMicrosoft(headers['user-agent'] ?? '') ? identity : gzip;
}

function notModified({ meter }: Entry, variant: Variant): Response {
  meter.notModified += 1;
  return new Response(null, { status: 304, headers: variant.notModified });
}

function download(variant: Variant, slug: string): Record<string, string> {
  return { ...variant.headers, 'Content-Disposition': disposition('attachment', slug) };
}

/** The answer to a method besides GET and HEAD: 204 to OPTIONS, else 405. */
export function otherMethod(method: string): Response {
  if (method !== 'OPTIONS') return line(405, 'Calendars can only be read.', 'no-store', { Allow: ALLOW });
  const preflight = {
    Allow: ALLOW,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  };
  return new Response(null, { status: 204, headers: { ...READABLE_WITH_TIME, ...preflight } });
}

/** A 308, the only status at which clients store the new address (feed rule 22). `c`: gives the query, if any. */
export function permanentRedirect(path: string, c?: Context): Response {
  const location = c === undefined ? path : path + search(c);
  return new Response(null, {
    status: 308,
    headers: { ...READABLE_WITH_TIME, Location: location, ...DAY },
  });
}

/** `"maxprice" is not known here (did you mean maxPrice?).` */
export function problemLine({ name, value, allowed, nearest }: FilterProblem): string {
  const meant = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  if (value === undefined) return `"${name}" is not known here${meant}.`;
  return `"${name}" must be ${allowed}, not "${value}"${meant}.`;
}

/** A 410, after the tail of a calendar (semantics 6). */
export function gone(): Response {
  return line(410, 'This calendar has ended and is gone for good.', 'public, max-age=86400');
}

/** A 404, which keeps the subscribers' data, where a 410 disables the calendar (feed rule 22). */
export function unknown(): Response {
  return line(404, 'There is no such calendar here.', 'public, max-age=60');
}

/** A 503 without a calendar in memory. It is not cacheable, so that a cache in front goes on with its own copy. */
export function unavailable(): Response {
  const { headers, words } = retry(RETRY_SECONDS.later);
  return line(503, `This calendar cannot be read just now. ${words}`, 'no-store', headers);
}

/** An answer of one line of text. */
export function line(status: number, text: string, cacheControl: string, more: Record<string, string> = {}): Response {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
  };
  return new Response(`${text}\n`, { status, headers: { ...headers, ...READABLE_WITH_TIME, ...more } });
}

function search(c: Context): string {
  const at = c.req.url.indexOf('?');
  return at < 0 ? '' : c.req.url.slice(at);
}
