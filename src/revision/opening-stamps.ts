import { availability, availabilityUid, boundsAround } from '../calendar/venue/availability.ts';
import { openingEvents } from '../calendar/venue/opening-events.ts';
import { attribution } from '../calendar/wording/attribution.ts';
import { venueOf } from '../hours/venue.ts';
import { IN_SESSIONS, type StoredEvents, type StoredVenue, stampsIn, stampsOn, venueIn } from '../store/index.ts';
import { type Zone, zone } from '../time/zone.ts';
import { type Next, stampsAfter } from './changed-events.ts';
import type { RevisionContext } from './context.ts';

/**
 * Stamps of the VAVAILABILITY and of each opening-hours event; each keeps its SEQUENCE and time while it is unchanged
 * (semantics 6). None where the venue has no hours. `differ`: a stamp is new.
 */
export function openingStamps(
  stored: StoredVenue,
  earlier: StoredEvents,
  next: Next,
  { compose, feeds, holidays }: RevisionContext,
): { events: StoredEvents; differ: boolean } {
  const { record } = venueIn(stored);
  const venue = venueOf(venueIn(stored), { zone: zone(compose.zone) as Zone, holidays });
  const organizer = record.kind === 'facility' ? record.details.organizer?.name : undefined;
  const credit = attribution(feeds.get(stored.row.owner?.feed ?? '') ?? {}, organizer);
  const bounds = boundsAround(compose.today);
  const whole = availability(venue, bounds, { sequence: 0, modified: 0 });
  if (whole === undefined) return { events: IN_SESSIONS, differ: earlier.kind !== 'sessions' };
  const events = openingEvents(venue, { bounds, ...(credit !== undefined && { attribution: credit }) });
  const shown = [...events, { uid: availabilityUid(venue), whole }];
  const { stamps, differ } = stampsAfter(stampsIn(earlier) ?? {}, shown, next);
  return { events: stampsOn(stamps), differ };
}
