import { defined, type Series } from '../opportunity/records.ts';
import type { LocalDate } from '../time/instant.ts';
import { type Zone, zone, zoneOrUtc } from '../time/zone.ts';
import type { Calendar, CalendarEvent } from './objects.ts';
import { seriesSource } from './source-properties.ts';
import { colorOf } from './wording/colors.ts';
import { currentTimes, timesCut } from './wording/partial-schedules.ts';
import { summaryOf } from './wording/wording.ts';

export interface HeaderOptions {
  zone: string;
  /** ISO 8601 duration after which clients are to poll again; PT6H. */
  refresh?: string;
  /** The credit of the publisher, which the licence demands of a calendar. */
  attribution?: string | undefined;
  source?: string;
  /** The stored day: schedules that have ended are left out of the description. Absent: all are in it, with their ends. */
  today?: LocalDate;
}

/**
 * The calendar of a series: its events under a name, a description and a colour of their own. The header does not depend on
 * the events. Without events it is a calendar still: `toComponents` gives it a VTIMEZONE (feed rule 3).
 *
 * @example
 * ```ts
 * const { events } = planSeries(series, sessions, { zone: 'Europe/London' });
 * const calendar = seriesCalendar(series, events, { zone: 'Europe/London' });
 * ```
 */
export function seriesCalendar(series: Series, events: CalendarEvent[], options: HeaderOptions): Calendar {
  const { details } = series;
  const description = descriptionOf(series, options);
  const source = seriesSource(series);
  return {
    name: nameOf(series),
    ...defined({ description: description || undefined, url: series.url, source: options.source }),
    zone: zoneOf(series, options.zone).id,
    color: colorOf(details.activity?.[0] ?? details.category?.[0] ?? series.id),
    refresh: options.refresh ?? 'PT6H',
    ...(source !== undefined && { series: [source] }),
    events,
  };
}

/** `Yoga for beginners, Leisure Centre`: with the place, because people see several calendars side by side. */
export function nameOf({ details, type }: Series): string {
  const name = summaryOf(details, type);
  const place = details.location?.name;
  return place === undefined || name.includes(place) ? name : `${name}, ${place}`;
}

function descriptionOf({ details, schedules }: Series, { attribution, today }: HeaderOptions): string {
  const times = timesCut(currentTimes(schedules, today));
  return [details.description, times.join('\n'), attribution].filter((part) => part).join('\n\n');
}

/** The zone that a series states, else that of its place. */
export function statedZone({ schedules, zone: ofPlace }: Series): string | undefined {
  return schedules.find(({ zoneStated }) => zoneStated)?.zone ?? ofPlace;
}

/** The zone that a series states, else that of its place, else the default. */
export function zoneOf(series: Series, fallback: string): Zone {
  return zone(statedZone(series) ?? fallback) ?? zoneOrUtc(fallback);
}
