import { calendarAround } from '../../calendar/components.ts';
import { EARLIEST, LATEST } from '../../calendar/rule/instances.ts';
import { vtimezone } from '../../ical/timezone.ts';
import type { Component } from '../../ical/tree.ts';
import { utcValue } from '../../ical/values.ts';
import { writeBytes } from '../../ical/write.ts';
import { LIMITS } from '../../limits.ts';
import type { Instant } from '../../time/instant.ts';
import { TABLE_END, zone } from '../../time/zone.ts';
import { listPath } from '../address.ts';
import { COLLATIONS } from '../query/filter.ts';
import type { CalendarResource, ObjectResource, Resource } from '../resource.ts';
import { APPLE, CALDAV, CALENDARSERVER, DAV, type Name, nameText } from '../xml/names.ts';
import { escaped } from '../xml/write.ts';
import { dateText, href, OBJECT_TYPE, PRIVILEGES, REPORTS, reportSet, SUPPORTED_PRIVILEGES } from './values.ts';

/** All properties, one row each: the resources that have it, and its value as XML. */

/** Facts about the request that values need besides their resource. */
export interface Context {
  /** The base address, without a slash at its end. */
  base: string;
  /** The path that the base address has: `` or `/calendars`. */
  prefix: string;
  /** The time of the request. */
  now: Instant;
  /** The number of octets of an object, which are written only for a property that needs it. */
  lengthOf(resource: ObjectResource): number;
  tokenOf(calendar: CalendarResource): string;
  /** The address of a calendar as one file. */
  fileOf(calendar: CalendarResource): string;
}

/** The value of a property as XML; undefined: this resource does not have the property. */
type PropertyValue<R extends Resource> = (resource: R, context: Context) => string | undefined;

interface Values {
  any?: PropertyValue<Resource>;
  /** The root, homes and folders. The first two are principals, one of which is the client (RFC 3744 2). */
  principal?: PropertyValue<Extract<Resource, { kind: 'root' | 'home' | 'folder' }>>;
  calendar?: PropertyValue<CalendarResource>;
  object?: PropertyValue<ObjectResource>;
}

export interface PropertyRow extends Values {
  name: Name;
  /** Sent for `allprop`: the properties of RFC 4918 itself. */
  inAll: boolean;
}

const row = (ns: string, local: string, values: Values, inAll = false): PropertyRow => ({
  name: { ns, local },
  ...values,
  inAll,
});
const dav = (local: string, values: Values, inAll = false): PropertyRow => row(DAV, local, values, inAll);
const caldav = (local: string, values: Values): PropertyRow => row(CALDAV, local, values);

const ROOT = '/dav/';

/** The principal of the client: that of the address, because there are no accounts. */
function principalOf(resource: Resource): string {
  if (resource.kind === 'home') return listPath(resource.token);
  if (resource.kind === 'calendar') return resource.principal;
  return resource.kind === 'object' ? resource.calendar.principal : ROOT;
}

const principalHref: PropertyValue<Resource> = (resource, { prefix }) => href(prefix + principalOf(resource));
/** The address of the principal of a resource; folders have none. */
const ownHref: Values['principal'] = (resource, context) =>
  resource.kind === 'folder' ? undefined : principalHref(resource, context);

const TYPES: Record<Resource['kind'], string> = {
  root: '<D:collection/><D:principal/>',
  home: '<D:collection/><D:principal/>',
  folder: '<D:collection/>',
  calendar: '<D:collection/><C:calendar/>',
  object: '',
};

const NAMES = { root: 'Calendars', folder: 'Calendars' };

const UNNAMED_LIST = 'My list';

const displayName: PropertyValue<Exclude<Resource, CalendarResource | ObjectResource>> = (resource) =>
  escaped(resource.kind === 'home' ? (resource.list.name ?? UNNAMED_LIST) : NAMES[resource.kind]);

const token: PropertyValue<CalendarResource> = (calendar, { tokenOf }) => escaped(tokenOf(calendar));
const availability: Values = { calendar: availabilityText };

