/**
 * Reads dataset sites and catalogues that are due, level by level, for their feeds. The last content of each address is
 * remembered, so that a site that fails, or a start without the network, changes nothing.
 */

import { DatasetError, FetchError, messageOf, StatusError } from '../../errors.ts';
import { type Client, type HostQueue, isGone, type TextResponse, waitAfter } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import type { CrawlOptions } from '../feed/crawl.ts';
import { type Dataset, readSite, type Site } from './site.ts';

export interface DiscoverOptions extends Pick<CrawlOptions, 'sleep' | 'random'> {
  /** Addresses of dataset sites and catalogues that the operator named. */
  roots: readonly string[];
  client: Client;
  queue: HostQueue;
  now(): number;
  signal: AbortSignal;
}

/** The content of an address when it was last read, and when to request it again. */
interface SiteContent extends Site {
  due: number;
  etag?: string;
  lastModified?: string;
}

interface DiscoveredSites {
  /** In the order in which roots and catalogues name them. */
  datasets: Dataset[];
  /** One sentence for each address that cannot be read, or leads to more than is read. */
  problems: string[];
}

/** Which sites are requested. `none`: only remembered content counts. `due`: those that are due. `all`: each, with a few tries. */
export type Which = 'none' | 'due' | 'all';

export interface Discovery {
  /** @throws `signal.reason` when stopped; a site that cannot be read is one of the `problems` */
  discover(which: Which): Promise<DiscoveredSites>;
  /** Milliseconds until an address is due; 0 when one is. */
  wait(): number;
  /** The remembered content of all sites, as text for the store. */
  memory(): string;
}

/** @param memory the last result of `Discovery.memory`; any other text counts as no memory */
export function createDiscovery(options: DiscoverOptions, memory?: string): Discovery {
  const state: KnownSites = { known: rememberedSites(memory), troubles: new Map() };
  return {
    discover: (which) => discover(which, state, options),
    wait: () => waitOf(state, options),
    memory: () => JSON.stringify({ version: VERSION, sites: [...state.known] }),
  };
}

interface KnownSites {
  known: Map<string, SiteContent>;
  troubles: Map<string, { message: string; failures: number; due: number }>;
}

/** The version of the remembered form; sites remembered in another version are requested again. */
const VERSION = 1;

interface RememberedSites {
  version: number;
  sites?: [string, SiteContent][];
  /** The name of `sites` in earlier releases. */
  said?: [string, SiteContent][];
}

function rememberedSites(memory: string | undefined): Map<string, SiteContent> {
  try {
    const { version, sites, said } = JSON.parse(memory ?? '') as RememberedSites;
    return new Map(version === VERSION ? (sites ?? said) : []);
  } catch {
    return new Map();
  }
}

async function discover(which: Which, state: KnownSites, options: DiscoverOptions): Promise<DiscoveredSites> {
  const seen = new Set<string>();
  const found: DiscoveredSites = { datasets: [], problems: [] };
  let level = fresh(options.roots, seen);
  for (let steps = 0; level.length > 0 && steps < LIMITS.siteLevels; steps++) {
    const room = LIMITS.sitePages - (seen.size - level.length);
    const visited = await eachAtOnce(level.slice(0, room), (url) => visit(url, which, state, options));
    for (const site of visited) found.datasets.push(...(site?.datasets ?? []));
    if (level.length > room)
      found.problems.push(`more than ${LIMITS.sitePages} addresses of dataset sites; the others are not read`);
    level =
      level.length > room
        ? []
        : fresh(
            visited.flatMap((site) => site?.links ?? []),
            seen,
          );
  }
  // A site that no root and no catalogue names any more is forgotten.
  for (const known of [state.known, state.troubles])
    for (const url of known.keys()) if (!seen.has(url)) known.delete(url);
  found.problems.push(...[...state.troubles.values()].map(({ message }) => message));
  return found;
}

/** Addresses that are not in `seen`: catalogues name each other, and one dataset twice. */
function fresh(urls: readonly string[], seen: Set<string>): string[] {
  const added: string[] = [];
  for (const url of urls) {
    const name = withoutHash(url);
    if (seen.size !== seen.add(name).size) added.push(name);
  }
  return added;
}

