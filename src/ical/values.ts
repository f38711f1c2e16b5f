import { BugError } from '../errors.ts';
import { civilOf, DAY_MS, type Day } from '../time/days.ts';
import type { Instant } from '../time/instant.ts';
import { validTime } from '../time/iso-text.ts';
import type { Wall } from '../time/zone.ts';

/** `YYYYMMDD` (DATE). */
export function dateValue(day: Day): string {
  if (day === lastDay) return lastDate;
  const { year, month, date } = civilOf(day);
  if (!(year >= 0 && year <= 9999)) throw new BugError(`the year ${year} cannot be written in iCalendar`);
  lastDate = `${String(year).padStart(4, '0')}${TWO[month]}${TWO[date]}`;
  lastDay = day;
  return lastDate;
}

// The last DATE, because the start, end and rule of an event mostly lie on one day.
let lastDay: Day = Number.NaN;
let lastDate = '';
const TWO = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

/** `YYYYMMDDThhmmss` (DATE-TIME, form 1) of a wall time. Milliseconds are cut. */
export function wallValue(wall: Wall): string {
  const day = Math.floor(wall / DAY_MS);
  const second = Math.floor((wall - day * DAY_MS) / 1000);
  const minute = Math.floor(second / 60);
  return `${dateValue(day)}T${TWO[Math.floor(minute / 60)]}${TWO[minute % 60]}${TWO[second % 60]}`;
}

/** `YYYYMMDDThhmmssZ` (DATE-TIME, form 2). */
export function utcValue(instant: Instant): string {
  return `${wallValue(instant)}Z`;
}

const UTC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The instant of a DATE-TIME in UTC; undefined: there is no such time. */
export function utcInstant(value: string): Instant | undefined {
  const [, ...fields] = (UTC.exec(value) ?? []).map(Number);
  return fields[3] === 24 ? undefined : validTime(fields);
}

/** UTC-OFFSET (RFC 5545 3.3.14) of milliseconds east: `+0100`; seconds only where the offset has some. */
export function offsetValue(offset: number): string {
  const seconds = Math.round(Math.abs(offset) / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60 === 0 ? '' : TWO[seconds % 60];
  return `${offset < 0 ? '-' : '+'}${TWO[Math.floor(minutes / 60)]}${TWO[minutes % 60]}${rest}`;
}

/** DURATION (RFC 5545 3.3.6) of a length in milliseconds, whole seconds: `PT1H30M`, `P1D`, `PT0S`. */
export function durationValue(length: number): string {
  const seconds = Math.floor(length / 1000);
  const days = Math.floor(seconds / 86_400);
  const parts = [
    [Math.floor(seconds / 3600) % 24, 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  const time = parts.map(([n, unit]) => (n === 0 ? '' : `${n}${unit}`)).join('');
  if (days === 0 && time === '') return 'PT0S';
  return `P${days === 0 ? '' : `${days}D`}${time === '' ? '' : `T${time}`}`;
}

/** GEO (RFC 5545 3.8.1.6): `lat;lon`, at most six decimals. A comma here makes Google refuse the calendar. */
export function geoValue(latitude: number, longitude: number): string {
  return `${degrees(latitude)};${degrees(longitude)}`;
}

/** Degrees with at most six decimals and no exponent. */
export function degrees(value: number): string {
  return String(Number(value.toFixed(6)) || 0);
}
