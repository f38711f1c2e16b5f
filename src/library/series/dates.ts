import { isDeepStrictEqual } from 'node:util';
import { statedZone } from '../../calendar/header.ts';
import { lastDate } from '../../calendar/wording/partial-schedules.ts';
import { currentWhen } from '../../calendar/wording/when-words.ts';
import { summaryOf } from '../../calendar/wording/wording.ts';
import { defined, inherit, type Place, type Series, type Session } from '../../opportunity/records.ts';
import { isOnline } from '../../opportunity/whereabouts.ts';
import { type Occurrence, occurrences } from '../../recurrence/overlay.ts';
import type { Filters } from '../../search/filters.ts';
import { effectiveSeries, type Reader, type RecordBody, recordOf, sessionsOf } from '../../store/index.ts';
import { DAY_MS, dateOfDay, dayOfDate } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { zoneAt } from '../../time/place-zone.ts';
import { dayAt, zoneOrUtc } from '../../time/zone.ts';
import type { LibraryOptions } from '../library.ts';
import type { Search } from '../search/types.ts';
import type { PageDate, SeriesDates, SimilarSeries } from './types.ts';

/** The dates of one series, as its page shows them: more dates than a list has, with details of their own. */

/** Six weeks from any day of a week end within seven. */
const WINDOW = 49 * DAY_MS;
/** Dates that are listed at any distance; `MOST` are listed at most. */
const USUAL = 50;
const MOST = 150;
/** Most sessions that are read: those from now on, then the latest before. */
const SESSIONS = 1000;
/** How long before the end of a past series its last date is looked for. */
const LAST_WEEKS = 40 * DAY_MS;
const SIMILAR = 3;

interface DatesContext {
  read: Reader;
  options: LibraryOptions;
  search: Search;
}

/** The dates of a series that have not ended at `from`; default now. */
export async function seriesDates(context: DatesContext, record: RecordBody, from?: Instant): Promise<SeriesDates> {
  const { read, options } = context;
  const now = options.now();
  const series = await effectiveSeries(read, record);
  const around = from ?? now;
  const stored = await sessionsOf(read, record.id, { limit: SESSIONS, around });
  const sessions = stored.map(({ session }) => session);
  const find = finderOf(series, sessions);
  const { dates, next } = datesToCome(find, around, now + options.horizonDays * DAY_MS);
  const isPast = dates.length === 0 && from === undefined;
  const last = isPast ? lastOf(find, series, sessions, now) : undefined;
  const place = await placeRecord(read, record);
  const zone = shownZone(series, options.compose.zone);
  return {
    dates,
    times: currentWhen(series.schedules, dateOfDay(dayAt(zoneOrUtc(zone), now))),
    similar: isPast ? await similarTo(context, series, place?.key) : [],
    zone,
    homeZone: options.compose.zone,
    ...defined({ next, last, place }),
  };
}

type Finder = (from: Instant, to: Instant) => PageDate[];

function finderOf(series: Series, sessions: readonly Session[]): Finder {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return (from, to) =>
    occurrences(series, sessions, from, to).map((one) => pageDate(series, one, byId.get(one.session ?? '')));
}

/** The place of a session that names a Place without a record. */
const UNKNOWN = 'not stated';
const ONLINE = 'Online';

function pageDate(series: Series, one: Occurrence, session: Session | undefined): PageDate {
  const { start, end, allDay, status, url, original } = one;
  const was = session?.previousStart ?? original;
  const { name, schedulingNote: note, leader } = session?.details ?? {};
  const place = session && otherPlace(session, series);
  const left = session?.remainingAttendeeCapacity;
  return {
    start,
    status,
    ...(end > start && { end }),
    ...(allDay && { allDay }),
    ...(name && name !== series.details.name && { name }),
    ...(session?.url && url && url !== series.url && { url }),
    ...(was !== undefined && was !== start && { was }),
    ...(left !== undefined && { placesLeft: left }),
    ...(note && note !== series.details.schedulingNote && { note }),
    ...(leader && !isDeepStrictEqual(leader, series.details.leader) && { leader }),
    ...(place && { place }),
  };
}

/** The place of a session, where it differs from that of its series. */
function otherPlace({ details }: Session, { details: usual }: Series): string | undefined {
  const { location } = details;
  const usually = isOnline(usual) ? ONLINE : usual.location?.name;
  const isUnknown = location?.id !== undefined && location.id !== usual.location?.id;
  const there = location?.name ?? location?.address ?? (isUnknown ? UNKNOWN : usual.location?.name);
  const place = isOnline(inherit(usual, details, true)) ? ONLINE : there;
  return place === usually ? undefined : place;
}

/** All dates of the next weeks, and later ones where these are few. */
function datesToCome(find: Finder, from: Instant, horizon: Instant): Pick<SeriesDates, 'dates' | 'next'> {
  const near = find(from, Math.min(from + WINDOW, horizon));
  const all = near.length > MOST || from + WINDOW >= horizon ? near : find(from, horizon);
  const dates = all.slice(0, Math.max(near.length, USUAL)).slice(0, MOST);
  const next = all[dates.length]?.start;
  return { dates, ...(next !== undefined && { next }) };
}

function lastOf(find: Finder, series: Series, sessions: readonly Session[], now: Instant): PageDate | undefined {
  const ends = series.schedules.flatMap((schedule) => (schedule.partial ? [] : (lastDate(schedule) ?? [])));
  const starts = sessions.flatMap(({ start }) => start ?? []);
  const known = [...ends.map((date) => (dayOfDate(date) + 1) * DAY_MS), ...starts].filter((at) => at <= now + DAY_MS);
  if (known.length === 0) return undefined;
  const end = known.reduce((latest, at) => Math.max(latest, at));
  return find(end - LAST_WEEKS, Math.min(end + DAY_MS, now)).findLast(({ status }) => status !== 'EventCancelled');
}

async function placeRecord(read: Reader, { venue }: RecordBody): Promise<SeriesDates['place']> {
  if (venue === undefined) return undefined;
  const row = await read.recordById(venue);
  const calendar = await read.calendarOf(venue);
  const place = row === undefined ? undefined : (recordOf(row) as Place);
  return place && { ...place, ...(calendar?.state === 'live' && { key: calendar.key }) };
}

/** Similar series, those at the same place first. */
async function similarTo(
  { search }: DatesContext,
  { details }: Series,
  place: string | undefined,
): Promise<SimilarSeries[]> {
  const [activity] = [...(details.activity ?? []), ...(details.category ?? [])];
  const there = place !== undefined && { place: [place] };
  const searches: Filters[] = [];
  if (there && activity !== undefined) searches.push({ ...there, q: activity });
  if (activity !== undefined) searches.push({ q: activity });
  if (there) searches.push(there);
  const found = new Map<string, SimilarSeries>();
  for (const filters of searches) {
    if (found.size >= SIMILAR) break;
    const { items } = await search.series(filters, { limit: 3 * SIMILAR });
    for (const { next, calendar, key, activity: what, place: at, nextAllDay, zone, ...row } of items) {
      if (next === undefined || !calendar) continue;
      const name = summaryOf({ ...(row.name && { name: row.name }), activity: [...what] }, '');
      found.set(key, { key, name, next, zone, ...(at && { place: at }), ...(nextAllDay && { nextAllDay }) });
    }
  }
  return [...found.values()].slice(0, SIMILAR);
}

function shownZone(series: Series, otherwise: string): string {
  const { latitude, longitude, zone } = series.details.location ?? {};
  return zoneAt(latitude, longitude) ?? zone ?? statedZone(series) ?? otherwise;
}
