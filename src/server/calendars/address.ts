import type { Context } from 'hono';
import { type CalendarName, type Collection, KEY, listName, type VenuePart, venueName } from '../../library/index.ts';

/** The addresses of calendars, and which kind of answer an address has. */

/** The parts of a calendar's address. `part` is absent for series. */
export interface CalendarAddress {
  /** `my`: of a list; `search`: of a search. */
  collection: Collection | 'my' | 'search';
  /** The key, of a list its token, of a search its query. */
  key: string;
  part?: VenuePart;
  /** The name of the calendar in caches and in the library. */
  name: CalendarName;
}

const ADDRESS = new RegExp(
  `^/(?:series/(${KEY})|(places|facilities)/(${KEY})(?:/(availability|freebusy|hours|sessions))?)\\.ics$`,
);

/**
 * The calendar at a path (README.md, "What is served"); undefined: none. Keys are made here, so other parts of an address
 * never reach the store (SECURITY.md, "Requests"). It runs for every request, before the router.
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

/** Whether an address is of a calendar: it ends in `.ics`, and is not of CalDAV. */
export function isCalendar(c: Context): boolean {
  return c.req.path.endsWith('.ics') && !isDav(c);
}

/** Whether an address is of CalDAV, also of an object whose name ends in `.ics`. */
export function isDav(c: Context): boolean {
  return c.req.path === '/dav' || c.req.path.startsWith('/dav/');
}

/** Whether an address is of JSON for programs: the API and RPDE. */
export function isApi(c: Context): boolean {
  return c.req.path.startsWith('/api/') || c.req.path.startsWith('/rpde/');
}

/** Whether an address is of XML for programs: Atom, and the sitemap. */
export function isXml(c: Context): boolean {
  return /\.(?:atom|xml)$/.test(c.req.path);
}

/** Whether an address is of an embed, for frames of other sites. */
export function isEmbed(c: Context): boolean {
  return c.req.path.startsWith('/embed/');
}

/** Whether a program sends a list, and not a form or a browser. All answers to it, errors too, are JSON. */
export function sendsJson(c: Context): boolean {
  const { method, path } = c.req;
  if ((method !== 'POST' && method !== 'PUT') || !/^\/my(?:\/|$)/.test(path)) return false;
  const [type = '', accepts = ''] = ['content-type', 'accept'].map((name) => c.req.header(name)?.toLowerCase());
  if (type.startsWith('application/json') || accepts.includes('json')) return true;
  return !(type.startsWith('application/x-www-form-urlencoded') || accepts.includes('text/html'));
}
