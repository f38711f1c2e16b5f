import { DAY_MS } from '../../recurrence/days.ts';
import { starts } from '../../recurrence/starts.ts';
import type { Starts } from '../../recurrence/subday.ts';
import type { Wall } from '../../recurrence/zone.ts';
import type { RuleParts } from './model.ts';

/** Starts of an RRULE from DTSTART through `through`, at most `most`; DTSTART itself only where the rule gives it. COUNT and UNTIL are the caller's. */
export function expandRule(rule: RuleParts, start: Wall, through: Wall, most: number): Starts {
  const firstDay = Math.floor(start / DAY_MS);
  const { unit, every, byDay, byMonth, byMonthDay } = rule;
  const time = Math.floor((start - firstDay * DAY_MS) / 1000);
  return starts({ unit, every, byDay, byMonth, byMonthDay, firstDay, time, more: rule }, start, through, most);
}
