import { widen, type ZoneUse } from '../../calendar/components.ts';
import type { Calendar, CalendarEvent, Revision } from '../../calendar/objects.ts';
import { startOf } from '../../calendar/series/compose.ts';
import { Trace } from '../../calendar/series/trace.ts';
import { bounded, MOST_EVENTS, shareOf } from '../../calendar/size.ts';
import type { MoreComponents } from '../../calendar/venue/venue-calendar.ts';
import { attribution } from '../../calendar/wording/attribution.ts';
import { colorOf } from '../../calendar/wording/colors.ts';
import { compareText } from '../../opportunity/ids.ts';
import { sha256 } from '../../platform/hash.ts';
import type { FilterProblem } from '../../search/query.ts';
import type { CalendarRow, Reader } from '../../store/index.ts';
import { MOST_MOVES } from '../head.ts';
import { type CalendarHead, type CalendarName, type Collection, type StoredCalendar, venueName } from '../library.ts';
import { feedOf, type ReadSessions, storedDay } from '../reads.ts';
import type { ChosenList, Thing } from './list.ts';
import { bothOf, type FoundSeries, type StandingSearch } from './standing-search.ts';
import { isTakenWhole, type OwnCalendar, sessionRows, type TakenEvent, takenOf, visitingAt, wholeOf } from './taken.ts';

/** Parts of the calendar, made by the rest of the library. */
export interface Pieces {
  row(collection: Collection, key: string): Promise<CalendarRow | undefined>;
  /** Undefined: the series is gone. */
  series(key: string, how: ReadSessions): Promise<OwnCalendar | undefined>;
  head(row: CalendarRow): Promise<CalendarHead>;
  /** The opening hours of a place or facility. */
  hours(collection: Collection, key: string): Promise<StoredCalendar | undefined>;
}

/** The name, path and revision of a merged calendar. */
export interface MergedHeader {
  name: string;
  /** Without a slash before it. */
  path: string;
  /** Whether the calendar is of one search, whose problem is reported. In a list, a search with a problem finds nothing. */
  isSearch?: true;
  /** The revision of the list itself: of its name and things. */
  changed?: Revision;
  /** The revision of how events are shown (`prefix`, `cancelled`): all events move with it. */
  events?: Revision;
}

/** Most series whose events are read: a calendar holds no more events. */
const MOST_SERIES = MOST_EVENTS;

interface GatheredSeries {
  row: CalendarRow;
  /** The dates that a search takes; absent: all. */
  some?: FoundSeries;
}

type VenueCollection = Exclude<Collection, 'series'>;

/** The series and venues of a list's things. */
interface Gathered {
  /** By key. */
  series: Map<string, GatheredSeries>;
  venues: { collection: VenueCollection; key: string }[];
  heads: CalendarHead[];
  /** Number of dates that searches and places have beyond the limit of a calendar. */
  unread: number;
  problem?: FilterProblem;
  /** How the search changed its words, in words. */
  reread?: string;
}

interface GatheredHours extends MoreComponents {
  zones: Map<string, ZoneUse>;
}

interface MergedOptions {
  zone: string;
  refresh: string;
  baseUrl?: string | undefined;
}

/** Calendars that hold several series, places and searches (decision 22). */
export class MergedCalendars {
  readonly #read: Reader;
  readonly #options: MergedOptions;
  readonly #pieces: Pieces;
  readonly #search: StandingSearch;

  constructor(read: Reader, options: MergedOptions, pieces: Pieces, search: StandingSearch) {
    this.#read = read;
    this.#options = options;
    this.#pieces = pieces;
    this.#search = search;
  }

