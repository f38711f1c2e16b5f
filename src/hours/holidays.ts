import type Holidays from 'date-holidays';
import type { HolidaysTypes } from 'date-holidays';
import { holidayLibrary } from '../platform/holidays.ts';
import { type CountryCode, countryCode } from '../time/countries.ts';
import { civilOf, DAY_MS, type Day, dayOfDate } from '../time/days.ts';

/**
 * Public holidays of the world. The dates are those of date-holidays. Its code is under ISC, its data under CC BY-SA 3.0 (from
 * Wikipedia and the sources its LICENSE lists), which demands a credit from services that pass the dates on.
 */

/** A country (`GB`) and the part of it that has holidays of its own (`SCT`, as in ISO 3166-2). */
export interface HolidayRegion {
  country: CountryCode;
  region?: string;
}

/** Which days are public (bank) holidays somewhere: a pure function of the day. */
export interface HolidayCalendar {
  /** `GB-ENG`, `FR`. */
  readonly id: string;
  /** Name of the holiday on a day, in English where it has one. One that moves off a weekend is a holiday on both days. */
  on(day: Day): string | undefined;
}

/** The nation of a UK without one: England (semantics 5). Each nation has its own holidays, and the UK as a whole has none. */
const UK_DEFAULT = 'ENG';

/**
 * `GB-ENG`, `US`, `AU-NSW`, in any case; undefined for a country or region that has no calendar.
 *
 * @example
 * ```ts
 * const region = parseHolidays('gb-sct'); // { country: 'GB', region: 'SCT' }
 * ```
 */
export function parseHolidays(text: string): HolidayRegion | undefined {
  const [, country, region] = /^([a-z]{2})(?:-([a-z0-9]{1,3}))?$/i.exec(text.trim()) ?? [];
  const code = countryCode(country);
  if (code === undefined) return undefined;
  const wanted: HolidayRegion =
    region === undefined ? { country: code } : { country: code, region: region.toUpperCase() };
  return holidayCalendar(wanted) === undefined ? undefined : wanted;
}

/** COUNTRY or COUNTRY-REGION. */
export function holidayId({ country, region }: HolidayRegion): string {
  const part = region ?? (country === 'GB' ? UK_DEFAULT : undefined);
  return part === undefined ? country : `${country}-${part}`;
}

const NONE: ReadonlyMap<Day, string> = new Map();
const calendars = new Map<string, HolidayCalendar | undefined>();

/**
 * The calendar of a country or region, memoised; undefined where date-holidays does not have it.
 *
 * @example
 * ```ts
 * const today = Date.UTC(2026, 11, 25) / 86_400_000;
 * console.log(holidayCalendar({ country: 'GB', region: 'SCT' })?.on(today)); // Christmas Day
 * ```
 */
export function holidayCalendar(wanted: HolidayRegion): HolidayCalendar | undefined {
  const id = holidayId(wanted);
  // Only regions in the lists of date-holidays get a calendar, and callers pass no others.
  if (!calendars.has(id)) calendars.set(id, isKnown(id) ? calendarOf(id) : undefined);
  return calendars.get(id);
}

function isKnown(id: string): boolean {
  const [country, region] = id.split('-') as [string, string?];
  // The four nations are known without loading anything: nearly all places are there.
  if (country === 'GB' && region !== undefined && /^(?:ENG|SCT|WLS|NIR)$/.test(region)) return true;
  if (countryCode(country) === undefined || !(country in index().getCountries())) return false;
  return region === undefined || region in (index().getStates(country) ?? {});
}

/** Codes and names of the parts of a country that have holidays of their own. */
export function holidayRegions(country: CountryCode): [code: string, name: string][] {
  return Object.entries(index().getStates(country, 'en') ?? {});
}

function calendarOf(id: string): HolidayCalendar {
  const years = new Map<number, ReadonlyMap<Day, string>>();
  let rules: Holidays | undefined;
  let lastYear = Number.NaN;
  let lastDays: ReadonlyMap<Day, string> | undefined;
  const daysIn = (year: number): ReadonlyMap<Day, string> => {
    if (year < YEARS.first || year > YEARS.last) return NONE;
    rules ??= rulesOf(id);
    const days = years.get(year) ?? holidaysOf(rules, year);
    years.set(year, days);
    return days;
  };
  return {
    id,
    on(day) {
      const { year } = civilOf(day);
      if (year !== lastYear) lastDays = daysIn(year);
      lastYear = year;
      return lastDays?.get(day);
    },
  };
}

function rulesOf(id: string): Holidays {
  const [country, region] = id.split('-') as [string, string?];
  // Outside the UK, type "bank" means that only banks are closed.
  const types: HolidaysTypes.HolidayType[] = country === 'GB' ? ['bank', 'public'] : ['public'];
  const options = { languages: 'en', types };
  const Library = holidayLibrary();
  return region === undefined ? new Library(country, options) : new Library(country, region, options);
}

/** The years with tables of lunar calendars. Far outside of them, one year takes minutes to compute. */
const YEARS = { first: 1900, last: 2100 };

/** The holidays of a year. Rules may move a holiday over New Year, so the years beside it are computed too. */
function holidaysOf(rules: Holidays, year: number): ReadonlyMap<Day, string> {
  const days = new Map<Day, string>();
  for (const holiday of [year - 1, year, year + 1].flatMap((one) => rules.getHolidays(one))) {
    for (const day of holidayDays(holiday)) {
      const named = days.get(day);
      if (civilOf(day).year === year && named !== holiday.name) {
        days.set(day, named === undefined ? holiday.name : `${named}, ${holiday.name}`);
      }
    }
  }
  return days;
}

/** The local dates of a holiday, which may last several days; half days, which begin at noon, are working days. */
function holidayDays({ date, start, end }: HolidaysTypes.Holiday): Day[] {
  if (date.slice(11, 19) !== '00:00:00') return [];
  const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
  return Array.from({ length: count }, (_, i) => dayOfDate(date.slice(0, 10)) + i);
}

let lists: Holidays | undefined;

function index(): Holidays {
  lists ??= new (holidayLibrary())();
  return lists;
}
