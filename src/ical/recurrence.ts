import type { ByDay, RepeatUnit } from '../opportunity/records.ts';
import { WEEKDAY_CODES } from '../time/days.ts';
import type { Instant, Weekday } from '../time/instant.ts';
import { utcInstant, utcValue } from './values.ts';

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

type Frequency = keyof typeof UNITS;

/** The FREQ of each unit. */
export const FREQUENCIES = Object.fromEntries(Object.entries(UNITS).map(([freq, unit]) => [unit, freq])) as Readonly<
  Record<RepeatUnit, Frequency>
>;

/** A recurrence rule (RFC 5545 3.3.10), with the parts that this program writes. Lists have the order in which they are written. */
export interface Recurrence {
  freq: Frequency;
  /** The last moment an instance may start; never beside `count`. */
  until?: Instant;
  count?: number;
  interval?: number;
  byMonth?: readonly number[];
  byMonthDay?: readonly number[];
  byDay?: readonly ByDay[];
  /** WKST, where the rule depends on it. */
  weekStart?: Weekday;
}

type Parts = Required<Omit<Recurrence, 'freq'>>;
type Part = keyof Parts;

interface PartText<T> {
  name: string;
  write(value: T): string;
  read(text: string): T;
}

const number = (name: string): PartText<number> => ({ name, write: String, read: Number });
const numbers = (name: string): PartText<readonly number[]> => ({
  name,
  write: (list) => list.join(),
  read: (text) => text.split(',').map(Number),
});

/** The text of each part. The order of the rows is part of every event's stored hash. */
const PARTS: { [P in Part]: PartText<Parts[P]> } = {
  until: { name: 'UNTIL', write: utcValue, read: (text) => utcInstant(text) as Instant },
  count: number('COUNT'),
  interval: number('INTERVAL'),
  byMonth: numbers('BYMONTH'),
  byMonthDay: numbers('BYMONTHDAY'),
  byDay: {
    name: 'BYDAY',
    write: (days) => days.map(({ day, ordinal }) => `${ordinal ?? ''}${WEEKDAY_CODES[day]}`).join(),
    read: (text) => text.split(',').map(byDayOf),
  },
  weekStart: {
    name: 'WKST',
    write: (day) => WEEKDAY_CODES[day] as string,
    read: (text) => WEEKDAY_CODES.indexOf(text) as Weekday,
  },
};
const NAMES = Object.keys(PARTS) as Part[];

/** The value of an RRULE line: `FREQ=WEEKLY;UNTIL=20270328T073000Z;BYDAY=TH`. */
export function recurrenceValue(rule: Recurrence): string {
  const parts = NAMES.flatMap((part) => partText(part, rule));
  return [`FREQ=${rule.freq}`, ...parts].join(';');
}

function partText<P extends Part>(part: P, rule: Partial<Parts>): string[] {
  const value: Parts[P] | undefined = rule[part];
  const { name, write } = PARTS[part];
  return value === undefined ? [] : [`${name}=${write(value)}`];
}

/** The rule of a value that `recurrenceValue` made: calendars are stored with such values. */
export function recurrenceOf(value: string): Recurrence {
  const texts = new Map(value.split(';').map((part) => part.split('=') as [string, string]));
  const parts = NAMES.flatMap((part) => {
    const { name, read } = PARTS[part];
    const text = texts.get(name);
    return text === undefined ? [] : [[part, read(text)]];
  });
  return { freq: texts.get('FREQ') as Frequency, ...Object.fromEntries(parts) };
}

function byDayOf(text: string): ByDay {
  const day = WEEKDAY_CODES.indexOf(text.slice(-2)) as Weekday;
  return text.length === 2 ? { day } : { day, ordinal: Number(text.slice(0, -2)) };
}
