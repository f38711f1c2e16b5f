import type { HeaderOptions } from '../calendar/header.ts';
import type { Calendar, CalendarEvent, Revision } from '../calendar/objects.ts';
import { startOf } from '../calendar/series/compose.ts';
import { Trace } from '../calendar/series/trace.ts';
import { bounded, isCrowded, type Load, shareOf } from '../calendar/size.ts';
import { availabilityUid, boundsAround } from '../calendar/venue/availability.ts';
import { freeBusy, freeBusyWindow, slotFreeBusy } from '../calendar/venue/freebusy.ts';
import {
  availabilityComponents,
  FREE_TIMES,
  type MoreComponents,
  openingCalendar,
  venueCalendar,
} from '../calendar/venue/venue-calendar.ts';
import { attribution } from '../calendar/wording/attribution.ts';
import { hoursFindings } from '../hours/findings.ts';
import { holidayRegionOf } from '../hours/holiday-region.ts';
import { holidayId } from '../hours/holidays.ts';
import { openPeriods } from '../hours/periods.ts';
import { dayTable, localDay, nextChange, openAt, openTime } from '../hours/questions.ts';
import { hasHours, type Venue, venueOf } from '../hours/venue.ts';
import type { Component } from '../ical/tree.ts';
import { type Finding, type RawFinding, ZONE_ASSUMED } from '../opportunity/findings.ts';
import { identOf } from '../opportunity/identity.ts';
import { compareText } from '../opportunity/ids.ts';
import { defined, type Facility, type Place } from '../opportunity/records.ts';
import {
  type CalendarPart,
  type CalendarRow,
  lastVenueOf,
  type Reader,
  type RecordBody,
  recordOf,
  storedVenue,
  type VisitingSession,
  venueIn,
} from '../store/index.ts';
import { DAY_MS, dateOfDay } from '../time/days.ts';
import type { Instant, InstantWindow, LocalDate } from '../time/instant.ts';
import { type Zone, zone } from '../time/zone.ts';
import type { LibraryOptions, StoredCalendar, VenuePage, VenuePart } from './library.ts';
import { sessionRows, takenDates, type Visiting, visitingAt, wholeOf } from './lists/taken.ts';
import { composedSeries, composeOptionsOf, feedOf, findingsOfRecord, storedDay } from './reads.ts';
import { openingStamps, stampsOf } from './series/stamps.ts';
import { bookableSlots } from './timetable/facility-slots.ts';

interface VenueOptions extends LibraryOptions {
  /** A stored revision as it is served. */
  servedRevision(revision: Revision): Revision;
}

/** The revisioned parts of a place or facility on which each of its calendars depends. */
const PARTS: Record<VenuePart, readonly CalendarPart[]> = {
  availability: [''],
  hours: [''],
  sessions: ['sessions'],
  all: ['', 'sessions'],
  freebusy: ['', 'slots'],
};

/** Revision and time of a calendar of a venue, from the parts on which it depends. Without any part they are 0. */
export function venueRevision(
  parts: readonly CalendarRow[],
  part: VenuePart,
  today: LocalDate,
): { revision: number; changed: Instant } {
  const rows = parts.filter((row) => PARTS[part].includes(row.part));
  const revision = rows.reduce((sum, row) => sum + row.revision + 1, 0);
  const changed = Math.max(0, ...rows.map((row) => row.changed));
  if (part !== 'freebusy') return { revision, changed };
  // The window of free/busy begins today, so its revision moves each day.
  const day = startOf(today);
  return { revision: revision * 100_000 + day / DAY_MS, changed: Math.max(changed, day) };
}

const WEEK = 7 * DAY_MS;
/** Most slots of one free/busy: five courts, every ten minutes, for seven weeks. */
const MOST_SLOTS = 50_000;

/** Calendars, open periods and pages of places and facilities, from the store. */
export class StoredVenues {
  readonly #read: Reader;
  readonly #options: VenueOptions;

  constructor(read: Reader, options: VenueOptions) {
    this.#read = read;
    this.#options = options;
  }

