import type { Length } from '../../../ical/content.ts';
import { type Expander, expanderOf, instancesOf, wallOfInstance } from '../../../recurrence/expand.ts';
import { DAY_MS, dateOfDay } from '../../../time/days.ts';
import { type Instant, utcDate } from '../../../time/instant.ts';
import { toInstant, toWall, type Wall, wallsAt, zone } from '../../../time/zone.ts';
import type { PublishCode } from '../../codes.ts';
import { AHEAD_MS, MAX_SESSIONS, MAX_TIMES } from '../../limits.ts';
import type { CalendarEvent, RuleParts, Time } from '../../read/model.ts';
import { expandRule, startsOf } from '../../read/rule.ts';
import { LAST } from '../../read/values.ts';
import type { Days } from '../json.ts';
import { expressRule, wallsUntil } from './schedules.ts';

/** The time of an occurrence. */
export interface Slot {
  start: Instant;
  end: Instant;
  /** First and last date of an event of whole days (DTSTART is a DATE). */
  days?: Days;
}

/** The slot of a start and a length of a calendar. */
export function slotOf(start: Time, length: Length): Slot {
  const slot = { start: start.instant, end: endOf(start, length) };
  if (!start.allDay) return slot;
  const first = Math.floor(start.wall / DAY_MS);
  const count = Math.max(1, length.days + Math.ceil(length.exact / DAY_MS));
  return { ...slot, days: { first: dateOfDay(first), last: dateOfDay(first + count - 1) } };
}

/** The occurrences of one event without its overrides. */
export interface EventDates {
  schedules: Expander[];
  /** Instances that no Schedule gives, or gives with another end, by their start. */
  explicit: Map<Instant, Slot>;
  /** Rules that are written as explicit dates, at least from some date on. */
  written: Set<RuleParts>;
}

export type Report = (code: PublishCode, line: string, facts?: Record<string, string | number>) => void;

/** Turns DTSTART, RRULE, RDATE, EXRULE and EXDATE into Schedules and explicit dates. */
export function datesOf(event: CalendarEvent | undefined, now: Instant, report: Report): EventDates {
  const dates: EventDates = { schedules: [], explicit: new Map(), written: new Set() };
  if (event === undefined) return dates;
  const isNamed = zone(event.start.zone.id) === event.start.zone;
  const away = exclusions(event, report);
  for (const rule of event.rules) addRule(dates, rule, { event, isNamed, away, now, report });
  addStart(dates, event, away, report);
  for (const { start: extra, length } of event.extra) {
    // The length of a PERIOD precedes that of the rule (RFC 5545 3.8.5.3).
    if (length !== undefined || !hasInstance(dates, extra.instant))
      addExplicit(dates, event, extra, length ?? event.length, away);
  }
  dates.schedules = dates.schedules.map((schedule) => withExceptions(schedule, away));
  away.finish(report, event);
  addIrregular(dates, event, now);
  return dates;
}

/**
 * Adds DTSTART, which is an instance without a rule. Beside a rule that does not give it, RFC 5545 3.8.5.3 leaves it
 * undefined: most programs neither show nor count it.
 */
function addStart(dates: EventDates, event: CalendarEvent, away: Exclusions, report: Report): void {
  const { start, length, rules, line } = event;
  if (rules.length === 0) addExplicit(dates, event, start, length, away);
  else if (!rules.some((rule) => startsOf(rule, start.wall)(start.wall)))
    report('rule-start-not-in-rule', `line ${line} DTSTART`);
}

/** Whether an occurrence, excluded ones included, starts at an instant. */
export function hasInstance({ schedules, explicit }: EventDates, start: Instant): boolean {
  return explicit.has(start) || schedules.some((schedule) => wallOfInstance(schedule, start) !== undefined);
}

interface RuleContext {
  event: CalendarEvent;
  /** Whether the zone of DTSTART is an IANA one, by its name. */
  isNamed: boolean;
  away: Exclusions;
  now: Instant;
  report: Report;
}

