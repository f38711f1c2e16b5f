import { shown } from '../findings.ts';
import type { Json } from '../item/json.ts';
import { at, isEmpty, many, note, noteOnce, noteProperty, type Part, type Spot } from '../item/reading.ts';
import { noteDaySpelling, toNumber, wordOf } from '../item/values.ts';
import { isPublicHolidays, parseByDay } from '../item/vocabulary.ts';
import type { ByDay, RepeatUnit, Schedule } from '../records.ts';

/** The values of a part of a rule. `unusable`: stated, and no value is readable; the rest makes no rule. */
type PartValues<T> = T[] | 'unusable';

const MOST = 100;

/** `byDay`: day addresses, and iCalendar's own forms (`2TH`). In order of the week, each once. */
export function daysOf(part: Part, unit: RepeatUnit | undefined): PartValues<ByDay> {
  if (isEmpty(part.from.byDay)) return [];
  const here = at(part, 'byDay');
  if (!Array.isArray(part.from.byDay)) noteOnce(here, 'single-value', { property: 'byDay' });
  const days = new Map<string, ByDay>();
  for (const word of many(part, 'byDay', MOST).flatMap((entry) => elements(here, entry))) {
    const day = typeof word === 'string' ? parseByDay(word) : undefined;
    if (day !== undefined) add(here, days, day, word as string, unit);
    else if (typeof word === 'string' && isPublicHolidays(word)) note(here, 'by-day-public-holidays');
    else note(here, 'by-day-unknown', { value: shown(word) });
  }
  if (days.size === 0) {
    note(here, 'by-day-unusable');
    return 'unusable';
  }
  return daysInOrder([...days.values()]);
}

/** The days in an element: `MO,WE`, or an object with the address of a day. */
function elements(spot: Spot, value: Json): Json[] {
  const entry = wordOf(value) ?? value;
  if (typeof entry !== 'string' || !entry.includes(',')) return [entry];
  note(spot, 'by-day-comma', { value: shown(entry) });
  return entry.slice(0, 500).split(',');
}

/** An ordinal counts within a month or year; in weeks and days RFC 5545 forbids it. */
function add(spot: Spot, days: Map<string, ByDay>, day: ByDay, word: string, unit: RepeatUnit | undefined): void {
  const numbered = day.ordinal !== undefined && unit !== undefined && unit !== 'month' && unit !== 'year';
  if (numbered) note(spot, 'by-day-ordinal-ignored', { value: shown(word) });
  const used: ByDay = numbered ? { day: day.day } : day;
  days.set(`${used.day} ${used.ordinal ?? ''}`, used);
  if (day.ordinal === undefined) noteDaySpelling(spot, word, day.day);
}

/** `byMonth`: 1 to 12. */
export function monthsOf(part: Part): PartValues<number> {
  return numbersOf(part, 'byMonth', 'by-month-invalid', (month) => month >= 1 && month <= 12);
}

/** `byMonthDay`: 1 to 31, or from the end of the month. */
export function monthDaysOf(part: Part): PartValues<number> {
  const fits = (day: number) => day !== 0 && Math.abs(day) <= 31;
  return numbersOf(part, 'byMonthDay', 'by-month-day-invalid', fits);
}

/**
 * `byMonthWeek`: the weeks of a month, 1 to 5 or -1 for the last, for weekdays without ordinal in a rule of weeks or months.
 * Without such weekdays it is ignored.
 */
export function monthWeeksOf(part: Part, byDay: readonly ByDay[], frequency: Schedule['frequency']): number[] {
  if (isEmpty(part.from.byMonthWeek)) return [];
  const here = at(part, 'byMonthWeek');
  const fits = byDay.length > 0 && byDay.every(({ ordinal }) => ordinal === undefined) && countsWeeks(frequency);
  const weeks = new Set<number>();
  for (const value of many(part, 'byMonthWeek', MOST)) {
    const week = toNumber(value);
    if (fits && week !== undefined && WEEKS.has(week)) weeks.add(week);
    else note(here, 'by-month-week-ignored', { value: shown(value) });
  }
  return [...weeks];
}

const WEEKS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, -1]);

function countsWeeks(frequency: Schedule['frequency']): boolean {
  if (frequency === undefined) return true;
  return frequency.unit === 'month' || (frequency.unit === 'week' && frequency.every === 1);
}

/** Each weekday in each of the weeks. */
export function inWeeks(byDay: readonly ByDay[], weeks: readonly number[]): ByDay[] {
  return daysInOrder(byDay.flatMap(({ day }) => weeks.map((ordinal) => ({ day, ordinal }))));
}

function daysInOrder(days: ByDay[]): ByDay[] {
  return days.sort((a, b) => a.day - b.day || (a.ordinal ?? 0) - (b.ordinal ?? 0));
}

function numbersOf(
  part: Part,
  name: string,
  code: 'by-month-invalid' | 'by-month-day-invalid',
  fits: (value: number) => boolean,
): PartValues<number> {
  if (isEmpty(part.from[name])) return [];
  const numbers = new Set<number>();
  for (const value of many(part, name, MOST)) {
    const number = toNumber(value);
    if (number !== undefined && Number.isInteger(number) && fits(number)) numbers.add(number);
    else note(at(part, name), code, { value: shown(value) });
  }
  if (numbers.size > 0) return [...numbers].sort((a, b) => a - b);
  noteProperty(part, name, 'rule-part-unusable');
  return 'unusable';
}
