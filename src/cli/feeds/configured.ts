/** Opens the feeds of the settings. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedSetting, Settings } from '../../config.ts';
import { ConfigError, publicUrl } from '../../errors.ts';
import { type Client, createClient, createHostQueue, type HostQueue } from '../../fetch/index.ts';
import {
  type Feed,
  type FeedSource,
  folderSource,
  httpSource,
  type PageReader,
  type ReadPage,
  readOnThread,
  sampleFeeds,
  type Which,
} from '../../harvest/index.ts';
import { publisherKeyOf } from '../../join/publishers.ts';
import type { CleanOptions } from '../../opportunity/clean.ts';
import { defined } from '../../opportunity/records.ts';
import { sleep } from '../../process/stopping.ts';
import type { Store } from '../../store/index.ts';
import { type Io, isUrl } from '../io.ts';
import { packageFolder, userAgent } from '../package.ts';
import {
  type CheckWrite,
  type ConfiguredFeed,
  createDiscovered,
  type Discovered,
  type DiscoveryRound,
} from './discovered.ts';

export interface Feeds {
  /** The feeds to read now: those of the settings, and those of dataset sites. */
  readonly list: readonly ConfiguredFeed[];
  /** Whether the settings name neither feed nor dataset site. */
  none: boolean;
  /** Reads dataset sites, and brings `list` up to date; undefined when the settings name none. */
  discover(which: Which, store: Store, check?: CheckWrite): Promise<DiscoveryRound | undefined>;
  /** @throws OvertakenError where another process has read dataset sites since `list` was made */
  check: CheckWrite;
  /** Milliseconds until a dataset site should be read again; undefined when the settings name none. */
  wait(): number | undefined;
  /** How the items of a feed are cleaned; for feeds of earlier settings too. */
  cleanOptions(feed: { url: string }): CleanOptions;
  /** Whether a feed is in `list`. */
  names(feed: { url: string }): boolean;
  close(): Promise<void>;
}

/**
 * Makes the sources of all feeds that the settings name.
 * @throws ConfigError for an absent folder, and a feed named twice
 */
export async function openFeeds(settings: Settings, io: Io): Promise<Feeds> {
  const sites = [...settings.datasets, ...settings.catalogs];
  const named = [...settings.feeds.map(({ url }) => url).filter(isUrl), ...sites];
  const { allowPrivate, defaultTimezone: zone, contact } = settings;
  const client = createClient({ userAgent: userAgent(contact), named, allowPrivate, now: io.now });
  const origins = new Set(named.map((url) => new URL(url).origin));
  const queue = createHostQueue({ atOnce: settings.hostRequests, pauseMs: 1000 * settings.hostPauseSeconds });
  const shared: Shared = { client, queue, named: origins, reader: readOnThread(), zone, same: settings.samePublisher };
  const own = settings.feeds.map((feed) => feedOf(feed, shared));
  if (settings.samples) own.push(...(await samples(io)));
  const problems = [...(await missingFolders(settings.feeds)), ...twice(own)];
  if (problems.length > 0) throw new ConfigError(problems);
  const discovered = sites.length === 0 ? undefined : discoveredOf(settings, sites, own, shared, io);
  const list = () => [...own, ...(discovered?.list ?? [])];
  return {
    get list() {
      return list();
    },
    none: own.length === 0 && discovered === undefined,
    discover: async (which, store, check) => discovered?.discover(which, store, check),
    check: async (tx) => discovered?.check(tx),
    wait: () => discovered?.wait(),
    cleanOptions: ({ url }) =>
      cleanOptionsOf(
        url,
        list().find(({ source }) => source.url === url),
        zone,
      ),
    names: ({ url }) => list().some(({ source }) => source.url === url),
    async close() {
      await Promise.all([client.close(), shared.reader.close()]);
    },
  };
}

interface Shared {
  client: Client;
  queue: HostQueue;
  named: ReadonlySet<string>;
  reader: PageReader;
  /** The default zone. */
  zone: string;
  same: Settings['samePublisher'];
}

function discoveredOf(
  settings: Settings,
  roots: readonly string[],
  named: readonly ConfiguredFeed[],
  shared: Shared,
  io: Io,
): Discovered {
  const { client, queue } = shared;
  const { types } = settings;
  return createDiscovered({
    roots,
    types,
    named,
    publisherKey: (dataset) => joinedKey(dataset, settings.samePublisher),
    make: ({ url }) => feedOf({ url, slots: types.includes('Slot') }, shared),
    client,
    queue,
    now: io.now,
    random: Math.random,
    sleep,
    signal: io.signal,
  });
}

function feedOf(feed: FeedSetting, { client, queue, named, reader, zone: home, same }: Shared): ConfiguredFeed {
  const { url, name, publisher, headers, zone, slots } = feed;
  const local = !isUrl(url);
  const read: ReadPage = (text) => reader.read(text, cleanOptionsOf(source.url, feed, home));
  const license = () => made.license;
  const source: FeedSource = local
    ? folderSource({ path: url, read })
    : httpSource({ url, headers, client, queue, named, read, license });
  const meta = {
    publisherKey: joinedKey(publisherKeyOf(url), same),
    ...defined({ name, publisher: publisher?.name, publisherUrl: publisher?.url }),
  };
  const made: ConfiguredFeed = { source, meta, local, zone, slots };
  return made;
}

async function samples(io: Io): Promise<ConfiguredFeed[]> {
  const feeds = await sampleFeeds(join(packageFolder, 'fixtures', 'feeds'), io.now);
  return feeds.map((feed) => ({ ...feed, local: true }));
}

async function missingFolders(feeds: readonly FeedSetting[]): Promise<string[]> {
  const paths = feeds.map(({ url }) => url).filter((url) => !isUrl(url));
  const missing = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => false,
        () => true,
      ),
    ),
  );
  return paths.filter((_path, index) => missing[index]).map((path) => `feed ${path}: there is no such file or folder`);
}

/** The key of a publisher (a dataset, or an origin), or of the group that the setting `samePublisher` puts it in. */
function joinedKey(key: string, same: Settings['samePublisher']): string {
  const plain = key.replace(/\/$/, '');
  const isOf = (named: string) => named.replace(/\/$/, '') === plain || publisherKeyOf(named) === key;
  const [first] = same.find((group) => group.some(isOf)) ?? [];
  return first === undefined ? key : `same as ${first}`;
}

function twice(list: readonly ConfiguredFeed[]): string[] {
  const seen = new Set<string>();
  const again = list.filter(({ source }) => seen.size === seen.add(source.url).size);
  return again.map(({ source }) => `feed ${publicUrl(source.url)} is named twice`);
}

function cleanOptionsOf(
  url: string,
  feed: Pick<ConfiguredFeed, 'zone' | 'slots'> | undefined,
  zone: string,
): CleanOptions {
  return { feed: url, zone: feed?.zone ?? zone, ...(feed?.slots === true && { slots: true }) };
}

/** The options of a visit that come from the process. */
export function visiting({ now, signal, underWay }: Io) {
  return { sleep, random: Math.random, now, signal, underWay };
}

/** The name of a feed in messages and summaries. */
export function feedName(feed: Feed): string {
  return feed.meta.name ?? feed.source.describe();
}
