import type { Context } from 'hono';
import { type CalendarHead, isKey, type Library, type VenuePage, venueName } from '../../../library/index.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { permanentRedirect } from '../../calendars/calendars.ts';
import { pageResponse } from '../frame/document.tsx';
import { notFound, withdrawnResponse } from '../frame/notice.tsx';
import type { PageRoutes } from '../frame/site.ts';
import { facilityPage } from './facility.tsx';
import { freeWindow } from './free.ts';
import { MOST_FACILITIES, type PlaceParts, placePage } from './place.tsx';
import { DAYS, entriesOf, weekOf } from './timetable.ts';

/** The answers at `/places/{key}` and `/facilities/{key}`. */

/** `/places/{key}`; `?week`: the first day of the timetable, or its ISO week. */
export async function placeByKey(c: Context, key: string, routes: PageRoutes): Promise<Response> {
  const { library, site, now } = routes;
  const head = isKey(key) ? await library.head(venueName('places', key, 'all')) : undefined;
  const elsewhere = redirectOrNotice(head, 'places', key, routes);
  if (elsewhere !== undefined) return elsewhere;
  const venue = await library.venue('places', key);
  if (venue === undefined) return notFound(site);
  const parts = await placeParts(venue, c.req.query('week'), library, now());
  return pageResponse(placePage(parts, site), site);
}

async function placeParts(
  venue: VenuePage,
  asked: string | undefined,
  library: Library,
  now: Instant,
): Promise<PlaceParts> {
  const week = weekOf(asked, venue.zone, now);
  const window = { from: week.from, to: week.to };
  const found = (await library.timetables.at(venue.key, window, { isRunning: true })) ?? {
    entries: [],
    publishers: [],
  };
  const timetable = { ...found, entries: entriesOf(found.entries, venue.zone, week, now) };
  const free = { from: now, to: now + (DAYS + 1) * DAY_MS };
  const facilities =
    venue.facilities > 0
      ? await library.timetables.facilitiesAt(venue.key, free, MOST_FACILITIES)
      : { shown: [], left: 0 };
  return { venue, timetable, week, facilities, now };
}

/** `/facilities/{key}`; `?day`: the day whose times are shown. */
export async function facilityByKey(c: Context, key: string, routes: PageRoutes): Promise<Response> {
  const { library, site } = routes;
  const head = isKey(key) ? await library.head(venueName('facilities', key, 'all')) : undefined;
  const elsewhere = redirectOrNotice(head, 'facilities', key, routes);
  if (elsewhere !== undefined) return elsewhere;
  const [venue, now] = [await library.venue('facilities', key), routes.now()];
  const facility = venue && (await library.timetables.facility(key, freeWindow(now)));
  if (venue === undefined || facility === undefined) return notFound(site);
  const { today } = weekOf(undefined, venue.zone, now);
  return pageResponse(facilityPage({ venue, facility, today, now, asked: c.req.query('day') }, site), site);
}

/** The answer for a venue that is unknown, has moved or was withdrawn; undefined for a live one. */
function redirectOrNotice(
  head: CalendarHead | undefined,
  collection: 'places' | 'facilities',
  key: string,
  { library, site }: PageRoutes,
): Response | Promise<Response> | undefined {
  if (head === undefined) return notFound(site);
  if (head.movedTo !== undefined) return permanentRedirect(site.links.path(`/${collection}/${head.movedTo}`));
  return head.state === 'live' ? undefined : withdrawnResponse(collection, key, library, site);
}
