import { type ByDay, type RulePart, type Schedule, statedParts } from '../../opportunity/records.ts';
import { DAY_MS, MONTHS, WEEKDAYS } from '../../time/days.ts';
import type { Weekday } from '../../time/instant.ts';
import { timeText } from '../../time/iso-text.ts';

/**
 * A schedule in words: `Usually Mondays and Wednesdays 18:00–19:00` for a PartialSchedule, which is never expanded
 * (semantics 3), `Every second week on Mondays 18:00–19:00` for a Schedule. Undefined when it says neither day nor time.
 *
 * @example
 * ```ts
 * for (const schedule of series.schedules) console.log(scheduleWords(schedule));
 * ```
 */
export function scheduleWords(schedule: Schedule): string | undefined {
  const days = dayWords(schedule);
  const time = timeWords(schedule);
  if (days === undefined && time === undefined) return undefined;
  const words = [days, time].filter((part) => part !== undefined).join(' ');
  if (!schedule.partial) return words[0]?.toUpperCase() + words.slice(1);
  return `Usually ${/^[A-Z]/.test(words) ? words : words[0]?.toLowerCase() + words.slice(1)}`;
}

const ORDINALS: Record<number, string> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth', [-1]: 'last' };
const EVERY: Record<number, string> = { 1: '', 2: 'second ', 3: 'third ', 4: 'fourth ' };

/** `the 1st of the month`, `every second week on Mondays`; undefined: the Schedule names no days. */
export function dayWords(schedule: Schedule): string | undefined {
  const { byDay, byMonthDay, byMonth, startDate } = schedule;
  if (startDate !== undefined && isOnce(schedule)) return dateWords(startDate);
  const every = frequencyOf(schedule);
  const words: Record<RulePart, string> = {
    byDay: `${every === undefined ? '' : 'on '}${listOf(weekdays(byDay))}`,
    byMonthDay: `on the ${listOf(byMonthDay.map(dateName))} of the month`,
    byMonth: `in ${listOf(byMonth.map((month) => MONTHS[month - 1] ?? ''))}`,
  };
  const stated = new Set(statedParts(schedule));
  const parts = (Object.keys(words) as RulePart[]).filter((part) => stated.has(part)).map((part) => words[part]);
  const all = every === undefined ? parts : [every, ...parts];
  return all.length === 0 ? undefined : all.join(' ');
}

/** Whether a schedule has one date. It may state a frequency all the same, which the model requires. */
export function isOnce(schedule: Schedule): boolean {
  const { partial, frequency, count } = schedule;
  const isRule = frequency !== undefined && (partial || count !== 1);
  return !isRule && statedParts(schedule).length === 0;
}

/** The frequency in words; undefined where the weekdays imply it: `Mondays` are every week. */
function frequencyOf(schedule: Schedule): string | undefined {
  const { frequency } = schedule;
  if (frequency === undefined) return undefined;
  const { unit, every } = frequency;
  const hasDays = statedParts(schedule).some((part) => part !== 'byMonth');
  if (every === 1 && hasDays && (unit === 'week' || unit === 'day' || unit === 'month')) return undefined;
  const count = EVERY[every];
  return count === undefined ? `every ${every} ${unit}s` : `every ${count}${unit}`;
}

function weekdays(byDay: readonly ByDay[]): string[] {
  const plain = new Set(byDay.filter(({ ordinal }) => ordinal === undefined).map(({ day }) => day));
  const nth = byDay.filter(({ ordinal }) => ordinal !== undefined);
  const named = [...plain].sort().map((day: Weekday) => `${WEEKDAYS[day]}s`);
  return [...named, ...nth.map(({ day, ordinal }) => `the ${ordinalName(ordinal as number)} ${WEEKDAYS[day]}`)];
}

export function ordinalName(ordinal: number): string {
  return ORDINALS[ordinal] ?? (ordinal < 0 ? `${dateName(-ordinal)} last` : dateName(ordinal));
}

/** `1st`, `22nd`; from the end of the month: `last day`, `2nd last day`. */
function dateName(date: number): string {
  if (date === -1) return 'last day';
  if (date < 0) return `${dateName(-date)} last day`;
  const teen = date % 100 >= 11 && date % 100 <= 13;
  return `${date}${(teen ? undefined : ['th', 'st', 'nd', 'rd'][date % 10]) ?? 'th'}`;
}

/** `18:00–19:00`, or `18:00` where no time of day shows the end. */
export function timeWords({ startTime, endTime, duration }: Schedule): string | undefined {
  if (startTime === undefined) return undefined;
  const end = duration === undefined ? endTime : startTime + duration / 1000;
  // Longer than a day, a time of day would not tell the end.
  if (end === undefined || end === startTime || (duration ?? 0) >= DAY_MS) return clock(startTime);
  return `${clock(startTime)}–${clock(end)}`;
}

function clock(seconds: number): string {
  return timeText((Math.floor(seconds / 60) * 60) % 86_400);
}

/** `6 June 2022` */
export function dateWords(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return `${day} ${MONTHS[month - 1] ?? month} ${year}`;
}

/** `a, b and c` */
export function listOf(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
