import { DAY_MS, type Day } from './days.ts';
import type { Instant } from './instant.ts';
import { toWall, type Zone } from './zone.ts';

/** Milliseconds after midnight until which an end belongs to the evening before. */
export const NIGHT_ENDS = 4 * 3_600_000;

interface Span {
  start: Instant;
  end?: Instant | undefined;
  /** Midnights in UTC of local dates, the end excluded. */
  allDay?: boolean | undefined;
}

/** The last local day of a span. A day in whose night the span ends does not count. */
export function lastDay({ start, end = start, allDay }: Span, zone: Zone): Day {
  const first = Math.floor((allDay ? start : toWall(zone, start)) / DAY_MS);
  const last = allDay ? end - 1 : toWall(zone, end) - NIGHT_ENDS - 1;
  return Math.max(first, Math.floor(last / DAY_MS));
}
