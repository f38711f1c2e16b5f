import type { HeaderOptions } from '../calendar/header.ts';
import type { Calendar, CalendarEvent, Revision } from '../calendar/objects.ts';
import { type ComposeOptions, composeSeries, startOf } from '../calendar/series/compose.ts';
import { bounded, isCrowded, type Load, sessionLimit, shareOf } from '../calendar/size.ts';
import { availabilityUid, boundsAround } from '../calendar/venue/availability.ts';
import { freeBusy, freeBusyWindow, slotFreeBusy } from '../calendar/venue/freebusy.ts';
import { availabilityComponents, openingCalendar, venueCalendar } from '../calendar/venue/venue-calendar.ts';
import { attribution } from '../calendar/wording/attribution.ts';
import { hoursFindings } from '../hours/findings.ts';
import { holidayRegionOf } from '../hours/holiday-region.ts';
import { type HolidayRegion, holidayId } from '../hours/holidays.ts';
import { openPeriods } from '../hours/periods.ts';
import { dayTable, localDay, nextChange, openAt, openTime } from '../hours/questions.ts';
import { hasHours, type Venue, venueOf } from '../hours/venue.ts';
import type { Component } from '../ical/tree.ts';
import { finish, type RawFinding } from '../opportunity/findings.ts';
import { identOf } from '../opportunity/identity.ts';
import { itemName } from '../opportunity/page/page.ts';
import { defined, type Facility, type Place, type Slot } from '../opportunity/records.ts';
import {
  type CalendarPart,
  type CalendarRow,
  effectiveSeries,
  type FeedRow,
  lastVenueOf,
  META,
  type Reader,
  type RecordBody,
  recordOf,
  type StoredVenue,
  sessionsOf,
  shownFeedOf,
  storedVenue,
  unreadSessions,
  venueIn,
} from '../store/index.ts';
import { DAY_MS, dateOfDay } from '../time/days.ts';
import type { Instant, LocalDate } from '../time/instant.ts';
import { type Zone, zone } from '../time/zone.ts';
import type { StoredCalendar, VenuePage, VenuePart, Window } from './library.ts';
import { openingStamps, stampsOf } from './stamps.ts';

export interface VenueOptions {
  compose: Omit<ComposeOptions, 'attribution' | 'today'>;
  holidays?: HolidayRegion | undefined;
  /** A stored revision as it is served. */
  served(revision: Revision): Revision;
}

/** What of a place's or facility's history a calendar depends on. */
const PARTS: Record<VenuePart, readonly CalendarPart[]> = {
  availability: [''],
  hours: [''],
  sessions: ['sessions'],
  all: ['', 'sessions'],
  freebusy: ['', 'slots'],
};

/** Revision and time of a calendar of a venue, from the histories it depends on. */
export function venueRevision(
  parts: readonly CalendarRow[],
  part: VenuePart,
  today: LocalDate,
): { revision: number; changed: Instant } {
  const own = parts.filter((row) => PARTS[part].includes(row.part));
  const revision = own.reduce((sum, row) => sum + row.revision + 1, 0);
  const changed = own.reduce((latest, row) => Math.max(latest, row.changed), parts[0]?.changed ?? 0);
  if (part !== 'freebusy') return { revision, changed };
  // Its window begins today.
  const day = startOf(today);
  return { revision: revision * 100_000 + day / 86_400_000, changed: Math.max(changed, day) };
}

const WEEK = 7 * 86_400_000;

/** Calendars and answers about one place or facility, from the store. */
export class VenueShelf {
  readonly #read: Reader;
  readonly #options: VenueOptions;

  constructor(read: Reader, options: VenueOptions) {
    this.#read = read;
    this.#options = options;
  }

