import type { Recurrence } from '../ical/recurrence.ts';
import type { Instant } from '../time/instant.ts';
import type { Wall } from '../time/zone.ts';
import type { SessionSource } from './source-properties.ts';

/**
 * Calendar objects: what a calendar says, before it is text. Made by the planners of this room from records,
 * turned into component trees by `components.ts`, written by `ical/`. A pure function of records and options:
 * no clock, no randomness (semantics 6).
 */

/** A time span as it is written: wall times with TZID, or UTC when `zone` is `UTC`. */
export interface Span {
  zone: string;
  start: Wall;
  /** Exclusive; equal to `start`: no DTEND is written (a session without a known end). */
  end: Wall;
  /** DATE values: an all-day event. */
  allDay?: boolean;
}

export interface CalendarEvent {
  uid: string;
  /** Original start of the instance this overrides, as wall time in the master's zone. */
  recurrenceId?: { zone: string; wall: Wall };
  span: Span;
  /** At most one (feed rule 7). */
  rrule?: Recurrence;
  /** Wall times in `span.zone`, ascending, each a real instance (feed rule 12). */
  exdates?: Wall[];
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  summary: string;
  description?: string;
  location?: { title: string; address?: string; latitude?: number; longitude?: number };
  categories?: string[];
  url?: string;
  /** The explicit session behind the event (see source-properties.ts). */
  source?: SessionSource;
  /** TRANSP:TRANSPARENT: opening hours, cancelled and all-day events, a HeadlineEvent beside its parts. */
  transparent?: boolean;
}

/** Revision of one UID (semantics 6): SEQUENCE and DTSTAMP = LAST-MODIFIED. */
export interface Revision {
  sequence: number;
  modified: Instant;
}

/** The revision where no history is known: SEQUENCE 0, and a fixed DTSTAMP, because one from the clock would change each time. */
export const NO_HISTORY: Revision = { sequence: 0, modified: Date.UTC(2000, 0, 1) };

/** A whole calendar: header and events; masters before their overrides, ordered by DTSTART then UID. */
export interface Calendar {
  name: string;
  description?: string;
  url?: string;
  /** The address this calendar is subscribed at (SOURCE). */
  source?: string;
  zone: string;
  /** CSS3 colour name and the same as #RRGGBB. */
  color: { name: string; hex: string };
  /** X-OPENACTIVE-SERIES (source-properties.ts). */
  series?: string[];
  /** ISO 8601 duration for REFRESH-INTERVAL and X-PUBLISHED-TTL. */
  refresh: string;
  events: CalendarEvent[];
}
