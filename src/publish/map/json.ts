import { scheduleJson as jsonOf, timeText } from '../../calendar/source-properties.ts';
import { durationValue } from '../../ical/values.ts';
import type { JsonObject } from '../../opportunity/item/json.ts';
import { type Defined, defined, type OpeningHours, type Schedule } from '../../opportunity/records.ts';
import { expanderOf, instancesOf } from '../../recurrence/expand.ts';
import { DAY_MS, dateOfDay, dayOfDate, WEEKDAYS } from '../../time/days.ts';
import { type Instant, type LocalDate, utcText } from '../../time/instant.ts';
import { toInstant } from '../../time/zone.ts';

/** Records as the JSON that feeds carry: the reader (`opportunity/`) the other way round. */

const SCHEMA = 'https://schema.org/';
/** A Schedule with what the model requires of it; it means the same. */
export function scheduleJson(schedule: Schedule): JsonObject {
  if (schedule.partial) return jsonOf(schedule);
  const { startTime, endTime, duration, frequency, byDay, byMonth, byMonthDay } = schedule;
  const hasRule = frequency !== undefined || byDay.length + byMonth.length + byMonthDay.length > 0;
  return jsonOf({
    ...schedule,
    ...(startTime !== undefined && duration && { endTime: endTime ?? (startTime + duration / 1000) % 86_400 }),
    ...(!hasRule && { frequency: { unit: 'day', every: 1 }, count: 1 }),
    except: ofOneKind(schedule),
  });
}

/** The model takes dates or times, not both: a date is then the times that the rule has on it. */
function ofOneKind(schedule: Schedule): Schedule['except'] {
  const { except } = schedule;
  const days = except.flatMap((one) => ('date' in one ? dayOfDate(one.date) : []));
  const expander = days.length === 0 || days.length === except.length ? undefined : expanderOf(schedule);
  if (expander === undefined) return except;
  const instants = new Set(except.flatMap((one) => ('instant' in one ? one.instant : [])));
  for (const day of days) {
    const from = toInstant(expander.zone, day * DAY_MS);
    const found = instancesOf({ ...expander, duration: 0 }, from - DAY_MS, from + 2 * DAY_MS);
    for (const { start, wall } of found) if (Math.floor(wall / DAY_MS) === day) instants.add(start);
  }
  return [...instants].sort((a, b) => a - b).map((instant) => ({ instant }));
}

/** The name of sessions of events without SUMMARY. */
export const ANY_NAME = 'Session';

/** Opening hours; all day is `00:00` to `23:59` (the specification's rule 6). */
export function hoursJson({ days, opens, closes, validFrom, validThrough, publicHolidays }: OpeningHours): JsonObject {
  const isAllDay = opens === 0 && closes === 86_400;
  const named = [
    ...days.map((day) => `${SCHEMA}${WEEKDAYS[day]}`),
    ...(publicHolidays ? [`${SCHEMA}PublicHolidays`] : []),
  ];
  return {
    '@type': 'OpeningHoursSpecification',
    ...(named.length > 0 && { dayOfWeek: named }),
    opens: timeText(opens),
    closes: isAllDay ? '23:59' : timeText(closes % 86_400),
    ...(validFrom !== undefined && { validFrom }),
    ...(validThrough !== undefined && { validThrough }),
  };
}

/** Without both it is nowhere. */
export function geoJson(latitude: number | undefined, longitude: number | undefined): JsonObject {
  if (latitude === undefined || longitude === undefined) return {};
  return { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}

/** The parts of an address that are stated. */
export function postalAddress(parts: {
  street?: string | undefined;
  locality?: string | undefined;
  region?: string | undefined;
  postalCode?: string | undefined;
  country?: string | undefined;
}): Defined<Record<string, string | undefined>> {
  const { street, locality, region, postalCode, country } = parts;
  return defined({
    streetAddress: street,
    addressLocality: locality,
    addressRegion: region,
    postalCode,
    addressCountry: country,
  });
}

/** First and last date of whole days. */
export interface Days {
  first: LocalDate;
  last: LocalDate;
}

/** The days of an occurrence without times, of midnights in UTC with the end excluded (`Session.allDay`). */
export function daysBetween(start: Instant, end: Instant = start + DAY_MS): Days {
  return { first: dateOfDay(start / DAY_MS), last: dateOfDay(Math.max(start, end - DAY_MS) / DAY_MS) };
}

/** Whole days, as they are read: the last one is `endDate`. */
function daysJson({ first, last }: Days): JsonObject {
  if (first === last) return { startDate: first };
  const count = dayOfDate(last) - dayOfDate(first) + 1;
  return { startDate: first, endDate: last, duration: `P${count}D` };
}

/** When an occurrence is: its days where it has no times. */
export function timesJson({ start, end, days }: { start: Instant; end: Instant; days?: Days }): JsonObject {
  return days === undefined ? spanJson(start, end) : daysJson(days);
}

/** Start, end and duration of an occurrence; without an end neither. */
export function spanJson(start: Instant, end: Instant): JsonObject {
  if (end <= start) return { startDate: utcText(start) };
  return { startDate: utcText(start), endDate: utcText(end), duration: durationValue(end - start) };
}

export function statusJson(status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED' | 'RESCHEDULED'): string {
  return `${SCHEMA}${STATUS[status]}`;
}

const STATUS = {
  CONFIRMED: 'EventScheduled',
  TENTATIVE: 'EventPostponed',
  CANCELLED: 'EventCancelled',
  RESCHEDULED: 'EventRescheduled',
} as const;
