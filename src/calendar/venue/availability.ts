import { decisions } from '../../hours/decide.ts';
import { type HoursRun, weeklyHours } from '../../hours/runs.ts';
import { hasHours, type Venue } from '../../hours/venue.ts';
import { recurrenceValue } from '../../ical/recurrence.ts';
import { type Component, type Property, raw, text, urlProperty } from '../../ical/tree.ts';
import { utcValue, wallValue } from '../../ical/values.ts';
import { civilOf, DAY_MS, type Day, dateOfDay, dayOf, dayOfDate } from '../../time/days.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';
import { dayAt, toInstant, type Zone } from '../../time/zone.ts';
import type { Revision } from '../objects.ts';
import { weeklyRule } from '../rule/rrule.ts';
import { uid } from '../uid.ts';

/** The local dates for which opening hours are written: from the first midnight of `from` until that of `to`. */
export interface Bounds {
  from: Day;
  to: Day;
}

const YEARS_BACK = 1;
const YEARS_AHEAD = 3;

/**
 * Last year to three years ahead, in whole years, so that the octets change only at New Year.
 *
 * @example
 * ```ts
 * const { from, to } = boundsAround('2026-03-01');
 * ```
 */
export function boundsAround(today: LocalDate): Bounds {
  const { year } = civilOf(dayOfDate(today));
  return { from: dayOf(year - YEARS_BACK, 1, 1), to: dayOf(year + YEARS_AHEAD + 1, 1, 1) };
}

/**
 * The whole local years that hold a window.
 *
 * @example
 * ```ts
 * const bounds = boundsOf(london, Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1));
 * ```
 */
export function boundsOf(zone: Zone, from: Instant, to: Instant): Bounds {
  const first = civilOf(dayAt(zone, from)).year;
  const last = civilOf(dayAt(zone, Math.max(from, to - 1))).year;
  return { from: dayOf(first, 1, 1), to: dayOf(last + 1, 1, 1) };
}

/** Spans reach three days on at most: from 24:00 to the midnight after the next. */
export const REACH_DAYS = 3;

/**
 * The opening hours of a place as one VAVAILABILITY (RFC 7953 3.1); undefined where nothing is known of them.
 *
 * Readers differ in what they ignore: EXDATE of AVAILABLE, lower priorities, components without an end (feed rule 31).
 * So there is one component with both ends and no priority, and its weekly AVAILABLEs are broken wherever a day differs
 * (semantics 5). Spans across a clock change are written in UTC.
 *
 * @example
 * ```ts
 * const component = availability(venue, boundsAround('2026-03-01'), { sequence: 0, modified: Date.UTC(2026, 0, 1) });
 * ```
 */
export function availability(venue: Venue, bounds: Bounds, revision: Revision): Component | undefined {
  if (!hasHours(venue)) return undefined;
  const { zone, holidays } = venue.context;
  const within = { start: toInstant(zone, bounds.from * DAY_MS), end: toInstant(zone, bounds.to * DAY_MS) };
  const list = decisions(venue.hours, holidays, bounds.from - REACH_DAYS, bounds.to);
  const { runs, odd } = weeklyHours(list, zone, { gapWeeks: 0, within });
  const stamp = raw('DTSTAMP', utcValue(revision.modified));
  return {
    name: 'VAVAILABILITY',
    properties: [
      text('UID', availabilityUid(venue)),
      stamp,
      raw('DTSTART', utcValue(within.start)),
      raw('DTEND', utcValue(within.end)),
      raw('SEQUENCE', String(revision.sequence)),
      raw('LAST-MODIFIED', utcValue(revision.modified)),
      raw('BUSYTYPE', 'BUSY-UNAVAILABLE'),
      text('SUMMARY', venue.name === undefined ? 'Opening hours' : `Opening hours: ${venue.name}`),
      // LOCATION is left out: libical's restrictions (EDS, GNOME) refuse it in VAVAILABILITY.
      ...urlProperty('URL', venue.url),
    ],
    components: [
      ...runs.map((run) => weekly(run, zone, hoursUid(venue, `available ${runPart(run, bounds.from)}`), stamp)),
      ...odd.map(({ start, end }) => ({
        name: 'AVAILABLE',
        properties: [
          text('UID', hoursUid(venue, `available ${utcValue(start)}`)),
          stamp,
          raw('DTSTART', utcValue(start)),
          raw('DTEND', utcValue(end)),
        ],
        components: [],
      })),
    ],
  };
}

export function availabilityUid(venue: Venue): string {
  return hoursUid(venue, 'availability');
}

function weekly(run: HoursRun, zone: Zone, availableUid: string, stamp: Property): Component {
  const start = run.first * DAY_MS + run.start * 1000;
  const end = run.first * DAY_MS + run.end * 1000;
  const rule = weeklyRule(run, zone);
  return {
    name: 'AVAILABLE',
    properties: [
      text('UID', availableUid),
      stamp,
      wall('DTSTART', zone, start),
      wall('DTEND', zone, end),
      ...(rule === undefined ? [] : [raw('RRULE', recurrenceValue(rule))]),
    ],
    components: [],
  };
}

function wall(name: string, zone: Zone, at: number): Property {
  return zone.id === 'UTC' ? raw(name, utcValue(at)) : raw(name, wallValue(at), [['TZID', zone.id]]);
}

/** The UID of a part of a venue's hours. It never changes (feed rule 15). */
export function hoursUid({ kind, id }: Venue, part: string): string {
  return uid(`hours\n${kind}\n${id}\n${part}`);
}

/** Identifies a run of a venue. A run from the start of the bounds has no date in it, so its UID stays as the bounds move on. */
export function runPart({ start, end, days, first }: HoursRun, from: Day): string {
  return `${start} ${end} ${days.join('')}${first < from + 7 ? '' : ` ${dateOfDay(first)}`}`;
}
