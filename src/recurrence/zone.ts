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

/** Transitions are known up to here, 2051-01-01T00:00:00Z. Beyond it the offset is asked of Intl, slowly. */
export const TABLE_END: Instant = 2_556_144_000_000;

/** The zone of an IANA name or alias (`Europe/Kiev`, `Etc/GMT+5`, `UTC`), memoised; undefined for fixed offsets and unknown names. */
export function zone(_name: string): Zone | undefined {
  throw new Error('to come');
}

/** Offset in ms east of UTC in force at an instant. */
export function offsetAt(_z: Zone, _instant: Instant): number {
  throw new Error('to come');
}

/** The instant of a wall time. In a gap the offset before it is taken; in a fold the first of the two (semantics 3). */
export function toInstant(_z: Zone, _wall: Wall): Instant {
  throw new Error('to come');
}

/** What the clock on the wall shows at an instant. */
export function toWall(z: Zone, instant: Instant): Wall {
  return instant + offsetAt(z, instant);
}

/** False when a wall time lies in a gap or comes twice. */
export function isRegular(_z: Zone, _wall: Wall): boolean {
  throw new Error('to come');
}
