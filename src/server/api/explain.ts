import type { Context } from 'hono';
import {
  cursorText,
  type ExplainQuery,
  isKey,
  type Library,
  readCursor,
  type SeriesExplanation,
} from '../../library/index.ts';
import { type InstantWindow, utcText } from '../../time/instant.ts';
import { permanentRedirect } from '../calendars/calendars.ts';
import type { Pages } from '../pages/frame/site.ts';
import { json, problem } from './json.ts';
import { asksWindow, type Read, readLimit, readWindow } from './window.ts';

/** `/api/series/{key}/explain`: the reasons for the occurrences of a series. */

/** Rows of an answer, by default and at most. */
const ROWS = 200;
const MOST_ROWS = 1000;

/** The answer in JSON, for `?from&to&limit&after`. */
export async function explainJson(c: Context, { library, links, now }: Pages): Promise<Response> {
  const query = readExplainQuery(c, now());
  if ('bad' in query) return problem(400, query.bad);
  const found = await findExplanation(c, library, query.value);
  if (found === undefined) return problem(404, 'There is no such series here.');
  if ('movedTo' in found) return permanentRedirect(links.path(`/api/series/${found.movedTo}/explain`), c);
  if ('isGone' in found) return problem(410, 'The publisher has withdrawn it.');
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

type FoundExplanation = SeriesExplanation | { movedTo: string } | { isGone: true } | undefined;

/** The explanation for an address, or the state of its series. */
export async function findExplanation(c: Context, library: Library, query: ExplainQuery): Promise<FoundExplanation> {
  const key = c.req.param('key') ?? '';
  const head = isKey(key) ? await library.head(key) : undefined;
  if (head?.movedTo !== undefined) return { movedTo: head.movedTo };
  if (head !== undefined && head.state !== 'live') return { isGone: true };
  return head && library.explain(key, query);
}

interface ExplainDefaults {
  /** The default window. */
  window: InstantWindow;
  /** The most rows, whatever `limit` is. */
  rows: number;
}

/** The query of an explanation. `usual`: the defaults of the page. */
export function readExplainQuery(c: Context, now: number, usual?: ExplainDefaults): Read<ExplainQuery> {
  const window = usual !== undefined && !asksWindow(c) ? { value: usual.window } : readWindow(c, now);
  if ('bad' in window) return window;
  const limit = readLimit(c, ROWS, MOST_ROWS);
  if ('bad' in limit) return limit;
  const given = c.req.query('after');
  const of = cursorKind(c.req.param('key') ?? '', window.value);
  const after = given === undefined ? 0 : readCursor(of, {}, given)?.at;
  if (after === undefined) return { bad: '"after" must be the cursor of "next", for the same window.' };
  return { value: { window: window.value, limit: Math.min(limit.value, usual?.rows ?? MOST_ROWS), after } };
}

/** The cursor behind a number of rows. */
export function explainCursor(key: string, window: InstantWindow, rows: number): string {
  return cursorText(cursorKind(key, window), {}, { at: rows, id: '' });
}

function cursorKind(key: string, { from, to }: InstantWindow): string {
  return `explain ${key} ${from} ${to}`;
}

function windowText({ window: { from, to } }: ExplainQuery): { from: string; to: string } {
  return { from: utcText(from), to: utcText(to) };
}

/** The address of the next rows; undefined behind the last row. */
export function nextAddress(
  query: ExplainQuery,
  { head, rows, total }: SeriesExplanation,
  address: string,
): string | undefined {
  const after = query.after + rows.length;
  if (rows.length === 0 || after >= total) return undefined;
  const cursor = explainCursor(head.key, query.window, after);
  const rest = new URLSearchParams({ ...windowText(query), limit: String(query.limit), after: cursor });
  return `${address}?${rest}`;
}

/** The sentence for a series with more sessions than were read. */
export function truncated(sessions: number): string {
  return `The series has more sessions than are looked at: ${sessions} from the beginning of the window on.`;
}
