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
  /** Whether a token begins something else: an activity, or another phrase. Known for later tokens only. */
  isOther(at: number): boolean;
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

/** What is on, of whatever kind: `kids activities` are activities for kids, and `Kids Club` is a name. */
export const GENERIC: ReadonlySet<string> = new Set(
  `activity activities class classes event events exercise exercises fitness lesson lessons session sessions stuff things workout
  workouts`.split(/\s+/),
);

export const NUMBERS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, number) => [word, number]),
);

/** Behind a number they make it something else than an hour or a price. */
export const UNITS =
  /^(?:am|pm|years?|yrs?|yo|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|miles?|mi|km|kms|k|kilomet(?:re|er)s?|metres?|m|people|players|sessions?|classes|lessons|star|stars|%)$/;

export function numberAt(tokens: readonly Token[], at: number): number | undefined {
  const word = tokens[at]?.word ?? '';
  return /^\d{1,5}(?:\.\d{1,2})?$/.test(word) ? Number(word) : NUMBERS.get(word);
}
