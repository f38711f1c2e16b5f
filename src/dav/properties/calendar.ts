import { calendarAround } from '../../calendar/components.ts';
import { vtimezone } from '../../ical/timezone.ts';
import type { Component } from '../../ical/tree.ts';
import { writeBytes } from '../../ical/write.ts';
import { TABLE_END, zone } from '../../time/zone.ts';
import type { CalendarResource } from '../resource.ts';
import { escaped } from '../xml/write.ts';

/** Values of a calendar's own properties that are more than a field of it. */

const decoder = new TextDecoder();

function calendarText(components: Component[]): string {
  return escaped(decoder.decode(writeBytes(calendarAround(components))));
}

/** Outlook reads the latest rule alone: what was before is left out (feed rule 6). */
const CURRENT_RULES = Date.UTC(2020, 0, 1);

const timezones = new Map<string, string | undefined>();

/** RFC 4791 5.2.2: an iCalendar object with one VTIMEZONE. Of UTC there is none. */
export function timezoneText(name: string): string | undefined {
  if (!timezones.has(name)) {
    const z = name === 'UTC' ? undefined : zone(name);
    timezones.set(name, z && calendarText([vtimezone(z, CURRENT_RULES, TABLE_END)]));
  }
  return timezones.get(name);
}

/** VAVAILABILITY of a place or facility (RFC 7953), with the zones that it needs. */
export function availabilityText({ collection }: CalendarResource): string | undefined {
  const { availability } = collection;
  if (availability === undefined || availability.components.length === 0) return undefined;
  const zones = [...availability.zones].flatMap(([name, { from, to }]) => {
    const z = zone(name);
    return z === undefined ? [] : [vtimezone(z, from, to)];
  });
  return calendarText([...zones, ...availability.components]);
}

/** `#RRGGBBAA`, as Apple's programs write it. */
export function colorText(hex: string): string {
  return escaped(hex.length === 7 ? `${hex.toUpperCase()}FF` : hex.toUpperCase());
}

/** An ISO 8601 duration, as the property of Apple has it. */
export function durationText(duration: string): string {
  return escaped(duration);
}
