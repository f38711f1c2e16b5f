import type { Context } from 'hono';
import { isKey, type Library } from '../../library/index.ts';
import { line, otherMethod, permanentRedirect } from '../calendars/calendars.ts';
import { READABLE } from '../calendars/conditions.ts';
import { etagHash } from '../calendars/entry.ts';
import type { Links } from '../links.ts';
import { atomOf, changesPath } from './atom.ts';

/** Most entries of one feed: as many as are stored of a series. */
const MOST = 100;
/** Feed readers poll, as calendar programs do. */
const CACHE_CONTROL = 'public, max-age=900, stale-while-revalidate=3600, stale-if-error=86400';

/** `/changes/series/{key}.atom`, `/changes/places/{key}.atom`, with the redirects and refusals of calendars. */
export async function changesAnswer(
  c: Context,
  kind: 'series' | 'places',
  { library, links }: { library: Pick<Library, 'changeFeed'>; links: Links },
): Promise<Response> {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') return otherMethod(method);
  const key = /([^/]*)\.atom$/.exec(c.req.path)?.[1] ?? '';
  const feed = isKey(key) ? await library.changeFeed(kind, key, MOST) : undefined;
  if (feed === undefined) return line(404, 'There is no such feed of changes here.', 'public, max-age=60');
  const { movedTo, state } = feed.head;
  if (movedTo !== undefined) return permanentRedirect(links.path(changesPath(kind, movedTo)));
  if (state === 'gone') return line(410, 'This has ended and is gone for good.', 'public, max-age=86400');
  const body = Buffer.from(atomOf(kind, feed, links));
  return new Response(body, {
    headers: {
      ...READABLE,
      ETag: `"${etagHash(body)}"`,
      'Cache-Control': CACHE_CONTROL,
      'Content-Type': 'application/atom+xml; charset=utf-8',
      'Content-Length': String(body.length),
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
