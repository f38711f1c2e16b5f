import { type Recurrence, recurrenceValue } from '../ical/recurrence.ts';
import { vtimezone } from '../ical/timezone.ts';
import { type Component, type Property, raw, text, urlProperty } from '../ical/tree.ts';
import { dateValue, degrees, geoValue, utcValue, wallValue } from '../ical/values.ts';
import { DAY_MS } from '../time/days.ts';
import type { Instant } from '../time/instant.ts';
import { TABLE_END, type Wall, zone } from '../time/zone.ts';
import type { Calendar, CalendarEvent, Revision, Span } from './objects.ts';
import { untilOver } from './rule/rrule.ts';
import { BLANK, type SessionSource } from './source-properties.ts';

export const PRODID = '-//openactive-ical//openactive-ical//EN';

/**
 * The component tree of a calendar: header, VTIMEZONEs, events, by feed rules 1 to 28. No METHOD, no alarms, no
 * attachments, no attendees. `revision` gives the stamps of a UID, for master and overrides alike (semantics 6). `more`
 * follows the events, with zones of its own in `zones`.
 *
 * @example
 * ```ts
 * const tree = toComponents(calendar, (uid) => ({ sequence: 0, modified: Date.UTC(2026, 0, 1) }));
 * console.log(write(tree));
 * ```
 */
export function toComponents(
  calendar: Calendar,
  revision: (uid: string) => Revision,
  more: { components: Component[]; zones: ReadonlyMap<string, ZoneUse> } = NOTHING,
): Component {
  const uses = zonesOf(calendar.events);
  for (const [name, use] of more.zones) widen(uses, name, use.from, use.to);
  // RFC 5545 3.6: "at least one component". A VTIMEZONE is one, and shows nothing.
  if (uses.size === 0 && calendar.events.length + more.components.length === 0)
    widen(uses, nameForUse(calendar.zone), TABLE_END - DAY_MS, TABLE_END);
  const maker = new EventMaker(revision);
  return {
    name: 'VCALENDAR',
    properties: headerProperties(calendar),
    components: [...timezones(uses), ...calendar.events.map((event) => maker.event(event)), ...more.components],
  };
}

const NOTHING: { components: Component[]; zones: ReadonlyMap<string, ZoneUse> } = { components: [], zones: new Map() };

/**
 * A calendar object resource of one UID (RFC 4791, 4.1): its events as in the whole calendar, the VTIMEZONEs that they need,
 * and nothing of the calendar around them.
 */
export function toObject(events: readonly CalendarEvent[], revision: Revision): Component {
  const maker = new EventMaker(() => revision);
  return calendarAround([...timezones(zonesOf(events)), ...events.map((event) => maker.event(event))]);
}

/** A VCALENDAR that says nothing besides its components. */
export function calendarAround(components: Component[]): Component {
  const properties = [raw('VERSION', '2.0'), text('PRODID', PRODID), raw('CALSCALE', 'GREGORIAN')];
  return { name: 'VCALENDAR', properties, components };
}

/** One event by itself, as it stands in its calendar. */
export function eventComponent(event: CalendarEvent, revision: Revision): Component {
  return new EventMaker(() => revision).event(event);
}

/** The properties of VCALENDAR: for old readers and for new ones (feed rules 2, 24, 25). */
function headerProperties(calendar: Calendar): Property[] {
  const { name, description, url, source, zone: zoneName, color, refresh, series = [] } = calendar;
  return [
    raw('VERSION', '2.0'),
    text('PRODID', PRODID),
    raw('CALSCALE', 'GREGORIAN'),
    text('NAME', name),
    text('X-WR-CALNAME', name),
    ...(description === undefined ? [] : [text('DESCRIPTION', description), text('X-WR-CALDESC', description)]),
    ...urlProperty('URL', url),
    ...(source === undefined
      ? []
      : [{ name: 'SOURCE', params: [['VALUE', 'URI']], type: 'uri', value: source } as const]),
    text('X-WR-TIMEZONE', nameForUse(zoneName)),
    raw('COLOR', color.name),
    raw('X-APPLE-CALENDAR-COLOR', color.hex),
    raw('REFRESH-INTERVAL', refresh, [['VALUE', 'DURATION']]),
    raw('X-PUBLISHED-TTL', refresh),
    ...series.map((source) => text('X-OPENACTIVE-SERIES', source)),
  ];
}

