import { hash } from 'node:crypto';
import { isActive, keyOf } from '../../opportunity/identity.ts';
import { type FeedRow, shownFeed } from '../../store/index.ts';
import type { DatasetAbout, DatasetSource } from './dataset.ts';

/**
 * Harvested data is republished as a dataset for each publisher, because a dataset names one publisher and a page one licence.
 * Another harvester then credits and trusts the same publishers as this one.
 */

/** The key of the dataset of a feed, in addresses. Feeds of one publisher may have several names for the credit. */
export function datasetKey({ publisherKey, publisher }: Pick<FeedRow, 'publisherKey' | 'publisher'>): string {
  return keyOf('dataset', `${publisherKey ?? ''}\n${publisher ?? ''}`);
}

/** The description of a dataset. `address`: of its page. Undefined: it has no feeds any more. */
export function aboutPublisher(key: string, all: readonly FeedRow[], address: string): DatasetAbout | undefined {
  const feeds = all.filter((feed) => datasetKey(feed) === key);
  const [first] = feeds;
  if (first === undefined) return undefined;
  const { publisher, publisherUrl } = first;
  return {
    name: publisher ?? sourceName(first),
    description: `Open data of ${publisher ?? sourceName(first)}, collected from its feeds and published anew in one form.`,
    license: licenseOf(feeds) ?? address,
    publisher: { name: publisher, url: publisherUrl },
    sources: feeds.map(feedSource),
  };
}

/** The description of the dataset of all publishers. Where their licences differ, its licence is the page that names them all. */
export function aboutAll(feeds: readonly FeedRow[], base: string): DatasetAbout {
  return {
    name: 'Sessions, places and facilities of many publishers',
    description:
      'Open data of sport and leisure, collected from the feeds of its publishers and published anew in one form.',
    license: licenseOf(feeds) ?? `${base}/rpde/`,
    publisher: { name: new URL(base).host, url: base },
    sources: feeds.map(feedSource),
  };
}

function licenseOf(feeds: readonly FeedRow[]): string | undefined {
  const licenses = new Set(feeds.map(shownLicense));
  const [only] = licenses.size === 1 ? licenses : [];
  return only;
}

/** The licence of a feed; undefined where it is no harmless address (SECURITY.md, "Links"). */
function shownLicense({ license }: FeedRow): string | undefined {
  return license === undefined || isActive(license) ? undefined : license;
}

function feedSource(feed: FeedRow): DatasetSource {
  const { publisher, publisherUrl } = feed;
  const source = { name: publisher ?? sourceName(feed), url: publisherUrl };
  return { publisher: source, license: shownLicense(feed), url: shownUrl(feed) };
}

function sourceName(feed: FeedRow): string {
  return feed.name ?? shownUrl(feed);
}

/** The address of a feed; undefined for a folder of pages, which has none for others. */
function shownUrl(feed: FeedRow): string {
  return /^https?:/i.test(feed.url) ? shownFeed(feed) : 'files';
}

/** The publishers of the feeds when their objects were published, and how often they have changed. */
interface Sources {
  turn: number;
  feeds: Record<string, string>;
}

/** The sources to store. `turn` changes where a feed that has been read has another publisher now. */
export function sourcesNow(feeds: readonly FeedRow[], known: string | undefined): Sources {
  const before = JSON.parse(known ?? '{"turn":0,"feeds":{}}') as Sources;
  const now = Object.fromEntries(
    // A feed that was never read has no published objects yet.
    feeds.filter(({ cursor }) => cursor !== undefined).map((feed) => [digest(feed.url), sourceDigest(feed)]),
  );
  const isOther = Object.entries(now).some(([feed, source]) => (before.feeds[feed] ?? source) !== source);
  return { turn: before.turn + (isOther ? 1 : 0), feeds: now };
}

function sourceDigest(feed: FeedRow): string {
  const { publisher, publisherUrl, license, name } = feed;
  return digest(JSON.stringify([datasetKey(feed), publisher, publisherUrl, license, name, shownUrl(feed)]));
}

function digest(text: string): string {
  return hash('sha1', text, 'base64url').slice(0, 16);
}
