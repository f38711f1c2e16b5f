import { EARLIEST, LATEST } from '../../calendar/rule/instances.ts';
import { utcInstant } from '../../ical/values.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import { type Zone, zone } from '../../time/zone.ts';
import { unmet } from '../refusal.ts';
import { CALDAV } from '../xml/names.ts';
import { childOf, type Element } from '../xml/read.ts';

/** Windows of queries, and the zone of times without one. */

/** `start` and `end` of a `time-range`, `expand` and the like (RFC 4791 9.9). One of them may be absent where `isOpen`. */
export function windowOf({ attributes, local }: Element, condition: string, isOpen = false): InstantWindow {
  const from = momentOf(attributes.get('start'), local, condition);
  const to = momentOf(attributes.get('end'), local, condition);
  const isMissing = isOpen ? from === undefined && to === undefined : from === undefined || to === undefined;
  if (isMissing) throw unmet(condition, `${local} needs ${isOpen ? 'start or end' : 'start and end'}.`);
  const window = { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY };
  if (window.to <= window.from) throw unmet(condition, `The end of ${local} must be after its start.`);
  // Zone tables end: an empty answer to a window wholly outside would mean that nothing takes place then.
  if (window.to <= EARLIEST)
    throw unmet('C:min-date-time', `${local} ends before the earliest time that is known here.`);
  if (window.from >= LATEST)
    throw unmet('C:max-date-time', `${local} begins after the latest time that is known here.`);
  return window;
}

function momentOf(text: string | undefined, local: string, condition: string): Instant | undefined {
  if (text === undefined) return undefined;
  const instant = utcInstant(text);
  if (instant === undefined)
    throw unmet(condition, `${local} has "${text.slice(0, 40)}": a UTC time as 20261121T183000Z is needed.`);
  return instant;
}

/**
 * The zone of dates without a time in a query: that of its `timezone` or `timezone-id` (RFC 4791 9.8, RFC 7809 6), else that
 * of the calendar.
 */
export function zoneOfQuery(query: Element, calendarZone: string): Zone {
  const id = childOf(query, CALDAV, 'timezone-id')?.text.trim();
  if (id !== undefined) {
    const named = zone(id);
    if (named === undefined)
      throw unmet('C:valid-timezone', `"${id.slice(0, 80)}" is no time zone of the IANA database.`);
    return named;
  }
  const object = childOf(query, CALDAV, 'timezone');
  return (object && zone(tzidIn(object.text))) ?? (zone(calendarZone) as Zone);
}

/**
 * The TZID of the one VTIMEZONE of an iCalendar object, whose names have no case (RFC 5545 1.2). Programs of Apple send their
 * own VTIMEZONE under the name of the IANA database.
 */
function tzidIn(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const upper = lines.map((line) => line.toUpperCase());
  const [begins, ends] = ['BEGIN', 'END'].map((edge) => upper.filter((line) => line === `${edge}:VTIMEZONE`).length);
  const tzid = lines.flatMap((line) => /^TZID[^:]*:(.+)$/i.exec(line)?.[1] ?? [])[0];
  const isObject = upper[0] === 'BEGIN:VCALENDAR' && upper.at(-1) === 'END:VCALENDAR';
  if (!isObject || begins !== 1 || ends !== 1 || tzid === undefined)
    throw unmet('C:valid-calendar-data', 'A timezone is an iCalendar object with one VTIMEZONE in it.');
  return tzid;
}
