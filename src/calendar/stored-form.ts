import { recurrenceOf, recurrenceValue } from '../ical/recurrence.ts';
import type { Calendar, CalendarEvent } from './objects.ts';

/**
 * An event as stores know it: with the value of its RRULE line. The hash of what an event shows is made of this form
 * (semantics 6), and earlier releases kept a withdrawn calendar in it.
 */
export type StoredEvent = Omit<CalendarEvent, 'rrule'> & { rrule?: string };

export type StoredEvents = Omit<Calendar, 'events'> & { events: StoredEvent[] };

/** The same object where there is no rule. */
export function storedForm(event: Partial<CalendarEvent>): object {
  return event.rrule === undefined ? event : { ...event, rrule: recurrenceValue(event.rrule) };
}

/** The calendar that was stored so. */
export function fromStoredForm({ events, ...header }: StoredEvents): Calendar {
  return { ...header, events: events.map(eventOf) };
}

function eventOf({ rrule, ...event }: StoredEvent): CalendarEvent {
  return rrule === undefined ? event : { ...event, rrule: recurrenceOf(rrule) };
}
