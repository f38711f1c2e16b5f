import { type ByDay, NO_PARTS } from '../../../opportunity/records.ts';
import { timesOfDay } from '../../../recurrence/times.ts';
import { civilOf, DAY_MS, weekdayOf } from '../../../time/days.ts';
import type { Weekday } from '../../../time/instant.ts';
import type { Wall } from '../../../time/zone.ts';
import type { RuleParts } from '../../read/model.ts';

/**
 * What one Schedule can say of a rule: a frequency of days or longer, BY… parts that Schedule has, one time of day, weeks
 * that begin on Monday. Everything is stated, so that no reader has to take a day from the start date.
 */
export interface Shape extends Pick<RuleParts, 'unit' | 'every' | 'byDay' | 'byMonth' | 'byMonthDay'> {
  /** Seconds since local midnight. */
  time: number;
  /** Only this day of the week: of a rule divided by weekdays. */
  weekday?: Weekday;
}

/** What readers take for a frequency; ours at most. */
const MAX_EVERY = 1000;

/** One shape for each time of day (and weekday, where weeks begin on another day than Monday); a text: why there is none. */
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

/** What a PartialSchedule says of a rule that is written out: all of it, or how often. `time`: where all starts have the same. */
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
  // "Every day that is a Monday" and "every Monday of every month" are every Monday.
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

/** What DTSTART tells where no BY… part does (RFC 5545 3.3.10). */
function stated({ unit, every, byDay, byMonth, byMonthDay }: RuleParts, startDay: number): Omit<Shape, 'time'> {
  const { month, date } = civilOf(startDay);
  const isOpen = byDay.length + byMonthDay.length === 0;
  const base = { unit, every, byDay, byMonth, byMonthDay };
  if (!isOpen || unit === 'day') return base;
  if (unit === 'week') return { ...base, byDay: [{ day: weekdayOf(startDay) }] };
  const months = unit === 'year' && byMonth.length === 0 ? [month] : byMonth;
  return { ...base, byMonth: months, byMonthDay: [date] };
}

/** Every second week of one weekday is the same whatever day weeks begin on. */
function byWeekday(shape: Shape): Shape[] {
  return shape.byDay.map(({ day }) => ({ ...shape, byDay: [{ day }], weekday: day }));
}
