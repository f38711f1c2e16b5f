import type { Context } from 'hono';
import { type ExplainQuery, type Library, type Read, readWindow, type SeriesExplanation } from '../../library/index.ts';
import { isKey } from '../calendars/address.ts';
import { moved } from '../calendars/calendars.ts';
import { explainPage } from '../pages/explain.ts';
import { pageResponse } from '../pages/frame/document.tsx';
import { ended, notFound, noticeResponse } from '../pages/frame/notice.tsx';
import type { Pages } from '../pages/people.ts';
import { iso } from '../pages/words.ts';
import { json, problem } from './json.ts';

/** Where the occurrences of a series come from: `/api/series/{key}/explain`, and the same as a page. */

/** Rows of one answer: a page that a browser shows at once. */
const ROWS = 200;
const MOST_ROWS = 1000;

/** `?from&to&limit&after` */
export async function explainJson(c: Context, { library, links, now }: Pages): Promise<Response> {
  const query = readQuery(c, now());
  if ('bad' in query) return problem(400, 'Bad Request', query.bad);
  const found = await find(c, library, query.value);
  if (found === undefined) return problem(404, 'Not Found', 'There is no such series here.');
  if ('movedTo' in found) return moved(links.path(`/api/series/${found.movedTo}/explain`), c);
  if ('isGone' in found) return problem(410, 'Gone', 'The publisher withdrew this series, and its calendar has ended.');
  const { head, id, zone, schedules, rows, total, events, sessions } = found;
  const next = nextAddress(query.value, found, `${links.base}/api/series/${head.key}/explain`);
  return json({
    key: head.key,
    id,
    state: head.state,
    ...windowText(query.value),
    timezone: zone,
    schedules,
    items: rows,
    total,
    events,
    ...(next !== undefined && { next }),
    ...(sessions !== undefined && { truncated: truncated(sessions) }),
    calendar: links.calendar('series', head.key),
  });
}

export async function explainForPeople(c: Context, { library, links, site, now }: Pages): Promise<Response> {
  const query = readQuery(c, now());
  if ('bad' in query) return noticeResponse({ title: 'Not understood', says: [query.bad], status: 400 }, site);
  const found = await find(c, library, query.value);
  if (found === undefined) return notFound(site);
  if ('movedTo' in found) return moved(links.path(`/series/${found.movedTo}/explain`), c);
  if ('isGone' in found) return ended(site);
  const next = nextAddress(query.value, found, links.path(`/series/${found.head.key}/explain`));
  const more = found.sessions === undefined ? undefined : truncated(found.sessions);
  return pageResponse(explainPage({ ...found, ...query.value.window, next, truncated: more }, links), site);
}

type Found = SeriesExplanation | { movedTo: string } | { isGone: true } | undefined;

async function find(c: Context, library: Library, query: ExplainQuery): Promise<Found> {
  const key = c.req.param('key') ?? '';
  const head = isKey(key) ? await library.head(key) : undefined;
  if (head?.movedTo !== undefined) return { movedTo: head.movedTo };
  if (head?.state === 'gone') return { isGone: true };
  return head && library.explain(key, query);
}

function readQuery(c: Context, now: number): Read<ExplainQuery> {
  const window = readWindow(c, now);
  if ('bad' in window) return window;
  const limit = whole(c.req.query('limit'), ROWS);
  if (!(limit >= 1 && limit <= MOST_ROWS)) return { bad: `"limit" must be a whole number from 1 to ${MOST_ROWS}.` };
  const after = whole(c.req.query('after'), 0);
  if (!(after >= 0)) return { bad: '"after" must be a whole number: the rows already seen.' };
  return { value: { window: window.value, limit, after } };
}

/** NaN for what is no whole number. */
function whole(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function windowText({ window: { from, to } }: ExplainQuery): { from: string; to: string } {
  return { from: iso(from), to: iso(to) };
}

function nextAddress(query: ExplainQuery, { rows, total }: SeriesExplanation, address: string): string | undefined {
  const after = query.after + rows.length;
  if (rows.length === 0 || after >= total) return undefined;
  const rest = new URLSearchParams({ ...windowText(query), limit: String(query.limit), after: String(after) });
  return `${address}?${rest}`;
}

function truncated(sessions: number): string {
  return `The series has more sessions than are looked at: ${sessions} from the beginning of the window on.`;
}