export interface ZoneUse {
  from: Instant;
  to: Instant;
}

export function timezones(uses: ReadonlyMap<string, ZoneUse>): Component[] {
  const names = [...uses.keys()].sort();
  return names.flatMap((name) => {
    const z = zone(name);
    const use = uses.get(name) as ZoneUse;
    return z === undefined ? [] : [vtimezone(z, use.from, use.to)];
  });
}

/** The zones that events are written in, each with the time it is needed for. */
export function zonesOf(events: readonly CalendarEvent[]): Map<string, ZoneUse> {
  const uses = new Map<string, ZoneUse>();
  for (const { span, rrule, recurrenceId } of events) {
    if (span.zone !== 'UTC' && span.allDay !== true) {
      widen(uses, span.zone, span.start - DAY_MS, Math.max(span.end, endOfRule(rrule, span.start)) + DAY_MS);
    }
    if (recurrenceId !== undefined)
      widen(uses, recurrenceId.zone, recurrenceId.wall - DAY_MS, recurrenceId.wall + DAY_MS);
  }
  return uses;
}

export function widen(uses: Map<string, ZoneUse>, name: string, from: Instant, to: Instant): void {
  if (name === 'UTC') return;
  const known = uses.get(name);
  if (known === undefined) uses.set(name, { from, to: Math.min(to, TABLE_END) });
  else {
    known.from = Math.min(known.from, from);
    known.to = Math.min(Math.max(known.to, to), TABLE_END);
  }
}

const LONGEST: Partial<Record<Recurrence['freq'], number>> = { DAILY: 1, WEEKLY: 7, MONTHLY: 31 };

function endOfRule(rrule: Recurrence | undefined, start: Wall): Wall {
  if (rrule === undefined) return start;
  const { freq, until, count, interval = 1 } = rrule;
  if (until !== undefined) return untilOver(until);
  if (count === undefined) return TABLE_END;
  return start + count * interval * (LONGEST[freq] ?? 366) * DAY_MS;
}

/** The TZID of a zone. In a span, `UTC` means times that end in Z; as a TZID it is Etc/GMT (see masterZone). */
function nameForUse(name: string): string {
  return name === 'UTC' ? 'Etc/GMT' : name;
}

type Params = readonly (readonly [string, string])[];

/** Makes VEVENTs. What events share (descriptions, places, stamps) becomes one property object, which is written once. */
class EventMaker {
  readonly #revision: (uid: string) => Revision;
  readonly #zones = new Map<string, Params>();
  readonly #series = new Map<string, Params>();
  readonly #stamps = new Map<Instant, [dtstamp: Property, modified: Property]>();
  /** The last description, as sessions of a series, which share theirs, come one after another. */
  #description = text('DESCRIPTION', '');
  readonly #locations = new Map<string, { location: Location; properties: Property[] }>();

  constructor(revision: (uid: string) => Revision) {
    this.#revision = revision;
  }

