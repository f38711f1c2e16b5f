import { DAY_MS, DAY_SECONDS, type Day, dateOfDay, weekdayOf } from '../time/days.ts';
import type { Instant, LocalDate } from '../time/instant.ts';
import { timeText } from '../time/iso-text.ts';
import { dayAt } from '../time/zone.ts';
import { decisions, type Hours } from './decide.ts';
import { type HoursContext, type OpenPeriod, openPeriods } from './periods.ts';

/** Questions that people ask about opening hours. All functions are pure: the instant in question is a parameter. */

/**
 * The open period of an instant, cut to four days before and after it; undefined: closed.
 *
 * @example
 * ```ts
 * const isOpen = openAt(venue.hours, venue.context, Date.UTC(2026, 2, 2, 12)) !== undefined;
 * ```
 */
export function openAt(hours: Hours, context: HoursContext, at: Instant): OpenPeriod | undefined {
  return openPeriods(hours, context, at - SIGHT, at + SIGHT).find(({ start, end }) => start <= at && at < end);
}

/** How far a period is followed before and after an instant, for a place that never closes has no end to find. */
const SIGHT = 4 * DAY_MS;

/** When a place next opens (if it is closed) or closes (if it is open). */
export interface NextChange {
  at: Instant;
  opens: boolean;
  /** Why the place is open after the change, or until it. */
  because: readonly string[];
}

const STEPS_DAYS = [8, 40, 400];

/**
 * The next change after `at`, within 400 days; undefined: there is none.
 *
 * @example
 * ```ts
 * const change = nextChange(venue.hours, venue.context, Date.UTC(2026, 2, 2, 12));
 * ```
 */
export function nextChange(hours: Hours, context: HoursContext, at: Instant): NextChange | undefined {
  for (const step of STEPS_DAYS) {
    const until = at + step * DAY_MS;
    const first = openPeriods(hours, context, at, until)[0];
    if (first === undefined) continue;
    if (first.start > at) return { at: first.start, opens: true, because: first.because };
    // A period that reaches the end of the window may go on beyond it.
    if (first.end < until) return { at: first.end, opens: false, because: first.because };
  }
  return undefined;
}

/** One line of a timetable for people. */
export interface DayHours {
  date: LocalDate;
  /** Monday = 0. */
  weekday: number;
  /** Times as clocks on the wall show them; `closes` may be of the next day (`02:00`, with `nextDay`), and `24:00` is midnight. */
  open: { opens: string; closes: string; nextDay: boolean }[];
  /** Name of a public holiday, if the hours of the day depend on it. */
  holiday?: string;
  /** Decided by special hours or a public holiday, not by the usual week. */
  exceptional: boolean;
  because: readonly string[];
}

/**
 * The hours of each of `count` days from a date on, for a timetable.
 *
 * @example
 * ```ts
 * const week = dayTable(venue.hours, venue.context, Date.UTC(2026, 2, 2) / 86_400_000);
 * ```
 */
export function dayTable(hours: Hours, context: HoursContext, first: Day, count = 7): DayHours[] {
  return decisions(hours, context.holidays, first, first + count - 1).map(({ day, rule, holiday }) => ({
    date: dateOfDay(day),
    weekday: weekdayOf(day),
    open: rule.spans.map(({ start, end }) => ({
      opens: timeText(start),
      closes: timeText(end > DAY_SECONDS ? end - DAY_SECONDS : end),
      nextDay: end > DAY_SECONDS,
    })),
    ...(holiday !== undefined && { holiday }),
    exceptional: rule.by === 'special' || rule.by === 'holiday',
    because: rule.because,
  }));
}

/** The local date, as a day number, on which an instant falls at a place. */
export function localDay(context: HoursContext, at: Instant): Day {
  return dayAt(context.zone, at);
}

/**
 * Milliseconds open within [from, to): real time, so a night with a clock change counts an hour less or more.
 *
 * @example
 * ```ts
 * const ms = openTime(venue.hours, venue.context, Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 9));
 * ```
 */
export function openTime(hours: Hours, context: HoursContext, from: Instant, to: Instant): number {
  return openPeriods(hours, context, from, to).reduce((sum, { start, end }) => sum + end - start, 0);
}
