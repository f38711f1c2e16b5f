/** The feeds of dataset sites, beside those of the settings. */

import { OvertakenError } from '../../errors.ts';
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
import { META, type Store, type Writer } from '../../store/index.ts';

/** The result of reading dataset sites, for messages. */
export interface DiscoveryRound {
  /** One sentence each. */
  problems: string[];
  /** Names of feeds that are not read, by type. */
  leftOut: Map<string, string[]>;
  /** Names of feeds that are read, and whose names suggest a test system. */
  tests: string[];
  joined: ConfiguredFeed[];
  /** Feeds that no site names any more; their calendars stay served. */
  retired: ConfiguredFeed[];
}

export interface Discovered {
  readonly list: readonly ConfiguredFeed[];
  /** Reads sites. `check`: throws where this process may not store the result. @throws OvertakenError by `check` */
  discover(which: Which, store: Store, check?: CheckWrite): Promise<DiscoveryRound>;
  /** @throws OvertakenError where another process has read dataset sites since `list` was made */
  check: CheckWrite;
  /** Milliseconds until a site is due. */
  wait(): number;
}

/** Called in a transaction before its first write; throws where this process may not write. */
export type CheckWrite = (tx: Writer) => Promise<void>;

interface DiscoveredOptions extends DiscoverOptions {
  types: readonly FeedType[];
  /** Feeds of the settings. A feed that a site names too is read once, and gets from the site what the settings leave out. */
  named: readonly ConfiguredFeed[];
  make(feed: DiscoveredFeed): ConfiguredFeed;
  /** The key of the publisher of a dataset; a setting may join several datasets. */
  publisherKey(dataset: string): string;
}

export function createDiscovered(options: DiscoveredOptions): Discovered {
  const types = new Set(options.types);
  const own = new Map(options.named.map((feed) => [feedKey(feed.source.url), { feed, meta: feed.meta }]));
  let feeds = new Map<string, ConfiguredFeed>();
  let discovery: Discovery | undefined;
  /** The memory of dataset sites in the store, as this process last read or wrote it. */
  let stored: string | undefined;

  /** Takes the feeds of sites. A known feed stays the same object, so that its visits go on. */
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

  async function keep(memory: string, store: Store, check?: CheckWrite): Promise<void> {
    try {
      await store.write(async (tx) => {
        await check?.(tx);
        await tx.setMeta(META.discovered, memory);
      });
      stored = memory;
    } catch (error) {
      // Sites whose content was not stored are read again.
      discovery = undefined;
      throw error;
    }
  }

  return {
    get list() {
      return [...feeds.values()];
    },
    async discover(which, store, check) {
      // Another process may have read dataset sites since.
      if (discovery === undefined || which === 'none') {
        stored = await store.read.meta(META.discovered);
        discovery = createDiscovery(options, stored);
      }
      const before = discovery.memory();
      const { datasets, problems } = await discovery.discover(which);
      const memory = discovery.memory();
      if (memory !== before) await keep(memory, store, check);
      const { feeds: chosen, ...rest } = chooseFeeds(datasets, types);
      return { problems, ...rest, ...take(chosen) };
    },
    async check(tx) {
      if ((await tx.meta(META.discovered)) !== stored) throw new OvertakenError('dataset sites');
    },
    wait: () => discovery?.wait() ?? 0,
  };
}

function missing<T>(from: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): T[] {
  return [...from].filter(([key]) => !other.has(key)).map(([, feed]) => feed);
}

/** The most names of a list that are shown. */
const SHOWN = 5;

/** The first names of a list; the others are counted. */
export function namesOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}

/** Notes on a reading for a person, a sentence each, besides its `problems`. */
export function notesOf({ leftOut, tests }: Pick<DiscoveryRound, 'leftOut' | 'tests'>): string[] {
  const notes = [...leftOut].map(([why, names]) => `left out, ${why}: ${names.length} (${namesOf(names)})`);
  if (tests.length > 0) notes.push(`perhaps test systems, read all the same: ${tests.length} (${namesOf(tests)})`);
  return notes;
}

/** A feed with its settings. */
export interface ConfiguredFeed extends Feed {
  /** A folder: its first pass needs no network. */
  local: boolean;
  zone?: string | undefined;
  slots?: boolean | undefined;
  /** The licence of the dataset, for pages that name none. */
  license?: string | undefined;
}
