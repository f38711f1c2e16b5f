import { LAST_DAY } from '../../recurrence/generate.ts';
import { ruleDays, ruleEnd } from '../../recurrence/rule.ts';
import type { Rule } from '../../recurrence/types.ts';
import type { Day } from '../../time/days.ts';

/** Steps from instance to instance of a rule, without a list of all. For rules of a day and longer. */

export function withoutEnd({ count: _, lastDay: __, ...rule }: Rule): Rule {
  return rule;
}

export function nextDay(rule: Rule, from: Day): Day | undefined {
  return ruleDays(rule, from, LAST_DAY, 1)[0];
}

export function previousDay(rule: Rule, to: Day): Day | undefined {
  const last = Math.min(to, ruleEnd(rule) ?? to);
  for (let span = 32; ; span *= 8) {
    const from = Math.max(rule.firstDay, last - span);
    const found = ruleDays(rule, from, last, Number.POSITIVE_INFINITY).at(-1);
    if (found !== undefined || from === rule.firstDay || last < rule.firstDay) return found;
  }
}

export function daysBetween(rule: Rule, from: Day, to: Day): Day[] {
  return ruleDays(rule, from, to, Number.POSITIVE_INFINITY);
}
