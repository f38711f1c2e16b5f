import type { Context } from 'hono';
import type { Collection, Library, ListingRow, PageOccurrence } from '../../library/index.ts';
import { momentText } from '../../time/instant.ts';
import { isKey } from '../calendars/address.ts';
import { moved } from '../calendars/calendars.ts';
import type { Links } from '../links.ts';
import { searchOf } from '../pages/people.ts';
import { iso } from '../pages/words.ts';

/** The JSON side: the same lists and series as the pages, and problem details for what goes wrong. */

const OPEN = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' };
const SHORT = { 'Cache-Control': 'public, max-age=60' };

export function json(value: unknown, status = 200, headers: Record<string, string> = SHORT): Response {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return new Response(JSON.stringify(value), { status, headers: { ...type, ...OPEN, ...headers } });
}

/** RFC 9457. `about:blank`: the status says it all, `detail` says it to a person. */
export function problem(status: number, title: string, detail: string): Response {
  const headers = { 'Content-Type': 'application/problem+json; charset=utf-8', 'Cache-Control': 'no-store', ...OPEN };
  return new Response(JSON.stringify({ type: 'about:blank', title, status, detail }), { status, headers });
}

/** `/api/{kind}?q=&place=&after=&limit=`: `{items, next?, total}`, `next` being the address of the next page. */
export async function listJson(c: Context, kind: Collection, library: Library, links: Links): Promise<Response> {
  const limit = Number(c.req.query('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    return problem(400, 'Bad Request', '"limit" must be a whole number from 1 to 200.');
  }
  const { q, place } = searchOf(c);
  const after = c.req.query('after')?.slice(0, 500);
  const query = { ...(q && { q }), ...(place && kind !== 'places' && { place }), ...(after && { after }) };
  const { rows, next, total } = await library.list({ ...query, kind, limit });
  const following = new URLSearchParams({ ...query, limit: String(limit), ...(next && { after: next }) });
  return json({
    items: rows.map((row) => rowJson(row, links)),
    ...(next !== undefined && { next: `${links.base}/api/${kind}?${following}` }),
    total,
  });
}

function rowJson(row: ListingRow, links: Links): object {
  const { key, kind, name, type, place, activity, next, nextAllDay, zone } = row;
  return {
    key,
    name,
    type,
    place,
    activity,
    next: next === undefined ? undefined : momentText(next, nextAllDay),
    timezone: zone,
    page: `${links.base}/${kind}/${key}`,
    ...(row.calendar && { calendar: links.calendar(kind, key) }),
  };
}

/** An occurrence with its instants as text; one of whole days has dates, the end excluded. */
export function occurrenceJson<T extends PageOccurrence>({ start, end, ...more }: T): object {
  return { start: momentText(start, more.allDay), end: end && momentText(end, more.allDay), ...more };
}

/** A series that is not listed: moved, withdrawn, or never heard of. */
async function elsewhere(key: string, library: Library, links: Links): Promise<Response> {
  const head = isKey(key) ? await library.head(key) : undefined;
  if (head?.movedTo !== undefined) return moved(links.path(`/api/series/${head.movedTo}`));
  if (head !== undefined && head.state !== 'live') return problem(410, 'Gone', 'The publisher has withdrawn it.');
  return problem(404, 'Not Found', 'There is no such series here.');
}

/** `/api/series/{key}`: what the page shows. */
export async function seriesJson(key: string, library: Library, links: Links): Promise<Response> {
  const series = isKey(key) ? await library.series(key) : undefined;
  if (series === undefined) return elsewhere(key, library, links);
  const { head, upcoming, zone, hasCalendar, ...rest } = series;
  return json({
    key,
    state: head.state,
    revision: head.revision,
    changed: iso(head.changedAt),
    ...rest,
    timezone: zone,
    upcoming: upcoming.map(occurrenceJson),
    page: `${links.base}/series/${key}`,
    ...(hasCalendar && { calendar: links.calendar('series', key) }),
  });
}

export type Answer = Response | Promise<Response>;

export const ALLOW = 'GET, HEAD, OPTIONS';
const ANY_ORIGIN = { Allow: ALLOW, 'Access-Control-Allow-Origin': '*' };

/** Everything here is read-only: GET and HEAD answer, OPTIONS says so, the rest is refused. */
export function reading(
  c: Context,
  answer: () => Answer,
  preflight: Readonly<Record<string, string>> = ANY_ORIGIN,
  detail = 'This address can only be read.',
): Answer {
  const { method } = c.req;
  if (method === 'GET' || method === 'HEAD') return answer();
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...preflight } });
  const refusal = problem(405, 'Method Not Allowed', detail);
  refusal.headers.set('Allow', ALLOW);
  return refusal;
}
