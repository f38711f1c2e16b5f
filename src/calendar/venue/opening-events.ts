import { type DayDecision, decisions } from '../../hours/decide.ts';
import type { OpenPeriod } from '../../hours/periods.ts';
import { type HoursRun, weeklyHours } from '../../hours/runs.ts';
import type { Venue } from '../../hours/venue.ts';
import { utcValue } from '../../ical/values.ts';
import { defined } from '../../opportunity/records.ts';
import { DAY_MS, type Day, dateOfDay, weekdayOf } from '../../time/days.ts';
import type { CalendarEvent } from '../objects.ts';
import { weeklyRule } from '../rule/rrule.ts';
import { utcSpan } from '../series/spans.ts';
import { locationOf } from '../wording/wording.ts';
import { type Bounds, hoursUid, REACH_DAYS, runPart } from './availability.ts';

/**
 * Opening hours as plain events, for the programs that show nothing else (feed rule 30). Weekly events are transparent, with
 * exceptions where a special day, a holiday or a season replaces them. All-day events show closures and their reasons. All obey
 * the feed rules of series calendars: one span a master, so at most one instance a day, and EXDATEs that are real instances.
 * Spans across a clock change are single events in UTC.
 */

/** Most weeks in a row that a weekly event excludes. After more, another begins: an EXDATE is a line, an event a dozen. */
const GAP_WEEKS = 8;

export interface OpeningOptions {
  bounds: Bounds;
  /** Who published the data: the last line of every description. */
  attribution?: string | undefined;
}

/**
 * The events of a venue, by start, then UID; none where nothing is known of its hours.
 *
 * @example
 * ```ts
 * const events = openingEvents(venue, { bounds: boundsAround('2026-03-01') });
 * ```
 */
export function openingEvents(venue: Venue, { bounds, attribution }: OpeningOptions): CalendarEvent[] {
  const { hours, context } = venue;
  // Spans of earlier days may reach into the first day.
  const from = bounds.from - REACH_DAYS;
  const list = decisions(hours, context.holidays, from, bounds.to - 1);
  const { runs, odd } = weeklyHours(list, context.zone, { gapWeeks: GAP_WEEKS });
  const common = commonOf(venue, attribution);
  const byDay = (day: Day): DayDecision => list[day - from] as DayDecision;
  return inOrder([
    ...runs.map((run) => weeklyEvent(venue, run, from, byDay, common)),
    ...odd.map((period) => singleEvent(venue, period, common)),
    ...closures(list).map((closure) => closedEvent(venue, closure, common)),
  ]);
}

export function inOrder(events: CalendarEvent[]): CalendarEvent[] {
  return events.sort((a, b) => a.span.start - b.span.start || (a.uid < b.uid ? -1 : 1));
}

type Common = Pick<CalendarEvent, 'status' | 'transparent' | 'description' | 'location' | 'url'>;

function commonOf({ location, url, name }: Venue, attribution: string | undefined): Common {
  const where = locationOf({ ...(location && { location }) }) ?? (name === undefined ? undefined : { title: name });
  return {
    status: 'CONFIRMED',
    transparent: true,
    ...defined({ description: attribution, location: where, url }),
  };
}

function weeklyEvent(
  venue: Venue,
  run: HoursRun,
  from: Day,
  decisionOf: (day: Day) => DayDecision,
  common: Common,
): CalendarEvent {
  const { zone } = venue.context;
  const rrule = weeklyRule(run, zone);
  const exdates = run.missing.map((day) => day * DAY_MS + run.start * 1000);
  return {
    ...common,
    uid: hoursUid(venue, `open ${runPart(run, from)}`),
    span: {
      zone: zone.id,
      start: run.first * DAY_MS + run.start * 1000,
      end: run.first * DAY_MS + run.end * 1000,
    },
    ...(rrule !== undefined && { rrule }),
    ...(exdates.length > 0 && { exdates }),
    summary: summaryOf(venue, reasonOf(run, decisionOf)),
  };
}

function* runDays({ first, last, days, missing }: HoursRun): Generator<Day> {
  const gone = new Set(missing);
  for (let day = first; day <= last; day += 1) if (days.includes(weekdayOf(day)) && !gone.has(day)) yield day;
}

/** Most reasons that a summary names; for more it says `public holidays`. */
const MOST_REASONS = 3;

/** Why the days of a run have hours of their own; undefined as soon as one of them is an ordinary day. */
function reasonOf(run: HoursRun, decisionOf: (day: Day) => DayDecision): string | undefined {
  const reasons = new Set<string>();
  for (const day of runDays(run)) {
    const reason = exception(decisionOf(day));
    if (reason === undefined) return undefined;
    reasons.add(reason);
    if (reasons.size > MOST_REASONS) return 'public holidays';
  }
  return [...reasons].join(', ');
}

function summaryOf({ name }: Venue, why: string | undefined): string {
  return `Open${name === undefined ? '' : `: ${name}`}${why === undefined ? '' : ` (${why})`}`;
}

/** Why a day has hours other than those of its week. */
function exception({ rule, holiday }: DayDecision): string | undefined {
  if (rule.by === 'special') return 'special hours';
  return rule.by === 'holiday' ? holiday : undefined;
}

function singleEvent(venue: Venue, { start, end }: OpenPeriod, common: Common): CalendarEvent {
  return {
    ...common,
    uid: hoursUid(venue, `open ${utcValue(start)}`),
    span: utcSpan(venue.context.zone, start, end),
    summary: summaryOf(venue, undefined),
  };
}

interface Closure {
  first: Day;
  last: Day;
  decision: DayDecision;
}

/** Days closed by special hours or for a public holiday; a weekday that is never open needs no notice. */
function closures(list: readonly DayDecision[]): Closure[] {
  const found: Closure[] = [];
  for (const decision of list) {
    const { day, rule } = decision;
    if (rule.spans.length > 0 || (rule.by !== 'special' && rule.by !== 'holiday')) continue;
    const last = found.at(-1);
    if (last !== undefined && last.last === day - 1 && isSameReason(last.decision, decision)) last.last = day;
    else found.push({ first: day, last: day, decision });
  }
  return found;
}

function isSameReason(a: DayDecision, b: DayDecision): boolean {
  if (a.rule.by !== 'special' || b.rule.by !== 'special') return false;
  return (
    a.rule.entries.length === b.rule.entries.length && a.rule.entries.every((entry, i) => entry === b.rule.entries[i])
  );
}

function closedEvent(venue: Venue, { first, last, decision }: Closure, common: Common): CalendarEvent {
  const names = holidayNames(venue, first, last, decision.holiday);
  return {
    ...common,
    uid: hoursUid(venue, `closed ${dateOfDay(first)}`),
    span: { zone: venue.context.zone.id, start: first * DAY_MS, end: (last + 1) * DAY_MS, allDay: true },
    summary: names === undefined ? 'Closed' : `Closed: ${names}`,
  };
}

/** Closures of a few days are over a holiday, whether the hours name it or not; longer ones have other reasons. */
const HOLIDAY_DAYS = 4;

function holidayNames(venue: Venue, first: Day, last: Day, named: string | undefined): string | undefined {
  if (first === last && named !== undefined) return named;
  if (last - first >= HOLIDAY_DAYS) return undefined;
  const names = new Set<string>();
  for (let day = first; day <= last; day++) {
    const name = venue.context.holidays?.on(day);
    if (name !== undefined) names.add(name);
  }
  return names.size === 0 ? undefined : [...names].join(', ');
}
