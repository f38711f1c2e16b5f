import { durationValue } from '../../ical/values.ts';
import type { JsonObject } from '../../opportunity/item/json.ts';
import { type Details, defined, type Offer, type OpeningHours } from '../../opportunity/records.ts';
import { DAY_MS, dateOfDay, dayOfDate, WEEKDAYS } from '../../time/days.ts';
import { type Instant, type LocalDate, utcText } from '../../time/instant.ts';
import { timeText } from '../../time/iso-text.ts';

/** Records as the JSON of feeds, the inverse of the reader (`opportunity/`). */

const OPENACTIVE = 'https://openactive.io/';

/** The address of a term of schema.org. */
export function schema(name: string): string {
  return `https://schema.org/${name}`;
}

/** The contexts of an object: that of beta properties where any part has one. */
export function withContext(data: JsonObject, isBeta = JSON.stringify(data).includes('"beta:')): JsonObject {
  return { '@context': isBeta ? [OPENACTIVE, `${OPENACTIVE}ns-beta`] : OPENACTIVE, ...data };
}

/** The name of sessions without SUMMARY. */
export const ANY_NAME = 'Session';

/** Opening hours; all day is `00:00` to `23:59` (the specification's rule 6). */
export function hoursJson({ days, opens, closes, validFrom, validThrough, publicHolidays }: OpeningHours): JsonObject {
  const isAllDay = opens === 0 && closes === 86_400;
  const named = [...days.map((day) => schema(WEEKDAYS[day])), ...(publicHolidays ? [schema('PublicHolidays')] : [])];
  return {
    '@type': 'OpeningHoursSpecification',
    ...(named.length > 0 && { dayOfWeek: named }),
    opens: timeText(opens),
    closes: isAllDay ? '23:59' : timeText(closes % 86_400),
    ...(validFrom !== undefined && { validFrom }),
    ...(validThrough !== undefined && { validThrough }),
  };
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

/** Whole days as JSON: the last one is `endDate`. */
function daysJson({ first, last }: Days): JsonObject {
  if (first === last) return { startDate: first };
  const count = dayOfDate(last) - dayOfDate(first) + 1;
  return { startDate: first, endDate: last, duration: `P${count}D` };
}

/** The times of an occurrence as JSON, or its days. */
export function timesJson({ start, end, days }: { start: Instant; end: Instant; days?: Days }): JsonObject {
  return days === undefined ? spanJson(start, end) : daysJson(days);
}

/** Start, end and duration of an occurrence; without an end the start alone. */
export function spanJson(start: Instant, end: Instant): JsonObject {
  if (end <= start) return { startDate: utcText(start) };
  return { startDate: utcText(start), endDate: utcText(end), duration: durationValue(end - start) };
}

export function statusJson(status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED' | 'RESCHEDULED'): string {
  return schema(STATUS[status]);
}

const STATUS = {
  CONFIRMED: 'EventScheduled',
  TENTATIVE: 'EventPostponed',
  CANCELLED: 'EventCancelled',
  RESCHEDULED: 'EventRescheduled',
} as const;

/** The properties of a record or mapping file, each of which may be undefined. */
type PartsOf<T> = { [K in keyof T]?: T[K] | undefined };

export function offerJson({ name, price, currency, url }: PartsOf<Offer>, id?: string): JsonObject {
  return { '@type': 'Offer', ...defined({ '@id': id, name, price, priceCurrency: currency || undefined, url }) };
}

export function ageRangeJson({ min, max }: PartsOf<NonNullable<Details['ageRange']>>): JsonObject {
  return { '@type': 'QuantitativeValue', ...defined({ minValue: min, maxValue: max }) };
}
