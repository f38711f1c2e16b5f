import type { Instant } from '../time/instant.ts';
import { filePath } from './address.ts';
import { checkConditions } from './conditions.ts';
import { get } from './methods/get.ts';
import { propfind } from './methods/propfind.ts';
import { proppatch } from './methods/proppatch.ts';
import { DAV_METHODS, refusedMethod } from './methods/refused.ts';
import { report } from './methods/report.ts';
import type { Context } from './properties/properties.ts';
import { Refusal } from './refusal.ts';
import { lengthOfObject } from './reports/report.ts';
import type { DavAnswer, DavRequest } from './request.ts';
import { type DavLibrary, Moved } from './resource.ts';
import { syncToken } from './sync-token.ts';
import { XML_TYPE } from './xml/multistatus.ts';
import { DECLARATIONS } from './xml/names.ts';
import { escaped } from './xml/write.ts';

/**
 * The DAV header of every answer (RFC 4918 10.1, RFC 4791 5.1). Neither `2`, for nothing can be locked, nor
 * `calendar-auto-schedule`, for which programs ask for an inbox.
 */
export const CAPABILITIES = '1, 3, access-control, calendar-access, calendar-availability';

type Method = (request: DavRequest, library: DavLibrary, context: Context) => DavAnswer | Promise<DavAnswer>;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['OPTIONS', options],
  ['GET', get],
  ['HEAD', get],
  ['PROPFIND', propfind],
  ['PROPPATCH', proppatch],
  ['REPORT', report],
]);

/** The answer to a request under `/dav/`. `base`: the address of the service in the request, without a slash at its end. */
export async function davAnswer(request: DavRequest, library: DavLibrary, base: string): Promise<DavAnswer> {
  const context = contextOf(base, request.at);
  try {
    const method = METHODS.get(request.method);
    if (method === undefined) throw await refusedMethod(request, library, context);
    await checkConditions(request, library, context);
    return withCommon(await method(request, library, context));
  } catch (error) {
    if (error instanceof Refusal) return withCommon(refusedAnswer(error, context));
    throw error;
  }
}

function contextOf(base: string, now: Instant): Context {
  const prefix = new URL(base).pathname.replace(/\/+$/, '');
  return {
    base,
    prefix,
    now,
    lengthOf: lengthOfObject,
    tokenOf: (calendar) => syncToken(base, calendar),
    fileOf: ({ thing }) => base + filePath(thing),
  };
}

/** OPTIONS does not look up the address, so that a preflight and a program's first request cost nothing. */
function options(): DavAnswer {
  return { status: 200, headers: { Allow: DAV_METHODS, 'Content-Length': '0' }, body: '' };
}

function withCommon({ status, headers, body }: DavAnswer): DavAnswer {
  const caching = headers['Cache-Control'] === undefined ? { 'Cache-Control': 'no-cache' } : {};
  return { status, headers: { DAV: CAPABILITIES, ...caching, ...headers }, body };
}

/** RFC 4918 16: the condition as XML; where no RFC names one, a line of text. */
function refusedAnswer(refusal: Refusal, { prefix }: Pick<Context, 'prefix'>): DavAnswer {
  const { status, condition, message } = refusal;
  const headers = { 'Cache-Control': 'no-store', ...refusal.headers };
  if (refusal instanceof Moved) {
    const moved = { Location: prefix + refusal.path, 'Cache-Control': 'public, max-age=86400' };
    return { status, headers: moved, body: '' };
  }
  if (condition === undefined)
    return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body: `${message}\n` };
  // Thunderbird takes an empty DAV:error for a rate limit: there is always a condition in it.
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<D:error${DECLARATIONS}>${condition}<!-- ${comment(message)} --></D:error>\n`;
  return { status, headers: { 'Content-Type': XML_TYPE, ...headers }, body };
}

/** Text of a comment: two hyphens would end it. */
function comment(text: string): string {
  return escaped(text).replace(/-{2,}|-$/g, '-.');
}
