import type { Context } from 'hono';
import { DAV_METHODS, type DavAnswer, type DavLibrary, davAnswer } from '../../dav/index.ts';
import type { Instant } from '../../time/instant.ts';

/** Headers that let pages use CalDAV as programs do (feed rule 32). `*` does not include Authorization. */
const OPEN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, DAV, Allow, Last-Modified, Location, Preference-Applied, WWW-Authenticate',
};
const PREFLIGHT = {
  'Access-Control-Allow-Methods': DAV_METHODS,
  'Access-Control-Allow-Headers': 'Authorization, Brief, Content-Type, Depth, If, If-Match, If-None-Match, Prefer',
  'Access-Control-Max-Age': '86400',
};

/** The answer of the room `dav` as HTTP. */
export async function davResponse(
  c: Context,
  base: string,
  { library, now }: { library: DavLibrary; now(): Instant },
): Promise<Response> {
  const { method, raw } = c.req;
  const { pathname } = new URL(raw.url);
  const header = (name: string) => c.req.header(name);
  const { status, headers, body } = await davAnswer(
    { method, path: pathname, header, body: await raw.text(), at: now() },
    library,
    base,
  );
  const all = { ...headers, ...OPEN, ...(method === 'OPTIONS' && PREFLIGHT), 'X-Content-Type-Options': 'nosniff' };
  return new Response(bodyFor(body), { status, headers: all });
}

/** The body as one piece: hundreds of pieces in a web stream cost more than copying them, and all are in memory anyway. */
function bodyFor(body: DavAnswer['body']): string | Uint8Array<ArrayBuffer> | null {
  if (typeof body === 'string') return body === '' ? null : body;
  return Buffer.concat(body);
}
