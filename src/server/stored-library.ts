import { attribution } from '../calendar/attribution.ts';
import { type ComposeOptions, composeSeries, startOf } from '../calendar/compose.ts';
import type { Calendar, Revision } from '../calendar/objects.ts';
import { sessionLimit } from '../calendar/size.ts';
import { scheduleWords } from '../calendar/words.ts';
import type { HolidayRegion } from '../hours/holidays.ts';
import type { OpenPeriod } from '../hours/periods.ts';
import { type Finding, finish, type RawFinding } from '../opportunity/findings.ts';
import { identOf } from '../opportunity/identity.ts';
import { itemName } from '../opportunity/page.ts';
import {
  type Facility,
  type Instant,
  type LocalDate,
  type Place,
  type Series,
  type Session,
  statusIn,
} from '../opportunity/records.ts';
import {
  type CalendarRow,
  type FeedRow,
  META,
  type RecordBody,
  type RecordKind,
  type Store,
} from '../store/contract.ts';
import { effectiveSeries, recordOf, sessionsOf } from '../store/series.ts';
import {
  type CalendarHead,
  type CalendarName,
  type Collection,
  type Health,
  type Library,
  type Listing,
  type ListingRow,
  type ListQuery,
  type PageOccurrence,
  type Publisher,
  type SeriesPage,
  type StoredCalendar,
  VENUE_PARTS,
  type VenuePage,
  type VenuePart,
  venueName,
  type Window,
} from './library.ts';
import { marks } from './marks.ts';
import { publicFeed } from './public-feed.ts';
import { VenueShelf, venueRevision } from './stored-venues.ts';

export interface LibraryOptions {
  now(): Instant;
  compose: Omit<ComposeOptions, 'attribution' | 'today'>;
  horizonDays: number;
  /** Public holidays of places that do not say where they are. */
  holidays?: HolidayRegion | undefined;
  /** Stands for all that shapes a calendar's bytes besides stored data: release, settings, zone data. */
  rendering: string;
  /** The address the service is known by, without a slash at its end; calendars name their own address by it. */
  baseUrl?: string | undefined;
}

/** The library over a store; `notify` passes on what a harvester in the same process changed. */
export interface StoredLibrary extends Library {
  notify(keys: readonly string[]): void;
  /** Looks for what other processes changed since the last look. */
  poll(): Promise<void>;
}

/**
 * How often the rendering has changed, and when last. Other settings or another release make other bytes of the same data:
 * every calendar is then one revision on (semantics 6: revisions move exactly when what would be served changes).
 */
interface Epoch {
  rendering: string;
  count: number;
  at: Instant;
}

/** Opens the library; moves every revision on if calendars are rendered otherwise than they were last. */
export async function openLibrary(store: Store, options: LibraryOptions): Promise<StoredLibrary> {
  const epoch = await currentEpoch(store, options);
  return new SqlLibrary(store, options, epoch);
}

function currentEpoch(store: Store, { rendering, now }: LibraryOptions): Promise<Epoch> {
  return store.write(async (tx) => {
    const text = await tx.meta(META.rendering);
    const before = text === undefined ? undefined : (JSON.parse(text) as Epoch);
    if (before?.rendering === rendering) return before;
    const epoch =
      before === undefined ? { rendering, count: 0, at: 0 } : { rendering, count: before.count + 1, at: now() };
    await tx.setMeta(META.rendering, JSON.stringify(epoch));
    return epoch;
  });
}

/** Occurrences on the page of a series. */
const UPCOMING = 20;
const DAY = 86_400_000;

class SqlLibrary implements StoredLibrary {
  readonly #store: Store;
  readonly #options: LibraryOptions;
  readonly #epoch: Epoch;
  readonly #listeners = new Set<(keys: readonly string[] | 'all') => void>();
  readonly #venues: VenueShelf;
  #seen: number | undefined;
  #day: LocalDate | undefined;

