import type { Hono } from 'hono';
import type { Calendar } from '../../src/calendar/objects.ts';
import { StoreError } from '../../src/errors.ts';
import type { OpenPeriod } from '../../src/hours/periods.ts';
import type {
  CalendarHead,
  CalendarName,
  ChangeEntry,
  ChangeFeed,
  Collection,
  FeedHealth,
  FindingKind,
  Library,
  ListingRow,
  SeriesExplanation,
  SeriesPage,
  StoredCalendar,
  VenuePage,
} from '../../src/library/library.ts';
import type { KeptLists } from '../../src/library/lists/kept.ts';
import type { ChosenList } from '../../src/library/lists/list.ts';
import { inMemory } from '../../src/library/objects/memory.ts';
import { storedObjects } from '../../src/library/objects/objects.ts';
import { keptStates } from '../../src/library/objects/states.ts';
import type { Objects } from '../../src/library/objects/types.ts';
import type {
  DayCount,
  Facets,
  FoundPage,
  FoundRow,
  OccurrenceItem,
  PageQuery,
  ReplacedWord,
  Search,
  Suggestions,
} from '../../src/library/search/types.ts';
import type { SeriesDates } from '../../src/library/series/types.ts';
import type { FacilityTimes, Timetable, TimetableQuery, Timetables } from '../../src/library/timetable/timetable.ts';
import type { Finding } from '../../src/opportunity/findings.ts';
import type { Filters } from '../../src/search/filters.ts';
import type { FilterProblem } from '../../src/search/query.ts';
import type { Understood } from '../../src/search/words.ts';
import { createApp } from '../../src/server/app.ts';
import { type CacheOptions, CalendarCache } from '../../src/server/cache/cache.ts';
import { rendererOf } from '../../src/server/calendars/renderer.ts';
import { createAnswers } from '../../src/server/computing/answers.ts';
import { createAdmin } from '../../src/server/operations/admin.ts';
import { silent } from '../../src/server/operations/log.ts';
import { Meters } from '../../src/server/operations/meters.ts';
import { Metrics } from '../../src/server/operations/metrics.ts';
import { troubleWords } from '../../src/store/index.ts';
import type { InstantWindow } from '../../src/time/instant.ts';

/** Finds what its library has, in pages. */
export class FakeSearch implements Search {
  items: OccurrenceItem[] = [];
  /** Instead of those of the library. */
  rows: FoundRow[] | undefined;
  problems: FilterProblem[] = [];
  replaced: ReplacedWord[] = [];
  asked: [what: string, Filters, PageQuery][] = [];
  readonly #library: Pick<FakeLibrary, 'rows' | 'places' | 'facilities' | 'broken'>;

  constructor(library: Pick<FakeLibrary, 'rows' | 'places' | 'facilities' | 'broken'>) {
    this.#library = library;
  }

  async occurrences(filters: Filters, query: PageQuery): Promise<FoundPage<OccurrenceItem>> {
    return this.#page('occurrences', this.items, filters, query);
  }

  async series(filters: Filters, query: PageQuery): Promise<FoundPage<FoundRow>> {
    return this.#page('series', this.rows ?? this.#library.rows, filters, query);
  }

  async venues(kind: 'places' | 'facilities', filters: Filters, query: PageQuery): Promise<FoundPage<FoundRow>> {
    return this.#page(kind, this.rows ?? this.#library[kind], filters, query);
  }

  #page<Item>(what: string, all: Item[], filters: Filters, query: PageQuery): FoundPage<Item> {
    this.asked.push([what, filters, query]);
    if (this.#library.broken) throw new Error('database is locked at /secret/path');
    const { problems, replaced } = this;
    const from = Number(query.after ?? 0);
    const next = from + query.limit < all.length ? { next: String(from + query.limit) } : {};
    return { items: all.slice(from, from + query.limit), total: all.length, replaced, problems, ...next };
  }

  /** Whether facets count everything. */
  isWhole = true;

  async facets(): Promise<Facets> {
    const day = { mon: 1, tue: 0, wed: 0, thu: 0, fri: 0, sat: 0, sun: 0 };
    const place = [{ key: 'p1', name: 'Town Hall', count: 1 }];
    return { day, activity: [{ name: 'Yoga', count: 1 }], place, counted: 1, whole: this.isWhole };
  }

  async days(_: Filters, days: number): Promise<DayCount[]> {
    return Array.from({ length: days }, (_one, at) => ({
      date: new Date(NOW + at * 86_400_000).toISOString().slice(0, 10),
      count: at,
    }));
  }

  async popular() {
    return [{ name: 'Yoga', count: 1 }];
  }

  async detailsAsked(): Promise<[]> {
    return [];
  }

  async understood(query: string): Promise<Understood> {
    return { query, filters: {}, words: query, understood: [] };
  }

  async suggestions(): Promise<Suggestions> {
    return { didYouMean: [], without: [], most: 200 };
  }
}

