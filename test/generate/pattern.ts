import { dateOf, dayNumber, type Pattern, patternDays } from '../oracle/days.ts';
import type { Random } from './random.ts';

/** Days between which everything generated starts; windows are best taken from here. */
export const FIRST_DAY = '2024-06-01';
export const LAST_DAY = '2028-06-01';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const ICAL_DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Any rule of semantics 3, with any of the ways to end. */
export function randomPattern(r: Random): Pattern {
  const startDay = r.int(dayNumber(FIRST_DAY), dayNumber(LAST_DAY) - 300);
  const pattern: Pattern = { unit: 'week', every: 1, byDay: [], byMonth: [], byMonthDay: [], startDay };
  shape(r, pattern);
  const limits = r.weighted({ count: 3, end: 3, both: 2, open: 2 });
  if (limits === 'count' || limits === 'both') pattern.count = r.int(1, 40);
  if (limits === 'end' || limits === 'both') pattern.lastDay = startDay + r.int(0, r.pick([120, 120, 700]));
  return pattern;
}

function shape(r: Random, pattern: Pattern): void {
  const days = (most: number) => r.some([0, 1, 2, 3, 4, 5, 6], r.int(1, most)).map((day) => ({ day }));
  const nth = () => ({ day: r.int(0, 6), ordinal: r.pick([1, 2, 3, 4, 5, -1, -2]) });
  const monthDays = () => r.some([1, 2, 7, 13, 15, 28, 29, 30, 31], r.int(1, 3));
  const months = () => r.some([1, 2, 3, 4, 6, 9, 10, 11, 12], r.int(1, 4));
  const shapes: [number, () => Partial<Pattern>][] = [
    [12, () => ({ unit: 'day' })],
    [6, () => ({ unit: 'day', every: r.int(2, 9) })],
    [3, () => ({ unit: 'day', every: r.int(1, 3), byDay: days(5) })],
    [2, () => ({ unit: 'day', every: r.int(1, 2), byMonth: months() })],
    [30, () => ({ unit: 'week', byDay: days(4) })],
    [10, () => ({ unit: 'week', every: r.int(2, 5), byDay: days(4) })],
    [6, () => ({ unit: 'week', every: r.int(1, 3) })],
    [3, () => ({ unit: 'week', every: r.int(1, 2), byDay: days(3), byMonth: months() })],
    [6, () => ({ unit: 'month', every: r.int(1, 3) })],
    [6, () => ({ unit: 'month', every: r.int(1, 2), byMonthDay: monthDays() })],
    [12, () => ({ unit: 'month', every: r.int(1, 3), byDay: [nth()] })],
    [4, () => ({ unit: 'month', byDay: [nth(), { day: r.int(0, 6), ordinal: r.pick([1, -1]) }] })],
    [3, () => ({ unit: 'month', every: r.int(1, 4), byDay: days(2) })],
    [2, () => ({ unit: 'month', byDay: days(2), byMonthDay: monthDays() })],
    [4, () => ({ unit: 'year', every: r.int(1, 2) })],
    [3, () => ({ unit: 'year', byMonth: months() })],
    [3, () => ({ unit: 'year', byMonth: months(), byDay: [nth()] })],
    [2, () => ({ unit: 'year', byMonth: months(), byMonthDay: monthDays() })],
    [4, () => ({ unit: 'once' })],
  ];
  Object.assign(pattern, r.among(shapes)());
  startSomewhere(r, pattern);
}

/** Publishers do not always start on a day of the rule (the specification's own example does not). */
function startSomewhere(r: Random, pattern: Pattern): void {
  if (pattern.byDay.length === 0 || r.chance(0.4)) return;
  const first = patternDays(pattern, pattern.startDay + 400)[0];
  if (first !== undefined) pattern.startDay = first;
}

/** The pattern in one of the spellings feeds use. */
export function spelled(r: Random, pattern: Pattern): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  const weeks = r.chance(0.5) ? monthWeeksOf(pattern) : undefined;
  const frequency = weeks === undefined ? frequencyOf(r, pattern) : weeklyOrMonthly(r, pattern);
  if (frequency !== undefined) json.repeatFrequency = frequency;
  if (weeks !== undefined) json.byMonthWeek = weeks;
  if (pattern.byDay.length > 0) {
    const style = r.weighted({ 'https://schema.org/': 6, 'http://schema.org/': 1, 'schema:': 1, '': 1, ical: 2 });
    const named = weeks === undefined ? pattern.byDay : weekdaysOf(pattern);
    json.byDay = named.map(({ day, ordinal }) =>
      ordinal !== undefined || style === 'ical' ? `${ordinal ?? ''}${ICAL_DAYS[day]}` : `${style}${WEEKDAYS[day]}`,
    );
  }
  if (pattern.byMonth.length > 0) json.byMonth = pattern.byMonth;
  if (pattern.byMonthDay.length > 0) json.byMonthDay = pattern.byMonthDay;
  if (pattern.count !== undefined) json.repeatCount = pattern.count;
  if (pattern.lastDay !== undefined) json.endDate = dateOf(pattern.lastDay);
  return json;
}

/** The weeks of the month, where each weekday is in each of the same ones. */
function monthWeeksOf({ unit, byDay }: Pattern): number[] | undefined {
  if (unit !== 'month' || byDay.length === 0) return undefined;
  const weeks = [...new Set(byDay.map(({ ordinal }) => ordinal))];
  const fit = weeks.every((week) => week !== undefined && (week > 0 || week === -1));
  const pairs = new Set(byDay.map(({ day, ordinal }) => `${day} ${ordinal}`));
  return fit && pairs.size === weekdaysOf({ byDay }).length * weeks.length ? (weeks as number[]) : undefined;
}

function weekdaysOf({ byDay }: Pick<Pattern, 'byDay'>): Pattern['byDay'] {
  return [...new Set(byDay.map(({ day }) => day))].map((day) => ({ day }));
}

function weeklyOrMonthly(r: Random, { every }: Pattern): string | undefined {
  return every === 1 ? r.pick([undefined, 'P1W', 'P1M']) : `P${every}M`;
}

function frequencyOf(r: Random, { unit, every, byDay, byMonth, byMonthDay }: Pattern): string | undefined {
  switch (unit) {
    case 'once':
      return undefined;
    case 'day':
      if (every === 1 && r.chance(0.1)) return 'PT24H';
      // P7D says "weekly" in the field's language; a plain daily rule never takes that spelling here.
      return every % 7 === 0 ? `P${every / 7}W` : `P${every}D`;
    case 'week':
      if (every === 1 && byDay.length > 0 && r.chance(0.15)) return undefined;
      return r.chance(0.2) ? `P${every * 7}D` : `P${every}W`;
    case 'month':
      if (every === 1 && byMonthDay.length > 0 && r.chance(0.4)) return undefined;
      return `P${every}M`;
    case 'year':
      if (every === 1 && byMonth.length > 0 && byDay.length + byMonthDay.length === 0 && r.chance(0.4))
        return undefined;
      return `P${every}Y`;
  }
}
