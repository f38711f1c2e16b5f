import type { Context, Hono } from 'hono';
import { isKept, type KeptLists, type Library } from '../../library/index.ts';
import { json, problem, type Refused } from '../api/json.ts';
import { sendsJson } from '../calendars/address.ts';
import { line } from '../calendars/calendars.ts';
import { noteForm } from '../failures.ts';
import { KEEP_COST } from '../limiter.ts';
import type { Links } from '../links.ts';
import { noticeResponse } from '../pages/frame/notice.tsx';
import type { Site } from '../pages/frame/site.ts';
import { NO_STORE, removedThing, seeOther } from '../pages/my/asked.ts';
import { WRONG_KEY } from '../pages/my/page.tsx';
import { bodyText, readBody } from './body.ts';
import { listJson, listTag, mayChange } from './list-json.ts';

/**
 * Stored lists: `POST /my` makes one, `PUT` or `POST /my/{token}` changes one. Only the edit key in the body allows a change:
 * there are no cookies, so another site's page can send nothing in a person's name.
 */

/** The parts of the server that these answers need. */
export interface ListRoutes {
  library: Pick<Library, 'chosenList' | 'lists'>;
  /** The 429 with the time to wait; undefined: the caller may go on. */
  rateLimited(c: Context, cost?: number): Promise<Response | undefined>;
  site: Site;
}

const READ_ONLY = 'Lists cannot be kept here: this process only reads its database. A list without storage works.';
const CHANGED = 'The list is not what the conditions of the request name: somebody may have changed it meanwhile.';

/** Adds the addresses that make and change lists to an application. */
export function mountLists(app: Hono, routes: ListRoutes): void {
  app.post('/my', (c) => withLists(c, routes, (...sent) => createList(c, ...sent, routes), KEEP_COST));
  app.on(['POST', 'PUT'], '/my/:token', (c) => withLists(c, routes, (...sent) => changeList(c, ...sent, routes)));
}

/** The lists that may be written, and the body of the request; undefined: it is too long. */
type Sent = [lists: KeptLists, body: string | undefined];

async function withLists(
  c: Context,
  { library, rateLimited, site }: ListRoutes,
  answer: (...sent: Sent) => Promise<Response>,
  cost?: number,
): Promise<Response> {
  // The body is read first, so that a refusal can show the typed fields again.
  const body = await bodyText(c.req.raw.body);
  noteForm(c, body);
  const refusal = await rateLimited(c, cost);
  if (refusal !== undefined) return refusal;
  const { lists } = library;
  return lists === undefined ? bad(c, site, 503, READ_ONLY) : answer(lists, body);
}

async function createList(c: Context, lists: KeptLists, body: Sent[1], { site }: ListRoutes): Promise<Response> {
  const { links } = site;
  const read = readBody(c, body);
  if ('bad' in read) return bad(c, site, read.status, read.bad);
  if (read.sent.list.things.length === 0) return bad(c, site, 400, 'A list holds at least one thing.');
  const { token, editKey } = await lists.make(read.sent.list);
  if (read.sent.isForm) return seeOther(`${editPath(links, token, editKey)}&subscribe`);
  const { list } = read.sent;
  const headers = { Location: `${links.base}/my/${token}`, ETag: listTag(token, list), ...NO_STORE };
  return json({ editKey, ...listJson(token, list, links) }, 201, headers);
}

async function changeList(
  c: Context,
  lists: KeptLists,
  body: Sent[1],
  { library, site }: ListRoutes,
): Promise<Response> {
  const { links } = site;
  const token = c.req.param('token') ?? '';
  const known = isKept(token) ? await library.chosenList(token) : undefined;
  if (known === undefined) return bad(c, site, 404, 'There is no such list here.');
  const read = readBody(c, body, known);
  if ('bad' in read) return bad(c, site, read.status, read.bad);
  const { list, editKey, isForm } = read.sent;
  const outcome = await lists.change(token, editKey, list, (now, at) => mayChange(c, listTag(token, now), at));
  if (outcome === 'unknown') return bad(c, site, 404, 'There is no such list here.');
  if (outcome === 'forbidden') return bad(c, site, 403, WRONG_KEY);
  if (outcome === 'unmet') return bad(c, site, 412, CHANGED);
  if (isForm) {
    const removed = removedThing(known.things, list.things);
    const more = removed === undefined ? '' : `&removed=${encodeURIComponent(removed)}`;
    return seeOther(editPath(links, token, editKey) + more);
  }
  // The answer is that of GET (RFC 9110 8.7), so the tag is that of its content.
  const headers = { 'Content-Location': `${links.base}/my/${token}`, ETag: listTag(token, list), ...NO_STORE };
  return json(listJson(token, list, links), 200, headers);
}

/** The page of a list for its owner. */
function editPath(links: Links, token: string, editKey: string): string {
  return links.path(`/my/${token}?edit=${encodeURIComponent(editKey)}`);
}

function bad(c: Context, site: Site, status: Refused, text: string): Response | Promise<Response> {
  if (sendsJson(c)) return problem(status, text);
  // Forms come from browsers, which show the answer.
  const isBrowser = (c.req.header('accept') ?? '').includes('text/html');
  return isBrowser
    ? noticeResponse({ title: 'The list was not changed', says: [text], status }, site)
    : line(status, text, 'no-store');
}
