import type { HoursRun } from '../hours/runs.ts';
import { utcValue } from '../ical/values.ts';
import { DAY_MS } from '../recurrence/days.ts';
import { offsetAt, toInstant, toWall, type Wall, type Zone } from '../recurrence/zone.ts';

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The RRULE of a run; undefined when it is of one day only. */
export function weeklyRule(run: HoursRun, zone: Zone): string | undefined {
  if (run.first === run.last) return undefined;
  const until = untilOf(run.first * DAY_MS + run.start * 1000, run.last * DAY_MS + run.start * 1000, zone);
  return `FREQ=WEEKLY;UNTIL=${until};BYDAY=${run.days.map((day) => DAYS[day]).join(',')}`;
}

/**
 * UNTIL in UTC. Some readers compare it with the last wall time taken as UTC, or at the offset of DTSTART, and would lose
 * the last instance; so it is the latest of the three, as long as that is on the last instance's own date (judged by
 * eight engines: then all agree).
 */
function untilOf(first: Wall, last: Wall, zone: Zone): string {
  const start = toInstant(zone, last);
  const latest = Math.max(start, last, last - offsetAt(zone, toInstant(zone, first)));
  const sameDate = Math.floor(toWall(zone, latest) / DAY_MS) === Math.floor(last / DAY_MS);
  return utcValue(sameDate ? latest : start);
}
