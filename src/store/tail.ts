import type { Instant } from '../opportunity/records.ts';
import type { CalendarRow } from './calendar-row.ts';

/**
 * What is kept of a calendar that was withdrawn (semantics 6): all that it is made of, as it last was, so that it can be
 * made anew when the time it was withdrawn at turns out to be another one.
 */
export interface Tail<Last> {
  /** When it was withdrawn, by each clock that could be right: `withdrawnAt` takes one of them. */
  clocks: Instant[];
  last: Last;
}

export function tailText<Last>(tail: Tail<Last>): string {
  return JSON.stringify(tail);
}

/** Undefined: nothing is kept. Of earlier releases it is what was made then. */
export function tailOf<Last>({ tail, deletedAt = 0 }: Pick<CalendarRow, 'tail' | 'deletedAt'>): Tail<Last> | undefined {
  if (tail === undefined) return undefined;
  const kept = JSON.parse(tail) as Tail<Last> | Last;
  return isTail(kept) ? kept : { clocks: [deletedAt], last: kept };
}

function isTail<Last>(kept: Tail<Last> | Last): kept is Tail<Last> {
  return Array.isArray((kept as Partial<Tail<Last>>).clocks);
}

/**
 * When a calendar was withdrawn, as far as the clock can tell now: what lies ahead was written by a clock that was wrong,
 * or this one is.
 */
export function withdrawnAt(clocks: readonly Instant[], now: Instant): Instant {
  const past = clocks.filter((at) => at <= now);
  return past.length > 0 ? Math.max(...past) : now;
}
