/**
 * openactive-ical as a library: the pure part, for people who embed it. Nothing here does I/O or reads a clock; results do
 * not depend on the time zone of the process.
 *
 * ```ts
 * import { join, occurrences, planSeries, readInput, seriesCalendar, toComponents, write } from 'openactive-ical';
 *
 * const { records } = readInput(text, { zone: 'Europe/London', feed: 'https://example.org/feed' });
 * for (const { series, sessions } of join(records).series) {
 *   const { events } = planSeries(series, sessions, { zone: 'Europe/London' });
 *   const calendar = seriesCalendar(series, events, { zone: 'Europe/London' });
 *   console.log(write(toComponents(calendar, () => ({ sequence: 0, modified: Date.parse('2026-01-01T00:00:00Z') }))));
 * }
 * ```
 *
 * `openactive-ical/ical-generator` gives the same events as event data for ical-generator.
 */

// What feeds say: pages, items, records and findings.

export { type Cleaned, type CleanOptions, cleanItem, type RankedRecord } from './opportunity/clean.ts';
export {
  FINDINGS,
  type Finding,
  type FindingCode,
  finish,
  type RawFinding,
  type Severity,
} from './opportunity/findings.ts';
export { keyOf } from './opportunity/identity.ts';
export { compareModified, type Page, PageError, parsePage, type RpdeItem } from './opportunity/page/page.ts';
export type * from './opportunity/records.ts';
export { inherit, statusIn } from './opportunity/records.ts';

// Whose record is shown, and which series a session belongs to.

export { type Input, readInput } from './join/input.ts';
export { type Claim, type Joined, join } from './join/join.ts';

// Rules and occurrences.

export { type Instance, instances } from './recurrence/expand.ts';
export { type Match, matchSessions, type Occurrence, occurrences } from './recurrence/overlay.ts';
export { ruleDays, ruleOf } from './recurrence/rule.ts';
export { fillTemplate, startFromId } from './recurrence/templates.ts';
export type { Rule } from './recurrence/types.ts';

// When a place is open, and the way back from periods to a specification.

export type { Hours } from './hours/decide.ts';
export { type HolidayCalendar, type HolidayRegion, holidayCalendar, parseHolidays } from './hours/holidays.ts';
export { type DaySpans, hoursOfDays, spansOfPeriods } from './hours/inverse.ts';
export { type HoursContext, type OpenPeriod, openPeriods } from './hours/periods.ts';
export { type DayHours, dayTable, type NextChange, nextChange, openAt, openTime } from './hours/questions.ts';
export { facilityVenue, hasHours, placeVenue, type Venue, type VenueDefaults } from './hours/venue.ts';

// Records to calendar objects.

export { type HeaderOptions, seriesCalendar } from './calendar/header.ts';
export type { Calendar, CalendarEvent, Revision, Span } from './calendar/objects.ts';
export { type Plan, type PlanOptions, planSeries } from './calendar/series/plan.ts';
export { availability, type Bounds, boundsAround, boundsOf } from './calendar/venue/availability.ts';
export { type FreeBusyOptions, freeBusy, freeBusyWindow, slotFreeBusy } from './calendar/venue/freebusy.ts';
export { type OpeningOptions, openingEvents } from './calendar/venue/opening-events.ts';
export {
  availabilityCalendar,
  availabilityComponents,
  freeBusyCalendar,
  openingCalendar,
} from './calendar/venue/venue-calendar.ts';
export { scheduleWords } from './calendar/wording/schedule-words.ts';

// Calendar objects to iCalendar.

export { toComponents } from './calendar/components.ts';
export type { Recurrence } from './ical/recurrence.ts';
export { vtimezone } from './ical/timezone.ts';
export type { Component, Property } from './ical/tree.ts';
export { write, writeBytes } from './ical/write.ts';

// Days, times and zones.

export type { Instant, LocalDate, Weekday } from './time/instant.ts';
export { toInstant, toWall, type Wall, type Zone, zone } from './time/zone.ts';

// Errors.

export { OpenactiveIcalError } from './errors.ts';
