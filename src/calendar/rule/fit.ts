import { type ByDay, NO_PARTS, type RepeatUnit, type RulePart, statedParts } from '../../opportunity/records.ts';
import { weekdayMask } from '../../recurrence/by-parts.ts';
import { weekOffsets } from '../../recurrence/generate.ts';
import { isSubDay, ruleEnd } from '../../recurrence/rule.ts';
import type { Rule } from '../../recurrence/types.ts';
import { civilOf, type Day, dayOf, EVERY_DAY, monthLength } from '../../time/days.ts';
import type { Weekday } from '../../time/instant.ts';
import type { EventCode } from './reasons.ts';
import { nextDay, withoutEnd } from './steps.ts';

/**
 * Rules that Outlook can hold (feed rule 7): DAILY, WEEKLY with BYDAY, MONTHLY and YEARLY with one day of the month or one nth
 * weekday. A rule beyond that is several of them side by side. What Outlook would read differently is avoided too. That is days
 * 29 to 31 (it takes the last day of a short month), `5MO` (it means the last), and negative ordinals other than -1.
 */
export interface Fit {
  /** Rules that fit, disjoint, each beginning with an instance. */
  masters: Master[];
  /** Whether the rule may have days that no master has, which become single events. */
  rest: boolean;
}

export interface Master {
  rule: Rule;
  /** Identifies a master of a rule, whatever the rule's first and last day; empty where there is only one. */
  part: string;
  /** Why the rule has several masters; empty where there is only one. */
  because: readonly EventCode[];
}

/** Splits a rule. Rules for some months of the year become one master a season, until `horizon` where they never end. */
export function fitRule(rule: Rule, horizon: Day): Fit {
  const isHandled = statedParts(rule).every((part) => HANDLED[part].has(rule.unit));
  if (isSubDay(rule) || !isHandled) return { masters: [], rest: true };
  const shapes = rule.unit === 'day' || rule.unit === 'week' ? weekShapes(rule) : monthShapes(rule);
  const seasonal = rule.byMonth.length > 0 && (rule.unit === 'day' || rule.unit === 'week');
  const masters = shapes.masters.flatMap((shape) => {
    const master = masterOf(rule, shape);
    if (master === undefined) return [];
    return seasonal ? seasons(master, rule.byMonth, horizon) : [master];
  });
  return {
    masters: masters.length === 1 ? masters.map((one) => ({ ...one, part: '', because: [] })) : masters,
    rest: shapes.rest,
  };
}

/** The units in which this file handles each part of a rule. A master that leaves a part out would have other days. */
const HANDLED: Record<RulePart, ReadonlySet<RepeatUnit>> = {
  byDay: new Set(['day', 'week', 'month', 'year']),
  byMonth: new Set(['day', 'week', 'month', 'year']),
  byMonthDay: new Set(['month', 'year']),
};

/** Intervals that Outlook can hold (MS-OXOCAL 2.2.1.44.1); a longer one has few dates anyway. */
const LONGEST: Record<string, number> = { day: 999, week: 99, month: 99, year: 99 };

export function fitsInterval({ rule }: Master): boolean {
  return rule.every <= (LONGEST[rule.unit] ?? 0);
}

/** A master without its start. The rule with `pick` gives its first instance; the rule with `make` is written. */
interface Shape {
  part: string;
  pick: Partial<Rule>;
  make: Partial<Rule>;
  because: EventCode;
}

interface Shapes {
  masters: Shape[];
  rest: boolean;
}

/** The master of a shape. It begins at its first instance, because INTERVAL is counted from DTSTART (feed rule 11). */
function masterOf(rule: Rule, { part, pick, make, because }: Shape): Master | undefined {
  const endless = withoutEnd(rule);
  const end = ruleEnd(rule);
  const bounded: Rule = end === undefined ? endless : { ...endless, lastDay: end };
  const firstDay = nextDay({ ...bounded, ...pick }, rule.firstDay);
  return firstDay === undefined
    ? undefined
    : { part, rule: { ...bounded, ...NO_PARTS, ...make, firstDay }, because: [because] };
}

