import { setImmediate } from 'node:timers/promises';
import type { Calendar, Revision } from '../calendar/objects.ts';
import { type ComposeOptions, composeSeries, startOf } from '../calendar/series/compose.ts';
import { type LastSeries, lastCalendar } from '../calendar/series/last-series.ts';
import { sessionLimit } from '../calendar/size.ts';
import { fromStoredForm, type StoredEvents } from '../calendar/stored-form.ts';
import { attribution } from '../calendar/wording/attribution.ts';
import type { OpenPeriod } from '../hours/periods.ts';
import { identOf } from '../opportunity/identity.ts';
import type { Series } from '../opportunity/records.ts';
import {
  type CalendarRow,
  effectiveSeries,
  type FeedRow,
  META,
  type RecordBody,
  type Store,
  type StoreReading,
  sessionsOf,
  type Tail,
  tailOf,
  unreadSessions,
} from '../store/index.ts';
import type { Instant, LocalDate } from '../time/instant.ts';
import { currentEpoch, type Epoch } from './epoch.ts';
import { explainStored } from './explain.ts';
import { feedsOf, findingsOf, healthOf, troubleOf } from './feeds.ts';
import type {
  CalendarHead,
  CalendarName,
  Collection,
  ExplainQuery,
  FeedFindings,
  FeedHealth,
  Health,
  LibraryOptions,
  Listing,
  ListQuery,
  Publisher,
  SeriesExplanation,
  SeriesPage,
  StoredCalendar,
  StoredLibrary,
  VenuePage,
  VenuePart,
  Window,
} from './library.ts';
import { ListingShelf, publisherOf } from './listing.ts';
import { COLLECTIONS, isVenue, KINDS, parseName, VENUE_NAMES } from './names.ts';
import { stampsOf } from './stamps.ts';
import { VenueShelf, venueRevision } from './venues.ts';

/** Opens the library; moves every revision on if calendars are rendered otherwise than they were last. */
export async function openLibrary(store: Store, options: LibraryOptions): Promise<StoredLibrary> {
  const epoch = await currentEpoch(store, options);
  return libraryOver(store, options, epoch);
}

/** The same over what only reads, with the epoch that was opened with. */
export function libraryOver(store: StoreReading, options: LibraryOptions, epoch: Epoch): StoredLibrary {
  return new SqlLibrary(store, options, epoch);
}

/** Half a millisecond's work. */
const CHANGES_AT_ONCE = 250;

class SqlLibrary implements StoredLibrary {
  readonly epoch: Epoch;
  readonly #store: StoreReading;
  readonly #options: LibraryOptions;
  readonly #listeners = new Set<(keys: readonly string[] | 'all') => void>();
  readonly #venues: VenueShelf;
  readonly #listing: ListingShelf;
  #seen: number | undefined;
  #polls: Promise<unknown> = Promise.resolve();
  #day: LocalDate | undefined;

  constructor(store: StoreReading, options: LibraryOptions, epoch: Epoch) {
    this.#store = store;
    this.#options = options;
    this.epoch = epoch;
    this.#venues = new VenueShelf(store.read, { ...options, served: (revision) => this.#served(revision) });
    this.#listing = new ListingShelf(store.read, options);
  }

  async head(name: CalendarName): Promise<CalendarHead | undefined> {
    const asked = parseName(name);
    const row = await this.#store.read.calendarByKey(asked.key);
    if (row === undefined || row.kind !== KINDS[asked.collection]) return undefined;
    return asked.part === undefined ? this.#head(row) : this.#venueHead(row, asked.part);
  }

