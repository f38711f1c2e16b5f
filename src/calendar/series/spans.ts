import type { Instant } from '../../time/instant.ts';
import { isRegular, toInstant, toWall, type Wall, type Zone } from '../../time/zone.ts';
import type { Span } from '../objects.ts';
import { regularityOf } from '../rule/irregular.ts';

/** A single event: in the zone's wall time where all readers take that alike, else in UTC. */
export function spanOf(z: Zone, start: Instant, end: Instant): Span {
  const wall = toWall(z, start);
  const length = end - start;
  const isSafe = !isUtc(z) && toInstant(z, wall) === start && regularityOf(z, wall, length) === 'regular';
  return isSafe ? { zone: z.id, start: wall, end: wall + length } : utcSpan(z, start, end);
}

/**
 * In UTC, which all read alike. But programs that show UTC on the calendar's own clock may then lose which of two hours was
 * meant (x-wr-timezone with pytz does). Such a start or end is named in a zone that never changes.
 */
export function utcSpan(z: Zone, start: Instant, end: Instant): Span {
  const isTwice = !isRegular(z, toWall(z, start)) || !isRegular(z, toWall(z, end));
  return { zone: isTwice ? 'Etc/GMT' : 'UTC', start, end };
}

/** A master or an override: always with a TZID, for Outlook wants one in whatever recurs (feed rule 4). */
export function wallSpan(z: Zone, start: Wall, length: number): Span {
  return { zone: masterZone(z), start, end: start + length };
}

/**
 * UTC goes by the name Etc/GMT. Under any of its own names x-wr-timezone (in recurring-ical-events) takes it for times that
 * X-WR-TIMEZONE should have named, and moves a rule by that zone's summer time.
 */
export function masterZone(z: Zone): string {
  return isUtc(z) ? 'Etc/GMT' : z.id;
}

const UTC_NAMES = new Set(['UTC', 'UCT', 'Universal', 'Zulu', 'Etc/UTC', 'Etc/UCT', 'Etc/Universal', 'Etc/Zulu']);

function isUtc(z: Zone): boolean {
  return UTC_NAMES.has(z.id);
}