function weekShapes(rule: Rule): Shapes {
  const pick = { byMonth: [] };
  if (rule.unit === 'week') {
    const byDay = weekOffsets(rule).map((day) => ({ day: day as Weekday }));
    return { masters: [{ part: 'W', pick, make: { byDay }, because: 'season' }], rest: false };
  }
  const mask = rule.byDay.length === 0 ? 127 : weekdayMask(rule.byDay);
  if (mask === 127) return { masters: [{ part: 'D', pick, make: {}, because: 'season' }], rest: false };
  const days = EVERY_DAY.filter((day) => mask & (1 << day));
  if (rule.every === 1) {
    const make = { unit: 'week' as const, byDay: days.map((day) => ({ day })) };
    return { masters: [{ part: 'W', pick, make, because: 'season' }], rest: false };
  }
  // Every n days on Mondays is every n weeks: n is no multiple of 7, which `ruleOf` makes weeks.
  const masters = days.map((day) => {
    const byDay = [{ day }];
    const make = { unit: 'week' as const, byDay };
    return { part: `W${day}`, pick: { byMonth: [], byDay }, make, because: 'weekday-of-interval' as const };
  });
  return { masters, rest: false };
}

/**
 * One master for each run of months in each year, its INTERVAL in step with the whole. A year has six such runs at most, so a
 * rule of 1970, the first year written, has 486 seasons until 2050. The description of a calendar without room for all says so.
 */
function seasons(master: Master, byMonth: readonly number[], horizon: Day): Master[] {
  const { rule } = master;
  const named = new Set(byMonth);
  if (named.size === 12) return [master];
  const last = Math.min(rule.lastDay ?? horizon, horizon);
  const found: Master[] = [];
  const start = civilOf(rule.firstDay);
  for (let month = start.year * 12 + start.month - 1; ; ) {
    while (!named.has((month % 12) + 1)) month++;
    const from = dayOf(Math.floor(month / 12), (month % 12) + 1, 1);
    if (from > last) break;
    while (named.has((month % 12) + 1)) month++;
    const lastDay = Math.min(last, dayOf(Math.floor(month / 12), (month % 12) + 1, 0));
    const firstDay = nextDay({ ...rule, lastDay }, from);
    if (firstDay !== undefined) {
      const because = [...new Set([...master.because, 'season' as const])];
      found.push({ part: `${master.part}/${from}`, rule: { ...rule, firstDay, lastDay }, because });
    }
  }
  return found;
}

/** What a MONTHLY or YEARLY rule picks of a month: a date, or an nth weekday. */
type Choice = { date: number } | { day: Weekday; ordinal: number };

function monthShapes(rule: Rule): Shapes {
  const picks = picksOf(rule);
  if (picks === undefined) return { masters: [], rest: true };
  const masters: Shape[] = [];
  let { rest } = picks;
  if (picks.weekly.length > 0) {
    const byDay = picks.weekly;
    const make = { unit: 'week' as const, every: 1, byDay };
    masters.push({ part: 'W', pick: { byDay, byMonthDay: [] }, make, because: 'weekly-and-monthly' });
  }
  for (const pick of picks.monthly) {
    const shape = rule.unit === 'month' && rule.byMonth.length === 0 ? everyMonth(pick) : undefined;
    if (shape !== undefined) masters.push(shape);
    else if (fitsYearly(pick)) masters.push(...monthsOf(rule, pick).map((month) => inMonth(rule, pick, month)));
    else rest = true;
  }
  return { masters, rest };
}

interface Picks {
  /** Weekdays of every single week. */
  weekly: ByDay[];
  monthly: Choice[];
  rest: boolean;
}

