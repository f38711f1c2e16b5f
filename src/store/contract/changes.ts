import type { Instant } from '../../time/instant.ts';

/** Noted changes of the calendars of series, for Atom feeds and pages, bounded in number and age. */

/** Days for which changes are kept and shown. */
export const CHANGE_DAYS = 90;

/** All changes of one revision. `text`: JSON of a list of `Change` (calendar/changes/changes.ts). */
export interface ChangeWrite {
  /** Row of the series. */
  series: number;
  /** Row of the Place of the series. A change at two places is saved twice, and read once for its series. */
  venue: number | undefined;
  at: Instant;
  text: string;
}

/** Changes of one revision, with the present key and name of their calendar. */
export interface ChangeRow extends Omit<ChangeWrite, 'venue'> {
  key: string;
  name: string;
}

/** Which changes to read: those of one series, or of all series at a place. */
export type ChangesOf = { series: number } | { venue: number };

export interface ChangeReader {
  /** Changes noted after the instant, of calendars that are not gone: the newest first, those of one instant as they were saved. */
  changes(of: ChangesOf, after: Instant, limit: number): Promise<ChangeRow[]>;
}

export interface ChangeWriter {
  /** Adds changes; those of the newest hundred revisions of each series stay. */
  saveChanges(rows: readonly ChangeWrite[]): Promise<void>;
  /** Deletes changes noted before the instant. */
  forgetChanges(before: Instant): Promise<void>;
}
