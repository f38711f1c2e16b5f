import { DAY_MS, type Day } from '../time/days.ts';
import type { Instant } from '../time/instant.ts';
import { dayAt, TABLE_END, toInstant, type Wall, type Zone } from '../time/zone.ts';
import { type DayDecision, decider, type Hours } from './decide.ts';
import type { HolidayCalendar } from './holidays.ts';
import { type DaySpan, type ReasonedSpan, unionOf } from './spans.ts';

/** The zone and holidays on which the hours of a place depend. */
export interface HoursContext {
  zone: Zone;
  /** Absent: the holidays are unknown, and no day is one. */
  holidays: HolidayCalendar | undefined;
}

/** Open from `start` until `end` (exclusive), and why. */
export interface OpenPeriod {
  start: Instant;
  end: Instant;
  /** One sentence for each specification behind the period, with its path and the holiday's name. */
  because: readonly string[];
}

/** The longest span begins at 24:00 of its day and ends a day and a day later. */
const MAX_SPAN_DAYS = 3;

/**
 * The open periods within [from, to): merged and clipped, in order (semantics 5).
 * Spans are turned into instants by the zone: the offset before a gap, the first of a fold.
 *
 * @example
 * ```ts
 * const periods = openPeriods(venue.hours, venue.context, Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1));
 * ```
 */
export function openPeriods(hours: Hours, context: HoursContext, from: Instant, to: Instant): OpenPeriod[] {
  if (!(from < to) || (hours.standard.length === 0 && hours.special.length === 0)) return [];
  const found: OpenPeriod[] = [];
  const decide = decider(hours, context.holidays);
  const place = placer(context.zone);
  const last = dayAt(context.zone, to) + 1;
  for (let day = dayAt(context.zone, from) - MAX_SPAN_DAYS; day <= last; day++) place(decide(day), found);
  return mergePeriods(clip(found, from, to));
}

/** Turns the spans of decisions into periods. Decisions must come in ascending order. */
function placer(zone: Zone): (decision: DayDecision, found: OpenPeriod[]) => void {
  const steadyAt = steadyOffsets(zone);
  return ({ day, rule }, found) => {
    if (rule.spans.length === 0) return;
    const offset = steadyAt(day);
    if (offset === undefined) placeApart(zone, day, rule.apart, found);
    else {
      const midnight = day * DAY_MS - offset;
      for (const { start, end, because } of rule.spans) {
        found.push({ start: midnight + start * 1000, end: midnight + end * 1000, because });
      }
    }
  };
}

/** Turns spans into periods one by one, where the clocks may change within a span. */
export function placeApart(zone: Zone, day: Day, spans: readonly ReasonedSpan[], found: OpenPeriod[]): void {
  for (const span of spans) {
    const start = toInstant(zone, day * DAY_MS + span.start * 1000);
    const end = toInstant(zone, day * DAY_MS + span.end * 1000);
    // A span in a gap is empty: 01:30–02:00 on the day the clocks jump from 01:00 to 02:00.
    if (start < end) found.push({ start, end, because: span.because });
  }
}

/** The offset, of days in ascending order, in force during all spans that may begin on the day; undefined if it changes. */
export function steadyOffsets(zone: Zone): (day: Day) => number | undefined {
  const { transitions, offsets } = zone;
  let next = 0;
  return (day) => {
    const from = day * DAY_MS;
    const to = from + MAX_SPAN_DAYS * DAY_MS;
    while (next < transitions.length && changeEnd(zone, next) < from) next++;
    const steady = next === transitions.length || changeStart(zone, next) > to;
    return steady && isInTable(from, to) ? offsets[next] : undefined;
  };
}

/** Changes are listed from 1970 to 2050 only (zone.ts). */
function isInTable(from: Wall, to: Wall): boolean {
  return from >= DAY_MS && to < TABLE_END - DAY_MS;
}

/** Wall times that a change skips or repeats lie between this one and `changeEnd`. */
export function changeStart({ transitions, offsets }: Zone, index: number): number {
  return (transitions[index] as number) + Math.min(offsets[index] as number, offsets[index + 1] as number);
}

export function changeEnd({ transitions, offsets }: Zone, index: number): number {
  return (transitions[index] as number) + Math.max(offsets[index] as number, offsets[index + 1] as number);
}

/** Whether a span keeps its length on this day and both its ends are wall times that come exactly once. */
export function isSteady(zone: Zone, day: Day, span: DaySpan): boolean {
  const start = day * DAY_MS + span.start * 1000;
  const end = day * DAY_MS + span.end * 1000;
  const clear = (i: number): boolean => changeEnd(zone, i) < start || changeStart(zone, i) > end;
  return isInTable(start, end) && zone.transitions.every((_, i) => clear(i));
}

/** The union of periods, sorted: touching and overlapping ones are merged. */
export function mergePeriods(periods: readonly OpenPeriod[]): OpenPeriod[] {
  const merged: OpenPeriod[] = [];
  let last: OpenPeriod | undefined;
  for (const period of periodsInOrder(periods)) {
    if (last === undefined || period.start > last.end) {
      last = { ...period };
      merged.push(last);
    } else {
      if (period.end > last.end) last.end = period.end;
      last.because = unionOf(last.because, period.because);
    }
  }
  return merged;
}

function periodsInOrder(periods: readonly OpenPeriod[]): readonly OpenPeriod[] {
  for (let i = 1; i < periods.length; i++) {
    if ((periods[i] as OpenPeriod).start < (periods[i - 1] as OpenPeriod).start) {
      return [...periods].sort((a, b) => a.start - b.start || a.end - b.end);
    }
  }
  return periods;
}

function clip(periods: readonly OpenPeriod[], from: Instant, to: Instant): OpenPeriod[] {
  const inside: OpenPeriod[] = [];
  for (const { start, end, because } of periods) {
    if (start < to && end > from) inside.push({ start: Math.max(start, from), end: Math.min(end, to), because });
  }
  return inside;
}
