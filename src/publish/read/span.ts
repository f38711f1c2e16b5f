import { linesOf, type ReadComponent } from '../../ical/read.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import { TABLE_END } from '../../time/zone.ts';
import { readRule } from './rule.ts';
import { isPlausible, parseTime } from './values.ts';

const DATED = ['DTSTART', 'DTEND', 'RDATE', 'EXDATE', 'RECURRENCE-ID'];
/** The longest that one step of a frequency is, in days. */
const STEP_DAYS = { year: 366, month: 31, week: 7, day: 1, hour: 1, minute: 1, second: 1 };

/**
 * The years in which the events of a calendar are, whole ones, so that a summer and a winter are among them. A rule without
 * an end goes on to the end of all tables.
 */
export function yearsOf(calendars: readonly ReadComponent[]): InstantWindow {
  const span = { from: Date.UTC(2036, 0, 1), to: Date.UTC(1970, 0, 1) };
  for (const { components } of calendars) {
    for (const event of components) if (event.name !== 'VTIMEZONE') widen(span, event);
  }
  const year = (at: Instant) => new Date(at).getUTCFullYear();
  return { from: Date.UTC(year(span.from), 0, 1, 12), to: Date.UTC(year(span.to) + 1, 0, 1) };
}

function widen(span: InstantWindow, event: ReadComponent): void {
  const walls = DATED.flatMap((name) => linesOf(event, name))
    .flatMap(({ value }) => value.split(/[,/]/, 100))
    .flatMap((value) => parseTime(value)?.wall ?? [])
    .filter(isPlausible);
  for (const wall of walls) {
    span.from = Math.min(span.from, wall);
    span.to = Math.max(span.to, wall);
  }
  const start = walls[0] ?? span.from;
  for (const line of linesOf(event, 'RRULE')) span.to = Math.max(span.to, lastOf(line, start));
}

function lastOf(line: Parameters<typeof readRule>[0], start: Instant): Instant {
  const read = readRule(line);
  if (!('rule' in read)) return start;
  const { until, count, every, unit } = read.rule;
  if (until !== undefined) return 'instant' in until ? until.instant : until.wall + DAY_MS;
  // BY… parts can make a step rarer than its frequency: four times is enough for all but 29 February.
  const { byMonth, byMonthDay, byYearDay, byWeekNo, bySetPos } = read.rule;
  const parts = [byMonth, byMonthDay, byYearDay, byWeekNo, bySetPos].some((list) => list.length > 0) ? 4 : 1;
  const steps = count === undefined ? Number.POSITIVE_INFINITY : parts * count * every;
  const reach = start + steps * STEP_DAYS[unit] * DAY_MS;
  return Math.min(reach, TABLE_END);
}
