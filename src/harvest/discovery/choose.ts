/** Chooses the feeds to read among those that datasets announce, and lists those left out. Pure. */

import { LIMITS } from '../../limits.ts';
import type { FeedType } from '../../opportunity/feed-types.ts';
import type { FeedMeta } from '../ingest/contract.ts';
import type { Dataset, DatasetFeed } from './site.ts';

export interface DiscoveredFeed {
  url: string;
  meta: Pick<FeedMeta, 'name' | 'publisher' | 'publisherUrl' | 'publisherKey'>;
  /** The licence of the dataset, for pages that name none. */
  license: string | undefined;
}

interface Chosen {
  feeds: DiscoveredFeed[];
  /** Names of feeds not read, by reason: their type, too many feeds, or no RPDE feed. */
  leftOut: Map<string, string[]>;
  /** Names of feeds whose address or dataset has a word of a test system. */
  tests: string[];
}

/**
 * Chooses the feeds of these types, and feeds of unknown type, so that a new type's feeds are read.
 * A feed that several datasets name belongs to the first.
 */
export function chooseFeeds(datasets: readonly Dataset[], types: ReadonlySet<FeedType>): Chosen {
  const chosen: Chosen = { feeds: [], leftOut: new Map(), tests: [] };
  const seen = new Set<string>();
  for (const dataset of datasets) {
    for (const feed of dataset.feeds) {
      if (seen.size === seen.add(feedKey(feed.url)).size) continue;
      take(feed, dataset, types, chosen);
    }
    for (const other of dataset.others) leave('not an RPDE feed', `${dataset.name ?? dataset.url}: ${other}`, chosen);
  }
  return chosen;
}

function take(feed: DatasetFeed, dataset: Dataset, types: ReadonlySet<FeedType>, chosen: Chosen): void {
  const name = feedName(feed, dataset);
  const why = whyNot(feed, types, chosen);
  if (why !== undefined) {
    leave(why, name, chosen);
    return;
  }
  if (isTest(feed.url) || isTest(dataset.name ?? '')) chosen.tests.push(name);
  const { publisher, url, license } = dataset;
  chosen.feeds.push({
    url: feed.url,
    license,
    // The licence's line is "Source: PUBLISHER", leading to the dataset.
    meta: { name, publisherKey: url, ...(publisher !== undefined && { publisher, publisherUrl: url }) },
  });
}

function whyNot({ type }: DatasetFeed, types: ReadonlySet<FeedType>, { feeds }: Chosen): string | undefined {
  if (type !== undefined && !types.has(type)) return type;
  return feeds.length < LIMITS.discoveredFeeds ? undefined : `more than ${LIMITS.discoveredFeeds} feeds`;
}

function leave(why: string, name: string, { leftOut }: Chosen): void {
  const names = leftOut.get(why);
  if (names === undefined) leftOut.set(why, [name]);
  else names.push(name);
}

function feedName({ type, name = type }: DatasetFeed, dataset: Dataset): string {
  const of = dataset.name ?? dataset.publisher ?? dataset.url;
  return name === undefined ? of : `${of}: ${name}`;
}

/** Whether a name has a word of test systems in it: `EveryoneActiveUAT`, `pentest-x.legend…`. Live lists have such feeds. */
function isTest(text: string): boolean {
  return /(?<![A-Z])UAT(?![A-Za-z])/.test(text) || TEST_WORD.test(text);
}

const TEST_WORD = /(?<![a-z])(?:uat|(?:pen)?test(?:ing)?|staging|sandbox|preview|demo)(?![a-z])/i;

/** The key of a feed: its address with https for http, as both give the same items; one with a port stays. */
export function feedKey(url: string): string {
  return url.replace(/^http:\/\/(?!.*?:\d)/i, 'https://');
}