  constructor(store: Store, options: LibraryOptions, epoch: Epoch) {
    this.#store = store;
    this.#options = options;
    this.#epoch = epoch;
    this.#venues = new VenueShelf(store.read, { ...options, served: (revision) => this.#served(revision) });
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
    };
  }

  async #venueHead(row: CalendarRow, part: VenuePart): Promise<CalendarHead> {
    const parts = await this.#store.read.calendarParts(row.record);
    return this.#head(row, venueRevision(parts, part, await this.#today()));
  }

  /** A stored revision, moved on with every change of the rendering. */
  #served({ sequence, modified }: Revision): Revision {
    const { count, at } = this.#epoch;
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
      isVenue(row, collection) ? this.#venueCalendar(row, 'freebusy', window) : undefined,
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
    const upcoming = collection === 'places' ? await this.#upcomingAt(record.id, at) : [];
    return { collection, ...rest, upcoming, ...(publisher && { publisher }) };
  }

  /** The next occurrences of all series at a place. */
  async #upcomingAt(venue: number, at: Instant): Promise<VenuePage['upcoming']> {
    const found: VenuePage['upcoming'] = [];
    for (const id of await this.#store.read.seriesAt(venue)) {
      const calendar = await this.#store.read.calendarOf(id);
      if (calendar?.state !== 'live') continue;
      const record = await this.#store.read.recordById(id);
      if (record === undefined) continue;
      const next = await this.#upcoming(id, recordOf(record) as Series, UPCOMING, at);
      found.push(...next.map((one) => ({ name: calendar.name, ...one, seriesKey: calendar.key })));
    }
    return found.sort((a, b) => a.start - b.start).slice(0, UPCOMING);
  }

  #tail(row: CalendarRow): StoredCalendar | undefined {
    if (row.tail === undefined) return undefined;
    return this.#stored(row, JSON.parse(row.tail) as Calendar, () => [row.revision, row.changed]);
  }

  async #live(row: CalendarRow): Promise<StoredCalendar | undefined> {
    const record = await this.#store.read.recordById(row.record);
    if (record === undefined) return undefined;
    const { series } = await effectiveSeries(this.#store.read, record);
    const options = await this.#composeOptions(series, record);
    const around = startOf(options.today);
    const sessions = await sessionsOf(this.#store.read, record.id, { limit: sessionLimit(record.body.length), around });
    const { calendar } = composeSeries(
      series,
      sessions.map(({ session }) => session),
      options,
    );
    return this.#stored(row, calendar, marks(row, sessions));
  }

  #stored(row: CalendarRow, calendar: Calendar, mark: (uid: string) => [number, Instant] | undefined): StoredCalendar {
    const { baseUrl } = this.#options;
    return {
      head: this.#head(row),
      calendar: baseUrl === undefined ? calendar : { ...calendar, source: `${baseUrl}/series/${row.key}.ics` },
      revision: (uid) => {
        const [sequence, modified] = mark(uid) ?? [row.revision, row.changed];
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

  async list({ kind, q = '', place, after, limit }: ListQuery): Promise<Listing> {
    const venue = place === undefined ? undefined : (await this.#store.read.calendarByKey(place))?.record;
    if (place !== undefined && venue === undefined) return { rows: [], total: 0 };
    const words = q
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, 10);
    const query = { kind: KINDS[kind], words, ...(venue !== undefined && { venue }) };
    const total = await this.#store.read.countCalendars(query);
    if (limit === 0) return { rows: [], total };
    const from = cursorOf(after);
    const rows = await this.#store.read.calendars({ ...query, limit: limit + 1, ...(from && { after: from }) });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next = rows.length > limit && last !== undefined ? { next: JSON.stringify([last.name, last.key]) } : {};
    return { rows: await Promise.all(shown.map((row) => this.#row(row))), total, ...next };
  }

  async #row(row: CalendarRow): Promise<ListingRow> {
    const { zone } = this.#options.compose;
    const record = (await this.#store.read.recordById(row.record)) as RecordBody;
    if (row.kind !== 'series') return venueRow(row, recordOf(record) as Place | Facility, zone);
    const { series } = await effectiveSeries(this.#store.read, record);
    const { name = '', activity = [], location } = series.details;
    const [next] = (await this.#upcoming(row.record, series, 5)).filter(({ status }) => status !== 'EventCancelled');
    return {
      key: row.key,
      kind: 'series',
      name,
      type: series.type,
      activity,
      zone: zoneOf(series) ?? zone,
      calendar: true,
      ...(location?.name && { place: location.name }),
      ...(next && { next: next.start }),
    };
  }

  async #upcoming(id: number, series: Series, limit: number, now = this.#options.now()): Promise<PageOccurrence[]> {
    const rows = await this.#store.read.upcoming(id, now, now + this.#options.horizonDays * DAY, limit);
    return rows.map((one): PageOccurrence => {
      if (one.source === 'generated') return { start: one.row.start, end: one.row.end, status: statusIn(series) };
      const session = JSON.parse(one.body) as Session;
      const { start, end, details, url } = session;
      const status = statusIn(series, session);
      return { start, status, ...(end && { end }), ...(details.name && { name: details.name }), ...(url && { url }) };
    });
  }

  async series(key: string): Promise<SeriesPage | undefined> {
    const row = await this.#store.read.calendarByKey(key);
    if (row?.kind !== 'series') return undefined;
    const record = await this.#store.read.recordById(row.record);
    if (record === undefined || row.state !== 'live') return undefined;
    const { series } = await effectiveSeries(this.#store.read, record);
    const feed = await this.#feed(record);
    const publisher = publisherOf(feed);
    return {
      head: this.#head(row),
      id: series.id,
      type: series.type,
      status: series.status,
      details: series.details,
      schedules: series.schedules.map(scheduleWords).filter((words) => words !== undefined),
      upcoming: await this.#upcoming(row.record, series, UPCOMING),
      zone: zoneOf(series) ?? this.#options.compose.zone,
      findings: await this.#findings(row, record),
      ...(series.url && { url: series.url }),
      ...(publisher && { publisher }),
    };
  }

  async #findings(row: CalendarRow, { owner }: RecordBody): Promise<Finding[]> {
    if (owner === undefined) return [];
    const item = itemName({ kind: owner.kind, id: owner.rpdeId });
    const own = await this.#store.read.findingsOf(owner.item);
    const raw = [own, row.findings].flatMap((text) => (text === undefined ? [] : (JSON.parse(text) as RawFinding[])));
    return raw.map((finding) => finish(finding, publicFeed(owner.feed), item));
  }

  async publishers(): Promise<Publisher[]> {
    const found = new Map<string, Publisher>();
    for (const feed of await this.#store.read.feeds()) {
      const publisher = publisherOf(feed);
      if (publisher !== undefined) found.set(publisher.name, publisher);
    }
    return [...found.values()];
  }

  onChange(listener: (keys: readonly string[] | 'all') => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(keys: readonly string[]): void {
    const names = keys.flatMap((key) => [key, ...VENUE_NAMES.map((name) => name(key))]);
    for (const listener of this.#listeners) listener(names);
  }

  async poll(): Promise<void> {
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
      const changes = await this.#store.read.changesSince(this.#seen, 1000);
      if (changes.length === 0) return;
      this.#seen = (changes.at(-1) as { seq: number }).seq;
      this.notify(changes.map(({ key }) => key));
    }
  }

  notifyAll(): void {
    for (const listener of this.#listeners) listener('all');
  }

  async health(): Promise<Health> {
    const calendars = await this.#store.read.countCalendars({ kind: 'series', words: [] });
    const feeds = (await this.#store.read.feeds()).length;
    return { ready: true, facts: { calendars, feeds } };
  }
}

/** Every name that calendars of one key can have. */
const VENUE_NAMES = (['places', 'facilities'] as const).flatMap((collection) =>
  VENUE_PARTS.map((part) => (key: string) => venueName(collection, key, part)),
);

const KINDS: Record<Collection, RecordKind> = { series: 'series', places: 'place', facilities: 'facility' };
const COLLECTIONS: Partial<Record<RecordKind, Collection>> = {
  series: 'series',
  place: 'places',
  facility: 'facilities',
};

function parseName(name: CalendarName): { collection: Collection; key: string; part?: VenuePart } {
  const [collection, key = '', part] = name.split('/');
  if (key === '') return { collection: 'series', key: name };
  return { collection: collection as Collection, key, part: part as VenuePart };
}

function isVenue(row: CalendarRow, collection: Collection): boolean {
  return row.state === 'live' && row.kind === KINDS[collection];
}

function venueRow(row: CalendarRow, said: Place | Facility, zone: string): ListingRow {
  const place = said.kind === 'place' ? said.address : said.details.location?.name;
  return {
    key: row.key,
    kind: said.kind === 'place' ? 'places' : 'facilities',
    name: row.name,
    type: said.kind === 'place' ? 'Place' : said.type,
    activity: said.kind === 'place' ? [] : (said.details.activity ?? []),
    zone,
    calendar: true,
    ...(place && { place }),
  };
}

/** The zone a series says it is in. */
function zoneOf(series: Series): string | undefined {
  return series.schedules.find((schedule) => schedule.zoneStated)?.zone;
}

function publisherOf(feed: FeedRow | undefined): Publisher | undefined {
  if (feed?.publisher === undefined) return undefined;
  const { publisher: name, publisherUrl: url, license } = feed;
  return { name, ...(url && { url }), ...(license && { license }) };
}

/** The place in a list that a page's link names; anything else is its beginning. */
function cursorOf(after: string | undefined): { name: string; key: string } | undefined {
  if (after === undefined) return undefined;
  try {
    const [name, key] = JSON.parse(after) as unknown[];
    return typeof name === 'string' && typeof key === 'string' ? { name, key } : undefined;
  } catch {
    return undefined;
  }
}
