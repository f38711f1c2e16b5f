import { DAY_MS, dayOf, monthLength } from './days.ts';
import type { Instant, LocalDate } from './instant.ts';

/**
 * Dates, times and durations as feeds write them (ISO 8601 and near it), without a zone database: text in, numbers out. No
 * value is guessed; a text that cannot be read is undefined.
 */

/**
 * A date; a date and time with a designator; or one without, as wall time read as UTC. Years before 1900 and after 2199
 * are `far`: `0001-01-01` and `9999-12-31` are what systems write for "none".
 */
export type Moment =
  | { kind: 'date'; date: LocalDate; wall: number }
  | { kind: 'instant'; instant: Instant; wall: number }
  | { kind: 'wall'; wall: number }
  | { kind: 'far' };

/** Reads a date or date-time. Fractions of seconds are dropped; `24:00` is the next day's midnight. */
export function parseMoment(text: string): Moment | undefined {
  const match = text.length <= 40 ? FORM.exec(text) : null;
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, zone] = match;
  const midnight = validDay(Number(year), Number(month), Number(day));
  if (midnight === undefined) return undefined;
  if (Number(year) < 1900 || Number(year) > 2199) return { kind: 'far' };
  if (hour === undefined) return { kind: 'date', date: text.slice(0, 10), wall: midnight };
  const time = clockSeconds(Number(hour), Number(minute), Number(second ?? 0));
  if (time === undefined) return undefined;
  const wall = midnight + time * 1000;
  if (zone === undefined) return { kind: 'wall', wall };
  const offset = offsetOf(zone);
  return offset === undefined ? undefined : { kind: 'instant', instant: wall - offset, wall };
}

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/;

/** UTC midnight of a date; undefined if there is no such date. */
function validDay(year: number, month: number, day: number): number | undefined {
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month);
  return exists ? dayOf(year, month, day) * DAY_MS : undefined;
}

/** Seconds since midnight, up to 24:00; a leap second is the one before it. */
function clockSeconds(hour: number, minute: number, second: number): number | undefined {
  if (!(minute <= 59 && second <= 60)) return undefined;
  if (hour === 24) return minute === 0 && second === 0 ? 86_400 : undefined;
  return hour <= 23 ? hour * 3600 + minute * 60 + Math.min(second, 59) : undefined;
}

/** A time in UTC by its fields, from the year to the second; undefined if there is no such time. */
export function validTime([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]) {
  const [midnight, time] = [validDay(year, month, day), clockSeconds(hour, minute, second)];
  return midnight === undefined || time === undefined ? undefined : midnight + time * 1000;
}

/** `+05:30`, `+0530`, `+05` in ms; no zone is further from UTC than 16 hours. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 16 || minutes > 59) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

interface TimeOfDay {
  /** Seconds since midnight, 0 … 86400. */
  seconds: number;
  /** `9:00`. */
  short?: true;
  /** `09:00Z`, `09:00+01:00`. */
  zoned?: true;
}

/** Reads a time of day: `HH:mm`, `HH:mm:ss`, fractions dropped. A zone designator is reported (`zoned`) and not used. */
export function parseTime(text: string): TimeOfDay | undefined {
  const match = text.length <= 30 ? TIME.exec(text) : null;
  if (match === null) return undefined;
  const [, hour = '', minute, second = 0, zone] = match;
  const seconds = clockSeconds(Number(hour), Number(minute), Number(second));
  if (seconds === undefined) return undefined;
  return { seconds, ...(hour.length === 1 && { short: true }), ...(zone !== undefined && { zoned: true }) };
}

const TIME = /^T?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?( ?[Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** The parts of an ISO 8601 duration, as written: each may be a decimal. */
export interface DurationParts {
  years: number;
  months: number;
  weeks: number;
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** Reads an ISO 8601 duration; negative ones and empty ones (`P`, `PT`) are not read. */
export function parseDuration(text: string): DurationParts | undefined {
  const match = text.length <= 40 ? DURATION.exec(text) : null;
  if (match === null || text.length < 3 || text.endsWith('T')) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(decimal);
  return { years, months, weeks, days, hours, minutes, seconds };
}

const N = '(\\d{1,9}(?:[.,]\\d{1,9})?)';
const DURATION = new RegExp(`^P(?:${N}Y)?(?:${N}M)?(?:${N}W)?(?:${N}D)?(?:T(?:${N}H)?(?:${N}M)?(?:${N}S)?)?$`);

function decimal(text: string | undefined): number {
  return text === undefined ? 0 : Number(text.replace(',', '.'));
}

/** The length in ms, in whole seconds, of a duration. Years and months do not count, because they have no fixed length. */
export function lengthOf({ weeks, days, hours, minutes, seconds }: DurationParts): number {
  return Math.round((weeks * 7 + days) * 86_400 + hours * 3600 + minutes * 60 + seconds) * 1000;
}

/** `HH:mm`, or `HH:mm:ss`, of seconds since midnight. Midnight at the end of a day is `24:00`. */
export function timeText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const base = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return seconds % 60 === 0 ? base : `${base}:${two(seconds % 60)}`;
}