function addRule(dates: EventDates, rule: RuleParts, context: RuleContext): void {
  const { event, isNamed, report } = context;
  const expressed: ReturnType<typeof expressRule> =
    event.exRules.length > 0
      ? { why: 'EXRULE' }
      : event.start.allDay
        ? { why: 'an event of whole days' }
        : expressRule(rule, { start: event.start, length: event.length, isNamed });
  if (expressed.schedules !== undefined) {
    dates.schedules.push(...expressed.schedules);
    if (expressed.schedules.length === 0) report('rule-without-dates', `line ${rule.line} RRULE`);
    return;
  }
  if (!writeOut(dates, rule, context)) return;
  dates.written.add(rule);
  const last = Math.max(...dates.explicit.keys(), event.start.instant);
  const facts = { why: expressed.why, count: dates.explicit.size, until: utcDate(last) };
  report('rule-written-out', `line ${rule.line} RRULE`, facts);
}

/** Most starts of one rule that are counted. */
const MAX_STARTS = 100_000;

/**
 * Adds a rule as explicit dates: all, or without an end as far as `AHEAD_MS`. Where they are too many, past dates go first.
 * False: the rule starts too often to be listed.
 */
function writeOut(dates: EventDates, rule: RuleParts, { event, away, now, report }: RuleContext): boolean {
  const { start } = event;
  const isEndless = rule.count === undefined && rule.until === undefined;
  const through = isEndless ? toWall(start.zone, Math.max(now, start.instant) + AHEAD_MS) : LAST;
  const first = expandRule(rule, start.wall, through, 2 * MAX_TIMES).walls;
  const found = isTooOften(first)
    ? { walls: first, complete: false }
    : expandRule(rule, start.wall, through, MAX_STARTS);
  const walls = wallsUntil(rule, start, found.walls);
  if (isTooOften(walls)) {
    const facts = {
      name: 'RRULE',
      why: `more than ${MAX_TIMES} times a day`,
      kept: 'only its first date is published',
    };
    report('rule-too-much', `line ${rule.line} RRULE`, facts);
    addExplicit(dates, event, start, event.length, away);
    return false;
  }
  const kept = keptOf(walls, toWall(start.zone, now));
  for (const wall of kept)
    addExplicit(dates, event, { ...start, wall, instant: toInstant(start.zone, wall) }, event.length, away);
  const isCut = kept.length < walls.length || !(found.complete || walls.length < found.walls.length);
  if (isCut) report('rule-cut', `line ${rule.line} RRULE`, { most: kept.length });
  return true;
}

function isTooOften(walls: readonly Wall[]): boolean {
  return walls.some((wall, index) => wall - (walls[index - MAX_TIMES] ?? Number.NEGATIVE_INFINITY) < DAY_MS);
}

function keptOf(walls: readonly Wall[], now: Wall): readonly Wall[] {
  if (walls.length <= MAX_SESSIONS) return walls;
  const ahead = walls.filter((wall) => wall >= now - DAY_MS);
  return ahead.length > MAX_SESSIONS ? ahead.slice(0, MAX_SESSIONS) : walls.slice(-MAX_SESSIONS);
}

function addExplicit(dates: EventDates, event: CalendarEvent, start: Time, length: Length, away: Exclusions): void {
  if (away.has(start.instant, toWall(event.start.zone, start.instant))) return;
  dates.explicit.set(start.instant, slotOf(start, length));
}

/** The end of an occurrence: days are nominal, the rest is exact (RFC 5545 3.3.6). */
export function endOf({ wall, zone: z, instant }: Time, { days, exact }: Length): Instant {
  return (days === 0 ? instant : toInstant(z, wall + days * DAY_MS)) + exact;
}

