import type { Context } from 'hono';
import { matchingTag } from '../../entity-tags.ts';
import { type FoundRow, isKey, type Library, type PageOccurrence } from '../../library/index.ts';
import { sha256 } from '../../platform/hash.ts';
import { momentText, utcText } from '../../time/instant.ts';
import { ALLOW, permanentRedirect } from '../calendars/calendars.ts';
import { isRefused, READABLE } from '../calendars/conditions.ts';
import { MINUTE } from '../lifetimes.ts';
import type { Links } from '../links.ts';

/** Answers in JSON: the lists and series of the pages, and problem details. */

const OPEN = { ...READABLE, 'X-Content-Type-Options': 'nosniff' };

/** An answer in JSON, with a strong entity tag. */
export function json(value: unknown, status = 200, headers: Record<string, string> = MINUTE): Response {
  const text = JSON.stringify(value);
  const own = { 'Content-Type': 'application/json; charset=utf-8', ETag: `"${sha256(text, 'base64url')}"` };
  return new Response(text, { status, headers: { ...own, ...OPEN, ...headers } });
}

const CONDITIONS = ['If-Match', 'If-Unmodified-Since', 'If-None-Match', 'If-Modified-Since'];

/** The headers of a request without conditions, which gets the whole answer. */
export function withoutConditions(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of CONDITIONS) headers.delete(name);
  return headers;
}

/**
 * The answer to a request with conditions (RFC 9110 13.2.2): 412 where it wants another representation, 304 where it has this
 * one, else the answer itself. Pages and JSON have no time of change, so conditions by date have no effect.
 */
export function onCondition(asked: Headers, response: Response): Response {
  const tag = response.headers.get('ETag');
  if (response.status !== 200 || tag === null) return response;
  if (isRefused(asked.get('If-Match'), null, [tag])) return problem(412, 'It is not what If-Match names.');
  const known = asked.get('If-None-Match');
  // By weak comparison (RFC 9110 13.1.2).
  if (known === null || matchingTag(known, [tag.replace(/^W\//, '')]) === undefined) return response;
  const headers = new Headers(response.headers);
  for (const name of ['Content-Type', 'Content-Encoding', 'Content-Length']) headers.delete(name);
  return new Response(null, { status: 304, headers });
}

/** The phrase of each status that refuses (RFC 9110 15): the title of a problem whose type is `about:blank`. */
export const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export type Refused = keyof typeof TITLES;

/**
 * Problem details (RFC 9457). `about:blank`: the status is the type, and `detail` is for people. `more`: extension members.
 */
export function problem(status: Refused, detail: string, more: object = {}): Response {
  const headers = { 'Content-Type': 'application/problem+json; charset=utf-8', 'Cache-Control': 'no-store', ...OPEN };
  const text = JSON.stringify({ type: 'about:blank', title: TITLES[status], status, detail, ...more });
  return new Response(text, { status, headers });
}

/** A row of a list in JSON, with the addresses of its page and its calendar. */
export function rowJson(row: FoundRow, links: Links): object {
  const { key, kind, name, type, place, facility, activity, next, nextAllDay, zone, distanceKm, hours } = row;
  return {
    key,
    name,
    type,
    place,
    facility,
    activity,
    next: next === undefined ? undefined : momentText(next, nextAllDay),
    timezone: zone,
    distanceKm,
    hours: hours && { open: hours.open, next: hours.next && { at: utcText(hours.next.at), opens: hours.next.opens } },
    page: `${links.base}/${kind}/${key}`,
    ...(row.calendar && { calendar: links.calendar(kind, key) }),
  };
}

/** An occurrence with its instants as text; one of whole days has dates, the end excluded. */
export function occurrenceJson<T extends PageOccurrence>({ start, end, ...more }: T): object {
  return { start: momentText(start, more.allDay), end: end && momentText(end, more.allDay), ...more };
}

/** The answer for a series that has moved, was withdrawn, or never existed. */
async function movedOrGone(key: string, library: Library, links: Links): Promise<Response> {
  const head = isKey(key) ? await library.head(key) : undefined;
  if (head?.movedTo !== undefined) return permanentRedirect(links.path(`/api/series/${head.movedTo}`));
  if (head !== undefined && head.state !== 'live') return problem(410, 'The publisher has withdrawn it.');
  return problem(404, 'There is no such series here.');
}

/** `/api/series/{key}`: the content of the page. */
export async function seriesJson(key: string, library: Library, links: Links): Promise<Response> {
  const series = isKey(key) ? await library.series(key) : undefined;
  if (series === undefined) return movedOrGone(key, library, links);
  const { head, upcoming, zone, hasCalendar, ...rest } = series;
  return json({
    key,
    state: head.state,
    revision: head.revision,
    changed: utcText(head.changedAt),
    ...rest,
    timezone: zone,
    upcoming: upcoming.map(occurrenceJson),
    page: `${links.base}/series/${key}`,
    ...(hasCalendar && { calendar: links.calendar('series', key) }),
  });
}

export type MaybePromise<T> = T | Promise<T>;

/** The headers of an answer to OPTIONS and to preflights. `sent`: methods that take JSON. */
export function preflightOf(...sent: readonly ('POST' | 'PUT')[]): Readonly<Record<string, string>> {
  const methods = [ALLOW, ...sent].join(', ');
  return {
    Allow: methods,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': sent.length === 0 ? 'If-None-Match' : 'Content-Type, If-Match, If-None-Match',
    'Access-Control-Max-Age': '86400',
  };
}

export const READ_ONLY = preflightOf();

/**
 * Answers GET and HEAD by `answer`, OPTIONS with the methods of `preflight`, and other methods with 405. `detail`: the text of
 * that 405.
 */
export function reading(
  c: Context,
  answer: () => MaybePromise<Response>,
  preflight: Readonly<Record<string, string>> = READ_ONLY,
  detail?: string,
): MaybePromise<Response> {
  const { method } = c.req;
  if (method === 'GET' || method === 'HEAD') {
    const [{ headers }, response] = [c.req.raw, answer()];
    return response instanceof Response
      ? onCondition(headers, response)
      : response.then((one) => onCondition(headers, one));
  }
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...preflight } });
  const { Allow: allow = ALLOW } = preflight;
  const usual = allow === ALLOW ? 'This address can only be read.' : `This address takes ${allow}.`;
  const refusal = problem(405, detail ?? usual);
  refusal.headers.set('Allow', allow);
  return refusal;
}