  event(event: CalendarEvent): Component {
    const { sequence, modified } = this.#revision(event.uid);
    const [dtstamp, lastModified] = getOrInsertComputed(this.#stamps, modified, stampProperties);
    const properties = [raw('UID', event.uid), dtstamp];
    this.#time(properties, event);
    this.#wording(properties, event);
    if (event.source !== undefined) properties.push(this.#sourceOf(event.source));
    if (event.transparent === true) properties.push(TRANSPARENT, FREE);
    properties.push(STATUS[event.status], raw('SEQUENCE', String(sequence)), lastModified);
    return { name: 'VEVENT', properties, components: [] };
  }

  #time(properties: Property[], { span, recurrenceId, rrule, exdates }: CalendarEvent): void {
    if (recurrenceId !== undefined) {
      const form = { zone: recurrenceId.zone, ...(span.allDay === true && { allDay: true }) };
      properties.push(this.#dateTime('RECURRENCE-ID', form, recurrenceId.wall));
    }
    properties.push(this.#dateTime('DTSTART', span, span.start));
    if (span.end > span.start) properties.push(this.#dateTime('DTEND', span, span.end));
    if (rrule !== undefined) properties.push(raw('RRULE', recurrenceValue(rrule)));
    for (const wall of exdates ?? []) properties.push(this.#dateTime('EXDATE', span, wall));
  }

  #dateTime(name: string, { zone: zoneName, allDay }: Pick<Span, 'zone' | 'allDay'>, wall: Wall): Property {
    if (allDay === true) return raw(name, dateValue(Math.floor(wall / DAY_MS)), DATE);
    if (zoneName === 'UTC') return raw(name, utcValue(wall));
    const params = getOrInsertComputed(this.#zones, zoneName, (tzid): Params => [['TZID', tzid]]);
    return raw(name, wallValue(wall), params);
  }

  #wording(properties: Property[], { summary, description, location, categories, url }: CalendarEvent): void {
    properties.push(text('SUMMARY', summary));
    if (description !== undefined) properties.push(this.#descriptionOf(description));
    if (location !== undefined) for (const property of this.#locationOf(location)) properties.push(property);
    if (categories !== undefined) properties.push({ name: 'CATEGORIES', type: 'text-list', value: categories });
    properties.push(...urlProperty('URL', url));
  }

  #sourceOf({ id, series, previousStart, rescheduled }: SessionSource): Property {
    const params = getOrInsertComputed(this.#series, series, (key): Params => [['X-OPENACTIVE-SERIES', key]]);
    const value = text('X-OPENACTIVE-ID', id === '' ? BLANK : id);
    if (previousStart === undefined && rescheduled === undefined) return { ...value, params };
    const more: [string, string][] = [];
    if (previousStart !== undefined) more.push(['X-OPENACTIVE-PREVIOUS', utcValue(previousStart)]);
    if (rescheduled) more.push(['X-OPENACTIVE-STATUS', 'EventRescheduled']);
    return { ...value, params: [...params, ...more] };
  }

  #descriptionOf(description: string): Property {
    if (this.#description.value !== description) this.#description = shared(text('DESCRIPTION', description));
    return this.#description;
  }

  #locationOf(location: Location): Property[] {
    const last = this.#locations.get(location.title);
    if (last !== undefined && isSame(last.location, location)) return last.properties;
    const properties = locationProperties(location);
    this.#locations.set(location.title, { location, properties });
    return properties;
  }
}

type Location = NonNullable<CalendarEvent['location']>;

function isSame(a: Location, b: Location): boolean {
  return (
    a === b ||
    (a.title === b.title && a.address === b.address && a.latitude === b.latitude && a.longitude === b.longitude)
  );
}

/** The value of a key; where the map has none, `make` makes it. */
export function getOrInsertComputed<K, V>(map: Map<K, V>, key: K, make: (key: K) => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make(key);
    map.set(key, value);
  }
  return value;
}

function stampProperties(modified: Instant): [dtstamp: Property, modified: Property] {
  const stamp = utcValue(modified);
  return [shared(raw('DTSTAMP', stamp)), shared(raw('LAST-MODIFIED', stamp))];
}

/** Apple shows a map when LOCATION is X-TITLE, line end, X-ADDRESS; GEO alone is not enough for it (feed rule 26). */
function locationProperties(location: Location): Property[] {
  const { title, address, latitude, longitude } = location;
  const properties = [shared(text('LOCATION', address === undefined ? title : `${title}\n${address}`))];
  if (latitude === undefined || longitude === undefined) return properties;
  const params: Params = [
    ['VALUE', 'URI'],
    ...(address === undefined ? [] : [['X-ADDRESS', address] as const]),
    ['X-APPLE-RADIUS', '49'],
    ['X-TITLE', title],
  ];
  const value = `geo:${degrees(latitude)},${degrees(longitude)}`;
  const apple: Property = { name: 'X-APPLE-STRUCTURED-LOCATION', params, type: 'x-uri', value };
  properties.push(shared(raw('GEO', geoValue(latitude, longitude))), shared(apple));
  return properties;
}

const DATE: Params = [['VALUE', 'DATE']];
const TRANSPARENT = shared(raw('TRANSP', 'TRANSPARENT'));
const FREE = shared(raw('X-MICROSOFT-CDO-BUSYSTATUS', 'FREE'));
const STATUS: Record<CalendarEvent['status'], Property> = {
  CONFIRMED: shared(raw('STATUS', 'CONFIRMED')),
  TENTATIVE: shared(raw('STATUS', 'TENTATIVE')),
  CANCELLED: shared(raw('STATUS', 'CANCELLED')),
};

function shared(property: Property): Property {
  return { ...property, shared: true };
}