/** Adds instances of nights with a clock change, whose end a Schedule with its exact duration cannot give. */
function addIrregular(dates: EventDates, { start, length }: CalendarEvent, now: Instant): void {
  if (length.days === 0) return;
  const horizon = Math.max(now, start.instant) + AHEAD_MS;
  for (const schedule of dates.schedules) {
    for (const change of schedule.zone.transitions) {
      if (change < start.instant || change > horizon) continue;
      for (const one of instancesOf(schedule, change - DAY_MS / 4, change + DAY_MS / 4)) {
        const end = endOf({ ...start, wall: one.wall, instant: one.start }, length);
        if (!one.excluded && end !== one.end) dates.explicit.set(one.start, { start: one.start, end });
      }
    }
  }
}

/** The exclusions of EXDATE and EXRULE, and the EXDATEs that excluded an instance. */
interface Exclusions {
  has(start: Instant, wall: Wall): boolean;
  instants: readonly Instant[];
  /** Local days on which nothing starts. */
  days: readonly number[];
  used: Set<number>;
  finish(report: Report, event: CalendarEvent): void;
}

function exclusions(event: CalendarEvent, report: Report): Exclusions {
  const { start, except } = event;
  // An all-day event excludes days, whatever the form of EXDATE.
  const isDay = (time: Time) => time.allDay || start.allDay;
  const instants = except.filter((time) => !isDay(time)).map((time) => time.instant);
  const days = except.filter(isDay).map(({ wall }) => Math.floor(wall / DAY_MS));
  if (!start.allDay && days.length > 0) report('exdate-of-day', `line ${event.line} EXDATE`);
  const byRule = excludedByRules(event, report);
  const [instantSet, daySet] = [new Set(instants), new Set(days)];
  const used = new Set<number>();
  const has = (instant: Instant, wall: Wall): boolean => {
    const day = Math.floor(wall / DAY_MS);
    if (instantSet.has(instant)) used.add(instant);
    if (daySet.has(day)) used.add(day);
    return instantSet.has(instant) || daySet.has(day) || byRule(instant);
  };
  const finish = (report: Report): void => {
    const count = [...instantSet, ...daySet].filter((one) => !used.has(one)).length;
    if (count > 0) report('exdate-without-instance', `line ${event.line} EXDATE`, { count });
  };
  return { has, instants: [...instantSet], days: [...daySet], used, finish };
}

/** A test whether an EXRULE has a start. Starts are tested one by one, because an EXRULE may have too many to list. */
function excludedByRules({ exRules, start }: CalendarEvent, report: Report): (instant: Instant) => boolean {
  const rules = exRules.map((rule) => {
    report('exrule-deprecated', `line ${rule.line} EXRULE`);
    const [has, last] = [startsOf(rule, start.wall), lastCounted(rule, start, report)];
    return (wall: Wall): boolean => wall <= last && has(wall) && wallsUntil(rule, start, [wall]).length > 0;
  });
  if (rules.length === 0) return () => false;
  return (instant) => {
    const walls = wallsAt(start.zone, instant);
    return rules.some((has) => walls.some(has));
  };
}

/** The last start of an EXRULE by its COUNT, within the starts that are counted. */
function lastCounted(rule: RuleParts, start: Time, report: Report): Wall {
  if (rule.count === undefined) return LAST;
  const { walls, complete } = expandRule(rule, start.wall, LAST, Math.min(rule.count, MAX_STARTS));
  if (walls.length < rule.count && !complete) {
    report('exrule-cut', `line ${rule.line} EXRULE`, { most: walls.length });
  }
  return walls.at(-1) ?? Number.NEGATIVE_INFINITY;
}

/** The Schedule with those excluded dates that are its instances, in order. */
function withExceptions(expander: Expander, away: Exclusions): Expander {
  const time = expander.rule.time * 1000;
  const own = new Set<Instant>();
  const candidates = [...away.instants, ...away.days.map((day) => toInstant(expander.zone, day * DAY_MS + time))];
  for (const instant of candidates) {
    const wall = wallOfInstance(expander, instant);
    if (wall !== undefined && away.has(instant, wall)) own.add(instant);
  }
  if (own.size === 0) return expander;
  const except = [...own].sort((a, b) => a - b).map((instant) => ({ instant }));
  return expanderOf({ ...expander.schedule, except }) ?? expander;
}
