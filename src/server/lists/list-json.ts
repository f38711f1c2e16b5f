import type { Context } from 'hono';
import { matchingTag } from '../../entity-tags.ts';
import { type ChosenList, type Library, thingText } from '../../library/index.ts';
import { sha256 } from '../../platform/hash.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';
import { json, problem } from '../api/json.ts';
import { isRefused } from '../calendars/conditions.ts';
import type { Links } from '../links.ts';

/** A list as JSON: its answers, bodies and entity tag. */

/** Lists are not compressed, as they would have a weak tag, which If-Match never matches (RFC 9110 8.8.1, 13.1.1). */
const WHOLE = { 'Cache-Control': 'private, no-cache, no-transform', Vary: 'Accept' };

/** A list in JSON, with its addresses. */
export function listJson(token: string, { things, ...rest }: ChosenList, links: Links): object {
  const page = `${links.base}/my/${token}`;
  return { token, things: things.map(thingText), ...rest, page, calendar: `${page}.ics` };
}

/** The entity tag of a list: the same under every base address of the service. */
export function listTag(token: string, { things, name, prefix, cancelled }: ChosenList): string {
  return `"${sha256(JSON.stringify([token, things.map(thingText), name, prefix, cancelled]), 'base64url')}"`;
}

/**
 * Whether conditions of a request allow a change of a list (RFC 9110 13.2.2). `changed`: its last change, by whole seconds.
 */
export function mayChange(c: Context, tag: string, changed: Instant): boolean {
  const known = c.req.header('if-none-match');
  if (isRefused(c.req.header('if-match'), c.req.header('if-unmodified-since'), [tag], wholeSecond(changed)))
    return false;
  return known === undefined || matchingTag(known, [tag]) === undefined;
}

/** Whether a request is for the JSON of a list, and not for its page. */
export function wantsList(c: Context): boolean {
  const accepts = (c.req.header('accept') ?? '').toLowerCase();
  return accepts.includes('application/json') && !accepts.includes('text/html');
}

/** `GET /my/{token}` as JSON. */
export async function listAnswer(token: string, library: Pick<Library, 'chosenList'>, links: Links): Promise<Response> {
  const list = await library.chosenList(token);
  if (list === undefined) return problem(404, 'There is no such list here.');
  return json(listJson(token, list, links), 200, { ETag: listTag(token, list), ...WHOLE });
}
