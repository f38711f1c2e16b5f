import type { Wording } from '../read/model.ts';
import { hasPart } from './choice/words.ts';
import type { MappedCalendar, MappedChoice, Mapping } from './schema.ts';

/** The mapping as it holds for one calendar: its own lines before the general ones. */
export interface Mapped {
  mapping: Mapping;
  calendar: MappedCalendar | undefined;
  base: string;
}

/** Where ids begin that nobody has given an address of their own; the name can never be anybody's (RFC 6761). */
export const NO_BASE = 'https://calendar.invalid/';

export function mappedFor(mapping: Mapping, source: string): Mapped {
  const calendar = mapping.calendars.find((one) => hasPart(one.source, source));
  return { mapping, calendar, base: mapping.base ?? NO_BASE };
}

/** The lines of `events` that are about an event. */
export function linesAbout({ lines = [] }: Wording, { events }: Mapping): MappedChoice[] {
  return lines.flatMap((index) => events[index] ?? []);
}
