import type { Schedule } from '../../opportunity/records.ts';

/** Codes of an explanation, each with its words for people who run a timetable and do not know this program. */

/** Why an event has its form. */
export const EVENT_REASONS = {
  // One Schedule has become several rules (feed rules 7 and 14).
  'weekday-of-interval': 'Outlook holds no rule for every few days on given weekdays, so each weekday has one',
  'month-day': 'Outlook holds one day of the month in a rule',
  'nth-weekday': 'Outlook holds one nth weekday in a rule',
  'weekly-and-monthly': 'Outlook does not hold weekly and monthly dates in one rule',
  'month-of-year': 'Outlook holds one month of the year in a rule',
  season: 'Outlook holds no months in a daily or weekly rule, so each season has one',
  overlap: 'Outlook wants one occurrence to end before the next begins, so rules take turns',
  'same-as-earlier-schedule': 'an earlier schedule gives some of the dates',
  // An occurrence is an event of its own (semantics 4.3 and 4.4).
  'whole-days': 'it has dates and no times',
  'clock-change': 'the clocks change about then, and programs disagree on such hours',
  'no-instance': 'it stands for no date of a rule',
  'first-instance': 'some programs do not see a change of the first date of a rule',
  'counted-rule': 'some programs lose count where a date of a counted rule is changed',
  'past-neighbour': 'Outlook cannot hold a date that was moved past its neighbours',
  'within-a-day': 'programs cannot hold several dates on one day in a rule',
  'no-template': 'Outlook has no rule that gives its date',
  'long-interval': 'Outlook holds no rule with so long an interval',
} as const;
export type EventCode = keyof typeof EVENT_REASONS;

/** Why an occurrence that is shown is in no event of the calendar. */
export const ABSENCES = {
  'cancelled-long-ago': 'The calendar does not show it any more: it was cancelled, and more than 30 days have passed.',
  'implausible-date': 'The calendar does not show it: only the years 1970 to 2199 are written.',
  'outside-window': 'The calendar does not show it: it is outside the time asked for.',
  'calendar-too-large': 'The calendar does not show it: it would be too large for some programs.',
  'too-many-single-events': 'The calendar does not show it: the schedule has too many dates that no rule can hold.',
  'beyond-horizon': 'The calendar does not show it yet: dates that no rule can hold are written until 2050.',
} as const;
export type AbsentCode = keyof typeof ABSENCES;

/** Reasons that a status, or a time from the schedule, adds to a row. */
export const STATUSES = {
  cancelled: 'The session is cancelled.',
  postponed: 'The session is postponed.',
  rescheduled: 'The session says that it was rescheduled.',
  'time-from-schedule': 'What the session does not say of its time is that of the schedule.',
  'series-cancelled': 'The whole series is cancelled.',
  'series-postponed': 'The whole series is postponed.',
} as const;
export type StatusCode = keyof typeof STATUSES;

/** Why a schedule gives no occurrence (semantics 3): what programmers read, and what people read below the words of the rule. */
export const NOT_EXPANDED = {
  'partial-schedule': {
    reason: 'a PartialSchedule only tells people what is usual; the dates are those of the sessions',
    words: 'tells what is usual; gives no dates',
  },
  'no-start-date': {
    reason: 'it has no startDate that can be read',
    words: 'gives no dates: its first date is missing',
  },
  'no-start-time': {
    reason: 'it has no startTime that can be read',
    words: 'gives no dates: its time is missing',
  },
  'end-date-unusable': {
    reason: 'it has an endDate that cannot be read',
    words: 'gives no dates: its last date cannot be read',
  },
  'frequency-unusable': {
    reason: 'it has a repeatFrequency that cannot be used',
    words: 'gives no dates: how often it repeats cannot be read',
  },
  'by-day-unusable': {
    reason: 'its byDay has no weekday that can be used',
    words: 'gives no dates: none of its weekdays can be used',
  },
  'by-month-unusable': {
    reason: 'its byMonth has no month that can be used',
    words: 'gives no dates: none of its months can be used',
  },
  'by-month-day-unusable': {
    reason: 'its byMonthDay has no day that can be used',
    words: 'gives no dates: none of its days of the month can be used',
  },
  'count-unusable': {
    reason: 'it has a repeatCount that cannot be read',
    words: 'gives no dates: its number of dates cannot be read',
  },
  'too-many-schedules': {
    reason: 'the series has more schedules than are made into dates',
    words: 'gives no dates: there are more rules than can be followed',
  },
} as const;
export type ScheduleCode = keyof typeof NOT_EXPANDED;

/** The code for a property of a schedule that cannot be used. */
export const UNUSABLE: Record<NonNullable<Schedule['unusable']>, ScheduleCode> = {
  endDate: 'end-date-unusable',
  repeatFrequency: 'frequency-unusable',
  byDay: 'by-day-unusable',
  byMonth: 'by-month-unusable',
  byMonthDay: 'by-month-day-unusable',
  repeatCount: 'count-unusable',
};
