import { identOf, keyOf } from '../opportunity/identity.ts';
import type { Series } from '../opportunity/records.ts';
import { nameOf } from './header.ts';
import { sessionLimit } from './size.ts';
import { mayChangeByItself } from './wording/partial-schedules.ts';

/** The facts of a series that its lists and its planning need before its sessions are read. */
export interface Outline {
  /** Schedules generate occurrences, or the series is an event beside its parts: its sessions depend on one another. */
  scheduled: boolean;
  /** The words for its dates may differ from day to day. */
  hasDates: boolean;
  limit: number;
  /** The key of its calendar, unless that had one before. */
  key: string;
  name: string;
}

export function outlineOf(series: Series): Outline {
  return {
    scheduled: series.type === 'HeadlineEvent' || series.schedules.some((schedule) => schedule.expandable),
    hasDates: mayChangeByItself(series.schedules),
    limit: sessionLimit(series),
    key: keyOf('series', identOf(series.id)),
    name: nameOf(series),
  };
}
