import type { Instant } from '../opportunity/records.ts';

/** Milliseconds of wall-clock time read as if it were UTC: `Date.UTC(y, m, d, h, …)` of what the clock on the wall shows. */
export type Wall = number;

/** One IANA zone with its whole table of transitions, built once from Intl (libs.md 4.3: 228 × luxon). */
export interface Zone {
  readonly id: string;
  /** Instants at which the offset changes, ascending, 1970 … TABLE_END. */
  readonly transitions: readonly Instant[];
  /** Offset in ms east of UTC from `transitions[i]` on; `offsets[0]` is before the first transition. length = transitions.length + 1. */
  readonly offsets: readonly number[];
}
