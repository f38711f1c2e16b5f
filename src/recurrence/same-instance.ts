import type { Series } from '../opportunity/records.ts';
import type { Instant } from '../time/instant.ts';
import { type Expander, expanderOf, wallOfInstance } from './expand.ts';
import { canonicalId } from './templates.ts';

/**
 * Schedules of one series that give the same instance (semantics 3): with the same start and end, or with the same start
 * and one `@id` for both. The first one's is shown. The same start with different ends, without a shared id, is two instances.
 */
export interface OrderedSchedule extends Expander {
  /** Schedules before this one that may give the same instances. */
  readonly earlier: readonly OrderedSchedule[];
  /** The `idTemplate` in canonical form, where the start alone makes the id. */
  readonly startId: string | undefined;
}

/** What two instances that start together have in common. */
export type Sameness = 'start and end' | '@id';

/** The schedules of a series that may be expanded, in their order. */
export function orderedSchedules(series: Series): OrderedSchedule[] {
  const ordered: OrderedSchedule[] = [];
  for (const schedule of series.schedules) {
    const expander = expanderOf(schedule);
    if (expander === undefined) continue;
    const { idTemplate } = schedule;
    const startId = idTemplate === undefined || idTemplate.includes('{endDate}') ? undefined : canonicalId(idTemplate);
    const one = { ...expander, startId };
    ordered.push({ ...one, earlier: ordered.filter((other) => mayBeSame(one, other)) });
  }
  return ordered;
}

function mayBeSame(a: Omit<OrderedSchedule, 'earlier'>, b: Omit<OrderedSchedule, 'earlier'>): boolean {
  const sameLength = a.duration === b.duration || a.schedule.endsByClock === true || b.schedule.endsByClock === true;
  return sameLength || (a.startId !== undefined && a.startId === b.startId);
}

/** An earlier schedule that gives the same instance, and what is the same. */
export interface EarlierInstance {
  by: OrderedSchedule;
  same: Sameness;
}

/** The earlier schedule that is shown with the instance at a start; undefined where this schedule is shown with it. */
export function earlierOf(source: OrderedSchedule, start: Instant): EarlierInstance | undefined {
  if (source.earlier.length === 0) return undefined;
  const end = endAt(source, start);
  for (const by of source.earlier) {
    const other = endAt(by, start);
    if (other === undefined) continue;
    const same = sameness(source, by, other === end);
    if (same !== undefined && earlierOf(by, start) === undefined) return { by, same };
  }
  return undefined;
}

function sameness(a: OrderedSchedule, b: OrderedSchedule, sameEnd: boolean): Sameness | undefined {
  if (sameEnd) return 'start and end';
  return a.startId !== undefined && a.startId === b.startId ? '@id' : undefined;
}

/** The end of the instance that a schedule generates at a start; undefined where it has none, or excludes it. */
export function endAt(source: Expander, start: Instant): Instant | undefined {
  const wall = wallOfInstance(source, start);
  return wall === undefined || source.excludes(start, wall) ? undefined : source.endOf(start, wall);
}
