import { MONTHS } from './days.ts';
import type { Instant } from './instant.ts';

const MONTH_NAMES = MONTHS.map((name) => name.slice(0, 3));
const IMF = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const RFC850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/**
 * The instant of an HTTP-date in the three forms of RFC 9110 5.6.7, and no other. `Date.parse` finds dates in nearly any text,
 * and reads some of them in the zone of the process.
 */
export function httpDate(text: string): Instant | undefined {
  const value = text.trim();
  const imf = IMF.exec(value) ?? RFC850.exec(value);
  if (imf) return instant(imf[3], imf[2], imf[1], imf[4], imf[5], imf[6]);
  const asctime = ASCTIME.exec(value);
  if (asctime) return instant(asctime[6], asctime[1], asctime[2], asctime[3], asctime[4], asctime[5]);
  return undefined;
}

function instant(...fields: (string | undefined)[]): Instant | undefined {
  const [yearText, monthName, ...rest] = fields;
  const [day, hour, minute, second] = rest.map(Number);
  const month = MONTH_NAMES.indexOf(monthName ?? '');
  if (month < 0 || day === undefined || hour === undefined || minute === undefined || second === undefined) return;
  if (day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  // A two-digit year is one from 1970 to 2069: no time of change here is older.
  const year = yearText?.length === 2 ? Number(yearText) + (Number(yearText) < 70 ? 2000 : 1900) : Number(yearText);
  return Date.UTC(year, month, day, hour, minute, second);
}