/** Undefined: nothing of the rule fits. */
function picksOf(rule: Rule): Picks | undefined {
  const { byDay, byMonth, byMonthDay, unit } = rule;
  const ofYear = unit === 'year' && byMonth.length === 0;
  if (byDay.length > 0 && byMonthDay.length > 0) return undefined;
  if (ofYear && byDay.some(({ ordinal }) => ordinal !== undefined)) return undefined;
  if (byDay.length === 0) {
    const dates = byMonthDay.length > 0 ? byMonthDay : [civilOf(rule.firstDay).date];
    const monthly = [...new Set(dates)].filter((date) => date > 0).map((date) => ({ date }));
    return { weekly: [], monthly, rest: dates.some((date) => date < 0) };
  }
  if (rule.every === 1 && byMonth.length === 0) {
    const plain = new Set(byDay.filter(({ ordinal }) => ordinal === undefined).map(({ day }) => day));
    const others = nths(byDay.filter(({ day }) => !plain.has(day)));
    return { ...others, weekly: [...plain].sort().map((day) => ({ day })) };
  }
  return ofYear ? undefined : { weekly: [], ...nths(byDay) };
}

/** The nth weekdays of BYDAY. A weekday without ordinal is five of them; the fifth of a month fits no rule. */
function nths(byDay: readonly ByDay[]): { monthly: Choice[]; rest: boolean } {
  const monthly: Choice[] = [];
  let rest = false;
  for (const day of new Set(byDay.map((one) => one.day))) {
    const sameDay = byDay.filter((one) => one.day === day);
    const all = sameDay.some(({ ordinal }) => ordinal === undefined);
    const ordinals = new Set(all ? [1, 2, 3, 4, 5] : sameDay.map(({ ordinal }) => ordinal as number));
    // The fourth and the last weekday are the same day in most months.
    if (ordinals.has(4) && ordinals.delete(-1)) rest = true;
    for (const ordinal of ordinals) monthly.push({ day, ordinal });
  }
  return { monthly, rest };
}

function everyMonth(pick: Choice): Shape | undefined {
  if (!('date' in pick)) {
    const byDay = [pick];
    return fitsYearly(pick)
      ? { part: partOf(pick), pick: { byDay }, make: { byDay }, because: 'nth-weekday' }
      : undefined;
  }
  if (pick.date > 28) return undefined;
  const byMonthDay = [pick.date];
  return { part: partOf(pick), pick: { byMonthDay }, make: { byMonthDay }, because: 'month-day' };
}

function fitsYearly(pick: Choice): boolean {
  return 'date' in pick || (pick.ordinal >= 1 && pick.ordinal <= 4) || pick.ordinal === -1;
}

function partOf(pick: Choice): string {
  return 'date' in pick ? `M${pick.date}` : `M${pick.ordinal}.${pick.day}`;
}

/** Months of the year in which a choice may exist: 30 February does not. */
function monthsOf({ unit, byMonth, byMonthDay, byDay, firstDay }: Rule, pick: Choice): number[] {
  const hasDate = unit === 'year' && byMonthDay.length === 0 && byDay.length === 0;
  const all = hasDate ? [civilOf(firstDay).month] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  const months = byMonth.length > 0 ? [...new Set(byMonth)] : all;
  return months.filter((month) => !('date' in pick) || pick.date <= monthLength(2000, month));
}

/** The shape of a choice in one month of the year. A month that the rule never meets has no first instance. */
function inMonth(rule: Rule, pick: Choice, month: number): Shape {
  const days = 'date' in pick ? { byMonthDay: [pick.date], byDay: [] } : { byMonthDay: [], byDay: [pick] };
  const years = rule.unit === 'year' ? rule.every : leastCommon(rule.every, 12) / 12;
  // 29 February comes every four years; a YEARLY rule would be clipped to the 28th in between.
  const every = 'date' in pick && pick.date > monthLength(2001, month) ? leastCommon(years, 4) : years;
  const shape = { byMonth: [month], ...days };
  const part = `Y${month}.${partOf(pick)}`;
  return { part, pick: shape, make: { unit: 'year', every, ...shape }, because: 'month-of-year' };
}

function leastCommon(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
