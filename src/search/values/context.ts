import type { Day } from '../../time/days.ts';
import type { Token } from '../tokens.ts';

/** What values of a query depend on, and what several kinds of them are made of. */

/** What the values of a query depend on. */
export interface QueryContext {
  today: Day;
  /** Seconds since local midnight, where it is known. */
  time?: number;
  /** Whether a text is a place in the data. */
  isPlace?: (text: string) => boolean;
  /** Whether it is a town or a postcode district. */
  isTown?: (text: string) => boolean;
  /** Whether something in the data has these words in its name. */
  isName?: (text: string) => boolean;
  text: string;
  /** What the query says of bare hours: `evening` somewhere in it makes 7 o'clock 19:00. `other`: not the usual half. */
  half?: 'am' | 'pm' | 'other';
  /** How words are read that nothing has as they are; absent: they stay words. */
  loosely?: LooseReading;
  /** Whether a token begins something else: an activity, or another phrase. Known for later tokens only. */
  isOther(at: number): boolean;
}

/** What words may say beyond phrases that are filters everywhere. */
export interface LooseReading {
  /** A town may stand without "in". */
  isTown(text: string): boolean;
  /** What `5-7` is. */
  ranges: 'ages' | 'hours';
  /** `christmas` and `summer` say when. */
  seasons?: true;
}

/** A time of day; `bare`: nothing says which half of the day. */
export interface Clock {
  seconds: number;
  bare: boolean;
}

export interface Ages {
  min: number;
  max?: number;
}

/** The age of adults. */
export const ADULT = 18;

/** Minutes that something lasts, both ends included. */
export interface Length {
  min: number;
  max: number;
}

const MINUTE_MS = 60_000;

/** Whether something that takes so many milliseconds is as long as that. */
export const isAsLong = ({ min, max }: Length, duration: number): boolean =>
  duration >= min * MINUTE_MS && duration <= max * MINUTE_MS;

/** What is on, of whatever kind: `kids activities` are activities for kids, and `Kids Club` is a name. */
export const GENERIC: ReadonlySet<string> = new Set(
  `activity activities class classes event events exercise exercises fitness lesson lessons session sessions stuff things workout
  workouts`.split(/\s+/),
);

/** Tens, with which other numbers are made: `sixty five`. */
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

export const NUMBERS = new Map<string, number>([
  ...'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, number) => [word, number] as const),
  ...TENS.map((word, at) => [word, 20 + at * 10] as const),
]);

/** Behind a number they make it something else than an hour or a price. */
export const UNITS =
  /^(?:am|pm|years?|yrs?|yo|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|miles?|mi|km|kms|k|kilomet(?:re|er)s?|metres?|m|people|players|sessions?|classes|lessons|star|stars|%)$/;

/** A number in digits or in words, and the token after it: `8`, `1.5`, `eight`, `sixty-five`. */
export function numberAt(tokens: readonly Token[], at: number): readonly [number, number] | undefined {
  const word = tokens[at]?.word ?? '';
  if (/^\d{1,5}(?:\.\d{1,2})?$/.test(word)) return [Number(word), at + 1];
  const found = NUMBERS.get(word);
  if (found === undefined) return undefined;
  const next = tokens[at + 1]?.word === '-' ? at + 2 : at + 1;
  const more = TENS.includes(word) ? (NUMBERS.get(tokens[next]?.word ?? '') ?? 0) : 0;
  return more >= 1 && more <= 9 ? [found + more, next + 1] : [found, at + 1];
}
