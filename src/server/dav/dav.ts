import type { Context, Hono } from 'hono';
import { bodyOf, CAPABILITIES, type DavAddress, davAddress, Refusal } from '../../dav/index.ts';
import { line } from '../calendars/calendars.ts';
import { DAY } from '../lifetimes.ts';
import { SEARCH_COST } from '../limiter.ts';

/** `/dav/` and what leads to it, where requests come in: who may ask, and bodies. What is answered is computed elsewhere. */

interface DavMount {
  /** Computes the answer, here or on another thread. */
  answer: (request: Request, base?: string) => Response | Promise<Response>;
  /** The 429 that says when, for who asks too much. */
  rateLimited(c: Context, cost: number): Promise<Response | undefined>;
  /** Hears the token of each list that is asked for: a kept one goes when nobody does. */
  touchList(token: string): void;
  baseUrl: string;
  /** The base address that a trusted proxy says; undefined: the one above. */
  baseOf(c: Context): string | undefined;
  /** Ask for a name and a password, any of them: account set-up of Apple's programs does not go on without. */
  login: boolean;
}

/** Adds the addresses of CalDAV to an application. */
export function mountDav(app: Hono, mount: DavMount): void {
  // RFC 6764 5: for any method, and to a whole address. Programs also begin at the root, or where others have principals.
  app.all('/.well-known/caldav', (c) => toRoot(c, mount));
  app.all('/.well-known/caldav/', (c) => toRoot(c, mount));
  app.on('PROPFIND', ['/', '/principals', '/principals/*'], (c) => toRoot(c, mount));
  app.on('OPTIONS', ['/', '/principals', '/principals/*'], () => new Response(null, { headers: CAPABLE }));
  for (const path of ['/dav', '/dav/*'])
    app.all(path, async (c) => {
      const response = await handleRequest(c, mount);
      // Refusals too: whatever becomes of a request, the address is one of CalDAV (RFC 4918 10.1).
      response.headers.set('DAV', CAPABILITIES);
      return response;
    });
}

/** What programs ask of the root before they ask for properties (RFC 4918 10.1, RFC 4791 5.1). */
const CAPABLE = { DAV: CAPABILITIES, Allow: 'OPTIONS, GET, HEAD, PROPFIND', ...DAY };

/** 301: not every program follows another for PROPFIND. */
function toRoot(c: Context, mount: DavMount): Response {
  const headers = { DAV: CAPABILITIES, Location: `${mount.baseOf(c) ?? mount.baseUrl}/dav/`, ...DAY };
  return new Response(null, { status: 301, headers });
}

const WITH_BODY = new Set(['PROPFIND', 'PROPPATCH', 'REPORT']);

async function handleRequest(c: Context, mount: DavMount): Promise<Response> {
  const { raw, method } = c.req;
  // A browser asks without a name whether it may ask.
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

/** RFC 9110 15.5.16: which content codings would have been accepted. */
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

/** The home of a list shows up to a hundred calendars. */
const HOME_COST = 10;

/** Some programs get objects one by one. The calendar stays in memory meanwhile, so that one takes an eighth of a page. */
const OBJECT_COST = 1 / 8;

/** What a request counts for its caller, in the units of `costOf`. */
export function davCost(address: DavAddress | undefined, method: string): number {
  if (method === 'OPTIONS') return 0;
  if (address?.kind === 'list') return HOME_COST;
  if (address !== undefined && 'file' in address && (method === 'GET' || method === 'HEAD')) return OBJECT_COST;
  if (address?.kind === 'calendar' && address.thing.kind === 'search') return SEARCH_COST;
  if (address?.kind === 'member' && address.member.startsWith('search-')) return SEARCH_COST;
  return method === 'REPORT' ? 2 : 1;
}
