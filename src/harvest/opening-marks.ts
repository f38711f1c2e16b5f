import { attribution } from '../calendar/attribution.ts';
import { availability, availabilityUid, boundsAround } from '../calendar/availability.ts';
import { openingEvents } from '../calendar/opening-events.ts';
import { venueOf } from '../hours/venue.ts';
import { type Zone, zone } from '../recurrence/zone.ts';
import { type StoredVenue, venueIn } from '../store/venue.ts';
import type { SettleContext } from './context.ts';
import { type EventMarks, marksAfter } from './event-marks.ts';
import type { Next } from './revision.ts';

/**
 * SEQUENCE and time of change of the VAVAILABILITY and of each opening-hours event, as JSON of EventMarks: what shows the
 * same as before keeps its own when others move (semantics 6). undefined: nothing is known of the hours.
 */
export function openingMarks(
  stored: StoredVenue,
  earlier: string | undefined,
  next: Next,
  { compose, feeds, holidays }: SettleContext,
): string | undefined {
  const { record } = venueIn(stored);
  const venue = venueOf(venueIn(stored), { zone: zone(compose.zone) as Zone, holidays });
  const organizer = record.kind === 'facility' ? record.details.organizer?.name : undefined;
  const credit = attribution(feeds.get(stored.row.owner?.feed ?? '') ?? {}, organizer);
  const bounds = boundsAround(compose.today);
  const whole = availability(venue, bounds, UNSTAMPED);
  if (whole === undefined) return undefined;
  const events = openingEvents(venue, { bounds, ...(credit !== undefined && { attribution: credit }) });
  const before: EventMarks = earlier === undefined ? {} : JSON.parse(earlier);
  const shown = [...events, { uid: availabilityUid(venue), whole }];
  return JSON.stringify(marksAfter(before, shown, next).marks);
}

const UNSTAMPED = { sequence: 0, modified: 0 };
