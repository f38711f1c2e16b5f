import { DAY_MS, DAY_SECONDS, dayOfDate, EVERY_DAY, weekdayOf } from '../../time/days.ts';
import { type LocalDate, utcDate, type Weekday } from '../../time/instant.ts';
import type { Zone } from '../../time/zone.ts';
import { shown } from '../findings.ts';
import { isObject, type Json, type JsonObject } from '../item/json.ts';
import { at, isEmpty, many, note, noteOnce, type Reading } from '../item/reading.ts';
import { localDayOf, noteDaySpelling, timeOf, wordOf } from '../item/values.ts';
import { isPublicHolidays, parseWeekday } from '../item/vocabulary.ts';
import { MAX_HOURS } from '../limits.ts';
import { endAt } from '../local-times.ts';
import { defined, type OpeningHours } from '../records.ts';

/** Reads the entries of one property. `zone`: that of the place, as dates may be written as instants. */
type HoursReader = (reading: Reading, from: JsonObject, name: string, path: string, zone: () => Zone) => OpeningHours[];

/**
 * Standard hours: `openingHoursSpecification` of a Place, `hoursAvailable` of a facility. Here each entry is judged by
 * itself; what is odd about them together, and beside holidays, is for `hours/` to say.
 */
export const standardHours: HoursReader = (reading, from, name, path, zone) => {
  // The texts of schema.org, such as `Mo-Fr 09:00-17:00`.
  if (isEmpty(from[name]) && !isEmpty(from.openingHours)) {
    noteOnce(reading, 'property-misnamed', at(path, 'openingHours'), { found: 'openingHours', use: name });
  }
  return entriesOf(reading, from, name, path, { special: false, zone });
};

/** Special hours: they override the standard ones on the dates they cover (semantics 5). */
export const specialHours: HoursReader = (reading, from, name, path, zone) =>
  entriesOf(reading, from, name, path, { special: true, zone });

interface How {
  special: boolean;
  zone: () => Zone;
}

function entriesOf(reading: Reading, from: JsonObject, name: string, path: string, how: How): OpeningHours[] {
  const hours: OpeningHours[] = [];
  for (const [index, entry] of many(reading, from, name, path, MAX_HOURS).entries()) {
    const entryPath = `${at(path, name)}[${index}]`;
    const one = isObject(entry) ? entryOf(reading, entry, entryPath, how) : undefined;
    if (!isObject(entry)) note(reading, 'hours-not-an-object', entryPath, { value: shown(entry) });
    if (one !== undefined) hours.push(one);
  }
  return hours;
}

function entryOf(reading: Reading, from: JsonObject, path: string, { special, zone }: How): OpeningHours | undefined {
  const closed = special && isEmpty(from.opens) && isEmpty(from.closes);
  // schema.org: without "opens" a place is closed on the day. Left out, people would come on a day on which the place is closed.
  if (closed) note(reading, 'special-hours-without-times', path);
  const opens = closed ? 0 : timeOf(reading, from, 'opens', path, DAY_SECONDS);
  const closes = closed ? 0 : timeOf(reading, from, 'closes', path, DAY_SECONDS);
  if (opens === undefined) note(reading, 'hours-time-missing', path, { property: 'opens' });
  if (closes === undefined) note(reading, 'hours-time-missing', path, { property: 'closes' });
  const days = hoursDays(reading, from, path, special);
  const dates = validityOf(reading, from, path, typeof opens === 'number' ? opens : 0, zone);
  if (typeof opens !== 'number' || typeof closes !== 'number' || days === undefined || dates === undefined)
    return undefined;
  if (special) noteSpecial(reading, path, days, dates);
  return { ...days, ...timesOf(reading, from, path, opens, closes), ...dates, path };
}

function timesOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  opens: number,
  closes: number,
): Pick<OpeningHours, 'opens' | 'closes'> {
  // From midnight to that midnight, as 00:00 to 00:00.
  if (opens === DAY_SECONDS && closes === DAY_SECONDS) return { opens: 0, closes: 0 };
  if (opens === closes && opens > 0) note(reading, 'hours-same-times', path, { value: shown(from.opens) });
  // 24:00 as an opening time is the end of a day, on which nothing opens: this entry cannot state the next day's 00:00.
  return { opens: opens === DAY_SECONDS ? 0 : opens, closes };
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

/** `Monday,Tuesday` in one text; a day as an object with its address. */
function splitDays(value: Json): Json[] {
  const entry = wordOf(value) ?? value;
  return typeof entry === 'string' && entry.length < 300 && entry.includes(',') ? entry.split(',') : [entry];
}

/** `validFrom` and `validThrough`, inclusive; undefined if they are unusable or reversed. */
function validityOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  opens: number,
  zone: () => Zone,
): Pick<OpeningHours, 'validFrom' | 'validThrough'> | undefined {
  const first = localDayOf(reading, from, 'validFrom', path, zone);
  const last = localDayOf(reading, from, 'validThrough', path, zone);
  if (first === 'invalid' || last === 'invalid') return undefined;
  const validFrom = first && utcDate(first.wall);
  // An entry that opens at 00:00 is of whole days: the last one counts where its first half is within.
  const validThrough = last && endAt(last.wall, { startTime: opens || DAY_SECONDS / 2 }).endDate;
  if (validFrom !== undefined && validThrough !== undefined && validThrough < validFrom) {
    note(reading, 'hours-dates-reversed', path, { from: validFrom, through: validThrough });
    return undefined;
  }
  return defined({ validFrom, validThrough });
}
