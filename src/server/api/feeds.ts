import type { Context } from 'hono';
import type { FeedFindings, FeedHealth, Library } from '../../library/index.ts';
import { utcText } from '../../time/instant.ts';
import { feedPage } from '../pages/feeds/feed.tsx';
import { readFeedsQuery } from '../pages/feeds/groups.ts';
import { feedsPage } from '../pages/feeds/page.tsx';
import { pageResponse } from '../pages/frame/document.tsx';
import { notFound } from '../pages/frame/notice.tsx';
import type { Pages } from '../pages/frame/site.ts';
import { json, problem } from './json.ts';
import { naturalNumber, type Read, readLimit } from './window.ts';

/** `/api/feeds` and `/feeds`: the feeds, and the findings of one, as JSON and as pages. */

/** Items with findings of one answer, by default and at most. */
const ITEMS = 50;
const MOST_ITEMS = 200;

/** `/api/feeds` */
export async function feedsJson({ library, links }: Pages): Promise<Response> {
  const feeds = await library.feeds();
  return json({ items: feeds.map((feed) => feedJson(feed, links.base)), total: feeds.length });
}

/** `/api/feeds/{id}/findings?limit&after` */
export async function feedFindingsJson(c: Context, { library, links }: Pages): Promise<Response> {
  const query = readQuery(c);
  if ('bad' in query) return problem(400, query.bad);
  const found = await find(c, library, query.value);
  if (found === undefined) return problem(404, 'There is no such feed here.');
  const { feed, findings, next } = found;
  const address = `${links.base}/api/feeds/${feed.id}/findings?limit=${query.value.limit}&after=${next}`;
  return json({
    feed: feedJson(feed, links.base),
    items: findings,
    ...(next !== undefined && { next: address }),
  });
}

/** `/feeds?state&q&found` */
export async function feedsForPeople(c: Context, { library, site, now }: Pages): Promise<Response> {
  const [feeds, kinds] = await Promise.all([library.feeds(), library.findingKinds()]);
  const query = readFeedsQuery(c.req.query());
  return pageResponse(feedsPage({ feeds, kinds, query, now: now(), site }), site);
}

/** `/feeds/{id}?limit&after` */
export async function feedForPeople(c: Context, { library, site, now }: Pages): Promise<Response> {
  const query = readQuery(c);
  const found = 'bad' in query ? undefined : await find(c, library, query.value);
  if (found === undefined) return notFound(site);
  const kinds = await library.findingKinds(found.feed.id);
  return pageResponse(feedPage({ ...found, kinds }, now(), site), site);
}

function find(c: Context, library: Library, query: Query): Promise<FeedFindings | undefined> {
  const id = naturalNumber(c.req.param('id') ?? '');
  return id === undefined ? Promise.resolve(undefined) : library.feedFindings(id, query);
}

interface Query {
  limit: number;
  after?: number;
}

function readQuery(c: Context): Read<Query> {
  const limit = readLimit(c, ITEMS, MOST_ITEMS);
  if ('bad' in limit) return limit;
  const given = c.req.query('after');
  const after = given === undefined ? undefined : naturalNumber(given);
  if (given !== undefined && after === undefined) return { bad: '"after" is not one that was given out here.' };
  return { value: { limit: limit.value, ...(after !== undefined && { after }) } };
}

/** A feed in JSON, its instants as text. `base`: the base address, for links; absent: without links. */
export function feedJson(feed: FeedHealth, base?: string): object {
  const { lastAttempt, lastSuccess, lastChange, lastErrorAt, nextVisit, paused, held, resync, ...rest } = feed;
  return {
    ...rest,
    ...texts({ lastAttempt, lastSuccess, lastChange, lastErrorAt, nextVisit, paused }),
    ...(held && { held: { ...held, since: utcText(held.since) } }),
    ...(resync && { resync: { ...resync, since: utcText(resync.since) } }),
    ...(base !== undefined && {
      page: `${base}/feeds/${feed.id}`,
      allFindings: `${base}/api/feeds/${feed.id}/findings`,
    }),
  };
}

function texts(moments: Readonly<Record<string, number | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(moments).flatMap(([name, at]) => (at === undefined ? [] : [[name, utcText(at)] as const])),
  );
}
