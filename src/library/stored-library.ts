import type { Calendar, Revision } from '../calendar/objects.ts';
import { StoreError } from '../errors.ts';
import { identOf } from '../opportunity/identity.ts';
import type { CalendarRow, Store, StoreReading } from '../store/index.ts';
import { DAY_MS } from '../time/days.ts';
import { type Instant, type InstantWindow, wholeSecond } from '../time/instant.ts';
import { changesIn } from './changes.ts';
import { currentEpoch, type Epoch } from './epoch.ts';
import { explainStored } from './explain.ts';
import { feedsOf, findingsOf, healthOf, noteError } from './feeds.ts';
import { FindingKinds } from './finding-kinds.ts';
import { Follower } from './following/follower.ts';
import type {
  CalendarHead,
  CalendarName,
  Collection,
  Library,
  LibraryOptions,
  StoredCalendar,
  StoredLibrary,
  VenuePart,
} from './library.ts';
import { StoredListing } from './listing.ts';
import { isEditKey, type KeptLists, storedLists } from './lists/kept.ts';
import { listCalendars } from './lists/lists.ts';
import { MergedCalendars, type Pieces } from './lists/merge.ts';
import { isMerged, listName, mergedName } from './lists/names.ts';
import { standingSearch } from './lists/standing-search.ts';
import { COLLECTIONS, KINDS, namesOf, parseName } from './names.ts';
import { inMemory } from './objects/memory.ts';
import { MOST_TRIES, storedObjects } from './objects/objects.ts';
import { keptStates, type StatesOptions } from './objects/states.ts';
import type { Objects } from './objects/types.ts';
import { feedOf, imageOf, publisherOf, storedDay } from './reads.ts';
import { StoredSearch } from './search/stored-search.ts';
import type { Search } from './search/types.ts';
import { seriesDates } from './series/dates.ts';
import { ownCalendars } from './series/own-calendars.ts';
import { storedTimetables, timetableAt } from './timetable/stored-timetables.ts';
import type { Timetables } from './timetable/timetable.ts';
import { StoredVenues, venueRevision } from './venues.ts';

/** Opens the library, and moves every revision on if the rendering of calendars has changed. */
export async function openLibrary(store: Store, options: LibraryOptions): Promise<StoredLibrary> {
  const epoch = await currentEpoch(store, options);
  return new LibraryOverStore(store, options, { epoch, writing: store });
}

/** Opens the library over a reader, with a known epoch. `lists`: the store of lists; absent: no list is stored. */
export function libraryOver(
  store: StoreReading,
  options: LibraryOptions,
  epoch: Epoch,
  { kept, lists }: { kept?: Kept; lists?: Store | undefined } = {},
): StoredLibrary {
  return new LibraryOverStore(store, options, { epoch, ...(kept && { kept }), ...(lists && { writing: lists }) });
}

/** The histories of collections; default: in memory, for as long as the process lives. */
type Kept = Pick<StatesOptions, 'histories' | 'onFault'>;

interface Opened {
  epoch: Epoch;
  kept?: Kept;
  writing?: Store;
}

type Listener = Parameters<Library['onChange']>[0];

/** The most upcoming entries of a place. */
const UPCOMING_AT = 20;

/** The library of a store. Members that are function values take the types of their parameters from `Library`. */
class LibraryOverStore implements StoredLibrary {
  readonly epoch: Epoch;
  readonly search: Search;
  readonly timetables: Timetables;
  readonly lists: KeptLists | undefined;
  readonly objects: Objects;
  readonly #store: StoreReading;
  readonly #options: LibraryOptions;
  readonly #listeners = new Set<Listener>();
  readonly #own: ReturnType<typeof ownCalendars>;
  readonly #venues: StoredVenues;
  readonly #listing: StoredListing;
  readonly #merged: ReturnType<typeof listCalendars>;
  readonly #findings: FindingKinds;
  readonly #feedListeners = new Set<() => void>();
  readonly #follower: Follower;

