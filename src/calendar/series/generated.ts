import type { Series, TimedSession } from '../../opportunity/records.ts';
import { instancesOf, MAX_WITHIN_DAY, reachOf } from '../../recurrence/expand.ts';
import type { Match } from '../../recurrence/overlay.ts';
import { isSubDay, occursOn, ruleDays, ruleEnd } from '../../recurrence/rule.ts';
import { earlierOf, type OrderedSchedule } from '../../recurrence/same-instance.ts';
import { fillTemplate } from '../../recurrence/templates.ts';
import type { Rule } from '../../recurrence/types.ts';
import { DAY_MS, type Day, dateOfDay } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { toInstant, toWall, type Wall } from '../../time/zone.ts';
import type { CalendarEvent } from '../objects.ts';
import { fitRule, fitsInterval, type Master } from '../rule/fit.ts';
import { regularityOf } from '../rule/irregular.ts';
import { type Cut, cutMaster, type Detached, type Instances, type Run, sessionLength } from '../rule/masters.ts';
import type { EventCode } from '../rule/reasons.ts';
import { rruleOf } from '../rule/rrule.ts';
import { daysBetween, nextDay, withoutEnd } from '../rule/steps.ts';
import { sessionSource } from '../source-properties.ts';
import { masterUid, occurrenceUid } from '../uid.ts';
import { type Context, type EventGroup, FIRST, inWindow, LAST, seriesContent, sessionContent } from './context.ts';
import { excludedDays, HORIZON, noteRepeated } from './excluded-days.ts';
import { masterZone, spanOf, utcSpan, wallSpan } from './spans.ts';
import { spaced, thinned } from './split-masters.ts';

/** The events of one schedule, and its sessions that need events of their own. */
interface Generated {
  groups: EventGroup[];
  detached: Detached[];
  /** Whether there are masters, in the window or not. */
  hasMaster: boolean;
}

/** One schedule in planning: its events so far, its rule, and its series. */
interface Planning {
  out: Generated;
  source: OrderedSchedule;
  context: Context;
}

interface Matched {
  session: TimedSession;
  match: Match;
}

/** Most single events of one schedule (feed rule 29 allows a calendar a thousand; `convert` writes them all). */
const MOST_SINGLES = MAX_WITHIN_DAY;

/** Plans the events of one source: rules with their overrides, single events, and sessions that stand alone. */
export function planSource(source: OrderedSchedule, matched: readonly Matched[], context: Context): Generated {
  if (isSubDay(source.rule)) return withinDays(source, matched, context);
  const rule = writable(source.rule);
  const out: Generated = { groups: [], detached: [], hasMaster: false };
  const planning = { out, source, context };
  const instances = instancesKnown(source, matched, context);
  const { masters, rest } = rule === undefined ? NOTHING : mastersOf(rule, source.duration, instances.excluded);
  const cuts = masters.map((master) => cutMaster(master, instances));
  out.hasMaster = cuts.some(({ runs }) => runs.length > 0);
  const isCounted =
    rule?.count !== undefined && rule.lastDay === undefined && cuts.length === 1 && cuts[0]?.runs.length === 1;
  for (const cut of cuts) {
    for (const run of cut.runs) addRun(planning, run, isCounted);
    for (const day of cut.singles)
      addSingle(planning, wallOf(source, day), { because: CLOCK_CHANGE, inUtc: isAmbiguous(source, day) });
    out.detached.push(...cut.detached);
  }
  const listed = rule !== undefined && rest.length > 0 ? addRest(planning, rule, { masters, rest }, instances) : 0;
  detachOthers(out, cuts, masters, instances);
  const isEmpty =
    listed === 0 && cuts.every((cut) => cut.runs.length + cut.singles.length === 0) && matched.length === 0;
  if (isEmpty && source.earlier.length === 0) noteSchedule(source, context, 'schedule-without-occurrences');
  if (!isEmpty) noteFirstDay(source, context);
  return out;
}

/** Finding: the rule leaves out its first day, which is no occurrence then (the Schedules guide has such an example). */
function noteFirstDay({ rule, schedule }: OrderedSchedule, { findings }: Context): void {
  if (occursOn(rule, rule.firstDay)) return;
  const first = nextDay(rule, rule.firstDay);
  if (first === undefined) return;
  const facts = { start: dateOfDay(rule.firstDay), used: dateOfDay(first) };
  findings.push({ code: 'schedule-start-not-in-rule', path: `$.eventSchedule[${schedule.index}].startDate`, facts });
}

const NOTHING: Masters = { masters: [], rest: [] };
const CLOCK_CHANGE: readonly EventCode[] = ['clock-change'];

interface Masters {
  masters: Master[];
  /** Why some days are in no master; empty where each day is in one. */
  rest: EventCode[];
}

const FIRST_DAY: Day = FIRST / DAY_MS;

