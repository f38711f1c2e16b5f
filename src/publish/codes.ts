import type { Severity } from '../opportunity/findings.ts';
import type { PublishFinding } from './contract.ts';

/** What may be odd about a calendar or a mapping file: literal codes, with the sentence that says what to change. */

interface Rule {
  severity: Severity;
  rule: string;
  text: (facts: Record<string, string | number>) => string;
}

const RFC = (section: string) => `RFC 5545, section ${section}`;
const MODEL = 'OpenActive Modelling Opportunity Data 2.0: required properties';
const SCHEDULES = 'OpenActive: publishing event schedules';

export const PUBLISH_CODES = {
  'calendar-not-icalendar': {
    severity: 'error',
    rule: RFC('3.4'),
    text: () => 'Give the address of an iCalendar file: there is no VCALENDAR in this text.',
  },
  'calendar-too-large': {
    severity: 'error',
    rule: RFC('3.4'),
    text: ({ most }) => `Divide the calendar: what comes after ${most} was not read.`,
  },
  'calendar-too-much': {
    severity: 'error',
    rule: RFC('3.4'),
    text: ({ why }) => `Nothing of this calendar was published: reading it ${why}.`,
  },
  'component-unclosed': {
    severity: 'warning',
    rule: RFC('3.6'),
    text: ({ name }) => `Close BEGIN:${name} with an END of the same name: the calendar may have been cut off.`,
  },
  'component-stray-end': {
    severity: 'warning',
    rule: RFC('3.6'),
    text: ({ name }) => `Remove END:${name}: no component of this name is open here.`,
  },
  'line-unreadable': {
    severity: 'warning',
    rule: RFC('3.1'),
    text: ({ value }) => `Write lines as NAME;PARAMETER=value:value; this one was left out: ${value}`,
  },
  'line-too-long': {
    severity: 'warning',
    rule: RFC('3.1'),
    text: ({ most }) => `Shorten this line: it has more than ${most} characters and was left out.`,
  },
  'components-not-read': {
    severity: 'info',
    rule: RFC('3.6'),
    text: ({ count }) => `${count} components were not looked at: only events and availability are published.`,
  },
  'event-without-start': {
    severity: 'error',
    rule: RFC('3.8.2.4'),
    text: ({ value }) =>
      `Give the event a DTSTART that is a date or a date and time (found ${value}); it was left out.`,
  },
  'event-start-implausible': {
    severity: 'error',
    rule: RFC('3.8.2.4'),
    text: ({ value }) => `Correct DTSTART (${value}): only 1900 to 2199 can be published; the event was left out.`,
  },
  'event-private': {
    severity: 'info',
    rule: RFC('3.8.1.3'),
    text: () => 'The event is CLASS:PRIVATE or CONFIDENTIAL, so it is not published.',
  },
  'event-without-uid': {
    severity: 'warning',
    rule: RFC('3.8.4.7'),
    text: () =>
      'Give the event a UID that stays the same; one was made from its name and start, and changes with them.',
  },
  'event-without-name': {
    severity: 'warning',
    rule: RFC('3.8.1.12'),
    text: ({ used }) => `Give the event a SUMMARY; "${used}" was used.`,
  },
  'uid-twice': {
    severity: 'warning',
    rule: RFC('3.8.4.7'),
    text: ({ kept }) => `Give each event a UID of its own: several share this one; ${kept}.`,
  },
  'end-unusable': {
    severity: 'warning',
    rule: RFC('3.8.2.2'),
    text: ({ value }) => `Set DTEND or DURATION after DTSTART; ${value} was ignored.`,
  },
  'zone-unknown': {
    severity: 'warning',
    rule: RFC('3.2.19'),
    text: ({ value, used }) => `Use an IANA time zone, as Europe/London; "${value}" is unknown and ${used} was used.`,
  },
  'zone-not-iana': {
    severity: 'warning',
    rule: RFC('3.6.5'),
    text: ({ value }) =>
      `Use an IANA time zone: the definition of "${value}" is like none of them, so rules in it are written out.`,
  },
  'zone-guessed': {
    severity: 'info',
    rule: RFC('3.2.19'),
    text: ({ value, used }) => `The zone "${value}" was taken for ${used}.`,
  },
  'time-floating': {
    severity: 'info',
    rule: RFC('3.3.5'),
    text: ({ used }) => `Give times a zone: those without were taken as times of ${used}.`,
  },
  'date-unreadable': {
    severity: 'warning',
    rule: RFC('3.3.5'),
    text: ({ value }) => `Write dates as 20270131T180000 or 20270131; "${value}" was ignored.`,
  },
  'rule-unreadable': {
    severity: 'error',
    rule: RFC('3.3.10'),
    text: ({ value, why }) =>
      `Correct the RRULE (${why}): "${value}" was not followed, only the first date is published.`,
  },
  'rule-too-much': {
    severity: 'error',
    rule: RFC('3.3.10'),
    text: ({ why }) => `Make the RRULE simpler (${why}): only the first date is published.`,
  },
  'rule-start-not-in-rule': {
    severity: 'warning',
    rule: RFC('3.8.5.3'),
    text: () =>
      'Begin with a DTSTART that fits the RRULE: programs differ about it; it is published as a session of its own.',
  },
  'rule-until-date': {
    severity: 'info',
    rule: RFC('3.3.10'),
    text: () => 'Write UNTIL as a UTC time when DTSTART has a time; the whole of that day was included.',
  },
  'rule-count-and-until': {
    severity: 'warning',
    rule: RFC('3.3.10'),
    text: () => 'Give COUNT or UNTIL, not both; whichever ends first is used.',
  },
  'rule-written-out': {
    severity: 'info',
    rule: SCHEDULES,
    text: ({ why, count, until }) =>
      `No Schedule can say ${why}: it is a PartialSchedule with ${count} explicit sessions, until ${until}.`,
  },
  'whole-days': {
    severity: 'warning',
    rule: SCHEDULES,
    text: () =>
      'Give the event its times: it is published with dates only, as the calendar has it, where the data model asks for times.',
  },
  'rule-cut': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ most }) => `Divide the event: only ${most} of its dates are published.`,
  },
  'rule-without-dates': {
    severity: 'warning',
    rule: RFC('3.3.10'),
    text: () => 'Check the RRULE and its EXDATEs: they leave no date at all.',
  },
  'exrule-deprecated': {
    severity: 'warning',
    rule: 'RFC 2445, section 4.8.5.2; gone in RFC 5545',
    text: () => 'Use EXDATE instead of EXRULE.',
  },
  'exdate-of-day': {
    severity: 'warning',
    rule: RFC('3.8.5.1'),
    text: () => 'Write EXDATE with a time as DTSTART has one; every date on that day was excluded.',
  },
  'exdate-without-instance': {
    severity: 'info',
    rule: RFC('3.8.5.1'),
    text: ({ count }) => `${count} EXDATEs exclude nothing and were left out.`,
  },
  'range-this-and-future': {
    severity: 'info',
    rule: RFC('3.2.13'),
    text: () => 'RANGE=THISANDFUTURE: from here on the event is published as explicit sessions.',
  },
  'override-without-instance': {
    severity: 'warning',
    rule: RFC('3.8.4.4'),
    text: () => 'The RECURRENCE-ID names no date of the rule: the event is published as a session of its own.',
  },
  'override-without-master': {
    severity: 'info',
    rule: RFC('3.8.4.4'),
    text: () =>
      'The recurring event that this one changes is not in the calendar: it is published as a session of its own.',
  },
  'status-unknown': {
    severity: 'warning',
    rule: RFC('3.8.1.11'),
    text: ({ value }) => `Use TENTATIVE, CONFIRMED or CANCELLED as STATUS; "${value}" was ignored.`,
  },
  'status-tentative': {
    severity: 'info',
    rule: 'schema.org EventPostponed',
    text: () => 'STATUS:TENTATIVE is published as EventPostponed.',
  },
  'location-is-address': {
    severity: 'info',
    rule: MODEL,
    text: () =>
      'LOCATION is the address of an online meeting, which is not published; the mapping file names the place.',
  },
  'closing-rule-unsaid': {
    severity: 'warning',
    rule: 'OpenActive: publishing opening hours',
    text: ({ why }) => `Simplify the opening hours: ${why}.`,
  },
  'mark-outdated': {
    severity: 'info',
    rule: RFC('3.8.8.2'),
    text: () => 'The calendar was changed since this program wrote it: its rules and dates count, not the marks.',
  },
  'mapping-base-missing': {
    severity: 'error',
    rule: 'JSON-LD: @id is an absolute address',
    text: ({ used }) => `Set "base" in the mapping file, an address of your own; ${used} was used.`,
  },
  'mapping-value-missing': {
    severity: 'error',
    rule: MODEL,
    text: ({ property, name }) => `Set "${property}" in the mapping file: "${name}" has none, and it is required.`,
  },
  'too-many-sessions': {
    severity: 'error',
    rule: SCHEDULES,
    text: ({ most, left }) => `Publish fewer calendars at once: ${left} sessions beyond ${most} were left out.`,
  },
} as const satisfies Record<string, Rule>;

export type PublishCode = keyof typeof PUBLISH_CODES;

/** Makes a finding of a code. `place` is a line and property, or a path into the mapping file. */
export function findingOf(
  code: PublishCode,
  feed: string,
  item: string,
  place: string,
  facts: Record<string, string | number> = {},
): PublishFinding {
  const { severity, rule, text } = PUBLISH_CODES[code] as Rule;
  return { code, severity, feed, item, path: place, message: text(facts), rule };
}
