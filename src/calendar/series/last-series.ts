import { recurrenceOf, recurrenceValue } from '../../ical/recurrence.ts';
import type { Series, Session } from '../../opportunity/records.ts';
import { DAY_MS, dateOfDay } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import type { Calendar, CalendarEvent } from '../objects.ts';
import { type ComposeOptions, composeSeries } from './compose.ts';

/** A series as it was when its publisher withdrew it: everything that its calendar is made of. */
export interface LastSeries {
  series: Series;
  sessions: Session[];
  /** Number of further sessions, which no calendar could hold. */
  unread: number;
  attribution?: string;
}

/** The calendar of a withdrawn series: the past as it was, the future cancelled (semantics 6), as on the day of the withdrawal. */
export function lastCalendar(
  { series, sessions, unread, attribution }: LastSeries,
  withdrawn: Instant,
  compose: Omit<ComposeOptions, 'attribution' | 'today'>,
): Calendar {
  const today = dateOfDay(Math.floor(withdrawn / DAY_MS));
  return composeSeries(series, sessions, { ...compose, today, attribution, unread, withdrawn }).calendar;
}

/**
 * An event in its stored form, with the value of its RRULE line. The hash of an event is made of this form (semantics 6), and
 * earlier releases kept withdrawn calendars in it.
 */
type StoredEvent = Omit<CalendarEvent, 'rrule'> & { rrule?: string };

/** A withdrawn calendar as earlier releases kept it. */
export type KeptCalendar = Omit<Calendar, 'events'> & { events: StoredEvent[] };

/** An event in the form in which it is stored; without a rule the same object. */
export function storedForm(event: Partial<CalendarEvent>): object {
  return event.rrule === undefined ? event : { ...event, rrule: recurrenceValue(event.rrule) };
}

/** A calendar out of its stored form. */
export function fromStoredForm({ events, ...header }: KeptCalendar): Calendar {
  const eventOf = ({ rrule, ...event }: StoredEvent) => ({
    ...event,
    ...(rrule !== undefined && { rrule: recurrenceOf(rrule) }),
  });
  return { ...header, events: events.map(eventOf) };
}