/** The rule within the years that are written; undefined when it has no instance in them. */
function writable(rule: Rule): Rule | undefined {
  const endless = withoutEnd(rule);
  const end = ruleEnd(rule);
  const firstDay = nextDay(rule, Math.max(rule.firstDay, FIRST_DAY));
  if (firstDay === undefined || firstDay >= LAST / DAY_MS) return undefined;
  // An end in the year 9999 means none.
  if (end === undefined || end >= LAST / DAY_MS) return { ...endless, firstDay };
  if (rule.count !== undefined && rule.lastDay === undefined && rule.firstDay >= FIRST_DAY) return rule;
  return { ...endless, firstDay, lastDay: end };
}

/** The exclusions of a source, and the explicit sessions that replace its instances. */
function instancesKnown(source: OrderedSchedule, matched: readonly Matched[], context: Context): Instances {
  const sessions = new Map(matched.map(({ session, match }) => [Math.floor(match.wall / DAY_MS), session]));
  const excluded = excludedDays(source, context.findings);
  const split = context.withdrawn === undefined ? undefined : firstDayFrom(source, context.withdrawn);
  return { zone: source.zone, length: source.duration, excluded, sessions, isOver: context.isOver, split };
}

/** The masters of a rule that clients read alike, and why some of its days are in none of them. */
function mastersOf(rule: Rule, length: number, excluded: readonly Day[]): Masters {
  const fit = fitRule(rule, HORIZON);
  const all = fit.masters.flatMap((master) => spaced(master, length));
  const fitting = all.filter(fitsInterval);
  const kept = thinned(fitting, excluded);
  const rest: EventCode[] = [];
  if (fit.rest) rest.push('no-template');
  if (fitting.length < all.length) rest.push('long-interval');
  if (kept.rest) rest.push('same-as-earlier-schedule');
  return { masters: kept.masters, rest };
}

function wallOf({ rule }: OrderedSchedule, day: Day): Wall {
  return day * DAY_MS + rule.time * 1000;
}

/** The first day whose instance starts at an instant or later. */
function firstDayFrom(source: OrderedSchedule, at: Instant): Day {
  const day = Math.floor(toWall(source.zone, at) / DAY_MS);
  return startOnDay(source, day) >= at ? day : day + 1;
}

function startOnDay(source: OrderedSchedule, day: Day): Instant {
  return toInstant(source.zone, wallOf(source, day));
}

/** A VEVENT with a rule, and its overrides. A single instance needs no rule. */
function addRun({ out, source, context }: Planning, run: Run, isCounted: boolean): void {
  if (!isSeen(source, run, context)) return;
  const { series } = context;
  const { zone: z, duration } = source;
  const time = run.rule.time * 1000;
  const uid = masterUid(series.id, source.schedule, run.part);
  const master: CalendarEvent = {
    uid,
    span: wallSpan(z, run.first * DAY_MS + time, duration),
    ...(run.first !== run.last && {
      rrule: rruleOf({ ...run, counted: isCounted && run.overrides.length === 0 }, z),
    }),
    ...(run.excluded.length > 0 && { exdates: run.excluded.map((day) => day * DAY_MS + time) }),
    ...seriesContent(context),
    ...(series.url !== undefined && { url: series.url }),
  };
  const overrides = run.overrides.map(
    ({ day, session, session: { url = series.url } }): CalendarEvent => ({
      uid,
      recurrenceId: { zone: masterZone(z), wall: day * DAY_MS + time },
      span: wallSpan(z, toWall(z, session.start), sessionLength(session)),
      ...sessionContent(context, session, z, toInstant(z, day * DAY_MS + time)),
      ...(url !== undefined && { url }),
      ...sourceOf(session, series),
    }),
  );
  context.trace?.rule(source, run, [master, ...overrides]);
  out.groups.push({ start: startOnDay(source, run.first), events: [master, ...overrides] });
}

function sourceOf(session: TimedSession, series: Series): Pick<CalendarEvent, 'source'> {
  const source = sessionSource(session, series);
  return source === undefined ? {} : { source };
}

/** Whether something of a run lies in the window. */
function isSeen(source: OrderedSchedule, run: Run, context: Context): boolean {
  const { zone: z } = source;
  const gone = new Set([...run.excluded, ...run.overrides.map(({ day }) => day)]);
  const isIn = ({ session }: { session: TimedSession }) =>
    inWindow(context, session.start, session.start + sessionLength(session));
  if (run.overrides.some(isIn)) return true;
  const from = Math.floor((toWall(z, context.window.from - reachOf(source)) - run.rule.time * 1000) / DAY_MS);
  let day = nextDay(run.rule, Math.max(run.first, from));
  while (day !== undefined && day <= (run.last ?? day)) {
    const start = startOnDay(source, day);
    if (start >= context.window.to) return false;
    if (!gone.has(day) && inWindow(context, start, source.endOf(start, wallOf(source, day)))) return true;
    day = nextDay(run.rule, day + 1);
  }
  return false;
}

/** Whether readers differ about the wall time of an instance, so that it is written in UTC (semantics 3). */
function isAmbiguous({ rule, zone: z, duration }: OrderedSchedule, day: Day): boolean {
  return regularityOf(z, day * DAY_MS + rule.time * 1000, duration) !== 'regular';
}

/** Why a generated occurrence is an event of its own. `inUtc`: readers differ about its wall time. */
interface Alone {
  because: readonly EventCode[];
  inUtc?: boolean;
}