/** A library in memory that counts what it is asked. */
export class FakeLibrary implements Library {
  heads = new Map<string, CalendarHead>();
  names = new Map<string, string>();
  rows: ListingRow[] = [];
  places: ListingRow[] = [];
  facilities: ListingRow[] = [];
  /** By `places/{key}`. */
  venues = new Map<string, VenuePage>();
  open: OpenPeriod[] = [];
  /** Windows asked for, and moments. */
  windows: InstantWindow[] = [];
  moments: (number | undefined)[] = [];
  pages = new Map<string, SeriesPage>();
  dates = new Map<string, Partial<SeriesDates>>();
  explanations = new Map<string, SeriesExplanation>();
  /** By `series/{key}` and `places/{key}`. */
  noted = new Map<string, ChangeEntry[]>();
  sources: FeedHealth[] = [];
  kinds: FindingKind[] = [];
  odd: Finding[] = [];
  ids = new Map<string, string>();
  /** What is on, and when courts are free, at any place. */
  on: Timetable = { entries: [], publishers: [] };
  courts: FacilityTimes[] = [];
  timetableQueries: TimetableQuery[] = [];
  readonly timetables: Timetables = {
    at: async (_, query) => {
      this.timetableQueries.push(query);
      return this.on;
    },
    facilitiesAt: async (_, __, limit) => ({
      shown: this.courts.slice(0, limit),
      left: Math.max(0, this.courts.length - limit),
    }),
    facility: async (key) =>
      this.courts.find((court) => court.key === key) ?? { key, offers: [], publishesTimes: false, times: [] },
  };
  asked = { head: 0, calendar: 0 };
  chosen = new Map<string, ChosenList>();
  lists: KeptLists | undefined;

  async chosenList(token: string): Promise<ChosenList | undefined> {
    return this.chosen.get(token);
  }

  async isEditKey(): Promise<boolean> {
    return false;
  }

  broken = false;
  objects: Objects = storedObjects(this, {
    defaults: { zone: 'Europe/London', refresh: 'PT6H' },
    // What a test puts in shows at once.
    version: async () => undefined,
    states: keptStates({ now: () => NOW, ...inMemory() }),
  });
  search = new FakeSearch(this);
  listeners = new Set<(keys: readonly string[] | 'all') => void>();

  /** Puts a calendar in, or a new revision of it, and tells the listeners. */
  commit(key: string, name: string, head: Partial<CalendarHead> = {}): void {
    const before = this.heads.get(key);
    const revision = (before?.revision ?? 0) + 1;
    const changedAt = Date.UTC(2026, 10, 21, 9, 29, revision, 789);
    const [collection, inside] = key.split('/');
    const of =
      inside === undefined ? { key, kind: 'series' as const } : { key: inside, kind: collection as Collection };
    this.heads.set(key, { ...of, state: 'live', revision, changedAt, ...head });
    this.names.set(key, name);
    this.tell([key]);
  }

  tell(keys: readonly string[] | 'all'): void {
    for (const listener of this.listeners) listener(keys);
  }

  async head(key: CalendarName): Promise<CalendarHead | undefined> {
    this.asked.head++;
    if (this.broken) throw new Error('database is locked');
    return this.heads.get(key);
  }

  async calendar(key: CalendarName): Promise<StoredCalendar | undefined> {
    this.asked.calendar++;
    const head = this.heads.get(key);
    const name = this.names.get(key) ?? '';
    return head && { head, calendar: calendar(name), slug: name, revision: () => ({ sequence: 0, modified: 0 }) };
  }

  async freeBusy(collection: 'places' | 'facilities', key: string, window: InstantWindow) {
    this.windows.push(window);
    return this.calendar(`${collection}/${key}/freebusy`);
  }

  async venue(collection: 'places' | 'facilities', key: string, at?: number): Promise<VenuePage | undefined> {
    if (this.broken) throw new Error('database is locked at /secret/path');
    this.moments.push(at);
    return this.venues.get(`${collection}/${key}`);
  }

  async venueFindings(): Promise<Finding[]> {
    return this.odd;
  }

  async periods(collection: 'places' | 'facilities', key: string, window: InstantWindow) {
    this.windows.push(window);
    return this.venues.has(`${collection}/${key}`) ? this.open : undefined;
  }

  /** `ids` holds keys, of series as such, of the others as `places/{key}`. */
  async keyOfId(kind: Collection, id: string): Promise<string | undefined> {
    const found = this.ids.get(id);
    if (kind === 'series' || found === undefined) return found;
    return found.startsWith(`${kind}/`) ? found.slice(kind.length + 1) : undefined;
  }

  async keys(kind: Collection, { after, limit }: { after?: string; limit: number }) {
    const all = { series: this.rows, places: this.places, facilities: this.facilities }[kind];
    const from = Number(after ?? 0);
    const rows = all.slice(from, from + limit).map(({ key }) => ({ key, changedAt: NOW }));
    return { rows, ...(from + limit < all.length && { next: String(from + limit) }) };
  }

  async series(key: string): Promise<SeriesPage | undefined> {
    return this.pages.get(key);
  }

