import { type OpenPeriod, openPeriods } from '../../hours/periods.ts';
import { hasHours, type Venue } from '../../hours/venue.ts';
import { type Component, type Property, raw, text, urlProperty } from '../../ical/tree.ts';
import { utcValue } from '../../ical/values.ts';
import type { Slot } from '../../opportunity/records.ts';
import { DAY_MS, dayOfDate } from '../../time/days.ts';
import type { Instant, InstantWindow, LocalDate } from '../../time/instant.ts';
import type { Revision } from '../objects.ts';
import { hoursUid } from './availability.ts';

export interface FreeBusyOptions extends InstantWindow {
  /** Whether open times are listed too (FBTYPE=FREE); readers take a time that is not listed as free anyway. */
  free?: boolean;
}

export const FREEBUSY_WEEKS = 8;

/**
 * The default window: eight weeks of whole days (UTC), so that the octets stay the same within a day.
 *
 * @example
 * ```ts
 * const { from, to } = freeBusyWindow('2026-03-01');
 * ```
 */
export function freeBusyWindow(today: LocalDate): InstantWindow {
  const from = dayOfDate(today) * DAY_MS;
  return { from, to: from + FREEBUSY_WEEKS * 7 * DAY_MS };
}

export type Period = Pick<OpenPeriod, 'start' | 'end'>;

/**
 * When a place is closed, as a published VFREEBUSY (RFC 5545 3.6.4): BUSY-UNAVAILABLE outside its opening hours.
 * Undefined where nothing is known of its hours. Periods are in UTC, ascending and merged.
 *
 * @example
 * ```ts
 * const component = freeBusy(venue, freeBusyWindow('2026-03-01'), { sequence: 0, modified: Date.UTC(2026, 0, 1) });
 * ```
 */
export function freeBusy(venue: Venue, options: FreeBusyOptions, revision: Revision): Component | undefined {
  if (!hasHours(venue)) return undefined;
  const { from, to } = options;
  const open = openPeriods(venue.hours, venue.context, from, to);
  const lines = [...periodLines('BUSY-UNAVAILABLE', without([{ start: from, end: to }], open))];
  if (options.free) lines.push(...periodLines('FREE', open));
  return component(venue, options, revision, lines);
}

/**
 * Free/busy of a facility by its Slots: free where a Slot has uses left (`remainingUses` > 0), BUSY where all Slots are
 * booked, BUSY-UNAVAILABLE where there is no Slot. `until`: later Slots are not known.
 *
 * @example
 * ```ts
 * const component = slotFreeBusy(venue, slots, freeBusyWindow('2026-03-01'), { sequence: 0, modified: Date.UTC(2026, 0, 1) });
 * ```
 */
export function slotFreeBusy(
  venue: Venue,
  slots: readonly Pick<Slot, 'start' | 'end' | 'remainingUses'>[],
  { until, ...requested }: FreeBusyOptions & { until?: Instant | undefined },
  revision: Revision,
): Component {
  const options = { ...requested, to: Math.min(requested.to, until ?? requested.to) };
  const whole = [{ start: options.from, end: options.to }];
  const inside = slots.filter(({ start, end }) => start < options.to && end > options.from && start < end);
  const free = within(union(inside.filter(({ remainingUses }) => remainingUses > 0)), options);
  const booked = without(within(union(inside), options), free);
  const lines = [
    ...periodLines('BUSY', booked),
    ...periodLines('BUSY-UNAVAILABLE', without(without(whole, free), booked)),
  ];
  if (options.free) lines.push(...periodLines('FREE', free));
  return component(venue, options, revision, lines);
}

function component(venue: Venue, window: InstantWindow, { modified }: Revision, lines: Property[]): Component {
  const more = [...urlProperty('URL', venue.url), ...lines];
  return freeBusyComponent(hoursUid(venue, 'freebusy'), window, modified, more);
}

export function freeBusyComponent(
  uid: string,
  { from, to }: InstantWindow,
  stamp: Instant,
  more: readonly Property[],
): Component {
  const times = [raw('DTSTAMP', utcValue(stamp)), raw('DTSTART', utcValue(from)), raw('DTEND', utcValue(to))];
  return { name: 'VFREEBUSY', properties: [text('UID', uid), ...times, ...more], components: [] };
}

export function periodLines(type: string, periods: readonly Period[]): Property[] {
  return periods.map(({ start, end }) => raw('FREEBUSY', `${utcValue(start)}/${utcValue(end)}`, [['FBTYPE', type]]));
}

/** The union of periods, sorted: touching and overlapping ones are merged. */
export function union(periods: readonly Period[]): Period[] {
  const merged: { start: Instant; end: Instant }[] = [];
  for (const { start, end } of [...periods].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || start > last.end) merged.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return merged;
}

export function within(periods: readonly Period[], { from, to }: InstantWindow): Period[] {
  return periods.map(({ start, end }) => ({ start: Math.max(start, from), end: Math.min(end, to) }));
}

/** The parts of `whole` that lie outside `taken`; both sorted and without overlaps. */
export function without(whole: readonly Period[], taken: readonly Period[]): Period[] {
  const left: Period[] = [];
  let next = 0;
  for (const { start, end } of whole) {
    let at = start;
    while (next < taken.length && (taken[next] as Period).end <= start) next++;
    for (let i = next; i < taken.length && (taken[i] as Period).start < end; i++) {
      const one = taken[i] as Period;
      if (one.start > at) left.push({ start: at, end: one.start });
      at = Math.max(at, one.end);
    }
    if (at < end) left.push({ start: at, end });
  }
  return left;
}
