import type { Instant } from '../../time/instant.ts';
import { isRegular, toInstant, toWall, type Wall, type Zone } from '../../time/zone.ts';
import type { Span } from '../objects.ts';
import { regularityOf } from '../rule/irregular.ts';

/** The span of a single event: in wall time of the zone where all readers take that alike, else in UTC. */
export function spanOf(z: Zone, start: Instant, end: Instant): Span {
  const wall = toWall(z, start);
  const length = end - start;
  const isSafe = !isUtc(z) && toInstant(z, wall) === start && regularityOf(z, wall, length) === 'regular';
  return isSafe ? { zone: z.id, start: wall, end: wall + length } : utcSpan(z, start, end);
}

/**
 * A span in UTC, which all readers take alike. Programs that show UTC on the calendar's own clock may lose which of two equal
 * hours was meant (x-wr-timezone with pytz). Such a span is written in Etc/GMT, a zone whose clocks never change.
 */
export function utcSpan(z: Zone, start: Instant, end: Instant): Span {
  const isTwice = !isRegular(z, toWall(z, start)) || !isRegular(z, toWall(z, end));
  return { zone: isTwice ? 'Etc/GMT' : 'UTC', start, end };
}

/** The span of a master or an override, with a TZID, which Outlook wants in every event that recurs (feed rule 4). */
export function wallSpan(z: Zone, start: Wall, length: number): Span {
  return { zone: masterZone(z), start, end: start + length };
}

/**
 * The TZID of a master: Etc/GMT for UTC. Under any name of UTC, x-wr-timezone (in recurring-ical-events) takes the times for
 * ones of X-WR-TIMEZONE, and moves a rule by that zone's summer time.
 */
export function masterZone(z: Zone): string {
  return isUtc(z) ? 'Etc/GMT' : z.id;
}

const UTC_NAMES = new Set(['UTC', 'UCT', 'Universal', 'Zulu', 'Etc/UTC', 'Etc/UCT', 'Etc/Universal', 'Etc/Zulu']);

function isUtc(z: Zone): boolean {
  return UTC_NAMES.has(z.id);
}