  /** The calendar without its head. `revision`: that of its opening hours or free/busy, as it is served. */
  async calendar(
    row: CalendarRow,
    part: VenuePart,
    revision: Revision,
    window?: Window,
  ): Promise<Omit<StoredCalendar, 'head'> | undefined> {
    const found = await this.#found(row);
    if (found === undefined) return undefined;
    const { row: record } = found;
    const venue = this.#venue(found);
    const today = await this.#today();
    // Withdrawn ones are what they were on their last day.
    const day = row.deletedAt === undefined ? today : dateOfDay(Math.floor(row.deletedAt / DAY_MS));
    const header = await this.#header(record, venue);
    const stampOf = openingStamps(row, this.#options.served);
    const made = await this.#make(part, { record, venue, today, day, header, revision, stampOf }, window);
    return { slug: made.calendar.name, revision: () => revision, ...made };
  }

  async #make(
    part: VenuePart,
    shelf: Shelved,
    window?: Window,
  ): Promise<Pick<StoredCalendar, 'calendar' | 'more'> & Partial<StoredCalendar>> {
    const { venue, today, day, header, revision, stampOf } = shelf;
    const bounds = () => boundsAround(day);
    if (part === 'hours') {
      return { calendar: openingCalendar([venue], bounds, header), revision: (uid) => stampOf(uid) ?? revision };
    }
    if (part === 'freebusy') {
      const components = await this.#freeBusy(shelf, window ?? freeBusyWindow(today));
      return { calendar: venueCalendar([venue], [], header), more: { components, zones: new Map() } };
    }
    const more = availabilityComponents([venue], bounds, stampOf(availabilityUid(venue)) ?? revision);
    if (part === 'availability') return { calendar: venueCalendar([venue], [], header), more };
    const sessions = await this.#sessions(shelf);
    return part === 'all' ? { ...sessions, more } : sessions;
  }

