import type { Rule } from '../../recurrence/types.ts';
import { DAY_MS, type Day, EVERY_DAY } from '../../time/days.ts';
import type { Weekday } from '../../time/instant.ts';
import type { Master } from '../rule/fit.ts';
import type { EventCode } from '../rule/reasons.ts';
import { daysBetween, nextDay } from '../rule/steps.ts';
import { HORIZON } from './excluded-days.ts';

/** Splits masters whose rule fits Outlook, but whose instances overlap, or are partly those of an earlier schedule. */

/** Most interleaved masters: those of a daily session that lasts a year. A longer session is a mistake, and is not split. */
const MOST_TURNS = 366;

/**
 * Outlook wants a session to end before the next one of its series begins. A master whose instances overlap becomes
 * several that take turns.
 */
export function spaced(master: Master, length: number): Master[] {
  const { rule, part } = master;
  const distance = distanceOf(rule) * DAY_MS;
  if (length <= distance) return [master];
  if (rule.unit === 'week' && rule.byDay.length > 1) {
    return byWeekday(master, daysOf(rule), 'overlap').flatMap((one) => spaced(one, length));
  }
  const turns = Math.ceil(length / distance);
  if (turns > MOST_TURNS) return [master];
  const because = becauseOf(master, 'overlap');
  const masters: Master[] = [];
  let first: number | undefined = rule.firstDay;
  for (let turn = 0; turn < turns && first !== undefined; turn++) {
    masters.push({ part: `${part}+${turn}`, rule: { ...rule, every: rule.every * turns, firstDay: first }, because });
    first = nextDay(rule, first + 1);
  }
  return masters;
}

function becauseOf({ because }: Master, code: EventCode): EventCode[] {
  return [...new Set([...because, code])];
}

function daysOf({ byDay }: Rule): Weekday[] {
  return byDay.map(({ day }) => day);
}

function byWeekday(master: Master, days: readonly Weekday[], code: EventCode): Master[] {
  const because = becauseOf(master, code);
  return days.flatMap((day) => {
    const rule: Rule = { ...master.rule, unit: 'week', byDay: [{ day }] };
    const firstDay = nextDay(rule, rule.firstDay);
    return firstDay === undefined ? [] : [{ part: `${master.part}:${day}`, rule: { ...rule, firstDay }, because }];
  });
}

/** Fewest days between two instances of a rule that fits Outlook. */
function distanceOf(rule: Rule): number {
  const { unit, every } = rule;
  if (unit === 'day') return every;
  if (unit === 'month') return 28 * every;
  if (unit === 'year') return 365 * every;
  const days = daysOf(rule).sort((a, b) => a - b);
  const gaps = days.map((day, i) =>
    i === 0 ? day + 7 * every - (days.at(-1) as number) : day - (days[i - 1] as number),
  );
  return Math.min(...gaps);
}

/** Most EXDATEs of an endless master; more of them show a second rule that gives the same days. */
const MOST_EXDATES = 300;

/**
 * Splits endless masters by weekday where an earlier schedule gives some of their days for ever, which EXDATEs cannot exclude.
 * Some of the parts go, some stay whole, and the days of others are written one by one (`rest`).
 */
export function thinned(masters: readonly Master[], excluded: readonly Day[]): { masters: Master[]; rest: boolean } {
  if (excluded.length <= MOST_EXDATES) return { masters: [...masters], rest: false };
  const gone = new Set(excluded);
  const kept: Master[] = [];
  let rest = false;
  for (const master of masters.flatMap((one) => (losesMany(one, gone) ? splitByWeekday(one) : [one]))) {
    const days = daysBetween(master.rule, master.rule.firstDay, HORIZON);
    const left = days.filter((day) => !gone.has(day)).length;
    if (master.rule.lastDay !== undefined || days.length - left <= MOST_EXDATES) kept.push(master);
    else if (left > 0) rest = true;
  }
  return { masters: kept, rest };
}

function losesMany({ rule }: Master, gone: ReadonlySet<Day>): boolean {
  return (
    rule.lastDay === undefined &&
    daysBetween(rule, rule.firstDay, HORIZON).filter((day) => gone.has(day)).length > MOST_EXDATES
  );
}

function splitByWeekday(master: Master): Master[] {
  const { rule } = master;
  if (rule.unit === 'week' && rule.byDay.length > 0) return byWeekday(master, daysOf(rule), 'same-as-earlier-schedule');
  return rule.unit === 'day' && rule.every === 1 ? byWeekday(master, EVERY_DAY, 'same-as-earlier-schedule') : [master];
}
