/** Forms of the admin address: the check of their sender, and their actions. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { UsageError } from '../../errors.ts';
import { type Refused, TITLES } from '../api/json.ts';
import { bodyText } from '../lists/body.ts';
import { adminProblemPage, FEED_ACTIONS, type FeedAction } from '../pages/feeds/admin.tsx';
import { ADMIN_HEADERS } from '../pages/frame/plain.tsx';

/** Actions on a feed, by its number. Each resolves when it is done, or goes on in the background. @throws UsageError: no such feed */
export type FeedActions = Readonly<Record<FeedAction, (id: number) => Promise<void>>>;

/** Most octets of a form, which has a token alone. */
const MOST_OCTETS = 1024;

/** Does the action of a form, and redirects to the page of the feed. */
export async function formAnswer(c: Context, actions: FeedActions, formToken: string): Promise<Response> {
  const { id = '', action = '' } = c.req.param() as Record<string, string>;
  const known = FEED_ACTIONS.find((one) => one === action);
  if (known === undefined || !/^\d{1,15}$/.test(id)) return problemPage(404, 'There is no such form.');
  if (!isFromHere(c)) {
    return problemPage(403, 'The form was sent by a page of another site: open this one, and send it from there.');
  }
  const text = await bodyText(c.req.raw.body, MOST_OCTETS);
  const given = new URLSearchParams(text ?? '').get('token') ?? '';
  if (!isSame(given, formToken)) {
    return problemPage(
      403,
      'The form is of an earlier start of this process: go back, load the page again, and send it then.',
    );
  }
  try {
    await actions[known](Number(id));
  } catch (error) {
    if (error instanceof UsageError) return problemPage(404, 'There is no such feed any more.');
    throw error;
  }
  const location = known === 'forget' ? '/admin' : `/admin/feeds/${id}`;
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } });
}

/**
 * Whether no other site made the browser send the form. Browsers state the origin of a request in Sec-Fetch-Site (on https and
 * loopback) and, of every POST, in Origin. A request without either comes from no browser, and needs the token all the same.
 */
function isFromHere(c: Context): boolean {
  const [site, origin] = [c.req.header('sec-fetch-site'), c.req.header('origin')];
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined || URL.parse(origin)?.host === new URL(c.req.url).host;
}

/** The page of a problem. */
export async function problemPage(status: Refused, detail: string): Promise<Response> {
  return new Response(await adminProblemPage(TITLES[status], detail), { status, headers: ADMIN_HEADERS });
}

/** Compares in constant time, which shows neither how much of the text is right nor the length of the right one. */
export function isSame(given: string, right: string): boolean {
  const [one, other] = [given, right].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}
