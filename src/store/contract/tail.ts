import type { Instant, LocalDate } from '../../time/instant.ts';
import type { CalendarRow } from './calendars.ts';

/** When a calendar was withdrawn, by clocks that may be wrong. */
export interface Withdrawal {
  /** The clock's time at the withdrawal; and the time when that proved wrong. */
  clocks: Instant[];
  /** Days on which the clock was set before that: the calendar was withdrawn after those of them that were right. */
  after?: LocalDate[];
}

/**
 * What is kept of a calendar that was withdrawn (semantics 6): all that it is made of, as it last was. So it can be made anew
 * when the time it was withdrawn at turns out to be another one.
 */
export interface Tail<Last> extends Withdrawal {
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
 * When a calendar was withdrawn, as far as a clock can tell that was just set. A time is not believed that lies ahead of
 * this clock, or before a day that it was withdrawn after. If none is left, it was now, so that no calendar ends too early.
 */
export function withdrawnAt(withdrawal: Withdrawal, now: Instant): Instant {
  const { clocks, after } = withoutAhead(withdrawal, now);
  const believed = clocks.filter((at) => after.every((day) => Date.parse(day) <= at));
  return believed.length > 0 ? Math.max(...believed) : now;
}

/** What no clock that was ahead of this one had a part in. */
export function withoutAhead({ clocks, after = [] }: Withdrawal, now: Instant): Required<Withdrawal> {
  return { clocks: clocks.filter((at) => at <= now), after: after.filter((day) => Date.parse(day) <= now) };
}