  #head(row: CalendarRow, revision: { revision: number; changed: Instant } = row): CalendarHead {
    const { sequence, modified } = this.#served({ sequence: revision.revision, modified: revision.changed });
    return {
      key: row.key,
      kind: COLLECTIONS[row.kind] ?? 'series',
      state: row.state,
      revision: sequence,
      changedAt: modified,
      ...(row.movedTo !== undefined && { movedTo: row.movedTo }),
    };
  }

  async #venueHead(row: CalendarRow, part: VenuePart): Promise<CalendarHead> {
    const parts = await this.#store.read.calendarParts(row.record);
    return this.#head(row, venueRevision(parts, part, await this.#today()));
  }

  /** A stored revision, moved on with every change of the rendering. */
  #served({ sequence, modified }: Revision): Revision {
    const { count, at } = this.epoch;
    return { sequence: sequence + count, modified: Math.max(modified, Math.floor(at / 1000) * 1000) };
  }

  async #today(): Promise<LocalDate> {
    return (await this.#store.read.meta(META.today)) ?? '1970-01-01';
  }

  async calendar(name: CalendarName): Promise<StoredCalendar | undefined> {
    const asked = parseName(name);
    return this.#steadily(asked.key, async (row) => {
      if (row.kind !== KINDS[asked.collection] || row.state === 'gone') return undefined;
      if (asked.part !== undefined) return this.#venueCalendar(row, asked.part);
      return row.state === 'deleted' ? this.#tail(row) : this.#live(row);
    });
  }

  /** Several reads make one calendar: begun again if a commit changed it between them. */
  async #steadily<T>(
    key: string,
    make: (row: CalendarRow) => Promise<T | undefined> | T | undefined,
  ): Promise<T | undefined> {
    for (;;) {
      const row = await this.#store.read.calendarByKey(key);
      if (row === undefined) return undefined;
      const before = await this.#version(row.record);
      const made = await make(row);
      if ((await this.#version(row.record)) === before) return made;
    }
  }

  async #version(record: number): Promise<string> {
    return (await this.#store.read.calendarParts(record)).map(({ seq }) => seq).join();
  }

  async #venueCalendar(row: CalendarRow, part: VenuePart, window?: Window): Promise<StoredCalendar | undefined> {
    const head = await this.#venueHead(row, part);
    // What is on moves the whole, not the opening hours beside it.
    const hours = part === 'all' ? await this.#venueHead(row, 'availability') : head;
    const revision = { sequence: hours.revision, modified: hours.changedAt };
    const made = await this.#venues.calendar(row, part, revision, window);
    if (made === undefined) return undefined;
    const { baseUrl } = this.#options;
    const path = `${head.kind}/${row.key}${part === 'all' ? '' : `/${part}`}.ics`;
    return {
      head,
      ...made,
      ...(baseUrl !== undefined && { calendar: { ...made.calendar, source: `${baseUrl}/${path}` } }),
    };
  }

  async freeBusy(
    collection: 'places' | 'facilities',
    key: string,
    window: Window,
  ): Promise<StoredCalendar | undefined> {
    return this.#steadily(key, (row) =>
      row.kind === KINDS[collection] && row.state !== 'gone' ? this.#venueCalendar(row, 'freebusy', window) : undefined,
    );
  }

  async periods(collection: 'places' | 'facilities', key: string, window: Window): Promise<OpenPeriod[] | undefined> {
    const row = await this.#store.read.calendarByKey(key);
    return row !== undefined && isVenue(row, collection) ? this.#venues.periods(row, window) : undefined;
  }

  async venue(
    collection: 'places' | 'facilities',
    key: string,
    at = this.#options.now(),
  ): Promise<VenuePage | undefined> {
    const row = await this.#store.read.calendarByKey(key);
    if (row === undefined || !isVenue(row, collection)) return undefined;
    const page = await this.#venues.page(row, at);
    if (page === undefined) return undefined;
    const { feed, record, ...rest } = page;
    const publisher = publisherOf(feed);
    const upcoming = collection === 'places' ? await this.#listing.upcomingAt(record.id, at) : [];
    return { collection, ...rest, upcoming, ...(publisher && { publisher }) };
  }

  #tail(row: CalendarRow): StoredCalendar | undefined {
    if (row.tail === undefined) return undefined;
    const { last } = tailOf<LastSeries | StoredEvents>(row) as Tail<LastSeries | StoredEvents>;
    const calendar =
      'events' in last ? fromStoredForm(last) : lastCalendar(last, row.deletedAt ?? 0, this.#options.compose);
    return this.#stored(row, calendar, stampsOf(row, []));
  }

  async #live(row: CalendarRow): Promise<StoredCalendar | undefined> {
    const record = await this.#store.read.recordById(row.record);
    if (record === undefined) return undefined;
    const { series } = await effectiveSeries(this.#store.read, record);
    const options = await this.#composeOptions(series, record);
    const around = startOf(options.today);
    const limit = sessionLimit(series);
    const sessions = await sessionsOf(this.#store.read, record.id, { limit, around });
    const unread = await unreadSessions(this.#store.read, record.id, sessions.length, limit);
    const { calendar } = composeSeries(
      series,
      sessions.map(({ session }) => session),
      { ...options, unread },
    );
    return this.#stored(row, calendar, stampsOf(row, sessions));
  }

  #stored(
    row: CalendarRow,
    calendar: Calendar,
    stampOf: (uid: string) => [number, Instant] | undefined,
  ): StoredCalendar {
    const { baseUrl } = this.#options;
    return {
      head: this.#head(row),
      calendar: baseUrl === undefined ? calendar : { ...calendar, source: `${baseUrl}/series/${row.key}.ics` },
      revision: (uid) => {
        const [sequence, modified] = stampOf(uid) ?? [row.revision, row.changed];
        return this.#served({ sequence, modified });
      },
      slug: calendar.name,
    };
  }

  async #composeOptions(series: Series, record: RecordBody): Promise<ComposeOptions> {
    const today = await this.#today();
    const feed = await this.#feed(record);
    return { ...this.#options.compose, today, attribution: attribution(feed ?? {}, series.details.organizer?.name) };
  }

  async #feed(record: RecordBody): Promise<FeedRow | undefined> {
    return (await this.#store.read.feeds()).find((feed) => feed.url === record.owner?.feed);
  }

  async keyOfId(kind: Collection, id: string): Promise<string | undefined> {
    const record = await this.#store.read.recordByIdent(KINDS[kind], identOf(id));
    if (record === undefined) return undefined;
    return (await this.#store.read.calendarOf(record.id))?.key;
  }

  list(query: ListQuery): Promise<Listing> {
    return this.#listing.list(query);
  }

  async series(key: string): Promise<SeriesPage | undefined> {
    const found = await this.#listing.series(key);
    return found && { head: this.#head(found.row), ...found.page };
  }

  async explain(key: string, query: ExplainQuery): Promise<SeriesExplanation | undefined> {
    return this.#steadily(key, async (row) => {
      if (row.kind !== 'series' || row.state === 'gone') return undefined;
      const head = this.#head(row);
      const { zone } = this.#options.compose;
      if (row.state === 'deleted') return { head, zone, schedules: [], rows: [], total: 0, events: 0 };
      const record = await this.#store.read.recordById(row.record);
      if (record === undefined) return undefined;
      const { series } = await effectiveSeries(this.#store.read, record);
      const options = await this.#composeOptions(series, record);
      const stored = { record, series, options, around: startOf(options.today) };
      const publisher = publisherOf(await this.#feed(record));
      return { head, ...(await explainStored(this.#store.read, stored, query)), ...(publisher && { publisher }) };
    });
  }

  feeds(): Promise<FeedHealth[]> {
    return feedsOf(this.#store.read);
  }

  feedFindings(feed: number, query: { after?: number; limit: number }): Promise<FeedFindings | undefined> {
    return findingsOf(this.#store.read, feed, query);
  }

  publishers(): Promise<Publisher[]> {
    return this.#listing.publishers();
  }

  onChange(listener: (keys: readonly string[] | 'all') => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(keys: readonly string[]): void {
    const names = keys.flatMap((key) => [key, ...VENUE_NAMES.map((name) => name(key))]);
    for (const listener of this.#listeners) listener(names);
  }

  /** One after the other: a change announced during one reading is found by the next. */
  poll(): Promise<void> {
    const turn = this.#polls.then(() => this.#poll());
    this.#polls = turn.catch(() => undefined);
    return turn;
  }

  async #poll(): Promise<void> {
    const today = await this.#today();
    // Free/busy begins on another day now.
    if (this.#day !== undefined && this.#day !== today) this.notifyAll();
    this.#day = today;
    if (this.#seen === undefined) {
      this.#seen = await this.#store.read.lastSeq();
      this.notifyAll();
      return;
    }
    for (;;) {
      const changes = await this.#store.read.changesSince(this.#seen, CHANGES_AT_ONCE);
      if (changes.length === 0) return;
      this.#seen = (changes.at(-1) as { seq: number }).seq;
      this.notify(changes.map(({ key }) => key));
      // Thousands change in a second while a feed is read for the first time, and requests do not wait for all of them.
      await setImmediate();
    }
  }

  notifyAll(): void {
    for (const listener of this.#listeners) listener('all');
  }

  async health(): Promise<Health> {
    const { facts, ...health } = await healthOf(this.#store);
    return { ...health, facts: { ...facts, ...this.#options.facts?.() } };
  }

  trouble(error: unknown): string | undefined {
    return troubleOf(this.#store, error);
  }
}
