import type { Wording } from '../read/model.ts';
import { hasPart } from './choice/words.ts';
import type { MappedCalendar, MappedChoice, Mapping } from './schema.ts';

/** The mapping for one calendar: its own lines before the general ones. */
export interface Mapped {
  mapping: Mapping;
  calendar: MappedCalendar | undefined;
  base: string;
}

/** The base of ids without an address of their own, on a name that nobody can own (RFC 6761). */
export const NO_BASE = 'https://calendar.invalid/';

export function mappedFor(mapping: Mapping, source: string): Mapped {
  const calendar = mapping.calendars.find((one) => hasPart(one.source, source));
  return { mapping, calendar, base: mapping.base ?? NO_BASE };
}

/** The lines of `events` that are about an event. */
export function linesAbout({ lines = [] }: Wording, { events }: Mapping): MappedChoice[] {
  return lines.flatMap((index) => events[index] ?? []);
}
