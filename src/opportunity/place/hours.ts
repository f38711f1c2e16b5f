import { DAY_MS, DAY_SECONDS, dayOfDate, EVERY_DAY, weekdayOf } from '../../time/days.ts';
import { type LocalDate, utcDate, type Weekday } from '../../time/instant.ts';
import type { Zone } from '../../time/zone.ts';
import { shown } from '../findings.ts';
import { isObject, type Json } from '../item/json.ts';
import { at, isEmpty, many, note, noteOnce, type Part, partAt, type Spot } from '../item/reading.ts';
import { localDayOf, noteDaySpelling, timeOf, wordOf } from '../item/values.ts';
import { isPublicHolidays, parseWeekday } from '../item/vocabulary.ts';
import { MAX_HOURS } from '../limits.ts';
import { endAt } from '../local-times.ts';
import { defined, type OpeningHours } from '../records.ts';

/** Reads the entries of one property. `zone`: of the place, for dates that are written as instants. */
type HoursReader = (part: Part, name: string, zone: () => Zone) => OpeningHours[];

/**
 * Standard hours: `openingHoursSpecification` of a Place, `hoursAvailable` of a facility. Findings here are about each entry
 * by itself; those about all entries, and about holidays, are in `hours/findings.ts`.
 */
export const standardHours: HoursReader = (part, name, zone) => {
  // The texts of schema.org, such as `Mo-Fr 09:00-17:00`.
  if (isEmpty(part.from[name]) && !isEmpty(part.from.openingHours)) {
    noteOnce(at(part, 'openingHours'), 'property-misnamed', { found: 'openingHours', use: name });
  }
  return entriesOf(part, name, zone, false);
};

/** Special hours: they override the standard ones on the dates they cover (semantics 5). */
export const specialHours: HoursReader = (part, name, zone) => entriesOf(part, name, zone, true);

function entriesOf(part: Part, name: string, zone: () => Zone, special: boolean): OpeningHours[] {
  const hours = many(part, name, MAX_HOURS).map((entry, index) => {
    if (isObject(entry)) return entryOf(partAt(part, entry, name, index), zone, special);
    note(at(part, name, index), 'hours-not-an-object', { value: shown(entry) });
    return undefined;
  });
  return hours.filter((one) => one !== undefined);
}

function entryOf(part: Part, zone: () => Zone, special: boolean): OpeningHours | undefined {
  const closed = special && isEmpty(part.from.opens) && isEmpty(part.from.closes);
  // schema.org: without "opens" a place is closed. If the entry were left out, people would come on a day on which it is closed.
  if (closed) note(part, 'special-hours-without-times');
  const opens = closed ? 0 : timeOf(part, 'opens', DAY_SECONDS);
  const closes = closed ? 0 : timeOf(part, 'closes', DAY_SECONDS);
  if (opens === undefined) note(part, 'hours-time-missing', { property: 'opens' });
  if (closes === undefined) note(part, 'hours-time-missing', { property: 'closes' });
  const days = hoursDays(part, special);
  const dates = validityOf(part, typeof opens === 'number' ? opens : 0, zone);
  if (typeof opens !== 'number' || typeof closes !== 'number' || days === undefined || dates === undefined)
    return undefined;
  if (special) noteSpecial(part, days, dates);
  return { ...days, ...timesOf(part, opens, closes), ...dates, path: part.path };
}

function timesOf(part: Part, opens: number, closes: number): Pick<OpeningHours, 'opens' | 'closes'> {
  // 24:00 to 24:00 means closed, as 00:00 to 00:00 does.
  if (opens === DAY_SECONDS && closes === DAY_SECONDS) return { opens: 0, closes: 0 };
  if (opens === closes && opens > 0) note(part, 'hours-same-times', { value: shown(part.from.opens) });
  // 24:00 as an opening time is the end of a day, on which nothing opens: this entry cannot state the next day's 00:00.
  return { opens: opens === DAY_SECONDS ? 0 : opens, closes };
}

/** The longest validity of special hours: a year and a day. */
const LONGEST_EXCEPTION = 366 * DAY_MS;

function noteSpecial(
  spot: Spot,
  { days, publicHolidays }: Pick<OpeningHours, 'days' | 'publicHolidays'>,
  { validFrom, validThrough }: Pick<OpeningHours, 'validFrom' | 'validThrough'>,
): void {
  if (publicHolidays) note(spot, 'special-hours-on-holidays');
  if (validFrom === undefined || validThrough === undefined) note(spot, 'special-hours-without-dates');
  else if (Date.parse(validThrough) - Date.parse(validFrom) > LONGEST_EXCEPTION) {
    note(spot, 'special-hours-look-standard', { from: validFrom, through: validThrough });
  } else if (days.length > 0 && !publicHolidays && !days.some((day) => isWithin(day, validFrom, validThrough))) {
    note(spot, 'special-hours-on-no-day', { from: validFrom, through: validThrough });
  }
}

function isWithin(weekday: Weekday, from: LocalDate, through: LocalDate): boolean {
  const first = dayOfDate(from);
  return (weekday - weekdayOf(first) + 7) % 7 <= dayOfDate(through) - first;
}

/** The days of an entry; undefined if it names days, and none can be read. */
function hoursDays(part: Part, special: boolean): Pick<OpeningHours, 'days' | 'publicHolidays'> | undefined {
  const words = many(part, 'dayOfWeek', 50).flatMap(splitDays);
  if (words.length === 0) {
    if (!special) note(part, 'hours-without-days');
    return { days: special ? [] : [...EVERY_DAY], publicHolidays: false };
  }
  const here = at(part, 'dayOfWeek');
  if (typeof part.from.dayOfWeek === 'string') noteOnce(here, 'single-value', { property: 'dayOfWeek' });
  const days = new Set<Weekday>();
  let publicHolidays = false;
  for (const word of words) {
    const day = typeof word === 'string' ? parseWeekday(word) : undefined;
    if (day !== undefined) {
      days.add(day);
      noteDaySpelling(here, word as string, day);
    } else if (typeof word === 'string' && isPublicHolidays(word)) publicHolidays = true;
    else note(here, 'hours-day-unknown', { value: shown(word) });
  }
  if (days.size === 0 && !publicHolidays) {
    note(here, 'hours-days-unusable');
    return undefined;
  }
  return { days: [...days].sort(), publicHolidays };
}

/** The days in a value: `Monday,Tuesday` in one text, or an object with the address of a day. */
function splitDays(value: Json): Json[] {
  const entry = wordOf(value) ?? value;
  return typeof entry === 'string' && entry.length < 300 && entry.includes(',') ? entry.split(',') : [entry];
}

/** `validFrom` and `validThrough`, inclusive; undefined if they are unusable or reversed. */
function validityOf(
  part: Part,
  opens: number,
  zone: () => Zone,
): Pick<OpeningHours, 'validFrom' | 'validThrough'> | undefined {
  const first = localDayOf(part, 'validFrom', zone);
  const last = localDayOf(part, 'validThrough', zone);
  if (first === 'invalid' || last === 'invalid') return undefined;
  const validFrom = first && utcDate(first.wall);
  // An entry that opens at 00:00 is of whole days: the last one counts where its first half is within.
  const validThrough = last && endAt(last.wall, { startTime: opens || DAY_SECONDS / 2 }).endDate;
  if (validFrom !== undefined && validThrough !== undefined && validThrough < validFrom) {
    note(part, 'hours-dates-reversed', { from: validFrom, through: validThrough });
    return undefined;
  }
  return defined({ validFrom, validThrough });
}
