import type { Rule } from '../../recurrence/patterns.ts';
import type { Day } from '../../time/days.ts';
import type { Weekday } from '../../time/instant.ts';
import type { Master } from '../rule/fit.ts';
import { daysBetween, nextDay } from '../rule/steps.ts';
import { HORIZON } from './sources.ts';

/** EXDATEs that one endless master may carry; more of them is a second rule that gives the same days. */
const MOST = 300;

/**
 * Masters without end that lose days for ever, because an earlier schedule gives them too, cannot say so in EXDATEs. They
 * are taken apart by weekday: some go, some stay whole, and what is left is to be written one by one (`rest`).
 */
export function thinned(masters: readonly Master[], excluded: readonly Day[]): { masters: Master[]; rest: boolean } {
  if (excluded.length <= MOST) return { masters: [...masters], rest: false };
  const gone = new Set(excluded);
  const kept: Master[] = [];
  let rest = false;
  for (const master of masters.flatMap((one) => (losesMany(one, gone) ? byWeekday(one) : [one]))) {
    const days = daysBetween(master.rule, master.rule.firstDay, HORIZON);
    const left = days.filter((day) => !gone.has(day)).length;
    if (master.rule.lastDay !== undefined || days.length - left <= MOST) kept.push(master);
    else if (left > 0) rest = true;
  }
  return { masters: kept, rest };
}

function losesMany({ rule }: Master, gone: ReadonlySet<Day>): boolean {
  return (
    rule.lastDay === undefined && daysBetween(rule, rule.firstDay, HORIZON).filter((day) => gone.has(day)).length > MOST
  );
}

function byWeekday(master: Master): Master[] {
  const { rule, part } = master;
  const because = [...master.because, 'same-as-earlier-schedule' as const];
  const days =
    rule.unit === 'week' ? rule.byDay.map(({ day }) => day) : rule.unit === 'day' && rule.every === 1 ? ALL : [];
  if (days.length === 0) return [master];
  return days.flatMap((day) => {
    const weekly: Rule = { ...rule, unit: 'week', byDay: [{ day }] };
    const firstDay = nextDay(weekly, rule.firstDay);
    return firstDay === undefined ? [] : [{ part: `${part}:${day}`, rule: { ...weekly, firstDay }, because }];
  });
}

const ALL: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
