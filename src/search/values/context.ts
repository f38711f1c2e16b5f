import type { Day } from '../../time/days.ts';
import type { Token } from '../tokens.ts';

/** The context in which values of a query are read, and parts of several kinds of values. */

/** The context in which values are read. */
export interface QueryContext {
  today: Day;
  /** Seconds since local midnight, where it is known. */
  time?: number;
  /** Whether a text is a place in the data. */
  isPlace?: (text: string) => boolean;
  /** Whether a text is a town or a postcode district in the data. */
  isTown?: (text: string) => boolean;
  /** Whether something in the data has these words in its name. */
  isName?: (text: string) => boolean;
  /** The whole query. */
  text: string;
  /**
   * The half of the day of bare hours: `evening` somewhere in the query makes 7 o'clock 19:00. `other`: not the usual half.
   */
  half?: 'am' | 'pm' | 'other';
  /** The loose reading, in which more words are filters; absent: they stay words. */
  loosely?: LooseReading;
  /** Whether an activity or another phrase begins at a token. Known for later tokens only. */
  isOther(at: number): boolean;
}

/** A reading in which more words are filters than phrases that always are. */
export interface LooseReading {
  /** Whether a text is a town, which may stand without "in". */
  isTown(text: string): boolean;
  /** The meaning of `5-7`. */
  ranges: 'ages' | 'hours';
  /** Whether `christmas` and `summer` are dates. */
  seasons?: true;
}

/** A time of day. `bare`: without its half of the day. */
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

/** Whether a duration in milliseconds is of a length. */
export const isAsLong = ({ min, max }: Length, duration: number): boolean =>
  duration >= min * MINUTE_MS && duration <= max * MINUTE_MS;

/** Words for anything that is on: `kids activities` means activities for kids, while `Kids Club` is a name. */
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

/** Units: a number in front of one is neither an hour nor a price. */
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
