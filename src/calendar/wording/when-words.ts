import { type ByDay, type Schedule, statedParts } from '../../opportunity/records.ts';
import { dayOfDate, MONTHS, WEEKDAYS, weekdayOf } from '../../time/days.ts';
import type { LocalDate, Weekday } from '../../time/instant.ts';
import { lastDate, mayYield } from './partial-schedules.ts';
import { dayWords, isOnce, listOf, ordinalName, timeWords } from './schedule-words.ts';

/** When a series takes place, in the words of its page: `Every Monday and Friday, 07:00–08:00`. */

export interface When {
  /** `Every Monday and Friday`, `Second Sunday of the month`; absent: it has a `date` or only a time. */
  days?: string;
  /** The only date. */
  date?: LocalDate;
  /** `07:00–08:00` */
  time?: string;
  /** The first date, in `currentWhen` only where it is still to come; the last date, where there is one. */
  begins?: LocalDate;
  ends?: LocalDate;
  /** IANA zone of `time`. */
  zone: string;
}

/**
 * The Schedules that have not ended on a day. Weekly Schedules that differ in their weekdays alone are one line.
 *
 * @example
 * ```ts
 * for (const { days, time } of currentWhen(series.schedules, '2026-11-24')) console.log(days, time);
 * ```
 */
export function currentWhen(schedules: readonly Schedule[], today: LocalDate): When[] {
  const current = schedules.filter((schedule) => mayYield(schedule) && (lastDate(schedule) ?? today) >= today);
  const groups = Map.groupBy(current, (schedule) => groupOf(schedule, today));
  const lines = [...groups.values()].flatMap((group): When[] => {
    const when = whenOf(group[0] as Schedule, daysOfAll(group));
    if (when === undefined) return [];
    const { begins, ...rest } = when;
    return begins !== undefined && begins > today ? [when] : [rest];
  });
  return lines.sort((a, b) => Number(a.begins !== undefined) - Number(b.begins !== undefined));
}

/** One Schedule by itself, with its first date; undefined: it states neither day nor time. */
export function whenOf(schedule: Schedule, weekly = weeklyOf(schedule)?.days): When | undefined {
  const single = schedule.startDate !== undefined && isOnce(schedule);
  const days = single ? undefined : dayText(schedule, weekly);
  const time = timeWords(schedule);
  if (days === undefined && time === undefined && !single) return undefined;
  const { startDate, zone } = schedule;
  const ends = lastDate(schedule);
  return {
    ...(days !== undefined && { days: schedule.partial ? `Usually ${lowered(days)}` : days }),
    ...(single && startDate !== undefined && { date: startDate }),
    ...(time !== undefined && { time }),
    ...(!single && startDate !== undefined && { begins: startDate }),
    ...(!single && ends !== undefined && { ends }),
    zone,
  };
}

/** A key that Schedules share which differ in their weekdays alone; every other Schedule has its own. */
function groupOf(schedule: Schedule, today: LocalDate): string {
  if (weeklyOf(schedule) === undefined) return `alone ${schedule.index}`;
  const { partial, zone, startDate = '', byMonth } = schedule;
  const begins = startDate > today ? startDate : '';
  return JSON.stringify([partial, timeWords(schedule), zone, begins, lastDate(schedule), byMonth]);
}

function daysOfAll(group: readonly Schedule[]): ReadonlySet<Weekday> | undefined {
  const days = group.flatMap((schedule) => [...(weeklyOf(schedule)?.days ?? [])]);
  return days.length === 0 ? undefined : new Set(days);
}

/** The weekdays of a Schedule of every week; undefined: it has another rule. */
function weeklyOf(schedule: Schedule): { days: ReadonlySet<Weekday>; schedule: Schedule } | undefined {
  const { frequency, byDay, startDate, partial, count } = schedule;
  const unit = frequency?.unit ?? (partial && byDay.length > 0 ? 'week' : undefined);
  const isPlain = hasDaysOfWeek(schedule) && byDay.every(({ ordinal }) => ordinal === undefined) && count !== 1;
  if (!isPlain || (frequency?.every ?? 1) !== 1 || (unit !== 'week' && unit !== 'day')) return undefined;
  if (byDay.length > 0) return { schedule, days: new Set(byDay.map(({ day }) => day)) };
  if (unit === 'day') return { schedule, days: new Set([0, 1, 2, 3, 4, 5, 6] as const) };
  return startDate === undefined ? undefined : { schedule, days: new Set([weekdayOf(dayOfDate(startDate))]) };
}

/** Whether a Schedule has no parts besides weekdays and months. */
function hasDaysOfWeek(schedule: Schedule): boolean {
  return statedParts(schedule).every((part) => part === 'byDay' || part === 'byMonth');
}

/** The days of a Schedule in words; undefined: there are none for its rule. */
function dayText(schedule: Schedule, weekly: ReadonlySet<Weekday> | undefined): string | undefined {
  const { frequency, byDay, byMonth } = schedule;
  const every = frequency?.every ?? 1;
  if (weekly !== undefined) return everyDay(weekly) + inMonths(byMonth);
  const [only] = byDay;
  const isPlain = hasDaysOfWeek(schedule);
  if (frequency?.unit === 'week' && every === 2 && byDay.length === 1 && isPlain)
    return `Every second ${WEEKDAYS[only?.day as Weekday]}${inMonths(byMonth)}`;
  const isNth = byDay.length > 0 && byDay.every(({ ordinal, day }) => ordinal !== undefined && day === only?.day);
  if (frequency?.unit === 'month' && isNth && isPlain) return nthWords(byDay) + ofTheMonth(every) + inMonths(byMonth);
  const words = dayWords(schedule);
  return words === undefined ? undefined : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

const EVERY_DAY = 7;
const WORKING_DAYS = '0,1,2,3,4';

function everyDay(days: ReadonlySet<Weekday>): string {
  const sorted = [...days].sort();
  if (sorted.length === EVERY_DAY) return 'Every day';
  if (sorted.join() === WORKING_DAYS) return 'Monday to Friday';
  return `Every ${listOf(sorted.map((day) => WEEKDAYS[day]))}`;
}

function nthWords(byDay: readonly ByDay[]): string {
  const words = `${listOf(byDay.map(({ ordinal }) => ordinalName(ordinal as number)))} ${WEEKDAYS[byDay[0]?.day as Weekday]}`;
  return words[0]?.toUpperCase() + words.slice(1);
}

function ofTheMonth(every: number): string {
  return every === 1 ? ' of the month' : ` of every ${every === 2 ? 'second' : ordinalName(every)} month`;
}

function inMonths(months: readonly number[]): string {
  return months.length === 0 ? '' : ` in ${listOf(months.map((month) => MONTHS[month - 1] ?? ''))}`;
}

/** `every Monday`, but `Monday to Friday`. */
function lowered(days: string): string {
  return /^(Every|First|Second|Third|Fourth|Fifth|Last|The|On)\b/.test(days)
    ? days[0]?.toLowerCase() + days.slice(1)
    : days;
}
