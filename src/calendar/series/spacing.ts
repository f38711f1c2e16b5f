import type { Rule } from '../../recurrence/patterns.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Master } from '../rule/fit.ts';
import { nextDay } from '../rule/steps.ts';

/** Interleaved masters at most: a daily session of a year. A longer one is a mistake that no calendar can make sense of. */
const MOST = 366;

/**
 * Outlook wants a session to end before the next one of its series begins. A master whose instances overlap becomes
 * several that take turns.
 */
export function spaced(master: Master, length: number): Master[] {
  const { rule, part } = master;
  const because = [...new Set([...master.because, 'overlap' as const])];
  const distance = distanceOf(rule) * DAY_MS;
  if (length <= distance) return [master];
  if (rule.unit === 'week' && rule.byDay.length > 1) {
    return rule.byDay.flatMap(({ day }) => {
      const own = starting({ ...rule, byDay: [{ day }] }, `${part}:${day}`);
      return own === undefined ? [] : spaced({ ...own, because }, length);
    });
  }
  const turns = Math.ceil(length / distance);
  if (turns > MOST) return [master];
  const masters: Master[] = [];
  let first: number | undefined = rule.firstDay;
  for (let turn = 0; turn < turns && first !== undefined; turn++) {
    masters.push({ part: `${part}+${turn}`, rule: { ...rule, every: rule.every * turns, firstDay: first }, because });
    first = nextDay(rule, first + 1);
  }
  return masters;
}

function starting(rule: Rule, part: string): Pick<Master, 'part' | 'rule'> | undefined {
  const firstDay = nextDay(rule, rule.firstDay);
  return firstDay === undefined ? undefined : { part, rule: { ...rule, firstDay } };
}

/** Fewest days between two instances of a rule that fits Outlook. */
function distanceOf({ unit, every, byDay }: Rule): number {
  if (unit === 'day') return every;
  if (unit === 'month') return 28 * every;
  if (unit === 'year') return 365 * every;
  const days = byDay.map(({ day }) => day).sort((a, b) => a - b);
  const gaps = days.map((day, i) =>
    i === 0 ? day + 7 * every - (days.at(-1) as number) : day - (days[i - 1] as number),
  );
  return Math.min(...gaps);
}
