/** Opens the store with all that writes to it, for `serve` and `sync`, or for reading alone. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { SourceError } from '../../errors.ts';
import {
  appliesDeletes,
  beginRebuild,
  createIngest,
  type FeedKeeper,
  finishForgetting,
  type IngestOptions,
  rebuildIfNeeded,
  rebuildSlice,
  registerFeeds,
} from '../../harvest/index.ts';
import { parseHolidays } from '../../hours/holidays.ts';
import { LIMITS } from '../../limits.ts';
import { sleep } from '../../process/stopping.ts';
import { rollForward } from '../../revision/index.ts';
import {
  databaseAt,
  META,
  openReader,
  openStore,
  type ReadStore,
  type Store,
  type StoreOptions,
  secretOf,
} from '../../store/index.ts';
import type { Feeds } from '../feeds/configured.ts';
import { type Duty, HarvestShare } from '../feeds/harvest-share.ts';
import type { Io } from '../io.ts';
import { useKeptVocabularies } from './vocabularies.ts';

export interface ReadService {
  store: ReadStore;
  /** The number of transactions; `retries`: of those that were begun anew. */
  writes(): number;
  retries(): number;
  /** The store for lists of callers; undefined: this process writes nothing. */
  lists: Store | undefined;
  /** The store's key for a shared cache; undefined: there is none. */
  secret: string | undefined;
  /** Options by which calendars are composed. */
  compose: IngestOptions['compose'];
  close(): Promise<void>;
}

export interface Service extends ReadService {
  store: Store;
  ingest: FeedKeeper;
  /** Makes all records anew from the raw data, if rules, vocabularies or settings have changed. */
  rebuild(): Promise<boolean>;
  /** Begins a rebuild in slices, beside other work; returns whether there is one. `rebuildSlice`: whether another follows. */
  beginRebuild(): Promise<boolean>;
  rebuildSlice(): Promise<boolean>;
  /** Stores the order of the feeds, and assigns records to publishers, before any feed is read. */
  registerFeeds(): Promise<void>;
  /** The share of this process, where others may harvest too; undefined: it harvests all feeds, or none. */
  share: HarvestShare | undefined;
  /** Moves the stored day to that of the clock. */
  roll(): Promise<number>;
  /** Removes forgotten feeds, in small transactions. */
  forget(): Promise<void>;
}

export interface ServiceListeners extends Pick<StoreOptions, 'onTrouble' | 'onTightened'> {
  /** Called with the keys of calendars that this process has changed. */
  onChange?: (keys: readonly string[]) => void;
}

/** @throws StoreError, ConfigError */
export async function openService(
  settings: Settings,
  feeds: Feeds,
  io: Io,
  { onChange, ...listeners }: ServiceListeners = {},
): Promise<Service> {
  const { data, databaseUrl } = settings;
  const { store, writes, writesFor } = countingStore(await openStore({ data, databaseUrl, ...listeners }));
  await useKeptVocabularies(store);
  const leases = await databaseAt(settings).openLeases();
  const share = leases && new HarvestShare(leases, () => feeds.list, dutiesOf(settings), writesFor);
  const options: IngestOptions = {
    ...ingestOptions(settings, feeds, io),
    ...(onChange && { onChange }),
    ...(share && { hasOtherClocks: true, fence: (tx, feedUrl) => share.check(tx, feedUrl) }),
  };
  return {
    store,
    writes,
    retries: () => store.retries(),
    lists: store,
    // A harvester makes the key for servers that write nothing.
    secret: settings.cacheUrl === undefined && settings.role !== 'harvest' ? undefined : await secretOf(store),
    compose: options.compose,
    ingest: createIngest(store, options),
    // The remembered content of dataset sites is needed for the settings of their feeds.
    rebuild: async () => {
      await feeds.discover('none', store);
      return rebuildIfNeeded(store, options);
    },
    beginRebuild: async () => {
      await feeds.discover('none', store);
      return beginRebuild(store, options);
    },
    rebuildSlice: () => rebuildSlice(store, options),
    registerFeeds: () => registerFeeds(store, feeds.list, options),
    share,
    roll: () => rollForward(store, options),
    forget: () => finishForgetting(store, options),
    close: async () => {
      await store.close();
      await share?.end();
    },
  };
}

