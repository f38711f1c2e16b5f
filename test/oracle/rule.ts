import type { FullRule, MoreParts } from '../../src/recurrence/types.ts';

/**
 * A second reading of RFC 5545 3.3.10, written from its table alone: it asks every day of every period, or every hour, minute
 * and second, and knows no short cut. Nothing of it comes from `src/` but the shape of a rule.
 */

const DAY = 86_400_000;
const SECOND_OF: Partial<Record<FullRule['unit'], number>> = { second: 1, minute: 60, hour: 3600 };

const dayOf = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date) / DAY;
const weekdayOf = (day: number) => (new Date(day * DAY).getUTCDay() + 6) % 7;
const civilOf = (day: number) => {
  const at = new Date(day * DAY);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() };
};
const PLAIN: MoreParts = {
  byHour: [],
  byMinute: [],
  bySecond: [],
  byYearDay: [],
  byWeekNo: [],
  bySetPos: [],
  weekStart: 0,
};

/** Starts from DTSTART through `through`, at most `most`. */
export function startsByReading(rule: FullRule, through: number, most: number): number[] {
  const start = rule.firstDay * DAY + rule.time * 1000;
  const found: number[] = [];
  for (const wall of SECOND_OF[rule.unit] === undefined ? ofDays(rule, through) : withinDays(rule, start, through)) {
    if (wall > through || found.length >= most) break;
    if (wall >= start) found.push(wall);
  }
  return found;
}

function* ofDays(rule: FullRule, through: number): Generator<number> {
  const { byHour, byMinute, bySecond } = rule.more ?? PLAIN;
  const [h, m, s] = [Math.floor(rule.time / 3600), Math.floor(rule.time / 60) % 60, rule.time % 60];
  const times: number[] = [];
  for (const hour of byHour.length > 0 ? byHour : [h])
    for (const minute of byMinute.length > 0 ? byMinute : [m])
      for (const second of bySecond.length > 0 ? bySecond : [s])
        times.push((hour * 3600 + minute * 60 + second) * 1000);
  for (let index = 0; ; index++) {
    const [first, last] = periodOf(rule, index);
    if (first * DAY > through) return;
    const walls: number[] = [];
    for (let day = first; day <= last; day++)
      if (isDay(rule, day)) walls.push(...times.map((time) => day * DAY + time));
    yield* positioned(rule, walls);
  }
}

function* withinDays(rule: FullRule, start: number, through: number): Generator<number> {
  const unit = (SECOND_OF[rule.unit] as number) * 1000;
  const { byHour, byMinute, bySecond } = rule.more ?? PLAIN;
  const passes = (list: readonly number[], value: number) => list.length === 0 || list.includes(value);
  let known = { day: Number.NaN, passes: false };
  for (let at = Math.floor(start / unit) * unit; at <= through; at += rule.every * unit) {
    const walls: number[] = [];
    const day = Math.floor(at / DAY);
    if (day !== known.day) known = { day, passes: isDay(rule, day) };
    if (known.passes) {
      for (let wall = at; wall < at + unit; wall += 1000) {
        const at = (wall - Math.floor(wall / DAY) * DAY) / 1000;
        const [hour, minute, second] = [Math.floor(at / 3600), Math.floor(at / 60) % 60, at % 60];
        const ownMinute = byMinute.length > 0 || rule.unit !== 'hour' || minute === Math.floor(rule.time / 60) % 60;
        const ownSecond = bySecond.length > 0 || rule.unit === 'second' || second === rule.time % 60;
        if (!ownMinute || !ownSecond) continue;
        if (passes(byHour, hour) && passes(byMinute, minute) && passes(bySecond, second)) walls.push(wall);
      }
    }
    yield* positioned(rule, walls);
  }
}

function positioned({ more }: FullRule, walls: number[]): number[] {
  const { bySetPos } = more ?? PLAIN;
  if (bySetPos.length === 0) return walls;
  return walls.filter((_, index) => bySetPos.includes(index + 1) || bySetPos.includes(index - walls.length));
}

