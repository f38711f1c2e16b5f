import { hash } from 'node:crypto';
import { isActive, keyOf } from '../../opportunity/identity.ts';
import { type FeedRow, shownFeed } from '../../store/index.ts';
import type { DatasetAbout, DatasetSource } from './dataset.ts';

/**
 * What was harvested is published as a dataset for each publisher, because a dataset names one publisher and a page one
 * licence. Who harvests it again credits, and believes, the same publishers as we do.
 */

/** Stands for the dataset of a feed, in addresses. Feeds of one publisher may have several names to be credited by. */
export function datasetKey({ publisherKey, publisher }: Pick<FeedRow, 'publisherKey' | 'publisher'>): string {
  return keyOf('dataset', `${publisherKey ?? ''}\n${publisher ?? ''}`);
}

/** The description of a dataset. `address`: that of its page. Undefined: no feed is of it any more. */
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

/** Everybody whose data it is. Where their licences differ, the licence of the whole is the page that names them all. */
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

/** The licence that a feed states; one that is no harmless address is published by nobody (SECURITY.md, "Links"). */
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

/** A folder of pages has no address that anybody else could use. */
function shownUrl(feed: FeedRow): string {
  return /^https?:/i.test(feed.url) ? shownFeed(feed) : 'files';
}

/** Whose the feeds were when their objects were published, and how often that has changed. */
interface Sources {
  turn: number;
  feeds: Record<string, string>;
}

/** The sources as they are to be remembered: `turn` is another one where a feed that was read has another publisher now. */
export function sourcesNow(feeds: readonly FeedRow[], known: string | undefined): Sources {
  const before = JSON.parse(known ?? '{"turn":0,"feeds":{}}') as Sources;
  const now = Object.fromEntries(
    // Of a feed that was never read nothing is published yet.
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
