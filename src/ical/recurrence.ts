import type { ByDay, RepeatUnit } from '../opportunity/records.ts';
import { DAY_MS, dayOf, WEEKDAY_CODES } from '../time/days.ts';
import type { Instant, Weekday } from '../time/instant.ts';
import { utcValue } from './values.ts';

/** The unit of time of each FREQ. */
export const UNITS = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
} as const satisfies Record<string, RepeatUnit>;

export type Frequency = keyof typeof UNITS;

/** The FREQ of each unit. */
export const FREQUENCIES = Object.fromEntries(Object.entries(UNITS).map(([freq, unit]) => [unit, freq])) as Readonly<
  Record<RepeatUnit, Frequency>
>;

/** A recurrence rule (RFC 5545 3.3.10), as far as this program writes them. Lists are in the order they are written in. */
export interface Recurrence {
  freq: Frequency;
  /** The last moment an instance may start; never beside `count`. */
  until?: Instant;
  count?: number;
  interval?: number;
  byMonth?: readonly number[];
  byMonthDay?: readonly number[];
  byDay?: readonly ByDay[];
  /** The first day of a week, where it matters. */
  weekStart?: Weekday;
}

/**
 * The value of an RRULE line: `FREQ=WEEKLY;UNTIL=20270328T073000Z;BYDAY=TH`. The order of its parts is part of every event's
 * stored hash.
 */
export function recurrenceValue(rule: Recurrence): string {
  const { freq, until, count, interval, byMonth, byMonthDay, byDay, weekStart } = rule;
  let value = `FREQ=${freq}`;
  if (until !== undefined) value += `;UNTIL=${utcValue(until)}`;
  if (count !== undefined) value += `;COUNT=${count}`;
  if (interval !== undefined) value += `;INTERVAL=${interval}`;
  if (byMonth !== undefined) value += `;BYMONTH=${byMonth.join()}`;
  if (byMonthDay !== undefined) value += `;BYMONTHDAY=${byMonthDay.join()}`;
  if (byDay !== undefined)
    value += `;BYDAY=${byDay.map(({ day, ordinal }) => `${ordinal ?? ''}${WEEKDAY_CODES[day]}`).join()}`;
  if (weekStart !== undefined) value += `;WKST=${WEEKDAY_CODES[weekStart]}`;
  return value;
}

/** The rule of a value that `recurrenceValue` made: calendars are stored with such values. */
export function recurrenceOf(value: string): Recurrence {
  const parts = new Map(value.split(';').map((part) => part.split('=') as [string, string]));
  const numbers = (text: string) => text.split(',').map(Number);
  return {
    freq: parts.get('FREQ') as Frequency,
    ...read(parts.get('UNTIL'), (text) => ({ until: instantOf(text) })),
    ...read(parts.get('COUNT'), (text) => ({ count: Number(text) })),
    ...read(parts.get('INTERVAL'), (text) => ({ interval: Number(text) })),
    ...read(parts.get('BYMONTH'), (text) => ({ byMonth: numbers(text) })),
    ...read(parts.get('BYMONTHDAY'), (text) => ({ byMonthDay: numbers(text) })),
    ...read(parts.get('BYDAY'), (text) => ({ byDay: text.split(',').map(byDayOf) })),
    ...read(parts.get('WKST'), (text) => ({ weekStart: WEEKDAY_CODES.indexOf(text) as Weekday })),
  };
}

function read<T>(text: string | undefined, as: (text: string) => T): T | undefined {
  return text === undefined ? undefined : as(text);
}

function byDayOf(text: string): ByDay {
  const day = WEEKDAY_CODES.indexOf(text.slice(-2)) as Weekday;
  return text.length === 2 ? { day } : { day, ordinal: Number(text.slice(0, -2)) };
}

/** The instant of `YYYYMMDDThhmmssZ`. */
function instantOf(text: string): Instant {
  const number = (from: number, to: number) => Number(text.slice(from, to));
  const day = dayOf(number(0, 4), number(4, 6), number(6, 8));
  return day * DAY_MS + ((number(9, 11) * 60 + number(11, 13)) * 60 + number(13, 15)) * 1000;
}
