import { timeText } from '../../calendar/marks.ts';

export { scheduleJson } from '../../calendar/marks.ts';

import { durationValue } from '../../ical/values.ts';
import type { JsonObject } from '../../opportunity/json.ts';
import type { Instant, OpeningHours } from '../../opportunity/records.ts';
import { utcText } from '../../recurrence/templates.ts';

/** Records as the JSON that feeds carry: the door (`opportunity/`) the other way round. */

const SCHEMA = 'https://schema.org/';
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

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
