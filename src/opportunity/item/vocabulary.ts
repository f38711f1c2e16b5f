import { WEEKDAY_CODES, WEEKDAYS } from '../../time/days.ts';
import type { Weekday } from '../../time/instant.ts';
import type { Kinds } from '../properties.ts';
import type { ByDay, EventStatus } from '../records.ts';

/**
 * Words of the shared vocabularies, in all spellings feeds use: `https://schema.org/Monday`, `http://schema.org/Monday`,
 * `schema:Monday`, `Monday` are one value.
 */

/** The last part of an address or prefixed name, without blanks and a slash behind it: `Monday`, `ScheduledSession`. */
export function bareName(value: string): string {
  const text = value.length > 200 ? value.slice(0, 200) : value;
  const ended = text.trim();
  const trimmed = ended.endsWith('/') ? ended.slice(0, -1) : ended;
  const cut = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('#'), trimmed.lastIndexOf(':'));
  return cut < 0 ? trimmed : trimmed.slice(cut + 1);
}

const DAYS_BY_WORD = new Map<string, Weekday>(
  WEEKDAYS.flatMap((name, day) =>
    [name, `https://schema.org/${name}`, `http://schema.org/${name}`].map((word) => [word, day as Weekday]),
  ),
);

/** A weekday in any spelling, also abbreviated (`Mon`, `thurs`), or in iCalendar's (`MO`). */
export function parseWeekday(value: string): Weekday | undefined {
  const known = DAYS_BY_WORD.get(value);
  if (known !== undefined) return known;
  const word = bareName(value).toLowerCase();
  const short = WEEKDAY_CODES.indexOf(word.toUpperCase());
  if (short >= 0) return short as Weekday;
  if (word === 'weds') return 2;
  const day = word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.toLowerCase().startsWith(word));
  return day < 0 ? undefined : (day as Weekday);
}

/** `PublicHolidays`, a "day" of the DayOfWeek enumeration. */
export function isPublicHolidays(value: string): boolean {
  return /^publicholidays?$/i.test(bareName(value));
}

/** A day of `byDay`: a weekday, or iCalendar's form with an ordinal (`2TH`, `+1MO`, `-1FR`). */
export function parseByDay(value: string): ByDay | undefined {
  const numbered = /^([+-]?\d{1,2})(MO|TU|WE|TH|FR|SA|SU)$/i.exec(value.trim());
  if (numbered === null) {
    const day = parseWeekday(value);
    return day === undefined ? undefined : { day };
  }
  const ordinal = Number(numbered[1]);
  if (ordinal === 0 || Math.abs(ordinal) > 53) return undefined;
  return { day: WEEKDAY_CODES.indexOf((numbered[2] as string).toUpperCase()) as Weekday, ordinal };
}

const STATUSES = new Map<string, EventStatus>([
  ['scheduled', 'EventScheduled'],
  ['movedonline', 'EventScheduled'],
  ['cancelled', 'EventCancelled'],
  ['canceled', 'EventCancelled'],
  ['postponed', 'EventPostponed'],
  ['rescheduled', 'EventRescheduled'],
]);

export function parseStatus(value: string): EventStatus | undefined {
  return STATUSES.get(statusWord(value));
}

/** Whether a status is schema.org's `EventMovedOnline`: the event takes place, and is attended online. */
export function isMovedOnline(value: string): boolean {
  return statusWord(value) === 'movedonline';
}

/** `cancelled`, of `http://schema.org/EventCancelled/`, `Event Cancelled` and `EventStatusCancelled`. */
function statusWord(value: string): string {
  return bareName(value)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
    .replace(/^event(?:status)?/, '');
}

export function parseAttendance(value: string): 'offline' | 'online' | 'mixed' | undefined {
  const word = /^(offline|online|mixed)(?:eventattendancemode)?$/i.exec(bareName(value))?.[1];
  return word?.toLowerCase() as 'offline' | 'online' | 'mixed' | undefined;
}

const GENDERS = new Map<string, Kinds['gender']>([
  ['femaleonly', 'FemaleOnly'],
  ['female', 'FemaleOnly'],
  ['women', 'FemaleOnly'],
  ['maleonly', 'MaleOnly'],
  ['male', 'MaleOnly'],
  ['men', 'MaleOnly'],
  ['norestriction', 'NoRestriction'],
  ['mixed', 'NoRestriction'],
  ['all', 'NoRestriction'],
  ['any', 'NoRestriction'],
  ['none', 'NoRestriction'],
]);

/** Whom a session is for. */
export function parseGender(value: string): Kinds['gender'] | undefined {
  return GENDERS.get(bareName(value).toLowerCase());
}
