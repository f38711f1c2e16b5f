import { type Facts, type FindingRule, under } from '../opportunity/codes/rule.ts';
import type { Finding } from '../opportunity/findings.ts';

/** Findings about calendars and mapping files: literal codes, each with a sentence that names the change to make. */

const rfc = (section: string) => under(`RFC 5545, section ${section}`);
const required = under('OpenActive Modelling Opportunity Data 2.0: required properties');
const choices = under('Mapping file: events and include');
const schedules = under('OpenActive: publishing event schedules');

const PUBLISH_CODES = {
  'calendar-not-icalendar': rfc('3.4').error(
    'Give the address of an iCalendar file: there is no VCALENDAR in this text.',
  ),
  'calendar-too-large': rfc('3.4').error(
    'Divide the calendar: it has more than {most}, and nothing of it was published.',
  ),
  'calendar-too-much': rfc('3.4').error('Nothing new of this calendar was published: reading it {why}.'),
  'calendar-not-utf-8': rfc('3.1.4').warning('Save the calendar as UTF-8: it was read as {used}.'),
  'calendar-characters-lost': rfc('3.1.4').warning(
    'Save the calendar as UTF-8: {count} characters could not be read, and stand as \uFFFD.',
  ),
  'calendar-bare': rfc('3.4').info('Put the events between BEGIN:VCALENDAR and END:VCALENDAR.'),
  'calendar-cut': rfc('3.6').error(
    'Get the whole calendar: it ends within BEGIN:{name}; a component without its END is not published.',
  ),
  'component-unclosed': rfc('3.6').warning('Close BEGIN:{name} with an END of the same name.'),
  'component-stray-end': rfc('3.6').warning('Remove END:{name}: no component of this name is open here.'),
  'component-too-deep': rfc('3.6').warning(
    'Close the components around BEGIN:{name}; it lies too deep and was left out.',
  ),
  'line-unreadable': rfc('3.1').warning('Write lines as NAME;PARAMETER=value:value; this one was left out: {value}'),
  'line-too-long': rfc('3.1').warning('Shorten this line: it has more than {most} characters and was left out.'),
  'components-not-read': rfc('3.6').info(
    '{count} components were not looked at: only events and availability are published.',
  ),
  'event-without-start': rfc('3.8.2.4').error(
    'Give the event a DTSTART that is a date or a date and time (found {value}); it was left out.',
  ),
  'event-start-implausible': rfc('3.8.2.4').error(
    'Correct DTSTART ({value}): only 1900 to 2199 can be published; the event was left out.',
  ),
  'property-twice': rfc('3.6.1').warning('Give the event one {name} alone: "{used}" was used.'),
  'value-cut': rfc('3.8.1').warning('Shorten {name}: only its first {most} {unit} are published.'),
  'property-not-read': rfc('3.8.1').info(
    '{count} {name} were not published; say in DESCRIPTION what people should know.',
  ),
  'calendar-cancels': under('RFC 5546, section 3.2.5').info(
    'METHOD:CANCEL: the events of this calendar are published as EventCancelled.',
  ),
  'event-private': rfc('3.8.1.3').info('The event is CLASS:{value}, so it is not published.'),
  'event-left-out': choices.info('$.events[{index}] of the mapping file leaves this event out.'),
  'event-called-private': choices.warning(
    'The title calls the event private, so it is not published; a line of "events" in the mapping file with "as": "session" publishes it.',
  ),
  'event-all-day': choices.warning(
    'The event has no times, so it is not published; {"allDay": true, "as": "session"} in "events" of the mapping file publishes such events.',
  ),
  'event-closed': choices.warning(
    'The title says that something is closed, so it is no session; a line of "events" in the mapping file with "as": "cancellation" cancels what it covers, and "as": "closed" makes special opening hours.',
  ),
  'event-called-cancelled': choices.info('The title says that the event is cancelled: it is EventCancelled.'),
  'calendar-of-program': choices.info(
    'Birthdays and public holidays of a calendar program are not published; a line of "events" in the mapping file that names the "calendar" with "as": "session" publishes them.',
  ),
  'personal-left-out': choices.warning(
    '{what} in {property} were left out; "include": ["{detail}"] in the mapping file publishes them.',
  ),
  'attendees-left-out': rfc('3.8.4.1').info('ATTENDEEs of {count} events were left out; they are never published.'),
  'cancellation-without-sessions': choices.info('The event cancels sessions, and none is at that time.'),
  'closed-without-hours': choices.warning(
    'The event closes something, and nothing in the calendar says when it is open.',
  ),
  'event-without-uid': rfc('3.8.4.7').warning(
    'Give the event a UID that stays the same; one was made from its name and start, and changes with them.',
  ),
  'event-without-name': rfc('3.8.1.12').warning('Give the event a SUMMARY; "{used}" was used.'),
  'uid-twice': rfc('3.8.4.7').warning(
    'Give each event a UID of its own, and delete an event that is there twice: several share this one; {kept}.',
  ),
  'end-unusable': rfc('3.8.2.2').warning('Set DTEND or DURATION after DTSTART; {value} was ignored.'),
  'event-too-long': rfc('3.8.2.2').warning(
    'Check the end: the event lasts more than a year, and readers take such an end for a mistake.',
  ),
  'event-without-end': rfc('3.8.2.2').warning(
    'Give the event a DTEND or DURATION: without one it is published with a start alone.',
  ),
  'rule-without-end': under('OpenActive data model 2.x: Schedule').error(
    'Give the event a DTEND or DURATION: its Schedule has no endTime, which is required.',
  ),
  'end-without-zone': rfc('3.8.2.2').info('Give DTEND the TZID of DTSTART: it was taken as a time of {used}.'),
  'date-without-zone': rfc('3.8.5.1').info('Give {name} the TZID of DTSTART: it was taken as a time of {used}.'),
  'zone-unknown': rfc('3.2.19').warning(
    'Use an IANA time zone, as Europe/London; "{value}" is unknown and {used} was used.',
  ),
  'zone-not-iana': rfc('3.6.5').warning(
    'Use an IANA time zone: the definition of "{value}" is like none of them, so rules in it are written out.',
  ),
  'zone-guessed': rfc('3.2.19').info('The zone "{value}" was taken for {used}.'),
  'time-floating': rfc('3.3.5').info('Give times a zone: those without were taken as times of {used}.'),
  'date-unreadable': rfc('3.3.5').warning('Write dates as 20270131T180000 or 20270131; "{value}" was ignored.'),
  'dates-too-many': rfc('3.8.5').warning(
    'Divide the event: only the first {most} dates of its {name} lines were read.',
  ),
  'rule-unreadable': rfc('3.3.10').error('Correct the {name} ({why}): "{value}" was not followed, {kept}.'),
  'rule-too-much': rfc('3.3.10').error('Make the {name} simpler ({why}): it was not followed, {kept}.'),
  'rule-start-not-in-rule': rfc('3.8.5.3').warning(
    'Begin with a DTSTART that fits the RRULE: most programs do not show one that does not, and neither is it published.',
  ),
  'rule-until-date': rfc('3.3.10').info(
    'Write UNTIL as a UTC time when DTSTART has a time: the whole of that day was included, which most programs do not do.',
  ),
  'rule-count-and-until': rfc('3.3.10').warning('Give COUNT or UNTIL, not both; whichever ends first is used.'),
  'rule-written-out': schedules.info(
    'No Schedule can say {why}: it is a PartialSchedule with {count} explicit sessions, until {until}.',
  ),
  'whole-days': schedules.warning(
    'Give the event its times, in the calendar or by "startTime" and "endTime" in "events" of the mapping file: it is published with dates only, where the data model asks for times.',
  ),
  'rule-cut': schedules.warning('Divide the event: only {most} of its dates are published.'),
  'rule-without-dates': rfc('3.3.10').warning('Check the RRULE and its EXDATEs: they leave no date at all.'),
  'exrule-deprecated': under('RFC 2445, section 4.8.5.2; gone in RFC 5545').warning('Use EXDATE instead of EXRULE.'),
  'exrule-cut': under('RFC 2445, section 4.8.5.2; gone in RFC 5545').warning(
    'Use EXDATE instead of EXRULE: only its first {most} starts were counted, and what it excludes after them is published.',
  ),
  'exdate-of-day': rfc('3.8.5.1').warning(
    'Write EXDATE with a time as DTSTART has one; every date on that day was excluded.',
  ),
  'rdate-of-day': rfc('3.8.5.2').warning(
    'Write RDATE with a time as DTSTART has one; it was read as that day at the time of DTSTART.',
  ),
  'instance-of-day': rfc('3.8.4.4').info(
    'Write RECURRENCE-ID as DTSTART is written, with a time or without; it was taken for the instance of that day.',
  ),
  'exdate-without-instance': rfc('3.8.5.1').info('{count} EXDATEs exclude nothing and were left out.'),
  'range-this-and-future': rfc('3.2.13').info(
    'RANGE=THISANDFUTURE: from here on the event is published as explicit sessions.',
  ),
  'override-without-instance': rfc('3.8.4.4').warning(
    'The RECURRENCE-ID names no date of the rule: the event is published as a session of its own.',
  ),
  'override-without-master': rfc('3.8.4.4').info(
    'The recurring event that this one changes is not in the calendar: it is published as a session of its own.',
  ),
  'earlier-date-excepted': under('Schedules guide, Complementary ScheduledSession feed: rule 8').info(
    'The rule has changed since a date of it was changed or cancelled, so it has no other date on that day; delete that change in the calendar to have one.',
  ),
  'range-not-read': rfc('3.2.13').warning(
    'Use RANGE=THISANDFUTURE or none; RANGE={value} was ignored, and the event changes one date only.',
  ),
  'status-unknown': rfc('3.8.1.11').warning('Use TENTATIVE, CONFIRMED or CANCELLED as STATUS; "{value}" was ignored.'),
  'status-tentative': under('schema.org EventPostponed').info('STATUS:TENTATIVE is published as EventPostponed.'),
  'url-not-web': rfc('3.8.4.6').warning(
    'Give URL an address that begins with https:// or http://; "{value}" was left out.',
  ),
  'geo-unreadable': rfc('3.8.1.6').warning(
    'Write {name} as degrees of latitude and longitude, as {form}; "{value}" was left out.',
  ),
  'location-is-address': required.info(
    'LOCATION is the address of an online meeting: give the event GEO too if it is also at a place.',
  ),
  'price-unreadable': required.warning(
    'Write the price as one amount, as GBP 4.50 or free; "{value}" was left out, and "offers" in the mapping file says what it costs.',
  ),
  'mark-outdated': rfc('3.8.8.2').info(
    'The calendar was changed since this program wrote it: its rules and dates count, not the marks.',
  ),
  'findings-not-listed': rfc('3.4').info('{count} more findings {code} of this calendar are not listed.'),
  'mapping-base-missing': under('JSON-LD: @id is an absolute address').error(
    'Set "base" in the mapping file, an address of your own; {used} was used.',
  ),
  'mapping-value-missing': required.error(
    'Set "{property}" in the mapping file: "{name}" has none, and it is required.',
  ),
  'mapping-undecided': choices.warning('Decide what the starter mapping left open, then remove this $comment: {value}'),
  'mapping-placeholder': choices.error(({ value, question }) =>
    question === ''
      ? `Put your own in place of "${value}": it is an example, and is not published.`
      : `Decide, then remove this $comment (${question}): until then nothing of what stands here is published.`,
  ),
  'mapping-concept-unknown': under('OpenActive data model 2.x: activities and facility types').warning(
    ({ list, nearest, value }) =>
      `Name a concept of ${list}${nearest === '' ? '' : `, most likely ${nearest}`}; "${value}" is not in it, and is published as it is.`,
  ),
  'too-many-sessions': schedules.error(
    'Divide the calendar, or leave events out by the mapping file: {events} events with {left} sessions beyond {most} were not published, and what was published of them before stays.',
  ),
} satisfies Record<string, FindingRule>;

export type PublishCode = keyof typeof PUBLISH_CODES;

/**
 * `feed`: `CalendarText.source`, or `mapping`. `item`: the UID of the event, where there is one. `path`: line and property
 * (`line 12 RRULE`), or a JSON path into the mapping.
 */
export type PublishFinding = Omit<Finding, 'code'> & { code: PublishCode };

/** Makes a finding of a code. */
export function findingOf(
  code: PublishCode,
  feed: string,
  item: string,
  path: string,
  facts: Facts = {},
): PublishFinding {
  const { severity, rule, text } = PUBLISH_CODES[code];
  return { code, severity, feed, item, path, message: text(facts), rule };
}
