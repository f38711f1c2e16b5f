/** The feeds that dataset sites name, kept beside those of the settings. */

import {
  chooseFeeds,
  createDiscovery,
  type DiscoveredFeed,
  type DiscoverOptions,
  type Discovery,
  type Feed,
  feedKey,
  type Which,
} from '../../harvest/index.ts';
import type { FeedType } from '../../opportunity/feed-types.ts';
import { META, type Store } from '../../store/index.ts';

/** What reading dataset sites gave, for people. */
export interface DiscoveryRound {
  /** One sentence each. */
  problems: string[];
  /** Names of feeds that are not read, by type. */
  leftOut: Map<string, string[]>;
  /** Names of feeds that are read, and suggest a test system. */
  tests: string[];
  joined: ConfiguredFeed[];
  /** No longer named by any site: what they brought stays, and is served. */
  retired: ConfiguredFeed[];
}

export interface Discovered {
  readonly list: readonly ConfiguredFeed[];
  discover(which: Which, store: Store): Promise<DiscoveryRound>;
  /** Milliseconds until a site is due. */
  wait(): number;
}

export interface DiscoveredOptions extends DiscoverOptions {
  types: readonly FeedType[];
  /** Feeds of the settings: the same ones are not read twice, but take from the site what the operator left open. */
  named: readonly ConfiguredFeed[];
  make(feed: DiscoveredFeed): ConfiguredFeed;
  /** Whose the feeds of a dataset are: the setting may join several. */
  publisherKey(dataset: string): string;
}

export function createDiscovered(options: DiscoveredOptions): Discovered {
  const types = new Set(options.types);
  const own = new Map(options.named.map((feed) => [feedKey(feed.source.url), { feed, meta: feed.meta }]));
  let feeds = new Map<string, ConfiguredFeed>();
  let discovery: Discovery | undefined;

  /** A feed goes on being the same object, so that whoever reads it goes on. */
  function take(named: readonly DiscoveredFeed[]): Pick<DiscoveryRound, 'joined' | 'retired'> {
    const before = feeds;
    feeds = new Map();
    for (const { feed, meta } of own.values()) Object.assign(feed, { meta, license: undefined });
    for (const one of named) {
      const key = feedKey(one.url);
      const mine = own.get(key);
      const feed = mine?.feed ?? before.get(key) ?? options.make(one);
      const listed = feed.source.url === one.url;
      const publisherKey = options.publisherKey(one.meta.publisherKey ?? one.url);
      Object.assign(feed, { meta: { ...one.meta, ...mine?.meta, publisherKey, listed }, license: one.license });
      if (mine === undefined) feeds.set(key, feed);
    }
    return { joined: missing(feeds, before), retired: missing(before, feeds) };
  }

  return {
    get list() {
      return [...feeds.values()];
    },
    async discover(which, store) {
      // Another process may have read them since.
      if (discovery === undefined || which === 'none')
        discovery = createDiscovery(options, await store.read.meta(META.discovered));
      const before = discovery.memory();
      const { datasets, problems } = await discovery.discover(which);
      const memory = discovery.memory();
      if (memory !== before) await store.write((tx) => tx.setMeta(META.discovered, memory));
      const { feeds: chosen, ...rest } = chooseFeeds(datasets, types);
      return { problems, ...rest, ...take(chosen) };
    },
    wait: () => discovery?.wait() ?? 0,
  };
}

function missing<T>(from: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): T[] {
  return [...from].filter(([key]) => !other.has(key)).map(([, feed]) => feed);
}

/** Names shown of a long list; the others are counted. */
const SHOWN = 5;

export function namesOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}

/** What a person should know of a reading, a sentence each; `problems` apart. */
export function notesOf({ leftOut, tests }: Pick<DiscoveryRound, 'leftOut' | 'tests'>): string[] {
  const notes = [...leftOut].map(([why, names]) => `left out, ${why}: ${names.length} (${namesOf(names)})`);
  if (tests.length > 0) notes.push(`perhaps test systems, read all the same: ${tests.length} (${namesOf(tests)})`);
  return notes;
}

/** A feed with what its settings say of it. */
export interface ConfiguredFeed extends Feed {
  /** A folder: its first pass needs no network. */
  local: boolean;
  zone?: string | undefined;
  slots?: boolean | undefined;
  /** What a dataset site says, for pages that name none. */
  license?: string | undefined;
}