function periodOf({ unit, every, firstDay, more }: FullRule, index: number): [first: number, last: number] {
  const { year, month } = civilOf(firstDay);
  const step = index * every;
  if (unit === 'day') return [firstDay + step, firstDay + step];
  if (unit === 'year') return [dayOf(year + step, 1, 1), dayOf(year + step, 12, 31)];
  if (unit === 'month') return [dayOf(year, month + step, 1), dayOf(year, month + step + 1, 0)];
  const first = firstDay - ((weekdayOf(firstDay) - (more ?? PLAIN).weekStart + 7) % 7) + step * 7;
  return [first, first + 6];
}

function isDay(rule: FullRule, day: number): boolean {
  const { unit, byMonth, byMonthDay, byDay, firstDay } = rule;
  const { byYearDay, byWeekNo, weekStart } = rule.more ?? PLAIN;
  const [own, start] = [civilOf(day), civilOf(firstDay)];
  const lengthOfMonth = civilOf(dayOf(own.year, own.month + 1, 0)).date;
  const lengthOfYear = dayOf(own.year + 1, 1, 1) - dayOf(own.year, 1, 1);
  const dayOfYear = day - dayOf(own.year, 1, 1) + 1;
  const nothing = byMonthDay.length + byDay.length + byYearDay.length + byWeekNo.length === 0;
  if (byMonth.length > 0 && !byMonth.includes(own.month)) return false;
  if (unit === 'year' && nothing && byMonth.length === 0 && own.month !== start.month) return false;
  if ((unit === 'year' || unit === 'month') && nothing && own.date !== start.date) return false;
  if (unit === 'week' && nothing && weekdayOf(day) !== weekdayOf(firstDay)) return false;
  if (byMonthDay.length > 0 && !byMonthDay.some((n) => n === own.date || n === own.date - lengthOfMonth - 1))
    return false;
  if (byYearDay.length > 0 && !byYearDay.some((n) => n === dayOfYear || n === dayOfYear - lengthOfYear - 1))
    return false;
  if (byWeekNo.length > 0 && !isInWeek(day, byWeekNo, weekStart)) return false;
  const isBare = byWeekNo.length > 0 && byMonthDay.length + byDay.length + byYearDay.length === 0;
  if (isBare && weekdayOf(day) !== weekdayOf(firstDay)) return false;
  if (byDay.length === 0) return true;
  const counts = unit === 'month' || (unit === 'year' && byWeekNo.length === 0);
  const [position, length] =
    unit === 'month' || byMonth.length > 0 ? [own.date, lengthOfMonth] : [dayOfYear, lengthOfYear];
  const [nth, fromEnd] = [Math.ceil(position / 7), -Math.ceil((length - position + 1) / 7)];
  return byDay.some(
    (one) =>
      one.day === weekdayOf(day) &&
      (!counts || one.ordinal === undefined || one.ordinal === nth || one.ordinal === fromEnd),
  );
}

/** Weeks of the years around it, counted one by one: the first has four days of January. */
function isInWeek(day: number, weeks: readonly number[], weekStart: number): boolean {
  for (const year of [civilOf(day).year - 1, civilOf(day).year, civilOf(day).year + 1]) {
    const firsts = weeksOf(year, weekStart);
    const index = firsts.findIndex((first) => day >= first && day < first + 7);
    if (index >= 0) return weeks.includes(index + 1) || weeks.includes(index - firsts.length);
  }
  return false;
}

const known = new Map<string, number[]>();

/** The first days of a year's weeks. */
function weeksOf(year: number, weekStart: number): number[] {
  const firsts = known.get(`${year} ${weekStart}`) ?? [];
  if (firsts.length > 0) return firsts;
  for (let at = dayOf(year, 1, 1) - 6; at <= dayOf(year, 12, 31); at++) {
    const inYear = [0, 1, 2, 3, 4, 5, 6].filter((n) => civilOf(at + n).year === year).length;
    if (weekdayOf(at) === weekStart && inYear >= 4) firsts.push(at);
  }
  known.set(`${year} ${weekStart}`, firsts);
  return firsts;
}
