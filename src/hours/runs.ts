import { DAY_MS, type Day, weekdayOf } from '../time/days.ts';
import { formerGaps } from '../time/former-gaps.ts';
import type { Instant, Weekday } from '../time/instant.ts';
import { toInstant, type Zone } from '../time/zone.ts';
import type { DayDecision } from './decide.ts';
import {
  changeEnd,
  changeStart,
  isSteady,
  mergePeriods,
  type OpenPeriod,
  placeApart,
  steadyOffsets,
} from './periods.ts';
import type { DaySpan, ReasonedSpan } from './spans.ts';

/** A span on the same weekdays in consecutive weeks, which a calendar writes as one weekly rule. */
export interface HoursRun extends DaySpan {
  /** Sorted, Monday first. */
  days: Weekday[];
  /** First and last day it occurs on. */
  first: Day;
  last: Day;
  /** Days between `first` and `last` on which the rule would occur and the span does not; ascending. */
  missing: Day[];
}

interface WeeklyHours {
  /** Sorted by first day, then start. */
  runs: HoursRun[];
  /** Periods around an hour that the clocks skip or repeat: readers differ about a rule with them. */
  odd: OpenPeriod[];
}

interface RunOptions {
  /** Most weeks in a row that a run may lack, as `missing`; after more, another run begins. */
  gapWeeks: number;
  /** Bounds at which spans are cut; a cut span is odd. */
  within?: { start: Instant; end: Instant };
}

/** All spans of consecutive days as weekly runs; together with `odd` they are exactly the open periods of these days. */
export function weeklyHours(list: readonly DayDecision[], zone: Zone, options: RunOptions): WeeklyHours {
  const shapes = new Map<string, Shape>();
  const odd: OpenPeriod[] = [];
  const steadyAt = steadyOffsets(zone);
  for (const decision of list) {
    const steadyDay = steadyAt(decision.day) !== undefined;
    for (const span of decision.rule.spans) {
      const steady = (steadyDay || isSteady(zone, decision.day, span)) && !isLeftOut(zone, decision.day, span);
      if (steady && isWithin(zone, decision.day, span, options.within)) addTo(shapes, decision.day, span);
      else placeOdd(zone, decision, span, options.within, odd);
    }
  }
  const runs = [...shapes.values()].flatMap((shape) => runsOf(shape, zone, options.gapWeeks));
  return { runs: runs.sort((a, b) => a.first - b.first || a.start - b.start), odd: mergePeriods(odd) };
}

/** Whether the start of a span lies in a gap by older rules of the zone, which some readers have. */
function isLeftOut(zone: Zone, day: Day, { start }: DaySpan): boolean {
  const wall = day * DAY_MS + start * 1000;
  return formerGaps(zone).some(({ from, to }) => from <= wall && wall < to);
}

/** One span with the days it occurs on, per weekday, ascending. */
interface Shape {
  span: DaySpan;
  days: Day[][];
}

function addTo(shapes: Map<string, Shape>, day: Day, { start, end }: DaySpan): void {
  const key = `${start} ${end}`;
  let shape = shapes.get(key);
  if (shape === undefined) {
    shape = { span: { start, end }, days: [[], [], [], [], [], [], []] };
    shapes.set(key, shape);
  }
  (shape.days[weekdayOf(day)] as Day[]).push(day);
}

function isWithin(zone: Zone, day: Day, span: DaySpan, within: RunOptions['within']): boolean {
  if (within === undefined) return true;
  const at = (seconds: number) => toInstant(zone, day * DAY_MS + seconds * 1000);
  return at(span.start) >= within.start && at(span.end) <= within.end;
}

/** Adds the periods of an odd span, entry by entry as `openPeriods` does on days with a clock change. */
function placeOdd(
  zone: Zone,
  { day, rule }: DayDecision,
  span: ReasonedSpan,
  within: RunOptions['within'],
  odd: OpenPeriod[],
): void {
  const found: OpenPeriod[] = [];
  const parts = rule.apart.filter((part) => part.start >= span.start && part.end <= span.end);
  placeApart(zone, day, parts, found);
  for (const { start, end, because } of found) {
    const cut = { start: Math.max(start, within?.start ?? start), end: Math.min(end, within?.end ?? end), because };
    if (cut.start < cut.end) odd.push(cut);
  }
}

