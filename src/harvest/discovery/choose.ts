/** From what datasets say to the feeds that are read, and what is left out. Pure. */

import { LIMITS } from '../../limits.ts';
import type { FeedType } from '../../opportunity/feed-types.ts';
import type { FeedMeta } from '../ingest/contract.ts';
import type { Dataset, DatasetFeed } from './site.ts';

export interface DiscoveredFeed {
  url: string;
  meta: Pick<FeedMeta, 'name' | 'publisher' | 'publisherUrl' | 'publisherKey'>;
  /** For pages that name none: what a page says of its own items comes first. */
  license: string | undefined;
}

interface Chosen {
  feeds: DiscoveredFeed[];
  /** Names of feeds not read, by why: their type, or that they are no RPDE feeds. */
  leftOut: Map<string, string[]>;
  /** Names of feeds of test systems, as their words suggest. */
  tests: string[];
}

/**
 * The feeds of these types, and those of unknown type: a new name loses nothing.
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

/** Words of test systems, as parts of a name: `EveryoneActiveUAT`, `pentest-x.legend…`. Such feeds get into live lists. */
function isTest(text: string): boolean {
  return /(?<![A-Z])UAT(?![A-Za-z])/.test(text) || TEST_WORD.test(text);
}

const TEST_WORD = /(?<![a-z])(?:uat|(?:pen)?test(?:ing)?|staging|sandbox|preview|demo)(?![a-z])/i;

/** A key that two spellings of one feed share: http and https give the same items. */
export function feedKey(url: string): string {
  return url.replace(/^http:\/\/(?!.*?:\d)/i, 'https://');
}
