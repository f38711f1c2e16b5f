import { durationValue } from '../../ical/values.ts';
import type { JsonObject } from '../../opportunity/json.ts';
import type { Instant, OpeningHours, RepeatUnit, Schedule, Weekday } from '../../opportunity/records.ts';
import { utcText } from '../../recurrence/templates.ts';

/** Records as the JSON that feeds carry: the door (`opportunity/`) the other way round. */

const SCHEMA = 'https://schema.org/';
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const UNITS: Record<RepeatUnit, string> = {
  day: 'D',
  week: 'W',
  month: 'M',
  year: 'Y',
  hour: 'H',
  minute: 'M',
  second: 'S',
};

export function scheduleJson(schedule: Schedule): JsonObject {
  const { frequency, count, startTime, endTime, duration, except, byDay, byMonth, byMonthDay } = schedule;
  return {
    '@type': schedule.partial ? 'PartialSchedule' : 'Schedule',
    ...(frequency && { repeatFrequency: frequencyText(frequency) }),
    ...(byDay.length > 0 && { byDay: byDay.map(byDayText) }),
    ...(byMonth.length > 0 && { byMonth }),
    ...(byMonthDay.length > 0 && { byMonthDay }),
    ...(count !== undefined && { repeatCount: count }),
    ...(schedule.startDate !== undefined && { startDate: schedule.startDate }),
    ...(schedule.endDate !== undefined && { endDate: schedule.endDate }),
    ...(startTime !== undefined && { startTime: timeText(startTime) }),
    ...(endTime !== undefined && { endTime: timeText(endTime) }),
    ...(duration !== undefined && { duration: durationValue(duration) }),
    ...(except.length > 0 && { exceptDate: except.map((one) => ('date' in one ? one.date : utcText(one.instant))) }),
    scheduleTimezone: schedule.zone,
    ...(!schedule.partial && { scheduledEventType: schedule.eventType }),
    ...(schedule.idTemplate !== undefined && { idTemplate: schedule.idTemplate }),
    ...(schedule.urlTemplate !== undefined && { urlTemplate: schedule.urlTemplate }),
  };
}

function frequencyText({ unit, every }: { unit: RepeatUnit; every: number }): string {
  const isTime = unit === 'hour' || unit === 'minute' || unit === 'second';
  return `P${isTime ? 'T' : ''}${every}${UNITS[unit]}`;
}

/** Days by their address; numbered ones as iCalendar has them, which the model allows. */
function byDayText({ day, ordinal }: { day: Weekday; ordinal?: number }): string {
  return ordinal === undefined ? `${SCHEMA}${DAYS[day]}` : `${ordinal}${CODES[day]}`;
}

/** `HH:MM`; with seconds where there are some. Midnight at the end of a day is `24:00`. */
export function timeText(seconds: number): string {
  const parts = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    ...(seconds % 60 === 0 ? [] : [seconds % 60]),
  ];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Opening hours; all day is `00:00` to `23:59` (the specification's rule 6). */
export function hoursJson({ days, opens, closes, validFrom, validThrough, publicHolidays }: OpeningHours): JsonObject {
  const isAllDay = opens === 0 && closes === 86_400;
  const named = [...days.map((day) => `${SCHEMA}${DAYS[day]}`), ...(publicHolidays ? [`${SCHEMA}PublicHolidays`] : [])];
  return {
    '@type': 'OpeningHoursSpecification',
    ...(named.length > 0 && { dayOfWeek: named }),
    opens: timeText(opens),
    closes: isAllDay ? '23:59' : timeText(closes % 86_400),
    ...(validFrom !== undefined && { validFrom }),
    ...(validThrough !== undefined && { validThrough }),
  };
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
