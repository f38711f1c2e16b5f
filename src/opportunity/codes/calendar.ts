import { events, type FindingRule, schedules, templates, under } from './rule.ts';

/** `… has`, `3 such as … have` */
function some(id: string | number | undefined, count: string | number | undefined): string {
  return count === 1 ? `${id} has` : `${count} such as ${id} have`;
}

/** Findings of the planner about a series as a calendar. */
export const CALENDAR_CODES = {
  'schedule-without-occurrences': schedules.warning(
    'Give the Schedule dates on which it takes place: as it stands, no date fits "startDate", "endDate", "byDay", "byMonth", "byMonthDay" and "exceptDate" together.',
  ),
  'schedule-as-single-events': under('RFC 5545 3.3.10, as far as calendar programs understand it').info(
    'Prefer weekdays or one day of the month: this rule is written as {count} single events, because not every calendar program understands it.',
  ),
  'only-patterns': schedules.info(
    'Publish the sessions, or a Schedule: of a PartialSchedule no dates are made, so the series is listed with its usual times and has no calendar.',
    'a PartialSchedule only informs',
  ),
  'same-instance-twice': schedules.warning(
    'Let one Schedule alone give the occurrence at {start}: eventSchedule[{earlier}] has one with the same {same}, which is shown, and this one is not.',
  ),
  'exception-matches-nothing': schedules.warning(
    'Take {value} out of "{property}", or correct it: nothing of the Schedule starts then.',
  ),
  'session-time-from-schedule': events.warning(
    ({ id, count }) =>
      `Give sessions their own "startDate" and "endDate": ${some(id, count)} been given the time of the occurrence that this Schedule generates.`,
  ),
  'matched-by-id': templates.warning(
    ({ id, count }) =>
      `Write the time in the "@id" of sessions without fractions of a second, as "idTemplate" does: ${some(id, count)} been matched without them.`,
  ),
  'matched-by-start': templates.warning(
    ({ id, count }) =>
      `Give sessions the "@id" that "idTemplate" makes: ${some(id, count)} none, and replaced the occurrence that starts at the same time.`,
  ),
  'matched-by-previous-start': templates.warning(
    ({ id, count }) =>
      `Keep the "@id" when a session is rescheduled: ${some(id, count)} another, and replaced the occurrence at its "previousStartDate".`,
  ),
  'date-implausible': under('ISO 8601').warning(
    'Correct the date: {value} is written in no calendar, only the years 1970 to 2199 are.',
  ),
  'calendar-too-large': under('Limits of subscribed calendars').info(
    'Leave sessions that are long over, or far in the future, out of the feed: {omitted} of them do not fit into a calendar that all programs take.',
  ),
} satisfies Record<string, FindingRule>;