/** Every known property, with the resources that have it. */
export const PROPERTIES: readonly PropertyRow[] = [
  dav('resourcetype', { any: ({ kind }) => TYPES[kind] }, true),
  dav('displayname', { principal: displayName, calendar: ({ collection }) => escaped(collection.calendar.name) }, true),
  dav('getetag', { object: ({ member }) => `"${member.etag}"` }, true),
  dav('getcontenttype', { object: () => OBJECT_TYPE }, true),
  dav('getcontentlength', { object: (resource, { lengthOf }) => String(lengthOf(resource)) }, true),
  dav(
    'getlastmodified',
    {
      calendar: ({ collection }, { now }) => dateText(collection.head.changedAt, now),
      object: ({ member }, { now }) => dateText(member.revision.modified, now),
    },
    true,
  ),
  // RFC 4918 15.8, 15.10: empty, for locks do not exist here.
  dav('supportedlock', { any: () => '' }, true),
  dav('lockdiscovery', { any: () => '' }, true),
  dav('current-user-principal', { any: principalHref }),
  dav('principal-URL', { any: principalHref }),
  dav('principal-collection-set', { any: (_, { prefix }) => href(prefix + ROOT) }),
  dav('owner', { any: principalHref }),
  dav('group-membership', { principal: () => '' }),
  dav('current-user-privilege-set', { any: () => PRIVILEGES }),
  dav('supported-privilege-set', { any: () => SUPPORTED_PRIVILEGES }),
  dav('supported-report-set', { any: ({ kind }) => reportSet(REPORTS[kind]) }),
  dav('sync-token', { calendar: token }),
  caldav('calendar-home-set', { principal: ownHref }),
  caldav('calendar-user-address-set', { principal: ownHref }),
  caldav('calendar-description', {
    calendar: ({ collection }) => collection.calendar.description && escaped(collection.calendar.description),
  }),
  caldav('calendar-timezone', { calendar: ({ collection }) => timezoneText(collection.calendar.zone) }),
  caldav('calendar-timezone-id', { calendar: ({ collection }) => escaped(collection.calendar.zone) }),
  caldav('supported-calendar-component-set', { calendar: () => '<C:comp name="VEVENT"/>' }),
  caldav('supported-calendar-data', {
    calendar: () => '<C:calendar-data content-type="text/calendar" version="2.0"/>',
  }),
  caldav('supported-collation-set', {
    calendar: () => COLLATIONS.map((name) => `<C:supported-collation>${name}</C:supported-collation>`).join(''),
  }),
  caldav('max-resource-size', { calendar: () => String(LIMITS.dav.objectBytes) }),
  caldav('min-date-time', { calendar: () => utcValue(EARLIEST) }),
  caldav('max-date-time', { calendar: () => utcValue(LATEST) }),
  // RFC 7953 7.2 puts it on the scheduling inbox, which does not exist here. Apple's programs read the older name.
  caldav('calendar-availability', availability),
  row(CALENDARSERVER, 'calendar-availability', availability),
  row(CALENDARSERVER, 'getctag', { calendar: token }),
  row(CALENDARSERVER, 'source', { calendar: (calendar, { fileOf }) => href(fileOf(calendar)) }),
  row(APPLE, 'calendar-color', { calendar: ({ collection }) => colorText(collection.calendar.color.hex) }),
  row(APPLE, 'calendar-order', { calendar: ({ order }) => String(order) }),
  row(APPLE, 'refreshrate', { calendar: ({ collection }) => durationText(collection.calendar.refresh) }),
];

const BY_NAME = new Map(PROPERTIES.map((one) => [nameText(one.name), one]));

export function propertyRow(name: Name): PropertyRow | undefined {
  return BY_NAME.get(nameText(name));
}

/** The value of a property as XML; undefined: the resource does not have it. */
export function propertyValue(
  { any, principal, calendar, object }: PropertyRow,
  resource: Resource,
  context: Context,
): string | undefined {
  if (resource.kind === 'calendar') return (calendar ?? any)?.(resource, context);
  if (resource.kind === 'object') return (object ?? any)?.(resource, context);
  return (principal ?? any)?.(resource, context);
}

const decoder = new TextDecoder();

function calendarText(components: Component[]): string {
  return escaped(decoder.decode(writeBytes(calendarAround(components))));
}

/** Start of the rules in `calendar-timezone`: Outlook reads the latest rule alone (feed rule 6). */
const CURRENT_RULES = Date.UTC(2020, 0, 1);

const timezones = new Map<string, string | undefined>();

/** RFC 4791 5.2.2: an iCalendar object with one VTIMEZONE. UTC has none. */
function timezoneText(name: string): string | undefined {
  if (!timezones.has(name)) {
    const z = name === 'UTC' ? undefined : zone(name);
    timezones.set(name, z && calendarText([vtimezone(z, CURRENT_RULES, TABLE_END)]));
  }
  return timezones.get(name);
}

/** VAVAILABILITY of a place or facility (RFC 7953), with the zones that it needs. */
function availabilityText({ collection }: CalendarResource): string | undefined {
  const { availability } = collection;
  if (availability === undefined || availability.components.length === 0) return undefined;
  const zones = [...availability.zones].flatMap(([name, { from, to }]) => {
    const z = zone(name);
    return z === undefined ? [] : [vtimezone(z, from, to)];
  });
  return calendarText([...zones, ...availability.components]);
}

/** `#RRGGBBAA`, as Apple's programs write it. */
function colorText(hex: string): string {
  return escaped(hex.length === 7 ? `${hex.toUpperCase()}FF` : hex.toUpperCase());
}

/** An ISO 8601 duration, as the property of Apple has it. */
function durationText(duration: string): string {
  return escaped(duration);
}