  async calendar(
    { things, prefix, cancelled }: Omit<ChosenList, 'name'>,
    header: MergedHeader,
  ): Promise<StoredCalendar> {
    const gathered = await this.#gathered(things);
    const { events: all, revisions, sources, omitted } = await this.#events(gathered);
    const events = cancelled === false ? withoutCancelled(all) : all;
    const more: GatheredHours = { components: [], zones: new Map() };
    for (const { collection, key } of gathered.venues) addHours(more, await this.#pieces.hours(collection, key));
    const around = startOf(await storedDay(this.#read));
    const lines = [header.isSearch ? gathered.reread : '', ...[...sources].sort()];
    const whole = this.#calendar(header, lines, prefix === 'place' ? events.map(withPlace) : events);
    const { calendar, omitted: left } = bounded(whole, around, gathered.unread + omitted, more);
    const fallback: Revision = { sequence: 0, modified: around };
    return {
      head: headOf(gathered.heads, header),
      calendar,
      ...(more.components.length > 0 && { more }),
      revision: (uid) => afterBoth(revisions.get(uid) ?? fallback, header.events),
      slug: header.name,
      merged: {
        ...(header.isSearch && gathered.problem && { problem: gathered.problem }),
        parts: things.some(({ kind }) => kind === 'search') ? 'all' : partNames(gathered),
        // A date that leaves a search, or a limit that moves with the day, has no time of change.
        isDated: left === 0 && gathered.heads.length > 0 && things.every(({ kind }) => kind !== 'search'),
      },
    };
  }

  #calendar({ name, path }: MergedHeader, lines: readonly (string | undefined)[], events: CalendarEvent[]): Calendar {
    const { zone, refresh, baseUrl } = this.#options;
    const description = lines.filter((line) => line).join('\n');
    return {
      name,
      ...(description !== '' && { description }),
      ...(baseUrl !== undefined && { source: `${baseUrl}/${path}` }),
      zone,
      color: colorOf(name),
      refresh,
      events,
    };
  }

  async #gathered(things: readonly Thing[]): Promise<Gathered> {
    const gathered: Gathered = { series: new Map(), venues: [], heads: [], unread: 0 };
    for (const thing of things) {
      if (thing.kind === 'search') await this.#addSearch(gathered, thing.query);
      else await this.#add(gathered, thing.kind, thing.key);
    }
    return gathered;
  }

  /** Adds a calendar, and those to which it has moved: all their times of change count, so that Last-Modified never moves back. */
  async #add(gathered: Gathered, collection: Collection, key: string): Promise<void> {
    let next: string | undefined = key;
    for (let moves = 0; next !== undefined && moves <= MOST_MOVES; moves += 1) {
      const row = await this.#pieces.row(collection, next);
      if (row === undefined) return;
      gathered.heads.push(await this.#pieces.head(row));
      next = row.movedTo;
      if (row.state === 'gone') continue;
      if (collection === 'series') gathered.series.set(row.key, { row });
      else await this.#addVenue(gathered, collection, row);
      return;
    }
  }

  async #addVenue(gathered: Gathered, collection: VenueCollection, row: CalendarRow): Promise<void> {
    gathered.venues.push({ collection, key: row.key });
    if (collection !== 'places') return;
    for (const id of await this.#read.seriesAt(row.record)) {
      const ofSeries = await this.#read.calendarOf(id);
      if (ofSeries?.state === 'live') gathered.series.set(ofSeries.key, { row: ofSeries });
    }
    const { series, unread } = await visitingAt(this.#read, row.record, startOf(await storedDay(this.#read)));
    gathered.unread += unread;
    for (const found of series.values()) await this.#addSome(gathered, found);
  }

  async #addSearch(gathered: Gathered, query: string): Promise<void> {
    const { series, unread, reread, problem } = await this.#search.find(query);
    gathered.unread += unread;
    gathered.reread = reread;
    if (problem !== undefined) gathered.problem = problem;
    for (const found of series) await this.#addSome(gathered, found);
  }

