import type { Instant, Schedule } from '../opportunity/records.ts';
import type { Wall } from './zone.ts';

/** One instance of a schedule's rule. */
export interface Instance {
  /** Start in the schedule's zone. */
  wall: Wall;
  start: Instant;
  /** `start` plus the schedule's duration in exact elapsed time; `start` itself when it has none. */
  end: Instant;
  /** Named by `exceptDate` (semantics 3). */
  excluded: boolean;
  /** `Schedule.index`. */
  schedule: number;
}

/** Every instance of the schedule's rule that overlaps [from, to), ascending, exceptions marked. None for what may not be expanded. */
export function instances(_schedule: Schedule, _from: Instant, _to: Instant): Instance[] {
  throw new Error('to come');
}
