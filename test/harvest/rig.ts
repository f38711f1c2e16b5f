import { toComponents } from '../../src/calendar/components.ts';
import type { Feed } from '../../src/harvest/feed/crawl.ts';
import type { FeedKeeper, FeedMeta, IngestOptions } from '../../src/harvest/ingest/contract.ts';
import { createIngest } from '../../src/harvest/ingest/ingest.ts';
import { type VisitOptions, visit } from '../../src/harvest/visit/visit.ts';
import { write } from '../../src/ical/write.ts';
import { VENUE_PARTS, venueName } from '../../src/library/library.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { parsePage } from '../../src/opportunity/page/page.ts';
import { openStore, type Store, type StorePlace } from '../../src/store/index.ts';
import type { Instant } from '../../src/time/instant.ts';
import type { RpdeJson } from '../generate/series.ts';
import { testPlace } from '../store/place.ts';

/** A store in a place of its own, an ingest with a clock to set, and a look at all that is served. */
export interface Rig extends StorePlace {
  /** Of the database itself. */
  rows(sql: string): Promise<unknown[][]>;
  store: Store;
  ingest: FeedKeeper;
  options: IngestOptions;
  clock: { now: Instant };
  /** Keys that `onChange` was told, since the last look. */
  changed: Set<string>;
  /** Commits the items in pages of the given size. */
  feed(
    items: readonly RpdeJson[],
    size?: number,
    url?: string,
    publisherKey?: string,
    meta?: Pick<FeedMeta, 'publisher' | 'license'>,
  ): Promise<void>;
  /** The rendered text of every live calendar, by key. */
  served(): Promise<Map<string, string>>;
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export const FEED = 'https://feeds.example.org/sessions';
export const START = Date.UTC(2026, 10, 21, 9, 30);

export async function rig(over: Pick<IngestOptions, 'withoutFastPaths'> = {}): Promise<Rig> {
  const { data, databaseUrl, rows, destroy } = await testPlace();
  const clock = { now: START };
  const changed = new Set<string>();
  const options: IngestOptions = {
    now: () => clock.now,
    cleanOptions: (feed) => ({ zone: 'Europe/London', feed: feed.url }),
    compose: { zone: 'Europe/London', placesLeft: false, refresh: 'PT6H' },
    horizonDays: 365,
    ...over,
    onChange: (keys) => {
      for (const key of keys) changed.add(key);
    },
  };
  const store = await openStore({ data, databaseUrl });
  const self: Rig = {
    data,
    databaseUrl,
    rows,
    store,
    ingest: createIngest(store, options),
    options,
    clock,
    changed,
    feed: (items, size = 50, url = FEED, publisherKey, meta = META) =>
      feedPages(self, items, { size, url, publisherKey, meta }),
    served: () => servedBy(self.store, options),
    async reopen() {
      await self.store.close();
      self.store = await openStore({ data, databaseUrl });
      self.ingest = createIngest(self.store, options);
    },
    async close() {
      await self.store.close();
      await destroy();
    },
  };
  return self;
}

const META = { publisher: 'Example Leisure', license: 'https://creativecommons.org/licenses/by/4.0/' };

interface Pages {
  size: number;
  url: string;
  publisherKey: string | undefined;
  meta: Pick<FeedMeta, 'publisher' | 'license'>;
}

async function feedPages(
  self: Rig,
  items: readonly RpdeJson[],
  { size, url, publisherKey, meta }: Pages,
): Promise<void> {
  const handle = await self.ingest.open(url, { ...(publisherKey !== undefined && { publisherKey }), ...meta });
  for (let at = 0; at < items.length; at += size) {
    const next = `${url}?after=${at + size}`;
    const page = parsePage(
      JSON.stringify({
        next,
        license: meta.license,
        items: items.slice(at, at + size),
      }),
    );
    await self.ingest.commit(handle, page, next);
  }
}

/** Visits by the clock of the rig, of which each is the first after a good one. */
export function visitOptions({ clock, ingest }: Pick<Rig, 'clock' | 'ingest'>): VisitOptions {
  return { ingest, now: () => clock.now, sleep: async () => {}, random: () => 0.5, failures: 0, waitMs: () => 8000 };
}

/** The rendered text of every live calendar of a store, by key. */
export async function servedBy(store: Store, options: IngestOptions): Promise<Map<string, string>> {
  const library = await openLibrary(store, { ...options, rendering: 'test' });
  const found = new Map<string, string>();
  for (const { key } of await store.read.calendars({ kind: 'series', limit: 1_000_000 })) {
    const stored = await library.calendar(key);
    if (stored !== undefined) found.set(key, write(toComponents(stored.calendar, stored.revision)));
  }
  return found;
}

/** The same of every place and facility, each part of their calendars by its name. */
export async function venuesServedBy(store: Store, options: IngestOptions): Promise<Map<string, string>> {
  const library = await openLibrary(store, { ...options, rendering: 'test' });
  const found = new Map<string, string>();
  for (const [kind, collection] of [['place', 'places'] as const, ['facility', 'facilities'] as const]) {
    for (const { key } of await store.read.calendars({ kind, limit: 1_000_000 })) {
      for (const part of VENUE_PARTS) {
        const name = venueName(collection, key, part);
        const stored = await library.calendar(name);
        if (stored !== undefined) {
          found.set(name, write(toComponents(stored.calendar, stored.revision, stored.more)));
        }
      }
    }
  }
  return found;
}

/** What a store that has read nothing else makes of the feed as it is now, without stamps. */
export async function fromScratch(feed: Feed, now: Instant = START): Promise<Map<string, string>> {
  const clean = await rig();
  try {
    clean.clock.now = now;
    const { state, error } = await visit(feed, visitOptions(clean));
    if (state !== 'ended') throw new Error(`The visit did not end: ${error ?? state}`);
    return withoutStamps(await clean.served());
  } finally {
    await clean.close();
  }
}

/** Calendars without what tells their history. */
export function withoutStamps(calendars: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...calendars]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, text]) => [key, text.replace(/^(SEQUENCE|DTSTAMP|LAST-MODIFIED):.*\r\n/gm, '')]),
  );
}

/** One `SEQUENCE`, `LAST-MODIFIED` and `DTSTAMP` triple a component, by UID and RECURRENCE-ID. */
export function stamps(text: string): Map<string, { sequence: number; modified: string; stamp: string }> {
  const found = new Map<string, { sequence: number; modified: string; stamp: string }>();
  for (const [, event = ''] of text.replaceAll('\r\n ', '').matchAll(/BEGIN:VEVENT\r\n(.*?)END:VEVENT/gs)) {
    const value = (name: string): string => new RegExp(`^${name}[;:](.*?)\\r$`, 'm').exec(event)?.[1] ?? '';
    found.set(`${value('UID')} ${value('RECURRENCE-ID')}`.trim(), {
      sequence: Number(value('SEQUENCE')),
      modified: value('LAST-MODIFIED'),
      stamp: value('DTSTAMP'),
    });
  }
  return found;
}