  async #freeBusy({ record, venue, revision }: Shelved, window: Window): Promise<Component[]> {
    const slots = record.kind === 'facility' ? await this.#slots(record) : [];
    const component =
      slots.length > 0 ? slotFreeBusy(venue, slots, window, revision) : freeBusy(venue, window, revision);
    return component === undefined ? [] : [component];
  }

  async #slots(record: RecordBody): Promise<Slot[]> {
    return (await this.#read.children('slot', record.id)).map((row) => recordOf(row) as Slot);
  }

  /** What is on at the place: the events of every series there, each as its own calendar has it. */
  async #sessions({ record, venue, today, header }: Pick<Shelved, 'record' | 'venue' | 'today' | 'header'>): Promise<{
    calendar: Calendar;
    omitted: number;
    revision: (uid: string) => Revision;
  }> {
    const around = startOf(today);
    const ids = record.kind === 'place' ? await this.#read.seriesAt(record.id) : [];
    const share = shareOf(ids.length);
    const events: CalendarEvent[] = [];
    let unread = 0;
    const revisions = new Map<string, Revision>();
    for (const row of await this.#named(ids)) {
      const { id } = row;
      const calendar = await this.#read.calendarOf(id);
      if (calendar?.state !== 'live') continue;
      const { series } = await effectiveSeries(this.#read, row);
      const limit = sessionLimit(series, share);
      const sessions = await sessionsOf(this.#read, id, { limit, around });
      unread += await unreadSessions(this.#read, id, sessions.length, limit);
      const options = { ...this.#options.compose, today, attribution: header.attribution };
      const composed = composeSeries(
        series,
        sessions.map(({ session }) => session),
        options,
      );
      unread += composed.omitted;
      const stampOf = stampsOf(calendar, sessions);
      for (const event of composed.calendar.events) {
        const [sequence, modified] = stampOf(event.uid) ?? [calendar.revision, calendar.changed];
        revisions.set(event.uid, this.#options.served({ sequence, modified }));
        events.push(event);
      }
    }
    const whole = { ...venueCalendar([venue], events, header), name: venue.name ?? 'What is on' };
    const { calendar, omitted } = bounded(whole, around, unread);
    const fallback: Revision = { sequence: 0, modified: around };
    return { calendar, omitted, revision: (uid) => revisions.get(uid) ?? fallback };
  }

  /** In the order of their names: that of their rows is the order they came in, which shows in no calendar. */
  async #named(ids: readonly number[]): Promise<RecordBody[]> {
    const rows: RecordBody[] = [];
    for (const id of ids) rows.push((await this.#read.recordById(id)) as RecordBody);
    return rows.sort((a, b) => (a.ident < b.ident ? -1 : 1));
  }

  async #today(): Promise<LocalDate> {
    return (await this.#read.meta(META.today)) ?? '1970-01-01';
  }

  /** The record of a calendar: as it is published, or as it last was. */
  async #found(row: CalendarRow): Promise<StoredVenue | undefined> {
    const last = lastVenueOf(row);
    if (last !== undefined) return last;
    const record = await this.#read.recordById(row.record);
    return record && storedVenue(this.#read, record);
  }

  #venue(stored: StoredVenue): Venue {
    const defaults = { zone: zone(this.#options.compose.zone) as Zone, holidays: this.#options.holidays };
    return venueOf(venueIn(stored), defaults);
  }

  async #feed(record: RecordBody): Promise<FeedRow | undefined> {
    return (await this.#read.feeds()).find((feed) => feed.url === record.owner?.feed);
  }

  async #header(record: RecordBody, venue: Venue): Promise<HeaderOptions> {
    const shown = recordOf(record) as Place | Facility;
    const organizer = shown.kind === 'facility' ? shown.details.organizer?.name : undefined;
    const line = attribution((await this.#feed(record)) ?? {}, organizer);
    return {
      zone: venue.context.zone.id,
      refresh: this.#options.compose.refresh,
      ...(line !== undefined && { attribution: line }),
    };
  }

  /** Opening times within a window; undefined: nothing is published of them. */
  async periods(row: CalendarRow, { from, to }: Window) {
    const found = await this.#found(row);
    if (found === undefined) return undefined;
    const { hours, context } = this.#venue(found);
    return openPeriods(hours, context, from, to);
  }

  /** All but what needs other rooms of the library: `upcoming`, and the publisher. */
  async page(
    row: CalendarRow,
    at: Instant,
  ): Promise<
    | (Omit<VenuePage, 'upcoming' | 'publisher' | 'collection'> & { feed: FeedRow | undefined; record: RecordBody })
    | undefined
  > {
    const found = await this.#found(row);
    if (found === undefined) return undefined;
    const { row: record } = found;
    const shown = recordOf(record) as Place | Facility;
    const venue = this.#venue(found);
    const { region } = holidayRegionOf(venue.whereabouts, this.#options.holidays);
    const place = shown.kind === 'place' ? shown : undefined;
    const facility = shown.kind === 'facility' ? shown : undefined;
    const around = found.around && (await this.#read.recordByIdent('place', identOf(found.around.id)));
    const calendar = around && (await this.#read.calendarOf(around.id));
    return {
      key: row.key,
      id: shown.id,
      type: facility?.type ?? 'Place',
      zone: venue.context.zone.id,
      series:
        place === undefined ? 0 : await this.#read.countCalendars({ kind: 'series', words: [], venue: record.id }),
      facilities:
        place === undefined ? 0 : await this.#read.countCalendars({ kind: 'facility', words: [], venue: record.id }),
      findings: await this.#findings(record, venue, await this.#omitted(record, venue)),
      ...defined({
        name: venue.name,
        description: place?.description ?? facility?.details.description,
        url: venue.url,
        telephone: venue.location?.telephone,
        address: venue.location?.address,
        holidays: region && holidayId(region),
        hours: hasHours(venue) ? hoursNow(venue, at) : undefined,
        placeKey: calendar?.key,
      }),
      feed: await this.#feed(record),
      record,
    };
  }

  /** Events that the calendar of a place has no room for. */
  async #omitted(record: RecordBody, venue: Venue): Promise<number> {
    if (record.kind !== 'place') return 0;
    const loads: Load[] = [];
    for (const id of await this.#read.seriesAt(record.id)) {
      const { sessions } = (await this.#read.calendarOf(id)) ?? { sessions: 0 };
      loads.push({ sessions, weight: (await this.#read.recordById(id))?.body.length ?? 0 });
    }
    if (!isCrowded(loads)) return 0;
    const header = await this.#header(record, venue);
    return (await this.#sessions({ record, venue, today: await this.#today(), header })).omitted;
  }

  async #findings(record: RecordBody, venue: Venue, omitted: number) {
    const { owner } = record;
    if (owner === undefined) return [];
    const own = await this.#read.findingsOf(owner.item);
    const shown = own === undefined ? [] : (JSON.parse(own) as RawFinding[]);
    const item = itemName({ kind: owner.kind, id: owner.rpdeId });
    const large: RawFinding[] = omitted > 0 ? [{ code: 'calendar-too-large', path: '$', facts: { omitted } }] : [];
    const feed = await shownFeedOf(this.#read, owner.feed);
    return [...shown, ...hoursFindings(venue.hours, venue.whereabouts), ...large].map((finding) =>
      finish(finding, feed, item),
    );
  }
}

interface Shelved {
  record: RecordBody;
  venue: Venue;
  today: LocalDate;
  /** The day that opening hours are written out around. */
  day: LocalDate;
  header: HeaderOptions;
  revision: Revision;
  /** SEQUENCE and time of the VAVAILABILITY, or of an opening-hours event, by UID. */
  stampOf: (uid: string) => Revision | undefined;
}

function hoursNow({ hours, context }: Venue, at: Instant): NonNullable<VenuePage['hours']> {
  const now = openAt(hours, context, at);
  const next = nextChange(hours, context, at);
  return {
    at,
    open: now !== undefined,
    because: now?.because ?? [],
    ...(next !== undefined && { next }),
    week: dayTable(hours, context, localDay(context, at)),
    openSevenDays: openTime(hours, context, at, at + WEEK),
  };
}
