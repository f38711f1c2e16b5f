import { writtenOctets } from '../ical/write.ts';
import { eventComponent, toComponents } from './components.ts';
import type { Calendar, CalendarEvent, Revision } from './objects.ts';
import type { MoreComponents } from './venue/venue-calendar.ts';

/**
 * The octets of a calendar and of its events, as they are written. Which events are kept must not depend on how often they
 * changed, so SEQUENCE has seven digits here: a change a second for four months.
 */
const OFTEN: Revision = { sequence: 9_999_999, modified: 0 };

/** Octets of an event, without the calendar around it. */
export function eventOctets(event: CalendarEvent): number {
  return writtenOctets(eventComponent(event, OFTEN));
}

/** Octets of a calendar, with room for the address that it is served at. */
export function calendarOctets(calendar: Calendar, more?: MoreComponents): number {
  const source = calendar.source === undefined ? SOURCE : 0;
  return writtenOctets(toComponents(calendar, () => OFTEN, more)) + source;
}

/** A content line with the address of a series or a place. */
const SOURCE = 300;
/** VTIMEZONE of all years: that of Hebron has 13,838. */
const ZONE = 14_000;
/** The content lines of a header, without the texts. */
const HEADER = 1_000;

/** What a calendar has at most beside its events; quickly. `zones`: how many zones its events are in. */
export function mostBeside(
  { name, description, url, source, series = [] }: Calendar,
  zones: number,
  more?: MoreComponents,
): number {
  const texts = [name, name, description, description, url, source, ...series];
  // Three octets for a character, three for each of these in an address or two with an escape, and the folds.
  const header = texts.reduce((sum, text) => sum + (text?.length ?? 0) * 10, HEADER + SOURCE);
  const components = more?.components.reduce((sum, component) => sum + writtenOctets(component), 0) ?? 0;
  return header + components + (zones + (more?.zones.size ?? 0)) * ZONE;
}
