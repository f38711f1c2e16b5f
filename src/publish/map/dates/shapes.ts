import { type ByDay, NO_PARTS } from '../../../opportunity/records.ts';
import { timesOfDay } from '../../../recurrence/times.ts';
import { civilOf, DAY_MS, weekdayOf } from '../../../time/days.ts';
import type { Weekday } from '../../../time/instant.ts';
import type { Wall } from '../../../time/zone.ts';
import type { RuleParts } from '../../read/model.ts';

/**
 * The parts of a rule that one Schedule can state: a frequency of days or longer, BY… parts that Schedule has, one time of
 * day, weeks that begin on Monday. All are stated, so that no reader has to take a day from the start date.
 */
export interface Shape extends Pick<RuleParts, 'unit' | 'every' | 'byDay' | 'byMonth' | 'byMonthDay'> {
  /** Seconds since local midnight. */
  time: number;
  /** The only weekday, in a rule divided by weekdays. */
  weekday?: Weekday;
}

/** The largest frequency that readers, such as ours, take. */
const MAX_EVERY = 1000;

/** One shape for each time of day (and weekday, where weeks do not begin on Monday); a text: the reason why there is none. */
export function shapesOf(rule: RuleParts, start: Wall): Shape[] | string {
  const simple = simplified(rule);
  const why = unsayable(simple);
  if (why !== undefined) return why;
  const startDay = Math.floor(start / DAY_MS);
  const base = stated(simple, startDay);
  const shapes = timesOfDay((start - startDay * DAY_MS) / 1000, simple).map((time) => ({ ...base, time }));
  const isByWeekday = base.unit === 'week' && base.every > 1 && simple.weekStart !== 0;
  return isByWeekday ? shapes.flatMap(byWeekday) : shapes;
}

/** The PartialSchedule of a rule that is written out: all of its parts, or its frequency. `time`: where all starts share one. */
export function patternOf(rule: RuleParts, start: Wall): Omit<Shape, 'time' | 'weekday'> & { time?: number } {
  const simple = simplified(rule);
  const startDay = Math.floor(start / DAY_MS);
  const { unit, every } = simple;
  const why = unsayable(simple);
  const parts = why === undefined ? stated(simple, startDay) : { unit, every, ...NO_PARTS };
  const isWithinDay = unit === 'hour' || unit === 'minute' || unit === 'second';
  const [time, ...others] = isWithinDay ? [] : timesOfDay((start - startDay * DAY_MS) / 1000, simple);
  return { ...parts, ...(time !== undefined && others.length === 0 && { time }) };
}

/** The rule in the parts that a Schedule has. */
function simplified(rule: RuleParts): RuleParts {
  const positions = asOrdinals(rule);
  if (positions !== undefined) return { ...rule, byDay: positions, bySetPos: [] };
  const isPlain = rule.byDay.length > 0 && rule.byDay.every(({ ordinal }) => ordinal === undefined);
  const isEvery = rule.every === 1 && rule.byMonthDay.length + rule.byYearDay.length + rule.byWeekNo.length === 0;
  // "Every day that is a Monday" and "every Monday of every month" mean every Monday.
  const isWeekly = isPlain && isEvery && rule.bySetPos.length === 0 && ['day', 'month', 'year'].includes(rule.unit);
  return isWeekly ? { ...rule, unit: 'week' } : rule;
}

/** BYSETPOS among the days of one weekday counts them: `BYDAY=TU;BYSETPOS=2` is `2TU`. */
function asOrdinals({
  unit,
  byDay,
  bySetPos,
  byMonth,
  byHour,
  byMinute,
  bySecond,
  ...rule
}: RuleParts): ByDay[] | undefined {
  const [only] = byDay;
  if (bySetPos.length === 0 || byDay.length !== 1 || only === undefined || only.ordinal !== undefined) return undefined;
  if (byHour.length > 1 || byMinute.length > 1 || bySecond.length > 1) return undefined;
  if (rule.byMonthDay.length + rule.byYearDay.length + rule.byWeekNo.length > 0) return undefined;
  const isMonth = unit === 'month' || (unit === 'year' && byMonth.length === 1);
  if (!isMonth || bySetPos.some((position) => Math.abs(position) > 5)) return undefined;
  return bySetPos.map((ordinal) => ({ day: only.day, ordinal }));
}

function unsayable({ unit, every, bySetPos, byYearDay, byWeekNo, byMonthDay }: RuleParts): string | undefined {
  if (unit === 'hour' || unit === 'minute' || unit === 'second') return 'a rule that repeats within a day';
  if (every > MAX_EVERY) return `every ${every}`;
  if (bySetPos.length > 0) return 'BYSETPOS';
  if (byYearDay.length > 0) return 'BYYEARDAY';
  if (byWeekNo.length > 0) return 'BYWEEKNO';
  return byMonthDay.some((date) => date < 0) ? 'a negative BYMONTHDAY' : undefined;
}

/** The parts of a rule, with those that DTSTART implies where no BY… part is stated (RFC 5545 3.3.10). */
function stated({ unit, every, byDay, byMonth, byMonthDay }: RuleParts, startDay: number): Omit<Shape, 'time'> {
  const { month, date } = civilOf(startDay);
  const isOpen = byDay.length + byMonthDay.length === 0;
  const base = { unit, every, byDay, byMonth, byMonthDay };
  if (!isOpen || unit === 'day') return base;
  if (unit === 'week') return { ...base, byDay: [{ day: weekdayOf(startDay) }] };
  const months = unit === 'year' && byMonth.length === 0 ? [month] : byMonth;
  return { ...base, byMonth: months, byMonthDay: [date] };
}

/** One shape for each weekday: a rule of every second week on one weekday does not depend on the first day of weeks. */
function byWeekday(shape: Shape): Shape[] {
  return shape.byDay.map(({ day }) => ({ ...shape, byDay: [{ day }], weekday: day }));
}
