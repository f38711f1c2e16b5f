import { type Element, readXml } from '../../src/dav/xml/read.ts';
import { tokenOf } from '../../src/library/index.ts';
import type { StoredLibrary } from '../../src/library/library.ts';
import { thingOf } from '../../src/library/lists/list.ts';
import { keyOf } from '../../src/opportunity/identity.ts';
import { AnswerCache, type Answering } from '../../src/server/cache/answer-cache.ts';
import { item, type Served, served } from '../server/stored-rig.ts';

/** CalDAV over the whole program but its sockets. The clock stands in November 2026. */

export const ID = 'https://x.example';
export const BASE = 'https://c.example';

export const PLACE = {
  '@type': 'Place',
  '@id': `${ID}/place/p`,
  name: 'Town Hall',
  openingHoursSpecification: [
    {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((day) => `https://schema.org/${day}`),
      opens: '09:00',
      closes: '21:00',
    },
  ],
};

export const session = (id: string, start: string, over: object = {}) => ({
  '@type': 'ScheduledSession',
  '@id': `${ID}/${id}`,
  startDate: start,
  duration: 'PT1H',
  ...over,
});

export const series = (id: string, over: Record<string, unknown> = {}) =>
  item('SessionSeries', id, { '@id': `${ID}/${id}`, name: `Yoga ${id}`, location: PLACE, ...over });

export const WEEKLY = {
  '@type': 'Schedule',
  startDate: '2026-11-24',
  endDate: '2027-06-30',
  startTime: '18:00',
  endTime: '19:00',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Tuesday'],
  scheduleTimezone: 'Europe/London',
};

/** Every Tuesday at 18:00, with one instance that has another name. */
export const weekly = (id: string, over: Record<string, unknown> = {}) =>
  series(id, {
    eventSchedule: [WEEKLY],
    subEvent: [session(`${id}/1`, '2026-12-01T18:00:00Z', { name: 'Yoga by candlelight' })],
    ...over,
  });

/** Sessions on three days, one object each. */
export const singles = (id: string, over: Record<string, unknown> = {}) =>
  series(id, {
    subEvent: ['2026-12-03', '2026-12-09', '2027-01-14'].map((day) => session(`${id}/${day}`, `${day}T10:00:00Z`)),
    ...over,
  });

export const seriesKey = (id: string): string => keyOf('series', `${ID}/${id}`);
export const seriesPath = (id: string): string => `/dav/series/${seriesKey(id)}/`;
export const placePath = `/dav/places/${keyOf('place', `${ID}/place/p`)}/`;
export const listOf = (...texts: string[]): string => tokenOf(texts.flatMap((text) => thingOf(text) ?? []));

export interface Asked {
  depth?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** One `response` of a 207. */
export interface Got {
  href: string;
  /** Of the response itself. */
  status?: number;
  /** Of each propstat, by status: local names with their elements. */
  props: Map<number, Map<string, Element>>;
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  /** Those of a 207, by href. */
  responses: Map<string, Got>;
  root: Element | undefined;
}

export interface DavRig extends Pick<Served, 'feed' | 'text' | 'close' | 'library'> {
  ask(method: string, path: string, asked?: Asked): Promise<Answered>;
}

/** Of what is held the minute never ends: that a calendar has changed is all that can end it. */
const forEver = (library: StoredLibrary, answer: Answering): Answering =>
  new AnswerCache({ library, answer, limitBytes: 10_000_000, now: () => 0 }).answer;

export async function davServed(): Promise<DavRig> {
  const one = await served(forEver);
  return {
    library: one.library,
    feed: (...items) => one.feed(...items),
    text: (path) => one.text(path),
    close: () => one.close(),
    ask: (method, path, asked = {}) => ask(one, method, path, asked),
  };
}

async function ask({ app }: Served, method: string, path: string, { depth, body, headers }: Asked): Promise<Answered> {
  const response = await app.request(path, {
    method,
    headers: { ...(depth !== undefined && { Depth: depth }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const isXml = (response.headers.get('content-type') ?? '').startsWith('application/xml');
  const root = isXml ? readXml(text) : undefined;
  return { status: response.status, headers: response.headers, text, root, responses: responsesIn(root) };
}

function responsesIn(root: Element | undefined): Answered['responses'] {
  const responses = new Map<string, Got>();
  if (root?.local !== 'multistatus') return responses;
  for (const one of root.children.filter(({ local }) => local === 'response')) {
    const href = textIn(one, 'href');
    if (responses.has(href)) throw new Error(`${href} comes twice`);
    const status = one.children.find(({ local }) => local === 'status');
    const props: Got['props'] = new Map();
    for (const propstat of one.children.filter(({ local }) => local === 'propstat')) {
      const code = statusOf(textIn(propstat, 'status'));
      const prop = propstat.children.find(({ local }) => local === 'prop');
      props.set(code, new Map(prop?.children.map((child) => [child.local, child])));
    }
    responses.set(href, { href, props, ...(status && { status: statusOf(status.text) }) });
  }
  return responses;
}

function statusOf(text: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
}

export function textIn(element: Element, local: string): string {
  return element.children.find((child) => child.local === local)?.text.trim() ?? '';
}

/** Names of the elements within, as `VEVENT` or `read`. */
export function namesWithin(element: Element | undefined): string[] {
  return (element?.children ?? []).flatMap((child) => [child.local, ...namesWithin(child)]);
}

/** Of the first response. */
export function props({ responses }: Answered, status = 200): Map<string, Element> {
  return [...responses.values()][0]?.props.get(status) ?? new Map();
}

/** A body with the prefixes that RFC 4791 has in its examples. */
export const propfind = (inner: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/" xmlns:A="http://apple.com/ns/ical/">${inner}</D:propfind>`;

export const query = (filter: string, prop = '<D:getetag/>', more = ''): string =>
  `<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>${prop}</D:prop><C:filter><C:comp-filter name="VCALENDAR">${filter}</C:comp-filter></C:filter>${more}</C:calendar-query>`;

export const multiget = (hrefs: readonly string[], prop = '<D:getetag/><C:calendar-data/>'): string =>
  `<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>${prop}</D:prop>${hrefs.map((href) => `<D:href>${href}</D:href>`).join('')}</C:calendar-multiget>`;

export const sync = (token: string, more = '', prop = '<getetag/>'): string =>
  `<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level>${more}<prop>${prop}</prop></sync-collection>`;
