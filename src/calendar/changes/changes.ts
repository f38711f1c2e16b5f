import type { Instant } from '../../time/instant.ts';

/** What became of the dates of a series between two revisions of its calendar. */

export type ChangeKind =
  | 'moved'
  | 'cancelled'
  | 'postponed'
  | 'reinstated'
  | 'added'
  | 'removed'
  | 'place'
  | 'schedule'
  | 'withdrawn'
  | 'many';

/** One change. Without `start` it is of the whole series. */
export interface Change {
  what: ChangeKind;
  /** The time now; of a date that is off, its former time. Midnight in UTC of the local date for whole days. */
  start?: Instant;
  end?: Instant;
  allDay?: true;
  /** When it took place before, where that is another time. */
  was?: Instant;
  wasEnd?: Instant;
  wasAllDay?: true;
  /** The place now and the place before, where they differ. */
  place?: string;
  wasPlace?: string;
  /** The name of a session that has its own. */
  name?: string;
  /** `schedule`: the rules in words, now and before. */
  words?: readonly string[];
  wasWords?: readonly string[];
  /** `many`: so many changes in one revision, by kind, and the first of them. */
  counts?: Partial<Record<ChangeKind, number>>;
  first?: readonly Change[];
}
