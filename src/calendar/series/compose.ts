import type { RawFinding } from '../../opportunity/findings.ts';
import type { Series, Session } from '../../opportunity/records.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';
import { seriesCalendar } from '../header.ts';
import type { Calendar } from '../objects.ts';
import { bounded } from '../size.ts';
import { planSeries } from './plan.ts';
import type { Trace } from './trace.ts';

/** What the calendars of a store depend on besides its records: settings, the stored day, and the publisher. */
export interface ComposeOptions {
  zone: string;
  /** The stored day (semantics 6): the only "today" that a calendar knows. */
  today: LocalDate;
  placesLeft: boolean;
  attribution: string | undefined;
  refresh: string;
  /** Number of sessions that were not read, because no calendar holds so many. */
  unread?: number;
  withdrawn?: Instant | undefined;
}

export interface Composed {
  calendar: Calendar;
  /** Events and sessions that no calendar could hold. */
  omitted: number;
  findings: RawFinding[];
}

/** The subscribed calendar of a series: planned, put under its header, kept within what clients take (feed rule 29). */
export function composeSeries(
  series: Series,
  sessions: readonly Session[],
  options: ComposeOptions,
  trace?: Trace,
): Composed {
  const { events, findings } = planSeries(series, [...sessions], options, trace);
  const whole = seriesCalendar(series, events, options);
  const { calendar, omitted } = bounded(whole, startOf(options.today), options.unread);
  if (omitted > 0) findings.push({ code: 'calendar-too-large', path: '$', facts: { omitted } });
  return { calendar, omitted, findings };
}

/** The stored day as an instant: its midnight in UTC. */
export function startOf(day: LocalDate): Instant {
  return Date.parse(`${day}T00:00:00Z`);
}
