/**
 * The events of `planSeries` as event data of ical-generator, for applications that build their calendars with it.
 *
 * ```ts
 * import ical from 'ical-generator';
 * import { join, planSeries, readInput } from 'openactive-ical';
 * import { icalEvents, icalTimezone } from 'openactive-ical/ical-generator';
 *
 * const { records } = readInput(text, { zone: 'Europe/London', feed: 'https://example.org/feed' });
 * for (const { series, sessions } of join(records).series) {
 *   const { events } = planSeries(series, sessions, { zone: 'Europe/London' });
 *   const calendar = ical({ name: 'Yoga', timezone: icalTimezone(events), events: icalEvents(events) });
 *   console.log(calendar.toString());
 * }
 * ```
 *
 * Take `icalTimezone` along. With a zone's name there, ical-generator writes its stamps without a zone and UNTIL in local time.
 * Without any, Outlook finds the zones of the events undeclared (feed rule 5).
 */

import {
  ICalEventBusyStatus,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalTimezone,
} from 'ical-generator';
import { DateTime } from 'luxon';
import { type Recurrence, recurrenceValue } from '../ical/recurrence.ts';
import { wallValue } from '../ical/values.ts';
import { write } from '../ical/write.ts';
import type { Instant } from '../time/instant.ts';
import type { Wall } from '../time/zone.ts';
import { timezones, zonesOf } from './components.ts';
import { type CalendarEvent, NO_HISTORY, type Revision, type Span } from './objects.ts';

export type { CalendarEvent } from './objects.ts';

/**
 * Events as `planSeries` gives them, in their order. `revision` gives SEQUENCE and stamps of a UID.
 *
 * @example
 * ```ts
 * const { events } = planSeries(series, sessions, { zone: 'Europe/London' });
 * const calendar = ical({ name: 'Yoga', timezone: icalTimezone(events), events: icalEvents(events) });
 * ```
 */
export function icalEvents(
  events: readonly CalendarEvent[],
  revision: (uid: string) => Revision = () => NO_HISTORY,
): ICalEventData[] {
  return events.map((event) => eventData(event, revision(event.uid)));
}

/**
 * What goes into a calendar's `timezone`: no name, and the VTIMEZONE of each zone that the events are in.
 *
 * @example
 * ```ts
 * const { events } = planSeries(series, sessions, { zone: 'Europe/London' });
 * const text = ical({ timezone: icalTimezone(events), events: icalEvents(events) }).toString();
 * ```
 */
export function icalTimezone(events: readonly CalendarEvent[]): ICalTimezone {
  const uses = zonesOf(events);
  const generator = (name: string): string | null => {
    const use = uses.get(name);
    const [component] = use === undefined ? [] : timezones(new Map([[name, use]]));
    return component === undefined ? null : write(component).trimEnd();
  };
  return { name: null, generator };
}

const STATUS: Record<CalendarEvent['status'], ICalEventStatus> = {
  CONFIRMED: ICalEventStatus.CONFIRMED,
  TENTATIVE: ICalEventStatus.TENTATIVE,
  CANCELLED: ICalEventStatus.CANCELLED,
};

function eventData(event: CalendarEvent, { sequence, modified }: Revision): ICalEventData {
  const { span, recurrenceId } = event;
  const stamp = utc(modified);
  const data: ICalEventData = {
    id: event.uid,
    sequence,
    stamp,
    lastModified: stamp,
    start: at(span.zone, span.start),
    // The name is for TZID; times that are UTC have none.
    timezone: span.zone === 'UTC' ? null : span.zone,
    status: STATUS[event.status],
    summary: event.summary,
    ...wording(event),
  };
  if (span.end > span.start) data.end = at(span.zone, span.end);
  if (span.allDay === true) data.allDay = true;
  if (recurrenceId !== undefined) data.recurrenceId = at(recurrenceId.zone, recurrenceId.wall);
  if (event.rrule !== undefined) data.repeating = repeating(event.rrule, event.exdates ?? [], span);
  return data;
}

function wording({ description, location, categories, url, transparent }: CalendarEvent): Partial<ICalEventData> {
  return {
    ...(description !== undefined && { description }),
    ...(location !== undefined && { location: locationData(location) }),
    ...(categories !== undefined && { categories: categories.map((name) => ({ name })) }),
    ...(url !== undefined && /^https?:\/\//i.test(url) && { url: plainUrl(url) }),
    ...(transparent === true && {
      transparency: ICalEventTransparency.TRANSPARENT,
      busystatus: ICalEventBusyStatus.FREE,
    }),
  };
}

function locationData({ title, address, latitude: lat, longitude: lon }: NonNullable<CalendarEvent['location']>) {
  const geo = lat === undefined || lon === undefined ? {} : { geo: { lat, lon }, radius: 49 };
  return { title, ...(address !== undefined && { address }), ...geo };
}

/** ical-generator escapes addresses as texts, so characters that it would put a backslash before are percent-encoded. */
function plainUrl(url: string): string {
  return url.replace(/[\\;,\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** RRULE and EXDATE as text, because the option object of ical-generator has no `2TU`. Both lines are made of dates and tokens only, so nothing in them can break out. */
function repeating(rrule: Recurrence, exdates: readonly Wall[], { zone, allDay }: Span): string {
  const form = allDay === true ? ';VALUE=DATE' : zone === 'UTC' ? '' : `;TZID=${zone}`;
  const lines = exdates.map((wall) => {
    const value = wallValue(wall);
    return `EXDATE${form}:${allDay === true ? value.slice(0, 8) : `${value}${zone === 'UTC' ? 'Z' : ''}`}`;
  });
  return [`RRULE:${recurrenceValue(rrule)}`, ...lines].join('\r\n');
}

/** Never a native Date: ical-generator prints those in the time zone of the process. */
function at(zone: string, wall: Wall): DateTime {
  return zone === 'UTC' ? utc(wall) : utc(wall).setZone(zone, { keepLocalTime: true });
}

function utc(instant: Instant): DateTime {
  return DateTime.fromMillis(instant, { zone: 'utc' });
}