  async #addSome(gathered: Gathered, found: FoundSeries): Promise<void> {
    const row = await this.#read.calendarOf(found.record);
    if (row?.state !== 'live') return;
    const known = gathered.series.get(row.key);
    if (known !== undefined && known.some === undefined) return;
    const some = known?.some === undefined ? found : bothOf(known.some, found);
    gathered.series.set(row.key, { row, some });
  }

  /** The events of every series once, in the order of their `@id`s as in the calendar of a place. */
  async #events(gathered: Gathered) {
    const rows = await this.#inOrder([...gathered.series.values()]);
    const share = Math.min(shareOf(rows.length), MOST_EVENTS);
    const events: { event: CalendarEvent; row: CalendarRow }[] = [];
    // A date that moves to another series between two reads is found at both: the series read last has it now.
    const owners = new Map<string, CalendarRow>();
    const revisions = new Map<string, Revision>();
    const sources = new Set<string>();
    let omitted = Math.max(0, rows.length - MOST_SERIES);
    for (const { row, some } of rows.slice(0, MOST_SERIES)) {
      const found = await this.#eventsOf(row, some, share);
      if (found === undefined) continue;
      const { own, taken, isWhole } = found;
      gathered.heads.push(own.head);
      omitted += isWhole ? (own.made?.omitted ?? 0) : 0;
      for (const { event, of } of taken) {
        revisions.set(event.uid, own.revision(of));
        owners.set(event.uid, row);
        events.push({ event, row });
      }
      const source = await this.#sourceOf(row);
      if (source !== undefined && taken.length > 0) sources.add(source);
    }
    const once = events.filter(({ event, row }) => owners.get(event.uid) === row).map(({ event }) => event);
    return { events: once, revisions, sources, omitted };
  }

  /** The events of a series that go into the calendar: all, or those that searches take. */
  async #eventsOf(
    row: CalendarRow,
    some: FoundSeries | undefined,
    share: number,
  ): Promise<{ own: OwnCalendar; taken: TakenEvent[]; isWhole: boolean } | undefined> {
    // Fast path: most searches without times take most series whole, and a whole series needs no trace.
    if (some === undefined || some.isTimeless) {
      const own = await this.#pieces.series(row.key, { share });
      if (own === undefined) return undefined;
      if (some === undefined || isTakenWhole(own, some)) return { own, taken: wholeOf(own), isWhole: true };
    }
    const trace = new Trace();
    const own = await this.#pieces.series(row.key, { share, trace, rows: sessionRows(some) });
    return own && { own, taken: takenOf(own, some, trace), isWhole: false };
  }

  async #inOrder(found: GatheredSeries[]): Promise<GatheredSeries[]> {
    const idents = new Map<GatheredSeries, string>();
    for (const one of found) {
      const record = await this.#read.recordById(one.row.record);
      // A withdrawn series has a key only. `~` sorts after every first character of an address.
      idents.set(one, record?.ident ?? `~${one.row.key}`);
    }
    const ident = (one: GatheredSeries) => idents.get(one) as string;
    return found.sort((a, b) => compareText(ident(a), ident(b)));
  }

  /** The credit of a series: its publisher, with the licence. */
  async #sourceOf({ record }: CalendarRow): Promise<string | undefined> {
    const body = await this.#read.recordById(record);
    const feed = body && (await feedOf(this.#read, body));
    return feed && attribution(feed, undefined);
  }
}

/** The revision of an event whose text depends on its series and on the options of the list. */
function afterBoth(event: Revision, { sequence, modified }: Revision = { sequence: 0, modified: 0 }): Revision {
  return { sequence: event.sequence + sequence, modified: Math.max(event.modified, modified) };
}

function addHours(more: GatheredHours, hours: StoredCalendar | undefined): void {
  if (hours?.more === undefined) return;
  more.components.push(...hours.more.components);
  for (const [name, { from, to }] of hours.more.zones) widen(more.zones, name, from, to);
}

/** The events that are not cancelled. A cancelled instance becomes an EXDATE of its rule. */
function withoutCancelled(events: readonly CalendarEvent[]): CalendarEvent[] {
  const isOff = ({ status }: CalendarEvent) => status === 'CANCELLED';
  const masters = new Set(
    events.filter((event) => isOff(event) && event.recurrenceId === undefined).map(({ uid }) => uid),
  );
  const left = events.filter(({ uid }) => !masters.has(uid));
  const off = Map.groupBy(left.filter(isOff), ({ uid }) => uid);
  return left
    .filter((event) => !isOff(event))
    .map((event) => {
      const walls =
        event.rrule === undefined ? [] : (off.get(event.uid) ?? []).flatMap((one) => one.recurrenceId?.wall ?? []);
      if (walls.length === 0) return event;
      return { ...event, exdates: [...(event.exdates ?? []), ...walls].sort((a, b) => a - b) };
    });
}

function withPlace(event: CalendarEvent): CalendarEvent {
  const place = event.location?.title;
  if (place === undefined || event.summary.includes(place)) return event;
  return { ...event, summary: `${place}: ${event.summary}` };
}

/** The names of the calendars that the list depends on. */
function partNames({ series, venues, heads }: Gathered): CalendarName[] {
  const names = heads.map(({ kind, key }) => (kind === 'series' ? key : venueName(kind, key, 'all')));
  const ofVenues = venues.map(({ collection, key }) => venueName(collection, key, 'all'));
  return [...new Set([...names, ...ofVenues, ...series.keys()])];
}

/** The head of a merged calendar: the newest change of its parts, and a number that changes with any of their revisions. */
function headOf(heads: readonly CalendarHead[], { path, changed }: MergedHeader): CalendarHead {
  const states = heads.map(({ key, kind, state, revision }) => `${kind} ${key} ${state} ${revision}`);
  const hash = sha256([...new Set(states)].sort().join('\n') + String(changed?.sequence ?? ''));
  const changedAt = heads.reduce((latest, head) => Math.max(latest, head.changedAt), changed?.modified ?? 0);
  // 40 bits, so that a thousand times the number is still a safe integer.
  return { key: path, kind: 'series', state: 'live', revision: Number.parseInt(hash.slice(0, 10), 16), changedAt };
}
