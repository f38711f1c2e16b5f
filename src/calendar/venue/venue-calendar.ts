import { hasHours, type Venue } from '../../hours/venue.ts';
import type { Component } from '../../ical/tree.ts';
import { identOf } from '../../opportunity/identity.ts';
import { defined } from '../../opportunity/records.ts';
import { DAY_MS } from '../../time/days.ts';
import { toComponents, widen, type ZoneUse } from '../components.ts';
import type { HeaderOptions } from '../header.ts';
import type { Calendar, CalendarEvent, Revision } from '../objects.ts';
import { colorOf } from '../wording/colors.ts';
import { availability, type Bounds } from './availability.ts';
import type { BookableTime } from './bookable.ts';
import { type FreeBusyOptions, freeBusy, slotFreeBusy } from './freebusy.ts';
import { inOrder, openingEvents } from './opening-events.ts';

/**
 * The calendars of places and facilities: their opening hours in each of the three forms. A calendar usually has one venue, and
 * several where a file is converted. A venue without published hours has nothing in it, because it may be open.
 */

export type BoundsOf = (venue: Venue) => Bounds;

/**
 * Opening hours as plain transparent events, under a header of their own.
 *
 * @example
 * ```ts
 * const calendar = openingCalendar([venue], () => boundsAround('2026-03-01'), { zone: 'Europe/London' });
 * ```
 */
export function openingCalendar(venues: readonly Venue[], bounds: BoundsOf, options: HeaderOptions): Calendar {
  const { attribution } = options;
  const events = venues.flatMap((venue) => openingEvents(venue, { bounds: bounds(venue), attribution }));
  return venueCalendar(venues, inOrder(events), options);
}

/** Components of a calendar besides its events, and the zones they need: `more` of `toComponents`. */
export interface MoreComponents {
  components: Component[];
  zones: ReadonlyMap<string, ZoneUse>;
}

/**
 * One VAVAILABILITY for each venue, for a calendar of their own or beside their sessions.
 *
 * @example
 * ```ts
 * const revision = { sequence: 0, modified: Date.UTC(2026, 0, 1) };
 * const more = availabilityComponents([venue], () => boundsAround('2026-03-01'), revision);
 * console.log(write(toComponents(calendar, () => revision, more)));
 * ```
 */
export function availabilityComponents(venues: readonly Venue[], bounds: BoundsOf, revision: Revision): MoreComponents {
  const components: Component[] = [];
  const zones = new Map<string, ZoneUse>();
  for (const venue of venues) {
    const { from, to } = bounds(venue);
    const component = availability(venue, { from, to }, revision);
    if (component === undefined) continue;
    components.push(component);
    // Only weekly AVAILABLEs name a zone; the rest is in UTC.
    if (component.components.some(({ properties }) => properties.some(({ params }) => params !== undefined))) {
      widen(zones, venue.context.zone.id, from * DAY_MS, to * DAY_MS);
    }
  }
  return { components, zones };
}

/**
 * A calendar of VAVAILABILITYs alone (RFC 7953).
 *
 * @example
 * ```ts
 * const revision = { sequence: 0, modified: Date.UTC(2026, 0, 1) };
 * const options = { zone: 'Europe/London' };
 * console.log(write(availabilityCalendar([venue], () => boundsAround('2026-03-01'), revision, options)));
 * ```
 */
export function availabilityCalendar(
  venues: readonly Venue[],
  bounds: BoundsOf,
  revision: Revision,
  options: HeaderOptions,
): Component {
  const calendar = venueCalendar(venues, [], options);
  return toComponents(calendar, () => revision, availabilityComponents(venues, bounds, revision));
}

/**
 * A calendar of VFREEBUSYs: by slots for facilities that have some in `slots` (by the facility's ident), else by hours.
 *
 * @example
 * ```ts
 * const revision = { sequence: 0, modified: Date.UTC(2026, 0, 1) };
 * console.log(write(freeBusyCalendar([venue], freeBusyWindow('2026-03-01'), revision, { zone: 'Europe/London' })));
 * ```
 */
export function freeBusyCalendar(
  venues: readonly Venue[],
  window: FreeBusyOptions,
  revision: Revision,
  options: HeaderOptions & { slots?: ReadonlyMap<string, readonly BookableTime[]> },
): Component {
  const slotsOf = (venue: Venue) => (venue.kind === 'facility' ? options.slots?.get(identOf(venue.id)) : undefined);
  const components = venues.flatMap((venue) => {
    const slots = slotsOf(venue);
    const component =
      slots === undefined ? freeBusy(venue, window, revision) : slotFreeBusy(venue, slots, window, revision);
    return component ?? [];
  });
  const calendar = venueCalendar(venues, [], options, venues.some(slotsOf) ? FREE_TIMES : undefined);
  return toComponents(calendar, () => revision, { components, zones: new Map() });
}

/** The title of calendars with the free/busy of slots. */
export const FREE_TIMES = 'Free times';

/** `Opening hours: Belle Vue`, in a colour of its own, with the publisher's name. */
export function venueCalendar(
  venues: readonly Venue[],
  events: CalendarEvent[],
  options: HeaderOptions,
  title = 'Opening hours',
): Calendar {
  const known = venues.filter(hasHours);
  const [only] = known.length === 1 ? known : venues.length === 1 ? venues : [];
  const name = only?.name === undefined ? title : `${title}: ${only.name}`;
  return {
    name,
    ...defined({ description: options.attribution, url: only?.url, source: options.source }),
    zone: only?.context.zone.id ?? options.zone,
    color: colorOf(name),
    refresh: options.refresh ?? 'PT6H',
    events,
  };
}
