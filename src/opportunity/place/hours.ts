import { DAY_MS, DAY_SECONDS, dayOfDate, weekdayOf } from '../../time/days.ts';
import type { LocalDate, Weekday } from '../../time/instant.ts';
import { dateOfWall } from '../../time/iso-text.ts';
import { shown } from '../findings.ts';
import { isObject, type Json, type JsonObject } from '../item/json.ts';
import { at, first, isEmpty, many, note, noteOnce, type Reading } from '../item/reading.ts';
import { momentOf, noteDaySpelling, timeOf } from '../item/values.ts';
import { isPublicHolidays, parseWeekday } from '../item/vocabulary.ts';
import { MAX_HOURS } from '../limits.ts';
import { defined, type OpeningHours } from '../records.ts';

const EVERY_DAY: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];

/**
 * Standard hours: `openingHoursSpecification` of a Place, `hoursAvailable` of a facility. Here each entry is judged by
 * itself; what is odd about them together, and beside holidays, is for `hours/` to say.
 */
export function standardHours(reading: Reading, from: JsonObject, name: string, path: string): OpeningHours[] {
  // The texts of schema.org, such as `Mo-Fr 09:00-17:00`.
  if (isEmpty(from[name]) && !isEmpty(from.openingHours)) {
    noteOnce(reading, 'property-misnamed', at(path, 'openingHours'), { found: 'openingHours', use: name });
  }
  return entriesOf(reading, from, name, path, false);
}

/** Special hours: they override the standard ones on the dates they cover (semantics 5). */
export function specialHours(reading: Reading, from: JsonObject, name: string, path: string): OpeningHours[] {
  return entriesOf(reading, from, name, path, true);
}

function entriesOf(reading: Reading, from: JsonObject, name: string, path: string, special: boolean): OpeningHours[] {
  const hours: OpeningHours[] = [];
  for (const [index, entry] of many(reading, from, name, path, MAX_HOURS).entries()) {
    const entryPath = `${at(path, name)}[${index}]`;
    const one = isObject(entry) ? entryOf(reading, entry, entryPath, special) : undefined;
    if (!isObject(entry)) note(reading, 'hours-not-an-object', entryPath, { value: shown(entry) });
    if (one !== undefined) hours.push(one);
  }
  return hours;
}

function entryOf(reading: Reading, from: JsonObject, path: string, special: boolean): OpeningHours | undefined {
  const closed = special && isEmpty(from.opens) && isEmpty(from.closes);
  // schema.org: without "opens" a place is closed on the day. Left out, people would come on a day on which the place is closed.
  if (closed) note(reading, 'special-hours-without-times', path);
  const opens = closed ? 0 : timeOf(reading, from, 'opens', path, DAY_SECONDS);
  const closes = closed ? 0 : timeOf(reading, from, 'closes', path, DAY_SECONDS);
  if (opens === undefined) note(reading, 'hours-time-missing', path, { property: 'opens' });
  if (closes === undefined) note(reading, 'hours-time-missing', path, { property: 'closes' });
  const days = hoursDays(reading, from, path, special);
  const dates = validityOf(reading, from, path);
  if (typeof opens !== 'number' || typeof closes !== 'number' || days === undefined || dates === undefined)
    return undefined;
  if (special) noteSpecial(reading, path, days, dates);
  if (opens === closes && opens > 0) note(reading, 'hours-same-times', path, { value: shown(from.opens) });
  // 24:00 as an opening time is the end of a day, on which nothing opens: this entry cannot state the next day's 00:00.
  return { ...days, opens: opens === DAY_SECONDS ? 0 : opens, closes, ...dates, path };
}

/** A year and a day: as long as no exception lasts. */
const LONGEST_EXCEPTION = 366 * DAY_MS;