  constructor(store: StoreReading, options: LibraryOptions, { epoch, kept = inMemory(), writing }: Opened) {
    this.#store = store;
    this.#options = options;
    this.epoch = epoch;
    this.#own = ownCalendars(store.read, options.compose, {
      head: (row) => this.#head(row),
      revision: (revision) => this.#servedRevision(revision),
      at: (path, calendar) => this.#at(path, calendar),
    });
    this.#venues = new StoredVenues(store.read, {
      ...options,
      servedRevision: (revision) => this.#servedRevision(revision),
    });
    this.#listing = new StoredListing(store.read, options);
    this.#findings = new FindingKinds(store.read);
    this.search = new StoredSearch(store.read, options, (row) => this.#listing.venue(row));
    this.timetables = storedTimetables(store.read);
    this.#merged = listCalendars(store.read, (revision) => this.#servedRevision(revision), this.#mergedCalendars());
    this.lists = writing && storedLists(writing, options.now, (token) => this.#emit([listName(token)]));
    this.#follower = new Follower({
      read: store.read,
      versions: options.versions,
      emit: (names) => this.#emit(names),
      emitFeeds: () => {
        for (const listener of this.#feedListeners) listener();
      },
    });
    const states = keptStates({ ...kept, now: options.now });
    this.objects = storedObjects(this, {
      defaults: options.compose,
      states,
      version: (name) => this.#version(name),
    });
  }

  #mergedCalendars(): MergedCalendars {
    const { compose, baseUrl } = this.#options;
    const pieces: Pieces = {
      row: (collection, key) => this.#row(collection, key),
      head: async (row) => (row.kind === 'series' ? this.#head(row) : this.#venueHead(row, 'all')),
      series: (key, how) => this.#steadily('series', key, (row) => this.#own.ownCalendar(row, how)),
      hours: (collection, key) => this.#steadily(collection, key, (row) => this.#venueCalendar(row, 'availability')),
    };
    const searches = standingSearch(this.#store.read, this.search);
    return new MergedCalendars(this.#store.read, { ...compose, baseUrl }, pieces, searches);
  }

  /** The version of a collection, which changes whenever its calendar may. The day is part of it, because a calendar shows the day before it is revised. */
  async #version(name: CalendarName): Promise<string> {
    const { read } = this.#store;
    if (isMerged(name)) return read.version();
    const { collection, key } = parseName(name);
    const row = await this.#row(collection, key);
    const parts = row === undefined ? [] : await read.calendarParts(row.record);
    return `${await storedDay(read)} ${parts.map(({ seq, changed }) => [seq, changed]).join()}`;
  }

  readonly chosenList: Library['chosenList'] = async (token) => (await this.#merged.list(token))?.list;

  readonly isEditKey: Library['isEditKey'] = (token, key) => isEditKey(this.#store.read, token, key);

  readonly head: Library['head'] = async (name) => {
    const { collection, key, part } = parseName(name);
    const row = await this.#row(collection, key);
    return row && (part === undefined ? this.#head(row) : this.#venueHead(row, part));
  };

  async #row(collection: Collection, key: string): Promise<CalendarRow | undefined> {
    const row = await this.#store.read.calendarByKey(key);
    return row?.kind === KINDS[collection] ? row : undefined;
  }

  #head(row: CalendarRow, revision: { revision: number; changed: Instant } = row): CalendarHead {
    const { sequence, modified } = this.#servedRevision({ sequence: revision.revision, modified: revision.changed });
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
    return this.#head(row, venueRevision(parts, part, await storedDay(this.#store.read)));
  }

  /** A stored revision as it is served: each change of the rendering adds one. */
  #servedRevision({ sequence, modified }: Revision): Revision {
    const { count, at } = this.epoch;
    return { sequence: sequence + count, modified: Math.max(modified, wholeSecond(at)) };
  }

  /** The calendar of a name, with the revision of its row; undefined: there is none. */
  async calendar(name: CalendarName): Promise<StoredCalendar | undefined> {
    const merged = mergedName(name);
    if (merged !== undefined) return this.#merged.calendar(merged);
    const { collection, key, part } = parseName(name);
    return this.#steadily(collection, key, (row) =>
      part === undefined ? this.#own.ownCalendar(row) : this.#venueCalendar(row, part),
    );
  }

  /**
   * Makes something of a calendar, which takes several reads: they are begun again if a commit changes it between them. The last
   * try counts all the same, and the next request sees the change. Undefined: the calendar is gone.
   * @throws StoreError: no try gave anything to serve
   */
  async #steadily<T>(
    collection: Collection,
    key: string,
    make: (row: CalendarRow) => Promise<T | undefined> | T | undefined,
  ): Promise<T | undefined> {
    const version = async (record: number) => (await this.#store.read.calendarParts(record)).map(({ seq }) => seq);
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const row = await this.#row(collection, key);
      if (row === undefined || row.state === 'gone') return undefined;
      const before = await version(row.record);
      // The row is older than its parts: a commit came between the two reads, and the record may be gone.
      if (!before.includes(row.seq)) continue;
      const made = await make(row);
      const isWhole = String(await version(row.record)) === String(before);
      if (isWhole || (tries === MOST_TRIES && made !== undefined)) return made;
    }
    throw new StoreError(`The calendar ${collection}/${key} changed with each try to read it.`);
  }

  async #venueCalendar(row: CalendarRow, part: VenuePart, window?: InstantWindow): Promise<StoredCalendar | undefined> {
    const head = await this.#venueHead(row, part);
    // Sessions move the revision of `all`, and not that of the opening hours in it.
    const hours = part === 'all' ? await this.#venueHead(row, 'availability') : head;
    const revision = { sequence: hours.revision, modified: hours.changedAt };
    const made = await this.#venues.calendar(row, part, revision, window);
    if (made === undefined) return undefined;
    const path = `${head.kind}/${row.key}${part === 'all' ? '' : `/${part}`}.ics`;
    return { head, ...made, calendar: this.#at(path, made.calendar) };
  }

  /** The calendar with its own address, where the base address is known. */
  #at(path: string, calendar: Calendar): Calendar {
    const { baseUrl } = this.#options;
    return baseUrl === undefined ? calendar : { ...calendar, source: `${baseUrl}/${path}` };
  }

  readonly freeBusy: Library['freeBusy'] = (collection, key, window, query) =>
    this.#steadily(collection, key, async (row) => {
      const made = await this.#venueCalendar(row, 'freebusy', window);
      const path = `${collection}/${row.key}/freebusy.ics`;
      return made && { ...made, calendar: this.#at(query === undefined ? path : `${path}?${query}`, made.calendar) };
    });

  readonly periods: Library['periods'] = async (collection, key, window) => {
    const row = await this.#row(collection, key);
    return row?.state === 'live' ? this.#venues.periods(row, window) : undefined;
  };

  readonly venue: Library['venue'] = async (collection, key, at = this.#options.now()) => {
    const row = await this.#row(collection, key);
    const page = row?.state === 'live' ? await this.#venues.page(row, at) : undefined;
    if (page === undefined) return undefined;
    const { read } = this.#store;
    const { record, ...rest } = page;
    const publisher = publisherOf(await feedOf(read, record));
    const window = { from: at, to: at + this.#options.horizonDays * DAY_MS, limit: UPCOMING_AT };
    const on = collection === 'places' ? timetableAt(read, record.id, window, { isRunning: true }) : undefined;
    const upcoming = (await on)?.entries ?? [];
    return { collection, ...rest, upcoming, ...(publisher && { publisher }) };
  };

  readonly venueFindings: Library['venueFindings'] = async (collection, key) => {
    const row = await this.#row(collection, key);
    return row?.state === 'live' ? this.#venues.findings(row) : undefined;
  };

  readonly keyOfId: Library['keyOfId'] = async (kind, id) => {
    const record = await this.#store.read.recordByIdent(KINDS[kind], identOf(id));
    return record && (await this.#store.read.calendarOf(record.id))?.key;
  };

  readonly keys: Library['keys'] = (kind, query) => this.#listing.keys(kind, query);

  readonly series: Library['series'] = async (key) => {
    const found = await this.#listing.series(key);
    return found && { head: this.#head(found.row), ...found.page };
  };

  readonly changeFeed: Library['changeFeed'] = async (kind, key, limit) => {
    const row = await this.#row(kind, key);
    return row && { head: this.#head(row), ...(await changesIn(this.#store.read, row, limit, this.#options)) };
  };

  readonly image: Library['image'] = async (collection, key) =>
    imageOf(this.#store.read, await this.#row(collection, key));

  readonly seriesDates: Library['seriesDates'] = async (key, from) => {
    const { read } = this.#store;
    const row = await this.#row('series', key);
    const record = row?.state === 'live' ? await read.recordById(row.record) : undefined;
    return record && seriesDates({ read, options: this.#options, search: this.search }, record, from);
  };

  readonly explain: Library['explain'] = (key, query) =>
    this.#steadily('series', key, async (row) => {
      const head = this.#head(row);
      const { read } = this.#store;
      const record = row.state === 'live' ? await read.recordById(row.record) : undefined;
      if (record === undefined) return undefined;
      const publisher = publisherOf(await feedOf(read, record));
      const explanation = await explainStored(read, record, await this.#own.composeOptions(record), query);
      return { head, ...explanation, ...(publisher && { publisher }) };
    });

  readonly feeds: Library['feeds'] = () => feedsOf(this.#store.read);
  readonly findingKinds: Library['findingKinds'] = (feed) => this.#findings.of(feed);
  readonly feedFindings: Library['feedFindings'] = (feed, query) => findingsOf(this.#store.read, feed, query);
  readonly publishers: Library['publishers'] = () => this.#listing.publishers();

  readonly onChange: Library['onChange'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  notify(keys: readonly string[]): void {
    this.#emit(keys.flatMap(namesOf));
  }

  #emit(names: readonly string[] | 'all'): void {
    for (const listener of this.#listeners) listener(names);
  }

  readonly onFeeds: Library['onFeeds'] = (listener) => {
    this.#feedListeners.add(listener);
    return () => this.#feedListeners.delete(listener);
  };

  poll(): Promise<void> {
    return this.#follower.poll();
  }

  readonly health: Library['health'] = async () => {
    const { facts, ...health } = await healthOf(this.#store);
    return { ...health, facts: { ...facts, ...this.#options.facts?.() } };
  };

  readonly noteError: Library['noteError'] = (error) => noteError(this.#store, error);
}
