import type { Series, Session } from '../../opportunity/records.ts';
import { DAY_MS, dateOfDay } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import type { Calendar } from '../objects.ts';
import { type ComposeOptions, composeSeries } from './compose.ts';

/** A series as it was when its publisher took it away: all that its calendar is made of. */
export interface LastSeries {
  series: Series;
  sessions: Session[];
  /** Sessions besides, because no calendar holds so many. */
  unread: number;
  attribution?: string;
}

/** Its calendar: the past as it was, the future cancelled (semantics 6). It stays as on the day it was taken away. */
export function lastCalendar(
  { series, sessions, unread, attribution }: LastSeries,
  withdrawn: Instant,
  compose: Omit<ComposeOptions, 'attribution' | 'today'>,
): Calendar {
  const today = dateOfDay(Math.floor(withdrawn / DAY_MS));
  return composeSeries(series, sessions, { ...compose, today, attribution, unread, withdrawn }).calendar;
}
