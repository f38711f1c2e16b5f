import type { Context } from 'hono';
import {
  type FacilityTimes,
  type FreeTime,
  isKey,
  type Library,
  VENUE_PARTS,
  type VenuePage,
} from '../../library/index.ts';
import { defined } from '../../opportunity/records.ts';
import { type Instant, utcText } from '../../time/instant.ts';
import { freshFor } from '../calendars/conditions.ts';
import type { Links } from '../links.ts';
import type { Pages } from '../pages/frame/site.ts';
import { FREE_DAYS, freeDays, freeWindow } from '../pages/venue/free.ts';
import { localMoment } from '../pages/wording.ts';
import { json, occurrenceJson, problem } from './json.ts';
import { readMoment, readWindow } from './window.ts';

/** Places and facilities as JSON: the content of their pages, and answers about opening hours. */

type VenueKind = VenuePage['collection'];

/** `/api/places/{key}`, `/api/facilities/{key}`: the content of the page. */
export async function venueJson(kind: VenueKind, key: string, { library, links, now }: Pages): Promise<Response> {
  const venue = isKey(key) ? await library.venue(kind, key) : undefined;
  if (venue === undefined) return unknownVenue(kind);
  const findings = (await library.venueFindings(kind, key)) ?? [];
  const at = now();
  const facility = kind === 'facilities' ? await library.timetables.facility(key, freeWindow(at)) : undefined;
  const slots = facility && slotsJson(facility, venue.zone, at);
  return json({ ...pageJson(venue, links), ...(slots && { slots }), findings }, 200, freshness(venue));
}

/** The free times that the page shows. */
function slotsJson(facility: FacilityTimes, zone: string, now: Instant): object {
  const { publishesTimes, until } = facility;
  const days = freeDays(facility, zone, { first: localMoment(zone, now).day, count: FREE_DAYS, now });
  return {
    published: publishesTimes,
    times: days.flatMap(({ times }) => times).map(timeJson),
    ...(until !== undefined && { until: utcText(until) }),
  };
}

function timeJson({ start, end, free, of, offers }: FreeTime): object {
  const uses = { remainingUses: free, ...defined({ maximumUses: of }) };
  return { start: utcText(start), end: utcText(end), ...uses, ...(offers.length > 0 && { offers }) };
}

function pageJson({ collection, zone, hours, upcoming, series, facilities, ...rest }: VenuePage, links: Links): object {
  const { key, placeKey, placeName: _, publisher, ...venue } = rest;
  const calendars = VENUE_PARTS.map((part) => [part, links.calendar(collection, key, part)]);
  return {
    key,
    ...venue,
    timezone: zone,
    hours: hours && { at: utcText(hours.at), ...hoursJson(hours) },
    upcoming: upcoming.map(({ seriesKey, start, end, allDay, status, name, url }) => ({
      ...occurrenceJson({ start, status, ...defined({ end, allDay, name, url }) }),
      series: `${links.base}/api/series/${seriesKey}`,
    })),
    ...(collection === 'places' && { series, facilities }),
    place: placeKey && `${links.base}/api/places/${placeKey}`,
    publisher,
    page: `${links.base}/${collection}/${key}`,
    calendars: Object.fromEntries(calendars),
  };
}

/** `/api/places/{key}/open?at=`: whether the place is open then, the next change, and the week from that day on. */
export async function venueOpenJson(c: Context, kind: VenueKind, { library }: Pages): Promise<Response> {
  const asked = c.req.query('at');
  const at = asked === undefined ? undefined : readMoment('at', asked);
  if (at && 'bad' in at) return problem(400, at.bad);
  const venue = await venuePageOf(c, kind, library, at?.value);
  if (venue === undefined) return unknownVenue(kind);
  const { key, zone, holidays, hours } = venue;
  const about = { key, timezone: zone, holidays, published: hours !== undefined };
  const answer = hours === undefined ? about : { ...about, at: utcText(hours.at), ...hoursJson(hours) };
  return json(answer, 200, at === undefined ? freshness(venue) : undefined);
}

/** `/api/places/{key}/hours?from&to`: open periods, merged and cut at both ends. */
export async function venueHoursJson(c: Context, kind: VenueKind, { library, now }: Pages): Promise<Response> {
  const window = readWindow(c, now());
  if ('bad' in window) return problem(400, window.bad);
  const venue = await venuePageOf(c, kind, library);
  const periods = venue && (await library.periods(kind, venue.key, window.value));
  if (venue === undefined || periods === undefined) return unknownVenue(kind);
  const { from, to } = window.value;
  return json({
    key: venue.key,
    timezone: venue.zone,
    holidays: venue.holidays,
    published: venue.hours !== undefined,
    from: utcText(from),
    to: utcText(to),
    periods: periods.map(({ start, end, because }) => ({ start: utcText(start), end: utcText(end), because })),
  });
}

async function venuePageOf(
  c: Context,
  kind: VenueKind,
  library: Library,
  at?: Instant,
): Promise<VenuePage | undefined> {
  const key = c.req.param('key') ?? '';
  return isKey(key) ? library.venue(kind, key, at) : undefined;
}

function unknownVenue(kind: VenueKind): Response {
  return problem(404, `There is no such ${kind === 'places' ? 'place' : 'facility'} here.`);
}

function hoursJson({ open, because, next, week, openSevenDays }: NonNullable<VenuePage['hours']>): object {
  return {
    open,
    because,
    next: next && { at: utcText(next.at), opens: next.opens, because: next.because },
    week,
    openSevenDays: isoLength(openSevenDays),
  };
}

/** `PT98H30M`, ISO 8601. */
function isoLength(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  return `PT${parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('') || '0S'}`;
}

function freshness({ hours }: VenuePage): Record<string, string> {
  return { 'Cache-Control': `public, max-age=${freshFor(hours)}` };
}
