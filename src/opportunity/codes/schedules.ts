import type { FindingRule } from './rule.ts';

const MODEL = 'Modelling Opportunity Data 2.0';
const SCHEDULES = `${MODEL}, Publishing event schedules`;
const TEMPLATES = 'Schedules guide, Complementary ScheduledSession feed';

/** What is found about Schedules. */
export const SCHEDULE_CODES = {
  'schedule-not-an-object': {
    severity: 'error',
    rule: SCHEDULES,
    text: ({ value }) => `Make each entry of "eventSchedule" a Schedule or PartialSchedule; found ${value}.`,
  },
  'schedule-type-missing': {
    severity: 'warning',
    rule: SCHEDULES,
    text: () => 'Give the entry its "@type"; it was read as a Schedule.',
  },
  'schedule-type-unknown': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ value }) => `Use "Schedule" or "PartialSchedule" as "@type"; "${value}" was read as PartialSchedule.`,
  },
  'schedules-not-expanded': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ most, count }) => `Use fewer Schedules: of ${count}, only the first ${most} are expanded.`,
  },
  'schedule-start-date-missing': {
    severity: 'error',
    rule: SCHEDULES,
    text: () => 'Give the Schedule a "startDate": without it there are no occurrences.',
  },
  'schedule-start-time-missing': {
    severity: 'error',
    rule: SCHEDULES,
    text: () => 'Give the Schedule a "startTime": without it there are no occurrences.',
  },
  'schedule-end-date-unusable': {
    severity: 'error',
    rule: SCHEDULES,
    text: () => 'Correct the "endDate": without knowing the end, no occurrence was made.',
  },
  'schedule-ends-before-start': {
    severity: 'error',
    rule: SCHEDULES,
    text: ({ start, end }) => `Set "endDate" (${end}) to or after "startDate" (${start}): there are no occurrences.`,
  },
  'frequency-inferred': {
    severity: 'warning',
    rule: `${SCHEDULES}: repeatFrequency is required`,
    text: ({ property, used }) => `Set "repeatFrequency" to ${used}, which was inferred from "${property}".`,
  },
  'schedule-without-rule': {
    severity: 'warning',
    rule: `${SCHEDULES}: repeatFrequency is required`,
    text: () =>
      'Give the Schedule a "repeatFrequency"; without it, "byDay", "byMonthDay" and "byMonth" it occurs once.',
  },
  'schedule-frequency-invalid': {
    severity: 'error',
    rule: SCHEDULES,
    text: ({ value }) =>
      `Write "repeatFrequency" as P1D, P1W, P1M, P1Y or a multiple; found "${value}", and no occurrence was made.`,
  },
  'schedule-frequency-within-day': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ value }) => `Use a "repeatFrequency" of days or more; "${value}" becomes single events, up to a limit.`,
  },
  'by-day-comma': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ value }) => `Give each day of "byDay" an element of its own; found "${value}".`,
  },
  'by-day-public-holidays': {
    severity: 'warning',
    rule: SCHEDULES,
    text: () => 'Leave PublicHolidays out of "byDay": recurrence rules know no holidays, and it gave no occurrence.',
  },
  'by-day-unknown': {
    severity: 'error',
    rule: SCHEDULES,
    text: ({ value }) => `Use days such as https://schema.org/Monday in "byDay"; "${value}" was left out.`,
  },
  'by-day-ordinal-ignored': {
    severity: 'warning',
    rule: 'RFC 5545, section 3.3.10',
    text: ({ value }) => `Number days ("${value}") only where the frequency is months or years.`,
  },
  'by-day-unusable': {
    severity: 'error',
    rule: SCHEDULES,
    text: () => 'Name a weekday in "byDay": it has none that can be used, and no occurrence was made.',
  },
  'by-month-week-ignored': {
    severity: 'warning',
    rule: 'schema.org/byMonthWeek: a number from 1 to 5, together with "byDay"',
    text: ({ value }) =>
      `Use 1 to 5, or -1 for the last, in "byMonthWeek", with weekdays in "byDay" and months as "repeatFrequency"; ${value} was ignored.`,
  },
  'by-month-invalid': {
    severity: 'error',
    rule: SCHEDULES,
    text: ({ value }) => `Use 1 to 12 in "byMonth"; found ${value}.`,
  },
  'by-month-day-invalid': {
    severity: 'error',
    rule: SCHEDULES,
    text: ({ value }) => `Use 1 to 31 in "byMonthDay"; found ${value}.`,
  },
  'schedule-count-invalid': {
    severity: 'warning',
    rule: `${SCHEDULES}: repeatCount is at least 1`,
    text: ({ value }) => `Set "repeatCount" to 1 or more, or leave it out; ${value} was ignored.`,
  },
  'schedule-count-too-large': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ value, most }) => `Set "repeatCount" to ${most} at most; found ${value}.`,
  },
  'schedule-count-and-end': {
    severity: 'info',
    rule: 'RFC 5545, section 3.3.10: UNTIL and COUNT must not both occur',
    text: () => 'Give "repeatCount" or "endDate", not both; whichever ends first is used.',
  },
  'schedule-duration-conflict': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ duration, start, end }) =>
      `Make "duration" (${duration}) agree with "startTime" and "endTime" (${start}–${end}); the duration was used.`,
  },
  'schedule-without-length': {
    severity: 'warning',
    rule: `${SCHEDULES}: duration`,
    text: () => 'Give the Schedule a "duration": nobody knows when its occurrences end.',
  },
  'schedule-timezone-missing': {
    severity: 'warning',
    rule: `${SCHEDULES}: scheduleTimezone is required`,
    text: () =>
      'Give the Schedule a "scheduleTimezone"; it was read in the zone of its place, else of another Schedule, else of the settings.',
  },
  'except-date-without-zone': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ value }) => `End the "exceptDate" ${value} with Z; it was read as local time of the Schedule.`,
  },
  'except-date-in-local-time': {
    severity: 'warning',
    rule: `${SCHEDULES}: exceptDate is an instant`,
    text: ({ value, used }) =>
      `Write ${used} in "exceptDate": ${value} is the local time of an occurrence labelled as UTC, and was read as that.`,
  },
  'schedule-start-not-in-rule': {
    severity: 'info',
    rule: 'RFC 5545, section 3.8.5.3: DTSTART is in the set of the rule',
    text: ({ start, used }) =>
      `Set "startDate" to the first occurrence, ${used}: ${start} is none of the days that the Schedule repeats on.`,
  },
  'scheduled-event-type-missing': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ used }) => `Give the Schedule a "scheduledEventType"; ${used} was used.`,
  },
  'scheduled-event-type-unexpected': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ value, used }) => `Set "scheduledEventType" to ${used} here; found "${value}".`,
  },
  'template-unusable': {
    severity: 'error',
    rule: TEMPLATES,
    text: ({ property, value }) =>
      `Use {startDate}, and besides it only {endDate}, in an absolute "${property}"; found "${value}", which was not used.`,
  },
} as const satisfies Record<string, FindingRule>;
