import type { Context, Hono } from 'hono';
import { bodyOf, CAPABILITIES, type DavAddress, davAddress, Refusal } from '../../dav/index.ts';
import { line } from '../calendars/calendars.ts';
import { DAY } from '../lifetimes.ts';
import { SEARCH_COST } from '../limiter.ts';

/** `/dav/` and addresses that lead to it, where requests come in: logins, limits and bodies. Answers are computed elsewhere. */

interface DavMount {
  /** Computes the answer, here or on another thread. */
  answer: (request: Request, base?: string) => Response | Promise<Response>;
  /** The 429 with the time to wait, for a caller beyond its limit. */
  rateLimited(c: Context, cost: number): Promise<Response | undefined>;
  /** Called with the token of each requested list, because a stored list without requests expires. */
  touchList(token: string): void;
  baseUrl: string;
  /** The base address that a trusted proxy sends; undefined: the one above. */
  baseOf(c: Context): string | undefined;
  /** Whether a name and a password, any of them, are required: account set-up of Apple's programs needs them. */
  login: boolean;
}

/** Adds the addresses of CalDAV to an application. */
export function mountDav(app: Hono, mount: DavMount): void {
  // RFC 6764 5: any method, with a full address. Programs also begin at the root, or where other servers have principals.
  app.all('/.well-known/caldav', (c) => toRoot(c, mount));
  app.all('/.well-known/caldav/', (c) => toRoot(c, mount));
  app.on('PROPFIND', ['/', '/principals', '/principals/*'], (c) => toRoot(c, mount));
  app.on('OPTIONS', ['/', '/principals', '/principals/*'], () => new Response(null, { headers: CAPABLE }));
  for (const path of ['/dav', '/dav/*'])
    app.all(path, async (c) => {
      const response = await handleRequest(c, mount);
      // Every answer has the DAV header, refusals too (RFC 4918 10.1).
      response.headers.set('DAV', CAPABILITIES);
      return response;
    });
}

/** The answer to OPTIONS at the root, which programs send first (RFC 4918 10.1, RFC 4791 5.1). */
const CAPABLE = { DAV: CAPABILITIES, Allow: 'OPTIONS, GET, HEAD, PROPFIND', ...DAY };

/** Redirects with 301, the only status that every program follows for PROPFIND. */
function toRoot(c: Context, mount: DavMount): Response {
  const headers = { DAV: CAPABILITIES, Location: `${mount.baseOf(c) ?? mount.baseUrl}/dav/`, ...DAY };
  return new Response(null, { status: 301, headers });
}

const WITH_BODY = new Set(['PROPFIND', 'PROPPATCH', 'REPORT']);

async function handleRequest(c: Context, mount: DavMount): Promise<Response> {
  const { raw, method } = c.req;
  // Preflights of browsers have no credentials.
  if (mount.login && method !== 'OPTIONS' && !isNamed(c)) return challenge();
  const address = davAddress(new URL(raw.url).pathname);
  if (address?.kind === 'list' || address?.kind === 'member') mount.touchList(address.token);
  const cost = davCost(address, method);
  const refusal = cost === 0 ? undefined : await mount.rateLimited(c, cost);
  if (refusal !== undefined) return refusal;
  const { url, headers } = raw;
  if (WITH_BODY.has(method) && isEncoded(c)) return unsupportedMediaType();
  try {
    const body = WITH_BODY.has(method) ? { body: await bodyOf(raw.body) } : {};
    return await mount.answer(new Request(url, { method, headers, ...body }), mount.baseOf(c));
  } catch (error) {
    if (error instanceof Refusal) return line(error.status, error.message, 'no-store');
    throw error;
  }
}

function isEncoded(c: Context): boolean {
  const coding = c.req.header('content-encoding')?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'identity';
}

/** A 415 with the accepted content codings (RFC 9110 15.5.16). */
function unsupportedMediaType(): Response {
  return line(415, 'The body must be sent without a content coding.', 'no-store', { 'Accept-Encoding': 'identity' });
}

function isNamed(c: Context): boolean {
  return /^Basic\s+\S/i.test(c.req.header('authorization') ?? '');
}

function challenge(): Response {
  const asked = { 'WWW-Authenticate': 'Basic realm="Any name and any password", charset="UTF-8"' };
  return line(401, 'Any name and any password will do: calendars here are public.', 'no-store', asked);
}

/** The cost of the home of a list, which has up to a hundred calendars. */
const HOME_COST = 10;

/** The cost of one object, which some programs get one by one: the calendar stays in memory, so it takes an eighth of a page. */
const OBJECT_COST = 1 / 8;

/** The cost of a request, in the units of `costOf`. */
export function davCost(address: DavAddress | undefined, method: string): number {
  if (method === 'OPTIONS') return 0;
  if (address?.kind === 'list') return HOME_COST;
  if (address !== undefined && 'file' in address && (method === 'GET' || method === 'HEAD')) return OBJECT_COST;
  if (address?.kind === 'calendar' && address.thing.kind === 'search') return SEARCH_COST;
  if (address?.kind === 'member' && address.member.startsWith('search-')) return SEARCH_COST;
  return method === 'REPORT' ? 2 : 1;
}