  /** The calendar without its head. `revision`: the served one of its opening hours or free/busy. */
  async calendar(
    row: CalendarRow,
    part: VenuePart,
    revision: Revision,
    window?: InstantWindow,
  ): Promise<Omit<StoredCalendar, 'head'> | undefined> {
    const found = await this.#venueRow(row);
    if (found === undefined) return undefined;
    const { record, venue } = found;
    const today = await storedDay(this.#read);
    // The calendar of a withdrawn venue stays as on its last day.
    const day = row.deletedAt === undefined ? today : dateOfDay(Math.floor(row.deletedAt / DAY_MS));
    const bounds = () => boundsAround(day);
    const header = await this.#header(found);
    const stampOf = openingStamps(row, this.#options.servedRevision);
    const revised = (uid: string) => stampOf(uid) ?? revision;
    const made = (calendar: Calendar, rest: Partial<StoredCalendar> = {}) => ({
      slug: calendar.name,
      revision: () => revision,
      calendar,
      ...rest,
    });
    if (part === 'hours') return made(openingCalendar([venue], bounds, header), { revision: revised });
    if (part === 'freebusy') {
      const { components, title } = await this.#freeBusy(record, venue, revision, window ?? freeBusyWindow(today));
      return made(venueCalendar([venue], [], header, title), { more: { components, zones: new Map() } });
    }
    const alone = venueCalendar([venue], [], header);
    const more = availabilityComponents([venue], bounds, revised(availabilityUid(venue)));
    if (part === 'availability') return made(alone, { more });
    const { calendar, revision: ofSession } = await this.#sessions(
      found,
      today,
      header,
      part === 'all' ? more : undefined,
    );
    return made(calendar, { revision: ofSession, ...(part === 'all' && { more }) });
  }

  async #freeBusy(
    record: RecordBody,
    venue: Venue,
    revision: Revision,
    window: InstantWindow,
  ): Promise<{ components: Component[]; title?: string }> {
    // A slot that began in the week before may go on.
    const starts = { from: window.from - WEEK, to: window.to, limit: MOST_SLOTS };
    const bookable = record.kind === 'facility' ? await bookableSlots(this.#read, record, starts) : undefined;
    if (!bookable?.publishesTimes) {
      const component = freeBusy(venue, window, revision);
      return { components: component === undefined ? [] : [component] };
    }
    const component = slotFreeBusy(venue, bookable.times, { ...window, until: bookable.until }, revision);
    return { components: [component], title: FREE_TIMES };
  }

  /** The events of every series at the place, as in its own calendar, and sessions at the place of series that belong elsewhere. */
  async #sessions(
    { record, venue }: VenueRow,
    today: LocalDate,
    header: HeaderOptions,
    more?: MoreComponents,
  ): Promise<{ calendar: Calendar; omitted: number; revision: (uid: string) => Revision }> {
    const isPlace = record.kind === 'place';
    const around = startOf(today);
    const none: Visiting = { series: new Map(), unread: 0 };
    const visiting = isPlace ? await visitingAt(this.#read, record.id, around) : none;
    const ids = isPlace ? [...(await this.#read.seriesAt(record.id)), ...visiting.series.keys()] : [];
    const share = shareOf(ids.length);
    const events: CalendarEvent[] = [];
    const revisions = new Map<string, Revision>();
    let { unread } = visiting;
    for (const row of await this.#inOrder(ids)) {
      const calendar = await this.#read.calendarOf(row.id);
      if (calendar?.state !== 'live') continue;
      const optionsOf = await composeOptionsOf(this.#read, row, { ...this.#options.compose, today });
      const some = visiting.series.get(row.id);
      const also = some && { trace: new Trace(), rows: sessionRows(some) };
      const made = await composedSeries(this.#read, row, optionsOf, { share, ...also });
      const taken = also ? takenDates(made, some.items, also.trace) : wholeOf(made);
      unread += some === undefined ? made.omitted : 0;
      const stampOf = stampsOf(calendar, made.sessions);
      for (const { event, of } of taken) {
        const [sequence, modified] = stampOf(of) ?? [calendar.revision, calendar.changed];
        revisions.set(event.uid, this.#options.servedRevision({ sequence, modified }));
        events.push(event);
      }
    }
    const whole = { ...venueCalendar([venue], events, header), name: venue.name ?? 'What is on' };
    const fallback: Revision = { sequence: 0, modified: around };
    return { ...bounded(whole, around, unread, more), revision: (uid) => revisions.get(uid) ?? fallback };
  }

  /** Records in the order of their idents. The order of rows is that of arrival, on which no calendar may depend. */
  async #inOrder(ids: readonly number[]): Promise<RecordBody[]> {
    const rows: RecordBody[] = [];
    for (const id of ids) {
      const row = await this.#read.recordById(id);
      // The series may have gone since those of the place were read.
      if (row !== undefined) rows.push(row);
    }
    return rows.sort((a, b) => compareText(a.ident, b.ident));
  }

  /** The venue of a calendar, as it is published or as it last was. */
  async #venueRow(row: CalendarRow): Promise<VenueRow | undefined> {
    const record = await this.#read.recordById(row.record);
    const stored = lastVenueOf(row) ?? (record && (await storedVenue(this.#read, record)));
    if (stored === undefined) return undefined;
    const defaults = { zone: zone(this.#options.compose.zone) as Zone, holidays: this.#options.holidays };
    return { record: stored.row, around: stored.around, venue: venueOf(venueIn(stored), defaults) };
  }

  async #header({ record, venue }: VenueRow): Promise<HeaderOptions> {
    const shown = recordOf(record) as Place | Facility;
    const organizer = shown.kind === 'facility' ? shown.details.organizer?.name : undefined;
    const line = attribution((await feedOf(this.#read, record)) ?? {}, organizer);
    return {
      zone: venue.context.zone.id,
      refresh: this.#options.compose.refresh,
      ...(line !== undefined && { attribution: line }),
    };
  }

  async periods(row: CalendarRow, { from, to }: InstantWindow) {
    const found = await this.#venueRow(row);
    return found && openPeriods(found.venue.hours, found.venue.context, from, to);
  }

  /** The page of a venue without `upcoming` and publisher, which other parts of the library make. */
  async page(
    row: CalendarRow,
    at: Instant,
  ): Promise<(Omit<VenuePage, 'upcoming' | 'publisher' | 'collection'> & { record: RecordBody }) | undefined> {
    const found = await this.#venueRow(row);
    if (found === undefined) return undefined;
    const { record, venue } = found;
    const shown = recordOf(record) as Place | Facility;
    const { region } = holidayRegionOf(venue.whereabouts, this.#options.holidays);
    const around = found.around && (await this.#read.recordByIdent('place', identOf(found.around.id)));
    const calendar = around && (await this.#read.calendarOf(around.id));
    const count = async (kind: 'series' | 'facility') =>
      shown.kind === 'place' ? await this.#read.countFound({ kind, venues: [record.id] }, MOST_COUNTED) : 0;
    return {
      key: row.key,
      id: shown.id,
      type: shown.kind === 'place' ? 'Place' : shown.type,
      zone: venue.context.zone.id,
      series: (await count('series')) + Map.groupBy(await this.#read.sessionsAt(record.id), seriesOf).size,
      facilities: await count('facility'),
      ...defined({
        name: venue.name,
        description: shown.kind === 'place' ? shown.description : shown.details.description,
        url: venue.url,
        telephone: venue.location?.telephone,
        address: venue.location?.address,
        latitude: venue.location?.latitude,
        longitude: venue.location?.longitude,
        offers: shown.kind === 'place' ? undefined : shown.details.offers,
        holidays: region && holidayId(region),
        hours: hasHours(venue) ? hoursNow(venue, at) : undefined,
        placeKey: calendar?.key,
        placeName: found.around?.name,
      }),
      record,
    };
  }

  /** Number of events beyond the limit of a place's calendar. */
  async #omitted(found: VenueRow): Promise<number> {
    const { record } = found;
    if (record.kind !== 'place') return 0;
    if (!isCrowded(await this.#loads(record.id))) return 0;
    const today = await storedDay(this.#read);
    const more = availabilityComponents([found.venue], () => boundsAround(today), { sequence: 0, modified: 0 });
    return (await this.#sessions(found, today, await this.#header(found), more)).omitted;
  }

  async #loads(venue: number): Promise<Load[]> {
    const weight = async (id: number) => (await this.#read.recordById(id))?.body.length ?? 0;
    const loads: Load[] = [];
    for (const id of await this.#read.seriesAt(venue)) {
      const { sessions } = (await this.#read.calendarOf(id)) ?? { sessions: 0 };
      loads.push({ sessions, weight: await weight(id) });
    }
    for (const [id, { length }] of Map.groupBy(await this.#read.sessionsAt(venue), seriesOf))
      loads.push({ sessions: length, weight: await weight(id), isVisiting: true });
    return loads;
  }

  async findings(row: CalendarRow): Promise<Finding[] | undefined> {
    const found = await this.#venueRow(row);
    if (found === undefined) return undefined;
    const { record, venue } = found;
    const omitted = await this.#omitted(found);
    const large: RawFinding[] = omitted > 0 ? [{ code: 'calendar-too-large', path: '$', facts: { omitted } }] : [];
    const assumed = (await this.#read.assumesZone(record.id)) ? [ZONE_ASSUMED] : [];
    const ofHours = hoursFindings(venue.hours, venue.whereabouts);
    return findingsOfRecord(this.#read, record, [...ofHours, ...assumed, ...large]);
  }
}

interface VenueRow {
  record: RecordBody;
  venue: Venue;
  around: Place | undefined;
}

const seriesOf = ({ series }: VisitingSession): number => series;

/** Most series or facilities that are counted: more than a place has. */
const MOST_COUNTED = 10_000;

/** Days after the week that are looked through for other hours than usual. */
const AHEAD = 35;

function hoursNow({ hours, context }: Venue, at: Instant): NonNullable<VenuePage['hours']> {
  const now = openAt(hours, context, at);
  const next = nextChange(hours, context, at);
  const today = localDay(context, at);
  return {
    at,
    open: now !== undefined,
    because: now?.because ?? [],
    ...(next !== undefined && { next }),
    week: dayTable(hours, context, today),
    exceptions: dayTable(hours, context, today + 7, AHEAD).filter(({ exceptional }) => exceptional),
    openSevenDays: openTime(hours, context, at, at + WEEK),
  };
}
