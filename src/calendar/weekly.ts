import type { HoursRun } from '../hours/runs.ts';
import type { Zone } from '../recurrence/zone.ts';
import { rruleValue } from './rrule.ts';

/** The RRULE of a run of opening hours; undefined when it is of one day only. */
export function weeklyRule({ first, last, days, start }: HoursRun, zone: Zone): string | undefined {
  if (first === last) return undefined;
  const byDay = days.map((day) => ({ day }));
  const rule = { unit: 'week', every: 1, byDay, byMonth: [], byMonthDay: [], firstDay: first, time: start } as const;
  return rruleValue({ rule, first, last, counted: false }, zone);
}