/** The runs of each weekday; those that begin in the same seven days and end in the same seven days are one rule. */
function runsOf({ span, days }: Shape, zone: Zone, gapWeeks: number): HoursRun[] {
  const breaks = unclearDays(zone, span.start);
  const single = days.flatMap((list, weekday) => weekdayRuns(list, weekday as Weekday, gapWeeks, breaks));
  const length = Math.ceil((span.end - span.start) / 86_400);
  const groups: RunGroup[] = [];
  for (const run of single.sort((a, b) => a.first - b.first)) {
    let at = groups.length - 1;
    while (at >= 0 && run.first - (groups[at] as RunGroup).first < 7 && !fits(groups[at] as RunGroup, run, length))
      at--;
    const group = groups[at];
    if (group !== undefined && run.first - group.first < 7) join(group, run);
    else groups.push({ ...run, earliest: run.last });
  }
  return groups.map(({ first, last, days: weekdays, missing }) => ({
    ...span,
    days: weekdays.sort((a, b) => a - b),
    first,
    last,
    missing: missing.sort((a, b) => a - b),
  }));
}

interface WeekdayRun extends Omit<HoursRun, keyof DaySpan> {
  /** Number of the breaks before it. */
  part: number;
}

/** Runs that become one rule. `earliest` and `last`: the ends of the first run to end and of the last. */
interface RunGroup extends WeekdayRun {
  earliest: Day;
}

/** Whether a run fits the rule of a group. `length`: days of the span, which Outlook wants to end before the next begins. */
function fits(group: RunGroup, run: WeekdayRun, length: number): boolean {
  const [day] = run.days as [Weekday];
  if (group.days.some((other) => Math.min((day - other + 7) % 7, (other - day + 7) % 7) < length)) return false;
  return group.part === run.part && Math.max(group.last, run.last) - Math.min(group.earliest, run.last) < 7;
}

function join(group: RunGroup, run: WeekdayRun): void {
  group.earliest = Math.min(group.earliest, run.last);
  group.last = Math.max(group.last, run.last);
  group.days.push(...run.days);
  group.missing.push(...run.missing);
}

function weekdayRuns(days: readonly Day[], weekday: Weekday, gapWeeks: number, breaks: readonly Day[]): WeekdayRun[] {
  const runs: WeekdayRun[] = [];
  let run: WeekdayRun | undefined;
  let part = 0;
  for (const day of days) {
    while (part < breaks.length && (breaks[part] as Day) < day) part++;
    if (run === undefined || part !== run.part || (day - run.last) / 7 - 1 > gapWeeks) {
      run = { days: [weekday], first: day, last: day, missing: [], part };
      runs.push(run);
    } else {
      for (let absent = run.last + 7; absent < day; absent += 7) run.missing.push(absent);
      run.last = day;
    }
  }
  return runs;
}

/**
 * Days on which a time of day is skipped or comes twice. No run goes on across such a day, even if the run does not occur on it.
 * Readers that step from day to day (sabre/vobject, libical) stay an hour late for good once they step into the gap.
 */
function unclearDays(zone: Zone, start: number): Day[] {
  const days: Day[] = [];
  for (let i = 0; i < zone.transitions.length; i++) {
    const day = Math.floor((changeEnd(zone, i) - start * 1000) / DAY_MS);
    if (day * DAY_MS + start * 1000 >= changeStart(zone, i)) days.push(day);
  }
  for (const { from, to } of formerGaps(zone)) {
    const day = Math.floor((to - 1 - start * 1000) / DAY_MS);
    if (day * DAY_MS + start * 1000 >= from) days.push(day);
  }
  return days.sort((a, b) => a - b);
}
