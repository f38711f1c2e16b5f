import type { Instant, LocalDate } from '../../time/instant.ts';
import type { CalendarRow } from './calendars.ts';

/** The time at which a calendar was withdrawn, by clocks that may be wrong. */
export interface Withdrawal {
  /** The clock's time at the withdrawal, and later times at which the earlier ones proved wrong. */
  clocks: Instant[];
  /** Stored days before the withdrawal: the calendar was withdrawn after those of them that were right. */
  after?: LocalDate[];
}

/**
 * The last state of a withdrawn series or venue (semantics 6), with all that its calendar is made of. The calendar is made
 * anew where the time of its withdrawal turns out to be another one.
 */
export interface Tail<Last> extends Withdrawal {
  last: Last;
}

export function tailText<Last>(tail: Tail<Last>): string {
  return JSON.stringify(tail);
}

/** The tail of a calendar row; undefined: it has none. Earlier releases stored `last` alone. */
export function tailOf<Last>({ tail, deletedAt = 0 }: Pick<CalendarRow, 'tail' | 'deletedAt'>): Tail<Last> | undefined {
  if (tail === undefined) return undefined;
  const kept = JSON.parse(tail) as Tail<Last> | Last;
  return isTail(kept) ? kept : { clocks: [deletedAt], last: kept };
}

function isTail<Last>(kept: Tail<Last> | Last): kept is Tail<Last> {
  return Array.isArray((kept as Partial<Tail<Last>>).clocks);
}

/**
 * The time of a withdrawal by a clock that was just set: the latest that is neither ahead of this clock nor before a day of
 * `after`. If none is left it is `now`, so that no calendar ends too early.
 */
export function withdrawnAt(withdrawal: Withdrawal, now: Instant): Instant {
  const { clocks, after } = withoutAhead(withdrawal, now);
  const believed = clocks.filter((at) => after.every((day) => Date.parse(day) <= at));
  return believed.length > 0 ? Math.max(...believed) : now;
}

/** The times and days of a withdrawal that are not ahead of this clock. */
export function withoutAhead({ clocks, after = [] }: Withdrawal, now: Instant): Required<Withdrawal> {
  return { clocks: clocks.filter((at) => at <= now), after: after.filter((day) => Date.parse(day) <= now) };
}
