import type { RawFinding } from '../../opportunity/findings.ts';
import type { Schedule, Series } from '../../opportunity/records.ts';
import { hasParts } from '../../recurrence/by-parts.ts';
import { yieldsAny } from '../../recurrence/expand.ts';
import { ruleEnd, ruleOf } from '../../recurrence/rule.ts';
import { DAY_MS, dateOfDay } from '../../time/days.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';
import { toWall, zone } from '../../time/zone.ts';
import { dateWords, scheduleWords } from './schedule-words.ts';

/** When a series takes place, in words: which of its Schedules and patterns (PartialSchedules) are shown where (semantics 3). */

/** Most lines about times in a calendar's description: some live series carry an archive of fifty. */
const MOST_TIMES = 8;

/**
 * Words of the schedules that have not ended on a day, those that have begun first. Without a day, those of all schedules:
 * each gives its end, and the last to end comes first.
 */
export function currentTimes(schedules: readonly Schedule[], today: LocalDate | undefined): string[] {
  const shown = schedules.filter(mayYield);
  const words = today === undefined ? shown.toSorted(byEnd).map(datedWords) : currentOn(today, shown);
  return [...new Set(words.filter((one) => one !== undefined))];
}

/** Whether a schedule has a say in when the series takes place: a Schedule without occurrences has none. */
export function mayYield(schedule: Schedule): boolean {
  return schedule.partial || yieldsAny(schedule);
}

function currentOn(today: LocalDate, schedules: readonly Schedule[]): (string | undefined)[] {
  const current = schedules.filter((schedule) => (lastDate(schedule) ?? today) >= today);
  const begun = ({ startDate }: Schedule) => startDate === undefined || startDate <= today;
  return [...current.filter(begun), ...current.filter((schedule) => !begun(schedule))].map(scheduleWords);
}

function datedWords(schedule: Schedule): string | undefined {
  const [words, end] = [scheduleWords(schedule), lastDate(schedule)];
  return words === undefined || end === undefined || schedule.startDate === end
    ? words
    : `${words} until ${dateWords(end)}`;
}

function byEnd(a: Schedule, b: Schedule): number {
  const [one, other] = [a, b].map((schedule) => lastDate(schedule) ?? ENDLESS) as [LocalDate, LocalDate];
  return one === other ? 0 : one < other ? 1 : -1;
}

/** After every date of four digits. */
const ENDLESS = ':';

/** The last date of a Schedule; undefined: it has no end. */
export function lastDate(schedule: Schedule): LocalDate | undefined {
  const rule = ruleOf(schedule);
  const last = rule === undefined ? undefined : ruleEnd(rule);
  return last === undefined ? schedule.endDate : dateOfDay(last);
}

/** The times that a description has room for, and the number of the others. */
export function timesCut(times: readonly string[]): string[] {
  const left = times.length - MOST_TIMES;
  return left <= 0 ? [...times] : [...times.slice(0, MOST_TIMES), `and ${left} more`];
}

/** Whether the words of a series change with the day, without a change of data: a schedule ends, or another begins. */
export function mayChangeByItself(schedules: readonly Schedule[]): boolean {
  return schedules.some(
    ({ startDate, endDate }) => endDate !== undefined || (schedules.length > 1 && startDate !== undefined),
  );
}

/** Whether a series has only patterns, so that no date of it is known. */
export function hasOnlyPatterns({ schedules }: Series, sessions: number): boolean {
  return sessions === 0 && schedules.length > 0 && schedules.every(({ partial }) => partial);
}

/** A finding about a series with its sessions, and not about its item, because sessions may come at any time. */
export const ONLY_PATTERNS: RawFinding = { code: 'only-patterns', path: '$.eventSchedule' };

/**
 * Words of the patterns that an event fits by its own date, weekday and time. They do not depend on today: a pattern that
 * ends moves no past event.
 */
export function patternsOf({ schedules }: Series): (start: Instant) => string[] {
  const patterns = schedules.flatMap((schedule) => {
    const words = schedule.partial ? scheduleWords(schedule) : undefined;
    return words === undefined ? [] : [{ schedule, words }];
  });
  if (patterns.length === 0) return () => [];
  return (start) => [...new Set(patterns.filter(({ schedule }) => fits(schedule, start)).map(({ words }) => words))];
}

/** Whether a start has the time, the dates and the days of a PartialSchedule. */
function fits(schedule: Schedule, start: Instant): boolean {
  const { zone: name, startTime, startDate, endDate } = schedule;
  const z = zone(name);
  if (z === undefined) return false;
  const wall = toWall(z, start);
  const day = Math.floor(wall / DAY_MS);
  if (startTime !== undefined && wall - day * DAY_MS !== startTime * 1000) return false;
  const local = dateOfDay(day);
  if (local < (startDate ?? local) || local > (endDate ?? local)) return false;
  return hasParts(schedule, day);
}
