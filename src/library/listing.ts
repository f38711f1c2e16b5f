import { statedZone } from '../calendar/header.ts';
import { currentTimes, hasOnlyPatterns, ONLY_PATTERNS } from '../calendar/wording/partial-schedules.ts';
import { nextChange, openAt } from '../hours/questions.ts';
import { hasHours, type Venue, venueOf } from '../hours/venue.ts';
import { assumesZone, type EffectiveVenue } from '../opportunity/effective.ts';
import { type Finding, type RawFinding, ZONE_ASSUMED } from '../opportunity/findings.ts';
import { type Details, type Series, statusIn, type TimedSession } from '../opportunity/records.ts';
import { withoutCovered } from '../recurrence/overlay.ts';
import { withInstanceTimes } from '../recurrence/replacements.ts';
import {
  type CalendarRow,
  effectiveSeries,
  type Reader,
  type RecordBody,
  recordOf,
  storedSession,
  storedVenue,
  type Upcoming,
  venueIn,
  withFound,
} from '../store/index.ts';
import { DAY_MS } from '../time/days.ts';
import { type Instant, utcDate } from '../time/instant.ts';
import { type Zone, zone } from '../time/zone.ts';
import type { Collection, KeyPage, LibraryOptions, ListingRow, Publisher, SeriesPage } from './library.ts';
import { KINDS } from './names.ts';
import { distinctPublishers, feedOf, findingsOfRecord, publisherOf } from './reads.ts';
import { namedCursor, namedPosition } from './search/lists/cursor.ts';
import type { PageOccurrence } from './series/types.ts';

const UPCOMING = 20;

export class StoredListing {
  readonly #read: Reader;
  readonly #options: LibraryOptions;

  constructor(read: Reader, options: LibraryOptions) {
    this.#read = read;
    this.#options = options;
  }

  async keys(kind: Collection, { after, limit }: { after?: string; limit: number }): Promise<KeyPage> {
    const from = namedPosition(after);
    const query = { kind: KINDS[kind], limit: limit + 1, ...(from && { after: from }) };
    const rows = await this.#read.calendars(query);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      rows: shown.map(({ key, changed }) => ({ key, changedAt: changed })),
      ...(rows.length > limit && last !== undefined && { next: namedCursor(last) }),
    };
  }

  /** A place or facility as lists show it; undefined: its record has gone since its row was read. */
  async venue(row: CalendarRow): Promise<ListingRow | undefined> {
    const record = await this.#read.recordById(row.record);
    if (record === undefined) return undefined;
    const facility = await this.#facilityAround(record);
    return { ...this.#venueRow(row, venueIn(await storedVenue(this.#read, record))), ...(facility && { facility }) };
  }

  /** The name of the FacilityUse that a facility is a court of. */
  async #facilityAround(row: RecordBody): Promise<string | undefined> {
    const stated = recordOf(row);
    if (stated.kind !== 'facility' || stated.aggregate === undefined) return undefined;
    const { aggregate } = stated;
    return withFound(this.#read, row, (find) => find('facility', aggregate)?.details.name);
  }

  #venueRow(row: CalendarRow, effective: EffectiveVenue): ListingRow {
    const { compose, holidays, now } = this.#options;
    const { record } = effective;
    const place = record.kind === 'place' ? record.address : record.details.location?.name;
    const venue = venueOf(effective, { zone: zone(compose.zone) as Zone, holidays });
    return {
      key: row.key,
      kind: record.kind === 'place' ? 'places' : 'facilities',
      name: row.name,
      type: record.kind === 'place' ? 'Place' : record.type,
      activity: record.kind === 'place' ? [] : (record.details.activity ?? []),
      zone: venue.context.zone.id,
      calendar: true,
      ...(place && { place }),
      ...(hasHours(venue) && { hours: openNow(venue, now()) }),
    };
  }

  async #upcoming(id: number, series: Series): Promise<PageOccurrence[]> {
    const now = this.#options.now();
    const rows = await this.#read.upcoming(id, now, now + this.#options.horizonDays * DAY_MS, UPCOMING);
    const sessions = new Map<Upcoming, TimedSession>();
    for (const row of rows) if (row.source === 'explicit') sessions.set(row, await this.#session(row, series));
    const covered = coveredIn(series, sessions);
    const shown = rows.filter((one) => one !== covered);
    return shown.map((one): PageOccurrence => {
      if (one.source === 'generated') return { start: one.row.start, end: one.row.end, status: statusIn(series) };
      const session = sessions.get(one) as TimedSession;
      const { start, end, allDay, details, url } = session;
      return {
        start,
        status: statusIn(series, session),
        ...(end && { end }),
        ...(allDay && { allDay }),
        ...(details.name && { name: details.name }),
        ...(url && { url }),
      };
    });
  }

  async #session({ body, instance }: Explicit, series: Series): Promise<TimedSession> {
    const record = JSON.parse(body) as TimedSession;
    const session = record.stated === undefined ? record : await storedSession(this.#read, record, series);
    return instance
      ? withInstanceTimes(session, instance.start, instance.end - instance.start)
      : (session as TimedSession);
  }

  async series(key: string): Promise<{ row: CalendarRow; page: Omit<SeriesPage, 'head'> } | undefined> {
    const row = await this.#read.calendarByKey(key);
    if (row?.kind !== 'series') return undefined;
    const record = await this.#read.recordById(row.record);
    if (record === undefined || row.state !== 'live') return undefined;
    const series = await effectiveSeries(this.#read, record);
    const publisher = publisherOf(await feedOf(this.#read, record));
    const page = {
      id: series.id,
      type: series.type,
      status: series.status,
      details: shownDetails(series.details),
      schedules: currentTimes(series.schedules, utcDate(this.#options.now())),
      hasCalendar: !hasOnlyPatterns(series, row.sessions),
      upcoming: await this.#upcoming(row.record, series),
      zone: statedZone(series) ?? this.#options.compose.zone,
      findings: await this.#findings(row, record, series),
      ...(series.url && { url: series.url }),
      ...(publisher && { publisher }),
    };
    return { row, page };
  }

  async #findings(row: CalendarRow, record: RecordBody, series: Series): Promise<Finding[]> {
    const more = JSON.parse(row.findings ?? '[]') as RawFinding[];
    if (hasOnlyPatterns(series, row.sessions)) more.push(ONLY_PATTERNS);
    if (assumesZone(series) || (await this.#read.assumesZone(row.record))) more.push(ZONE_ASSUMED);
    return findingsOfRecord(this.#read, record, more);
  }

  async publishers(): Promise<Publisher[]> {
    return distinctPublishers((await this.#read.feeds()).flatMap((feed) => publisherOf(feed) ?? []));
  }
}

/** The details without the zone of the place, which only shows how times were read. */
function shownDetails({ location, ...details }: Details): Details {
  if (location === undefined) return details;
  const { zone: _, ...shown } = location;
  return { ...details, location: shown };
}

type Explicit = Extract<Upcoming, { source: 'explicit' }>;

/** The event of a HeadlineEvent itself, where a part that is listed takes place at the same times. */
function coveredIn(series: Series, sessions: ReadonlyMap<Upcoming, TimedSession>): Upcoming | undefined {
  if (series.type !== 'HeadlineEvent') return undefined;
  const kept = new Set(withoutCovered(series, [...sessions.values()]));
  return [...sessions].find(([, session]) => !kept.has(session))?.[0];
}

function openNow({ hours, context }: Venue, at: Instant): NonNullable<ListingRow['hours']> {
  const next = nextChange(hours, context, at);
  return { open: openAt(hours, context, at) !== undefined, ...(next && { next }) };
}
