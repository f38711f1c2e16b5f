import { perObject } from '../bounded-map.ts';
import { durationValue } from '../ical/values.ts';
import { keyOf } from '../opportunity/identity.ts';
import type { Json, JsonObject } from '../opportunity/item/json.ts';
import {
  type RepeatUnit,
  type RulePart,
  type Schedule,
  type Series,
  type Session,
  statedParts,
} from '../opportunity/records.ts';
import { expanderOf, instancesOf } from '../recurrence/expand.ts';
import { DAY_MS, dayOfDate, WEEKDAY_CODES, WEEKDAYS } from '../time/days.ts';
import { type Instant, type LocalDate, utcText, type Weekday } from '../time/instant.ts';
import { timeText } from '../time/iso-text.ts';
import { toInstant } from '../time/zone.ts';

/**
 * Properties that let a calendar become feeds again without loss. RFC 5545 has none for the Schedules behind a rule, nor for
 * the `@id` of a session. Clients ignore properties they do not know (RFC 5545 3.8.8.2).
 */

/** Most characters of a source property, which every client has to read; a longer one is left out. */
const LONGEST = 16_000;

/** The value of X-OPENACTIVE-SERIES: identity, name and Schedules as JSON. Only of a SessionSeries that states its `@id`. */
export function seriesSource(series: Series): string | undefined {
  const { id, type, url, details, status, schedules } = series;
  if (type !== 'SessionSeries' || !isAddress(id)) return undefined;
  const written = schedules.filter((schedule) => !lacksAPart(schedule));
  const source = JSON.stringify({
    '@type': type,
    '@id': id,
    ...(url !== undefined && { url }),
    ...(details.name !== undefined && { name: details.name }),
    ...(status !== 'EventScheduled' && { eventStatus: `https://schema.org/${status}` }),
    ...(written.length > 0 && { eventSchedule: written.map(scheduleJson) }),
  });
  return source.length <= LONGEST ? source : undefined;
}

/** Whether a part of the rule could not be used. Without that part it would be another rule, with dates (semantics 3.7). */
function lacksAPart({ partial, expandable, startDate, startTime }: Schedule): boolean {
  return !partial && !expandable && startDate !== undefined && startTime !== undefined;
}

/** Stands for no `@id`, as a blank node of JSON-LD does: libical refuses a property without a value. */
export const BLANK = '_:';

/** The value and parameters of X-OPENACTIVE-ID, for an explicit session. */
export interface SessionSource {
  /** The `@id` of the session; empty: it states none. */
  id: string;
  /** The series it belongs to, by a short key. */
  series: string;
  previousStart?: Instant;
  /** The status is EventRescheduled, for which STATUS has no word. */
  rescheduled?: true;
}

/** The source of a session; undefined where its `@id` is no address. */
export function sessionSource(session: Session, series: Series): SessionSource | undefined {
  const { id, idStated, previousStart, status } = session;
  if ((idStated && !isAddress(id)) || series.type !== 'SessionSeries' || !isAddress(series.id)) return undefined;
  return {
    id: idStated ? id : '',
    series: shortKey(series),
    ...(previousStart !== undefined && { previousStart }),
    ...(status === 'EventRescheduled' && { rescheduled: true }),
  };
}

const shortKey = perObject(({ id }: Series): string => keyOf('series', id));

function isAddress(id: string): boolean {
  return /^https?:\/\//i.test(id);
}

const SCHEMA = 'https://schema.org/';
const UNITS: Record<RepeatUnit, string> = {
  day: 'D',
  week: 'W',
  month: 'M',
  year: 'Y',
  hour: 'H',
  minute: 'M',
  second: 'S',
};

/**
 * A Schedule record as JSON, the inverse of the reader in `opportunity/`, with the properties that the model requires. The
 * JSON has the meaning of the record. Read and written again, it is the same.
 */
export function scheduleJson(schedule: Schedule): JsonObject {
  if (schedule.partial) return jsonOf(schedule);
  const { startTime, endTime, duration, frequency } = schedule;
  const hasRule = frequency !== undefined || statedParts(schedule).length > 0;
  return jsonOf({
    ...schedule,
    ...(startTime !== undefined && duration && { endTime: endTime ?? (startTime + duration / 1000) % 86_400 }),
    ...(!hasRule && { frequency: { unit: 'day', every: 1 }, count: 1 }),
    except: ofOneKind(schedule),
  });
}

/** The exceptions as dates or as times, because the model forbids both: a date becomes the starts of its instances. */
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

function jsonOf(schedule: Schedule): JsonObject {
  const { frequency, count, startTime, endTime, duration, except } = schedule;
  return {
    '@type': schedule.partial ? 'PartialSchedule' : 'Schedule',
    ...(schedule.id !== undefined && { '@id': schedule.id }),
    ...(frequency && { repeatFrequency: frequencyText(frequency) }),
    ...partsJson(schedule),
    ...(count !== undefined && { repeatCount: count }),
    ...(schedule.startDate !== undefined && { startDate: schedule.startDate }),
    ...(schedule.endDate !== undefined && { endDate: endDateText(schedule.endDate, schedule.lastTime) }),
    ...(startTime !== undefined && { startTime: timeText(startTime) }),
    ...(endTime !== undefined && { endTime: timeText(endTime) }),
    ...(duration !== undefined && schedule.endsByClock !== true && { duration: durationValue(duration) }),
    ...(except.length > 0 && { exceptDate: except.map((one) => ('date' in one ? one.date : utcText(one.instant))) }),
    ...((schedule.zoneStated || !schedule.partial) && { scheduleTimezone: schedule.zone }),
    ...(!schedule.partial && { scheduledEventType: schedule.eventType }),
    ...(schedule.idTemplate !== undefined && { idTemplate: schedule.idTemplate }),
    ...(schedule.urlTemplate !== undefined && { urlTemplate: schedule.urlTemplate }),
  };
}

function partsJson(schedule: Schedule): JsonObject {
  const { byDay, byMonth, byMonthDay } = schedule;
  const json: Record<RulePart, Json[]> = { byDay: byDay.map(byDayText), byMonth, byMonthDay };
  return Object.fromEntries(statedParts(schedule).map((part) => [part, json[part]]));
}

/** A date, or the last local time. */
function endDateText(date: LocalDate, time: number | undefined): string {
  return time === undefined ? date : `${date}T${timeText(time)}`;
}

function frequencyText({ unit, every }: { unit: RepeatUnit; every: number }): string {
  const isTime = unit === 'hour' || unit === 'minute' || unit === 'second';
  return `P${isTime ? 'T' : ''}${every}${UNITS[unit]}`;
}

/** Days by their address; numbered ones as iCalendar has them, which the model allows. */
function byDayText({ day, ordinal }: { day: Weekday; ordinal?: number }): string {
  return ordinal === undefined ? `${SCHEMA}${WEEKDAYS[day]}` : `${ordinal}${WEEKDAY_CODES[day]}`;
}
