import type { Context } from 'hono';
import { type CalendarName, type Collection, KEY, listName, type VenuePart, venueName } from '../../library/index.ts';

/** A calendar's address, taken apart. `part` is absent for series. */
export interface CalendarAddress {
  /** `my`: of a list; `search`: of a search. */
  collection: Collection | 'my' | 'search';
  /** The key, of a list its token, of a search its query. */
  key: string;
  part?: VenuePart;
  /** Under which the calendar is kept and asked for. */
  name: CalendarName;
}

const ADDRESS = new RegExp(
  `^/(?:series/(${KEY})|(places|facilities)/(${KEY})(?:/(availability|freebusy|hours|sessions))?)\\.ics$`,
);

/**
 * What calendar a path is the address of (README.md, "What is served"); `undefined`: of none. Keys are made by us, so whatever
 * else stands in an address never reaches the store (SECURITY.md, "Requests"). Run for every request, before the router.
 */
export function calendarAt(path: string): CalendarAddress | undefined {
  const match = ADDRESS.exec(path);
  if (match === null) return listAt(path);
  const [, series, collection, key = '', part = 'all'] = match;
  if (series !== undefined) return { collection: 'series', key: series, name: series };
  const venue = { collection: collection as 'places' | 'facilities', key, part: part as VenuePart };
  return { ...venue, name: venueName(venue.collection, venue.key, venue.part) };
}

const LIST = /^\/my\/([\w-]{1,6000})\.ics$/;

function listAt(path: string): CalendarAddress | undefined {
  const token = LIST.exec(path)?.[1];
  return token === undefined ? undefined : { collection: 'my', key: token, name: listName(token) };
}

export function isCalendar(c: Context): boolean {
  return c.req.path.endsWith('.ics') && !isDav(c);
}

/** CalDAV, objects whose names end in `.ics` included. */
export function isDav(c: Context): boolean {
  return c.req.path === '/dav' || c.req.path.startsWith('/dav/');
}

export function isApi(c: Context): boolean {
  return c.req.path.startsWith('/api/') || c.req.path.startsWith('/rpde/');
}

/** What programs read besides calendars and JSON: Atom, and the sitemap. */
export function isXml(c: Context): boolean {
  return /\.(?:atom|xml)$/.test(c.req.path);
}

/** Timetables for the frames of other sites. */
export function isEmbed(c: Context): boolean {
  return c.req.path.startsWith('/embed/');
}

/** Whether a list is sent by a program: not as a form, and not by what shows pages. It is answered in JSON, errors too. */
export function sendsJson(c: Context): boolean {
  const { method, path } = c.req;
  if ((method !== 'POST' && method !== 'PUT') || !/^\/my(?:\/|$)/.test(path)) return false;
  const [type = '', accepts = ''] = ['content-type', 'accept'].map((name) => c.req.header(name)?.toLowerCase());
  if (type.startsWith('application/json') || accepts.includes('json')) return true;
  return !(type.startsWith('application/x-www-form-urlencoded') || accepts.includes('text/html'));
}
