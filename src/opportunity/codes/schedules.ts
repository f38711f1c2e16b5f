import { type FindingRule, schedules, templates, under } from './rule.ts';

/** Findings about Schedules. */
export const SCHEDULE_CODES = {
  'schedule-not-an-object': schedules.error(
    'Make each entry of "eventSchedule" a Schedule or PartialSchedule; found {value}.',
  ),
  'schedule-type-missing': schedules.warning('Give the entry its "@type"; it was read as a Schedule.'),
  'schedule-type-unknown': schedules.warning(
    'Use "Schedule" or "PartialSchedule" as "@type"; "{value}" was read as PartialSchedule.',
  ),
  'schedules-not-expanded': schedules.warning('Use fewer Schedules: of {count}, only the first {most} are expanded.'),
  'schedule-start-date-missing': schedules.error(
    'Give the Schedule a "startDate": without it there are no occurrences.',
  ),
  'schedule-start-time-missing': schedules.error(
    'Give the Schedule a "startTime": without it there are no occurrences.',
  ),
  'schedule-start-date-unusable': schedules.error(
    'Correct the "startDate": without knowing the first date, no occurrence was made.',
  ),
  'schedule-start-time-unusable': schedules.error(
    'Correct the "startTime": without knowing the time, no occurrence was made.',
  ),
  'schedule-end-date-unusable': schedules.error(
    'Correct the "endDate": without knowing the end, no occurrence was made.',
  ),
  'schedule-ends-before-start': schedules.error(
    'Set "endDate" ({end}) to or after "startDate" ({start}): there are no occurrences.',
  ),
  'frequency-inferred': schedules.warning(
    'Set "repeatFrequency" to {used}, which was inferred from "{property}".',
    'repeatFrequency is required',
  ),
  'schedule-without-rule': schedules.warning(
    'Give the Schedule a "repeatFrequency"; without it, "byDay", "byMonthDay" and "byMonth" it occurs once.',
    'repeatFrequency is required',
  ),
  'schedule-frequency-invalid': schedules.error(
    'Write "repeatFrequency" as P1D, P1W, P1M, P1Y or a multiple; found "{value}", and no occurrence was made.',
  ),
  'schedule-frequency-within-day': schedules.warning(
    'Use a "repeatFrequency" of days or more; "{value}" becomes single events, up to a limit.',
  ),
  'by-day-comma': schedules.warning('Give each day of "byDay" an element of its own; found "{value}".'),
  'by-day-public-holidays': schedules.warning(
    'Leave PublicHolidays out of "byDay": recurrence rules know no holidays, and it gave no occurrence.',
  ),
  'by-day-unknown': schedules.error('Use days such as https://schema.org/Monday in "byDay"; "{value}" was left out.'),
  'by-day-ordinal-ignored': under('RFC 5545, section 3.3.10').warning(
    'Number days ("{value}") only where the frequency is months or years.',
  ),
  'by-day-unusable': schedules.error(
    'Name a weekday in "byDay": it has none that can be used, and no occurrence was made.',
  ),
  'by-month-week-ignored': under('schema.org/byMonthWeek: a number from 1 to 5, together with "byDay"').warning(
    'Use 1 to 5, or -1 for the last, in "byMonthWeek", with weekdays in "byDay" and months as "repeatFrequency"; {value} was ignored.',
  ),
  'by-month-invalid': schedules.error('Use 1 to 12 in "byMonth"; found {value}.'),
  'by-month-day-invalid': schedules.error(
    'Use 1 to 31, or -1 to -31 from the end of the month, in "byMonthDay"; found {value}.',
  ),
  'rule-part-unusable': schedules.error(
    'Correct "{property}", or leave it out: it has no value that can be used, and no occurrence was made.',
  ),
  'schedule-count-unreadable': schedules.error(
    'Write "repeatCount" as a whole number, or leave it out; found "{value}", and no occurrence was made.',
    'repeatCount is at least 1',
  ),
  'schedule-count-invalid': schedules.warning(
    'Set "repeatCount" to 1 or more, or leave it out; {value} was ignored.',
    'repeatCount is at least 1',
  ),
  'schedule-count-too-large': schedules.warning('Set "repeatCount" to {most} at most; found {value}.'),
  'schedule-count-and-end': under('RFC 5545, section 3.3.10: UNTIL and COUNT must not both occur').info(
    'Give "repeatCount" or "endDate", not both; whichever ends first is used.',
  ),
  'schedule-duration-conflict': schedules.warning(
    'Make "duration" ({duration}) agree with "startTime" and "endTime" ({start}–{end}); the duration was used.',
  ),
  'schedule-same-times': schedules.warning(
    'Give the Schedule a "duration", or correct "endTime": {value} as both start and end was read as 24 hours.',
  ),
  'schedule-without-length': schedules.warning(
    'Give the Schedule a "duration": nobody knows when its occurrences end.',
    'duration',
  ),
  'schedule-timezone-missing': schedules.warning(
    'Give the Schedule a "scheduleTimezone"; it was read in the zone of its place, else of another Schedule, else of the settings.',
    'scheduleTimezone is required',
  ),
  'except-date-without-zone': schedules.warning(
    'End the "exceptDate" {value} with Z; it was read as local time of the Schedule.',
  ),
  'except-date-in-local-time': schedules.warning(
    'Write {used} in "exceptDate": {value} is the local time of an occurrence labelled as UTC, and was read as that.',
    'exceptDate is an instant',
  ),
  'except-date-at-midnight': schedules.warning(
    'Write {used} in "exceptDate": {value} is a midnight at which nothing starts, and was read as that date.',
    'exceptDate is a date or the start of an occurrence',
  ),
  'schedule-start-not-in-rule': under('RFC 5545, section 3.8.5.3: DTSTART is in the set of the rule').info(
    'Set "startDate" to the first occurrence, {used}: {start} is none of the days that the Schedule repeats on.',
  ),
  'scheduled-event-type-missing': schedules.warning('Give the Schedule a "scheduledEventType"; {used} was used.'),
  'scheduled-event-type-unexpected': schedules.warning('Set "scheduledEventType" to {used} here; found "{value}".'),
  'template-unusable': templates.error(
    ({ property, value }) =>
      `Use {startDate}, and besides it only {endDate}, in an absolute "${property}"; found "${value}", which was not used.`,
  ),
} satisfies Record<string, FindingRule>;
