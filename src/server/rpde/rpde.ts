import type { Context, Hono } from 'hono';
import { BoundedMap } from '../../bounded-map.ts';
import { matchingTag } from '../../entity-tags.ts';
import { LIMITS } from '../../limits.ts';
import { json, problem, reading } from '../api/json.ts';
import { ALLOW } from '../calendars/calendars.ts';
import { isRefused, READABLE, wantsGzip } from '../calendars/conditions.ts';
import { etagHash, gzipBytes } from '../calendars/entry.ts';
import { HOUR } from '../lifetimes.ts';
import { datasetPage, type JsonLd } from '../pages/dataset.ts';
import { PLAIN_HEADERS } from '../pages/frame/plain.tsx';

/** A request for a page of a feed; `after` undefined: from the beginning of time. */
interface RpdeRequest {
  after: number | undefined;
  limit: number;
}

/** The feeds that are published. */
export interface Rpde {
  /** Names of the feeds, which are the last part of their address; of one publisher `{dataset}/{name}`. */
  names: readonly string[];
  has(feed: string): Promise<boolean>;
  /** The version of a page, which is cheaper than the page. */
  pageVersion(feed: string, asked: RpdeRequest): Promise<string>;
  /** A page. `last`: whether it is the end of the feed, which readers poll. */
  page(feed: string, asked: RpdeRequest): Promise<{ text: string; last: boolean }>;
  /** The dataset of all publishers, or of one; undefined: the key is unknown. */
  dataset(key?: string): Promise<JsonLd | undefined>;
  catalog(): Promise<JsonLd>;
}

/**
 * `/rpde/{feed}`, the dataset page `/rpde/` and its catalogue; where there are several publishers, `/rpde/{dataset}` and
 * `/rpde/{dataset}/{feed}` of each. Everything else below is unknown.
 */
export function mountRpde(app: Hono, { rpde, gzip }: { rpde: Rpde; gzip: boolean }): void {
  const pageOf = pageCache(rpde);
  const at = (path: string, answer: (c: Context) => Promise<Response>) =>
    app.all(path, (c) => reading(c, () => answer(c), PREFLIGHT, 'Feeds can only be read.'));
  const home = async () => (await datasetResponse(rpde)) ?? noFeed(rpde);
  at('/rpde', home);
  at('/rpde/', home);
  at('/rpde/catalog.jsonld', async () => json(await rpde.catalog(), 200, HOUR));
  at('/rpde/:feed', async (c) => {
    const name = c.req.param('feed') ?? '';
    const dataset = rpde.names.includes(name) ? undefined : await datasetResponse(rpde, name);
    return dataset ?? feedResponse(c, name, pageOf, { rpde, gzip });
  });
  at('/rpde/:dataset/:feed', (c) =>
    feedResponse(c, `${c.req.param('dataset')}/${c.req.param('feed')}`, pageOf, { rpde, gzip }),
  );
}

const PREFLIGHT = {
  ...READABLE,
  Allow: ALLOW,
  'Access-Control-Allow-Methods': ALLOW,
  'Access-Control-Allow-Headers': '*',
};

async function datasetResponse(rpde: Rpde, key?: string): Promise<Response | undefined> {
  const dataset = await rpde.dataset(key);
  if (dataset === undefined) return undefined;
  const text = await datasetPage(dataset);
  return new Response(text, { headers: { ...PLAIN_HEADERS, ...HOUR, 'Access-Control-Allow-Origin': '*' } });
}

const noFeed = ({ names }: Rpde) => problem(404, `There is no such feed here; there are ${names.join(', ')}.`);

async function feedResponse(
  c: Context,
  feed: string,
  pageOf: ReturnType<typeof pageCache>,
  { rpde, gzip }: { rpde: Rpde; gzip: boolean },
): Promise<Response> {
  if (!(await rpde.has(feed))) return noFeed(rpde);
  const asked = requestOf(c);
  if (typeof asked === 'string') return problem(400, asked);
  return pageResponse(c, await pageOf(feed, asked), gzip);
}

/** The request of a query: a change number to begin after, and a number of items; else a sentence about its fault. */
function requestOf(c: Context): RpdeRequest | string {
  for (const other of ['afterTimestamp', 'afterId']) {
    // If this parameter were ignored, a reader would get the whole feed again and again.
    if (c.req.query(other) !== undefined) return `"${other}" is not known here: these feeds go by "afterChangeNumber".`;
  }
  const after = number(c, 'afterChangeNumber', 0, Number.MAX_SAFE_INTEGER);
  if (typeof after === 'string') return after;
  const limit = number(c, 'limit', 1, LIMITS.pageItems);
  return typeof limit === 'string' ? limit : { after, limit: limit ?? LIMITS.pageItems };
}

function number(c: Context, name: string, least: number, most: number): number | string | undefined {
  const [text, ...more] = c.req.queries(name) ?? [];
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (more.length === 0 && value >= least && value <= most) return value;
  return `"${name}" must be given once, as a whole number from ${least} to ${most}.`;
}

function pageResponse(c: Context, page: RenderedPage, gzipAllowed: boolean): Response {
  const accepted = c.req.header('accept-encoding');
  const gzip = gzipAllowed && accepted !== undefined && wantsGzip(accepted);
  const tags = [`"${page.hash}"`, `"${page.hash}-gzip"`];
  if (isRefused(c.req.header('if-match'), undefined, tags))
    return problem(412, 'The page is not the one that If-Match names.');
  const found = matchingTag(c.req.header('if-none-match') ?? '', tags);
  const [identityTag, gzipTag] = tags as [string, string];
  const common = {
    ...READABLE,
    ETag: found ?? (gzip ? gzipTag : identityTag),
    Vary: 'Accept-Encoding',
    // OpenActive's guidelines for feeds that scale: earlier pages are cached for an hour, the last one for a poll.
    'Cache-Control': page.last ? 'public, max-age=8' : 'public, max-age=3600',
  };
  if (found !== undefined) return new Response(null, { status: 304, headers: common });
  const body = gzip ? page.gzip : page.identity;
  const headers: Record<string, string> = {
    ...common,
    // RPDE 1.0, "HTTP": of type application/json.
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    'X-Content-Type-Options': 'nosniff',
    ...(gzip && { 'Content-Encoding': 'gzip' }),
  };
  return new Response(body, { headers });
}

/** The octets of a page, made once for each version. */
interface RenderedPage {
  version: string;
  identity: Buffer<ArrayBuffer>;
  gzip: Buffer<ArrayBuffer>;
  hash: string;
  last: boolean;
}

/** Most octets of pages in memory: the newest pages of a few feeds, which harvesters poll. */
const PAGES_BYTES = 32 * 1024 * 1024;
/** The octets that a page without items counts for. */
const HEADERS_WEIGH = 512;

function pageCache(rpde: Rpde): (feed: string, asked: RpdeRequest) => Promise<RenderedPage> {
  const pages = new BoundedMap<RenderedPage>(
    PAGES_BYTES,
    ({ identity, gzip }) => identity.length + gzip.length + HEADERS_WEIGH,
  );
  return async (feed, asked) => {
    const key = `${feed} ${asked.after ?? ''} ${asked.limit}`;
    // The version is read before the page. A page newer than its version is only made once more.
    const version = await rpde.pageVersion(feed, asked);
    const known = pages.get(key);
    if (known?.version === version) return known;
    const { text, last } = await rpde.page(feed, asked);
    const identity = Buffer.from(text);
    const gzip = Buffer.from(await gzipBytes(identity));
    const made = { version, identity, gzip, hash: etagHash(identity), last };
    pages.set(key, made);
    return made;
  };
}