  /** What the page has, where nothing else is handed in. */
  async seriesDates(key: string): Promise<SeriesDates | undefined> {
    const page = this.pages.get(key);
    if (page === undefined) return undefined;
    const { upcoming, zone, details } = page;
    const { name, address } = details.location ?? {};
    const place = { ...(name && { name }), ...(address && { address }), key: 'p1' };
    const made = { dates: upcoming, times: [], similar: [], zone, homeZone: 'Europe/London', place };
    return { ...made, ...this.dates.get(key) };
  }

  async image(collection: 'series' | 'facilities', key: string): Promise<string | undefined> {
    return collection === 'series' ? this.pages.get(key)?.details.image : undefined;
  }

  async changeFeed(kind: Collection, key: string, limit: number): Promise<ChangeFeed | undefined> {
    const head = this.heads.get(kind === 'series' ? key : `${kind}/${key}/all`);
    const [publisher] = await this.publishers();
    const entries = (this.noted.get(`${kind}/${key}`) ?? []).slice(0, limit);
    return head && { head, name: this.names.get(head.key) ?? 'A place', ...(publisher && { publisher }), entries };
  }

  async explain(key: string): Promise<SeriesExplanation | undefined> {
    return this.explanations.get(key);
  }

  async feeds(): Promise<FeedHealth[]> {
    if (this.broken) throw new Error('database is locked at /secret/path');
    return this.sources;
  }

  async findingKinds(feed?: number): Promise<FindingKind[]> {
    return this.kinds.filter(({ feeds }) => feed === undefined || feeds.some(({ id }) => id === feed));
  }

  async feedFindings(id: number, { after = 0, limit }: { after?: number; limit: number }) {
    const feed = this.sources.find((one) => one.id === id);
    const findings = this.odd.slice(after, after + limit);
    const next = after + limit < this.odd.length ? { next: after + limit } : {};
    return feed && { feed, findings, ...next };
  }

  async publishers() {
    return [
      {
        name: 'Everyone Active',
        url: 'https://everyone.example',
        license: 'https://creativecommons.org/licenses/by/4.0/',
      },
    ];
  }

  onChange(listener: (keys: readonly string[] | 'all') => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  readonly feedListeners = new Set<() => void>();

  onFeeds(listener: () => void): () => void {
    this.feedListeners.add(listener);
    return () => this.feedListeners.delete(listener);
  }

  noteError(error: unknown): string | undefined {
    return error instanceof StoreError && error.trouble !== undefined ? troubleWords(error) : undefined;
  }

  async health() {
    if (this.broken) throw new Error('database is locked at /secret/path');
    return { ready: true, facts: { series: this.heads.size } };
  }
}

export function calendar(name: string): Calendar {
  return {
    name,
    zone: 'Europe/London',
    color: { name: 'teal', hex: '#008080' },
    refresh: 'PT6H',
    events: [{ uid: 'a@x', span: { zone: 'UTC', start: 0, end: 0 }, status: 'CONFIRMED', summary: name }],
  };
}

/** Stands in for the writer: bytes that depend on the calendar alone. */
export function render({ calendar: { name, events }, head, more }: StoredCalendar): Uint8Array<ArrayBuffer> {
  const lines = events.map(({ uid, summary }) => `UID:${uid}\r\nSUMMARY:${summary}\r\n`);
  for (const component of more?.components ?? []) lines.push(`BEGIN:${component.name}\r\nEND:${component.name}\r\n`);
  const text = `BEGIN:VCALENDAR\r\nX-REVISION:${head.revision}\r\nNAME:${name}\r\n${lines.join('')}${'X-PAD:padding\r\n'.repeat(40)}END:VCALENDAR\r\n`;
  return new TextEncoder().encode(text);
}

/** The clock of the application under test. */
export const NOW = Date.UTC(2026, 10, 21, 9, 30);

export const BASE = 'https://calendars.example/open';

/** A library, its cache and the application over them. */
export function setUp(options: Partial<CacheOptions> & { render?: typeof render } = {}): {
  library: FakeLibrary;
  cache: CalendarCache;
  app: Hono;
  admin: Hono;
  /** Every address. */
  paths: string[];
} {
  const library = new FakeLibrary();
  const meters = new Meters();
  const { now = () => NOW } = options;
  const given = { baseUrl: BASE, gzip: true, meters, log: silent, now };
  const renderer = rendererOf(library, options.render ?? render);
  const answers = createAnswers({ ...given, library, renderer });
  const held = { limitBytes: 1_000_000, now };
  const cache = new CalendarCache({ library, renderer, meters, log: silent, ...held, ...options });
  const app = createApp({ ...given, library, cache, answer: (request) => answers.fetch(request) });
  const serving = { meters, cached: () => cache.size() };
  const feeds = () => library.feeds();
  const metrics = new Metrics({ serving, feeds, now, log: silent });
  const admin = createAdmin({ ...given, port: 0, host: '', token: undefined, library, feeds, metrics });
  return { library, cache, app, admin, paths: [...app.routes, ...answers.routes].map(({ path }) => path) };
}