function dutiesOf({ datasets, catalogs, republish }: Settings): Duty[] {
  return [
    ...(datasets.length + catalogs.length > 0 ? (['dataset sites'] as const) : []),
    ...(republish ? (['republished feeds'] as const) : []),
  ];
}

/**
 * Opens a service that writes nothing, not even the mode of a file. Only in a database that several processes write does it
 * keep the lists of callers.
 * @throws StoreError, ConfigError
 */
export async function openReadService(
  settings: Settings,
  { onTrouble }: Pick<ServiceListeners, 'onTrouble'>,
  log: Logger,
  io: Io,
): Promise<ReadService> {
  const { data, databaseUrl } = settings;
  const store = await openReader({ data, databaseUrl, onTrouble });
  // A connection of its own, so that a read-only standby is read all the same.
  const lists = databaseAt(settings).isEmbedded ? undefined : await openStore({ data, databaseUrl });
  await useKeptVocabularies(store);
  return {
    store,
    writes: () => 0,
    retries: () => 0,
    lists,
    secret: settings.cacheUrl === undefined ? undefined : await secretIn(store, lists, log, io),
    compose: composeOf(settings),
    close: async () => {
      await Promise.all([store.close(), lists?.close()]);
    },
  };
}

/** The key of the store; a process that may not write waits for the harvester to make it. */
async function secretIn(
  { read }: ReadStore,
  lists: Store | undefined,
  log: Logger,
  io: Io,
): Promise<string | undefined> {
  const made = await (lists && secretOf(lists).catch(() => undefined));
  if (made !== undefined) return made;
  for (const end = performance.now() + LIMITS.secretMs; performance.now() < end; ) {
    const known = await read.meta(META.secret);
    if (known !== undefined) return known;
    await sleep(LIMITS.awayTryMs, io.signal);
  }
  log.warn(
    'The store has no key for a shared cache yet, so calendars are not shared: start what harvests, then this one.',
  );
  return undefined;
}

/** Checks that there is a store, because opening would make one. @throws SourceError, StoreError */
export async function checkMade(settings: Settings): Promise<void> {
  const database = databaseAt(settings);
  if (await database.hasStore()) return;
  const [place, names] = database.isEmbedded ? [settings.data, '--data names its folder'] : [database.name, NAMES];
  throw new SourceError(`${place}: holds no database yet: serve and sync make one; ${names}`);
}

const NAMES = 'DATABASE_URL names it';

function composeOf({ defaultTimezone: zone, placesLeft, refresh }: Settings): IngestOptions['compose'] {
  return { zone, placesLeft, refresh };
}

/** The options for taking feeds in, by the settings. */
export function ingestOptions(settings: Settings, { cleanOptions, names }: Feeds, { now }: Io): IngestOptions {
  return {
    now,
    cleanOptions,
    names,
    compose: composeOf(settings),
    horizonDays: settings.horizonDays,
    holidays: parseHolidays(settings.holidays),
    applyDeletes: appliesDeletes(settings.confirmDeletes),
    quota: settings,
  };
}

/** A store that counts its transactions. `writesFor`: milliseconds for which the present one has been under way. */
function countingStore(store: Store): { store: Store; writes(): number; writesFor(): number } {
  let count = 0;
  let since: number | undefined;
  const write: Store['write'] = (work) => {
    count += 1;
    return store.write(async (tx) => {
      since = performance.now();
      try {
        return await work(tx);
      } finally {
        since = undefined;
      }
    });
  };
  return {
    store: {
      read: store.read,
      write,
      troubles: store.troubles,
      retries: () => store.retries(),
      check: (signal) => store.check(signal),
      close: () => store.close(),
    },
    writes: () => count,
    writesFor: () => (since === undefined ? 0 : performance.now() - since),
  };
}
