import type { Instant } from '../../time/instant.ts';

/** What was noted of the calendars of series: changes as Atom feeds and pages show them, bounded in number and age. */

/** Days for which changes are kept and shown. */
export const CHANGE_DAYS = 90;

/** All of one revision. `text`: JSON of a list of `Change` (calendar/changes/changes.ts). */
export interface ChangeWrite {
  /** Row of the series. */
  series: number;
  /** Row of the Place it is at. A change of two places is saved twice, and is one of its series. */
  venue: number | undefined;
  at: Instant;
  text: string;
}

/** Changes of one revision, with the calendar of their series as it is called now. */
export interface ChangeRow extends Omit<ChangeWrite, 'venue'> {
  key: string;
  name: string;
}

/** Whose changes: those of one series, or of all that is at a place. */
export type ChangesOf = { series: number } | { venue: number };

export interface ChangeReader {
  /** Changes noted after the instant, of calendars that are not gone: the newest first, of one instant in the order they were saved. */
  changes(of: ChangesOf, after: Instant, limit: number): Promise<ChangeRow[]>;
}

export interface ChangeWriter {
  /** Adds changes; those of the newest hundred revisions of each series stay. */
  saveChanges(rows: readonly ChangeWrite[]): Promise<void>;
  /** Takes away those noted before the instant. */
  forgetChanges(before: Instant): Promise<void>;
}