function noteSpecial(
  reading: Reading,
  path: string,
  { days, publicHolidays }: Pick<OpeningHours, 'days' | 'publicHolidays'>,
  { validFrom, validThrough }: Pick<OpeningHours, 'validFrom' | 'validThrough'>,
): void {
  if (publicHolidays) note(reading, 'special-hours-on-holidays', path);
  if (validFrom === undefined || validThrough === undefined) note(reading, 'special-hours-without-dates', path);
  else if (Date.parse(validThrough) - Date.parse(validFrom) > LONGEST_EXCEPTION) {
    note(reading, 'special-hours-look-standard', path, { from: validFrom, through: validThrough });
  } else if (days.length > 0 && !publicHolidays && !days.some((day) => isWithin(day, validFrom, validThrough))) {
    note(reading, 'special-hours-on-no-day', path, { from: validFrom, through: validThrough });
  }
}

function isWithin(weekday: Weekday, from: LocalDate, through: LocalDate): boolean {
  const first = dayOfDate(from);
  return (weekday - weekdayOf(first) + 7) % 7 <= dayOfDate(through) - first;
}

/** The days an entry names; undefined if it names some and none can be read. */
function hoursDays(
  reading: Reading,
  from: JsonObject,
  path: string,
  special: boolean,
): Pick<OpeningHours, 'days' | 'publicHolidays'> | undefined {
  const words = many(reading, from, 'dayOfWeek', path, 50).flatMap(splitDays);
  if (words.length === 0) {
    if (!special) note(reading, 'hours-without-days', path);
    return { days: special ? [] : [...EVERY_DAY], publicHolidays: false };
  }
  if (typeof from.dayOfWeek === 'string')
    noteOnce(reading, 'single-value', at(path, 'dayOfWeek'), { property: 'dayOfWeek' });
  const days = new Set<Weekday>();
  let publicHolidays = false;
  for (const word of words) {
    const day = typeof word === 'string' ? parseWeekday(word) : undefined;
    if (day !== undefined) {
      days.add(day);
      noteDaySpelling(reading, word as string, day, at(path, 'dayOfWeek'));
    } else if (typeof word === 'string' && isPublicHolidays(word)) publicHolidays = true;
    else note(reading, 'hours-day-unknown', at(path, 'dayOfWeek'), { value: shown(word) });
  }
  if (days.size === 0 && !publicHolidays) {
    note(reading, 'hours-days-unusable', at(path, 'dayOfWeek'));
    return undefined;
  }
  return { days: [...days].sort(), publicHolidays };
}

/** `Monday,Tuesday` in one text. */
function splitDays(entry: Json): Json[] {
  return typeof entry === 'string' && entry.length < 300 && entry.includes(',') ? entry.split(',') : [entry];
}

/** `validFrom` and `validThrough`, inclusive; undefined if they are unusable or reversed. */
function validityOf(
  reading: Reading,
  from: JsonObject,
  path: string,
): Pick<OpeningHours, 'validFrom' | 'validThrough'> | undefined {
  const validFrom = dateOf(reading, from, 'validFrom', path);
  const validThrough = dateOf(reading, from, 'validThrough', path);
  if (validFrom === 'invalid' || validThrough === 'invalid') return undefined;
  if (validFrom !== undefined && validThrough !== undefined && validThrough < validFrom) {
    note(reading, 'hours-dates-reversed', path, { from: validFrom, through: validThrough });
    return undefined;
  }
  return defined({ validFrom, validThrough });
}

/** A local date; of a date-time its date as written. */
export function dateOf(
  reading: Reading,
  from: JsonObject,
  name: string,
  path: string,
): LocalDate | 'invalid' | undefined {
  if (first(reading, from, name, path) === undefined) return undefined;
  const moment = momentOf(reading, from, name, path);
  if (moment === 'invalid') return 'invalid';
  if (moment === 'far' || moment === undefined) return undefined;
  if (moment.kind === 'date') return moment.date;
  note(reading, 'date-with-time', at(path, name), { property: name, value: shown(from[name]) });
  return dateOfWall(moment.wall);
}