function withoutHash(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  parsed.hash = '';
  return parsed.href;
}

async function visit(
  url: string,
  which: Which,
  state: KnownSites,
  options: DiscoverOptions,
): Promise<SiteContent | undefined> {
  const known = state.known.get(url);
  if (which === 'none' || (which === 'due' && dueAt(url, state, options) > options.now())) return known;
  const failures = (state.troubles.get(url)?.failures ?? 0) + 1;
  try {
    const site = await fetchSite(url, known, which === 'all' ? LIMITS.triesPerPage : 1, options);
    state.known.set(url, site);
    state.troubles.delete(url);
    return site;
  } catch (error) {
    options.signal.throwIfAborted();
    const due = options.now() + waitAfter(error, failures, options.random());
    const message = known === undefined ? messageOf(error) : `${messageOf(error)} (its known feeds are read on)`;
    state.troubles.set(url, { message, failures, due });
    return known;
  }
}

function dueAt(url: string, { known, troubles }: KnownSites, { now }: DiscoverOptions): number {
  const due = troubles.get(url)?.due ?? known.get(url)?.due ?? 0;
  // A time that a wrong clock stored must not delay the site for years.
  return due > now() + 2 * LIMITS.siteMs ? 0 : due;
}

function waitOf(state: KnownSites, options: DiscoverOptions): number {
  const urls = [...new Set([...fresh(options.roots, new Set()), ...state.known.keys(), ...state.troubles.keys()])];
  const next = Math.min(...urls.map((url) => dueAt(url, state, options)));
  return Math.max(next - options.now(), 0);
}

async function fetchSite(
  url: string,
  known: SiteContent | undefined,
  tries: number,
  options: DiscoverOptions,
): Promise<SiteContent> {
  for (let failures = 1; ; failures++) {
    try {
      return contentOf(await get(url, known, options), known, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (failures >= tries || !worthAnotherTry(error)) throw error;
      const wait = Math.min(waitAfter(error, failures, options.random()), LIMITS.retryWaitMs);
      await options.sleep(wait, options.signal);
    }
  }
}

function get(
  url: string,
  known: SiteContent | undefined,
  { client, queue, signal }: DiscoverOptions,
): Promise<TextResponse> {
  const request = () =>
    client.get(url, {
      etag: known?.etag,
      lastModified: known?.lastModified,
      bytes: LIMITS.sitePageBytes,
      accept: ACCEPT,
      signal,
    });
  return queue.run(URL.parse(url)?.host ?? url, request, signal);
}

const ACCEPT = 'text/html, application/ld+json, application/json;q=0.9, */*;q=0.1';

/** The content of a response, due again after about `siteMs`: the random part spreads the sites over time. */
function contentOf(
  response: TextResponse,
  known: SiteContent | undefined,
  { now, random }: DiscoverOptions,
): SiteContent {
  const due = now() + LIMITS.siteMs * (0.9 + 0.2 * random());
  if (!response.changed) return { ...(known as SiteContent), due };
  const { etag, lastModified } = response;
  return {
    ...readSite(response.text, response.url),
    due,
    ...(etag && { etag }),
    ...(lastModified && { lastModified }),
  };
}

/** Whether another try may help. One big host of dataset sites answers 403 to requests that come too fast. */
function worthAnotherTry(error: unknown): boolean {
  if (error instanceof DatasetError) return false;
  if (error instanceof StatusError) return error.status === 403 || (error.status >= 500 && !isGone(error.status));
  return error instanceof FetchError && error.transient;
}

/** Runs `work` for each of a list, `sitesAtOnce` at a time. Results have the order of the list. */
async function eachAtOnce<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let at = 0;
  const worker = async () => {
    for (let index = at++; index < list.length; index = at++) results[index] = await work(list[index] as T);
  };
  await Promise.all(Array.from({ length: LIMITS.sitesAtOnce }, worker));
  return results;
}
