import { attribution } from '../calendar/attribution.ts';
import { type ComposeOptions, composeSeries, startOf } from '../calendar/compose.ts';
import type { Calendar } from '../calendar/objects.ts';
import { sessionUid } from '../calendar/uid.ts';
import { sessionLimit } from '../calendar/size.ts';
import { scheduleWords } from '../calendar/words.ts';
import { type Finding, finish, type RawFinding } from '../opportunity/findings.ts';
import { identOf } from '../opportunity/identity.ts';
import { itemName } from '../opportunity/page.ts';
import type { Instant, Place, Series, Session } from '../opportunity/records.ts';
import { type CalendarRow, type FeedRow, META, type RecordBody, type Store } from '../store/contract.ts';
import { effectiveSeries, type StoredSession, sessionsOf } from '../store/series.ts';
import type {
  CalendarHead,
  Collection,
  Health,
  Library,
  Listing,
  ListingRow,
  ListQuery,
  PageOccurrence,
  Publisher,
  SeriesPage,
  StoredCalendar,
} from './library.ts';

export interface LibraryOptions {
  now(): Instant;
  compose: Omit<ComposeOptions, 'attribution' | 'today'>;
  horizonDays: number;
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
  #seen: number | undefined;

  constructor(store: Store, options: LibraryOptions, epoch: Epoch) {
    this.#store = store;
    this.#options = options;
    this.#epoch = epoch;
  }

  async head(key: string): Promise<CalendarHead | undefined> {
    const row = await this.#store.read.calendarByKey(key);
    return row?.kind === 'series' ? this.#head(row) : undefined;
  }

  #head(row: CalendarRow): CalendarHead {
    const { count, at } = this.#epoch;
    return {
      key: row.key,
      kind: 'series',
      state: row.state,
      revision: row.revision + count,
      changedAt: Math.max(row.changed, Math.floor(at / 1000) * 1000),
    };
  }

  async calendar(key: string): Promise<StoredCalendar | undefined> {
    // Several reads make one calendar: begun again if a commit came between them.
    for (;;) {
      const row = await this.#store.read.calendarByKey(key);
      if (row === undefined || row.kind !== 'series' || row.state === 'gone') return undefined;
      const made = row.state === 'deleted' ? this.#tail(row) : await this.#live(row);
      const after = await this.#store.read.calendarByKey(key);
      if (after?.seq === row.seq) return made;
    }
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
    const { count, at } = this.#epoch;
    const { baseUrl } = this.#options;
    const since = Math.floor(at / 1000) * 1000;
    return {
      head: this.#head(row),
      calendar: baseUrl === undefined ? calendar : { ...calendar, source: `${baseUrl}/series/${row.key}.ics` },
      revision: (uid) => {
        const [sequence, changed] = mark(uid) ?? [row.revision, row.changed];
        return { sequence: sequence + count, modified: Math.max(changed, since) };
      },
      slug: calendar.name,
    };
  }

  async #composeOptions(series: Series, record: RecordBody): Promise<ComposeOptions> {
    const today = (await this.#store.read.meta(META.today)) ?? '1970-01-01';
    const feed = await this.#feed(record);
    return { ...this.#options.compose, today, attribution: attribution(feed ?? {}, series.details.organizer?.name) };
  }

  async #feed(record: RecordBody): Promise<FeedRow | undefined> {
    return (await this.#store.read.feeds()).find((feed) => feed.url === record.owner?.feed);
  }

  async keyOfId(kind: Collection, id: string): Promise<string | undefined> {
    const record = await this.#store.read.recordByIdent(kind, identOf(id));
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
    const query = { kind: kind === 'places' ? ('place' as const) : kind, words, ...(venue !== undefined && { venue }) };
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
    if (row.kind === 'place') {
      const { name = '', address } = JSON.parse(record.body) as Place;
      return {
        key: row.key,
        kind: 'places',
        name,
        type: 'Place',
        activity: [],
        zone,
        calendar: false,
        ...(address && { place: address }),
      };
    }
    const { series } = await effectiveSeries(this.#store.read, record);
    const { name = '', activity = [], location } = series.details;
    const [next] = (await this.#upcoming(row.record, 5)).filter(({ status }) => status !== 'EventCancelled');
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

  async #upcoming(series: number, limit: number): Promise<PageOccurrence[]> {
    const now = this.#options.now();
    const rows = await this.#store.read.upcoming(series, now, now + this.#options.horizonDays * DAY, limit);
    return rows.map((one): PageOccurrence => {
      if (one.source === 'generated') return { start: one.row.start, end: one.row.end, status: 'EventScheduled' };
      const { start, end, status, details, url } = JSON.parse(one.body) as Session;
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
      upcoming: await this.#upcoming(row.record, UPCOMING),
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
    return raw.map((finding) => finish(finding, owner.feed, item));
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
    for (const listener of this.#listeners) listener(keys);
  }

  async poll(): Promise<void> {
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

/** SEQUENCE and change of each UID, from where they are kept (harvest/settle.ts). */
function marks(row: CalendarRow, sessions: readonly StoredSession[]): (uid: string) => [number, Instant] | undefined {
  if (row.events !== undefined) {
    const events = JSON.parse(row.events) as Record<string, [string, number, Instant]>;
    return (uid) => (events[uid] === undefined ? undefined : [events[uid][1], events[uid][2]]);
  }
  const own = new Map(
    sessions.map(({ row: { sequence, changed }, session }) => [
      sessionUid(session.id),
      [sequence, changed] as [number, Instant],
    ]),
  );
  return (uid) => own.get(uid);
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
