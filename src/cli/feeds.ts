/** The feeds of the settings, ready to be read. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedSetting, Settings } from '../config.ts';
import { ConfigError, publicUrl } from '../errors.ts';
import { type Client, createClient } from '../harvest/client.ts';
import type { Feed } from '../harvest/crawl.ts';
import { type Door, threadDoor } from '../harvest/door.ts';
import { folderSource } from '../harvest/folder-source.ts';
import { createGate, type Gate } from '../harvest/gate.ts';
import { httpSource } from '../harvest/http-source.ts';
import { sampleFeeds } from '../harvest/samples.ts';
import type { FeedSource, ReadPage } from '../harvest/source.ts';
import type { CleanOptions } from '../opportunity/clean.ts';
import { type Io, isUrl } from './io.ts';
import { packageFolder, userAgent } from './package.ts';

/** A feed with what its settings say of it. */
export interface ConfiguredFeed extends Feed {
  /** A folder: its first pass needs no network. */
  local: boolean;
  zone?: string | undefined;
  slots?: boolean | undefined;
}

export interface Feeds {
  list: ConfiguredFeed[];
  /** How the items of a feed are cleaned; for feeds of earlier settings too. */
  door(feed: { url: string }): CleanOptions;
  close(): Promise<void>;
}

/**
 * Makes the sources of all feeds that the settings name.
 * @throws ConfigError for a folder that is not there, and a feed named twice
 */
export async function openFeeds(settings: Settings, io: Io): Promise<Feeds> {
  const named = settings.feeds.map(({ url }) => url).filter(isUrl);
  const client = createClient({
    userAgent: userAgent(settings.contact),
    named,
    allowPrivate: settings.allowPrivate,
    now: io.now,
  });
  const origins = new Set(named.map((url) => new URL(url).origin));
  const gate = createGate();
  const door = threadDoor();
  const shared = { client, gate, named: origins, door, zone: settings.defaultTimezone };
  const list = settings.feeds.map((feed) => feedOf(feed, shared));
  if (settings.samples) list.push(...(await samples(io)));
  const problems = [...(await missingFolders(settings.feeds)), ...twice(list)];
  if (problems.length > 0) throw new ConfigError(problems);
  const byUrl = new Map(list.map((feed) => [feed.source.url, feed]));
  return {
    list,
    door: ({ url }) => doorOf(url, byUrl.get(url), settings.defaultTimezone),
    async close() {
      await Promise.all([client.close(), door.close()]);
    },
  };
}

interface Shared {
  client: Client;
  gate: Gate;
  named: ReadonlySet<string>;
  door: Door;
  /** The default zone. */
  zone: string;
}

function feedOf(feed: FeedSetting, { client, gate, named, door, zone: home }: Shared): ConfiguredFeed {
  const { url, name, publisher, headers, zone, slots } = feed;
  const local = !isUrl(url);
  const read: ReadPage = (text) => door.read(text, doorOf(source.url, feed, home));
  const source: FeedSource = local
    ? folderSource({ path: url, read })
    : httpSource({ url, headers, client, gate, named, read });
  const meta = {
    ...(name !== undefined && { name }),
    ...(publisher !== undefined && { publisher: publisher.name }),
    ...(publisher?.url !== undefined && { publisherUrl: publisher.url }),
  };
  return { source, meta, local, zone, slots };
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

function twice(list: readonly ConfiguredFeed[]): string[] {
  const seen = new Set<string>();
  const again = list.filter(({ source }) => seen.size === seen.add(source.url).size);
  return again.map(({ source }) => `feed ${publicUrl(source.url)} is named twice`);
}

function doorOf(url: string, feed: Pick<ConfiguredFeed, 'zone' | 'slots'> | undefined, zone: string): CleanOptions {
  return { feed: url, zone: feed?.zone ?? zone, ...(feed?.slots === true && { slots: true }) };
}

/** How a feed is called in messages and summaries. */
export function feedName(feed: Feed): string {
  return feed.meta.name ?? feed.source.describe();
}