/** Adds an instance as an event without a rule, where it lies in the window. */
function addSingle({ out, source, context }: Planning, wall: Wall, how: Alone): void {
  const { schedule, zone: z } = source;
  const start = toInstant(z, wall);
  const end = source.endOf(start, wall);
  if (!inWindow(context, start, end)) return;
  const { series } = context;
  const url = schedule.urlTemplate === undefined ? series.url : fillTemplate(schedule.urlTemplate, start, end);
  const event: CalendarEvent = {
    uid: occurrenceUid(series.id, schedule, start),
    span: how.inUtc === true ? utcSpan(z, start, end) : spanOf(z, start, end),
    ...seriesContent(context),
    ...(url !== undefined && { url }),
  };
  context.trace?.instance(schedule.index, start, { event, because: how.because });
  out.groups.push({ start, events: [event] });
}

/** The instances to write one by one: all in the window or, where they are too many, those from today on. */
function withinReach<T>({ window, today }: Context, list: (window: Context['window']) => T[]): T[] {
  const all = list(window);
  if (all.length <= MOST_SINGLES || today === undefined || today <= window.from) return all;
  return list({ ...window, from: today });
}

/** Days that no master has, one by one; a rule without end as far as the zone table goes. */
function addRest(planning: Planning, rule: Rule, { masters, rest }: Masters, instances: Instances): number {
  const { source, context } = planning;
  const days = withinReach(context, ({ from, to }) => {
    const first = Math.max(rule.firstDay, Math.floor((from - reachOf(source)) / DAY_MS) - 2);
    const last = Math.min(rule.lastDay ?? HORIZON, Math.ceil(to / DAY_MS) + 1);
    const gone = new Set([
      ...instances.excluded,
      ...masters.flatMap((master) => daysBetween(master.rule, first, last)),
    ]);
    return ruleDays(rule, first, last, gone.size + MOST_SINGLES + 1).filter((day) => !gone.has(day));
  });
  for (const day of days.slice(0, MOST_SINGLES)) {
    if (!instances.sessions.has(day)) addSingle(planning, wallOf(source, day), { because: rest });
  }
  if (days.length > MOST_SINGLES) noteCapped(source, context);
  else if (days.length > 1) noteSchedule(source, context, 'schedule-as-single-events', days.length);
  return days.length;
}

/** Detaches the sessions whose instance no master has. */
function detachOthers(
  out: Generated,
  cuts: readonly Cut[],
  masters: readonly Master[],
  { sessions, isOver }: Instances,
): void {
  if (sessions.size === 0) return;
  const placed = new Set<TimedSession>(
    cuts.flatMap(({ detached, runs }) =>
      [...detached, ...runs.flatMap((run) => run.overrides)].map(({ session }) => session),
    ),
  );
  const inMaster = (day: Day): boolean => masters.some(({ rule }) => nextDay(rule, day) === day);
  for (const [day, session] of sessions) {
    if (!placed.has(session) && !isOver(session) && !inMaster(day))
      out.detached.push({ session, because: 'no-template' });
  }
}

/** Plans a rule that repeats within a day as single events, because calendar programs cannot hold such a rule. */
function withinDays(source: OrderedSchedule, matched: readonly Matched[], context: Context): Generated {
  const detached = matched.map(({ session }): Detached => ({ session, because: 'within-a-day' }));
  const out: Generated = { groups: [], detached, hasMaster: false };
  const hidden = new Set(matched.map(({ match }) => match.start));
  const traced = new Set<string>();
  const all = withinReach(context, ({ from, to }) => instancesOf(source, from, to, MOST_SINGLES + 1));
  const found = all.filter(({ start, excluded }) => {
    const earlier = excluded ? undefined : earlierOf(source, start);
    if (earlier !== undefined) noteRepeated(source, start, earlier, context.findings, traced);
    return !excluded && earlier === undefined;
  });
  for (const { start, wall } of found.slice(0, MOST_SINGLES)) {
    if (!hidden.has(start)) addSingle({ out, source, context }, wall, { because: ['within-a-day'] });
  }
  if (all.length > MOST_SINGLES) noteCapped(source, context);
  else if (found.length === 0 && matched.length === 0) noteSchedule(source, context, 'schedule-without-occurrences');
  return out;
}

/** Finding: the Schedule gives more single events than are written. */
function noteCapped({ schedule }: OrderedSchedule, { findings, today, window }: Context): void {
  const since = today === undefined ? (window.from > FIRST ? 'the time asked for' : 'its first one') : 'today';
  const facts = { property: 'repeatFrequency', most: MOST_SINGLES, since };
  findings.push({ code: 'capped', path: `$.eventSchedule[${schedule.index}]`, facts });
}

/** Finding about the Schedule as a whole, with the number of its single events. */
function noteSchedule(
  { schedule }: OrderedSchedule,
  { findings }: Context,
  code: 'schedule-without-occurrences' | 'schedule-as-single-events',
  count?: number,
): void {
  findings.push({ code, path: `$.eventSchedule[${schedule.index}]`, ...(count !== undefined && { facts: { count } }) });
}
