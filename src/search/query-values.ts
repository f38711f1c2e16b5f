import { civilOf, type Day, dayOf, MONTHS, monthLength, WEEKDAYS } from '../time/days.ts';
import type { ValueReader } from './patterns.ts';
import type { Token } from './tokens.ts';

/** Values in what people type: days, times, dates, amounts, ages, places. */

/** What the values of a query depend on. */
export interface QueryContext {
  today: Day;
  /** Seconds since local midnight, where it is known. */
  time?: number;
  /** Whether a text is a place in the data. */
  isPlace?: (text: string) => boolean;
  text: string;
  /** What the query says of bare hours: `evening` somewhere in it makes 7 o'clock 19:00. */
  half?: 'am' | 'pm';
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

const HOUR = 3600;
const MILE = 1.609344;

const DAYS_BY_NAME = indexByName(
  ['mon', 'tue tues', 'wed weds', 'thu thur thurs', 'fri', 'sat', 'sun'],
  WEEKDAYS.map((name) => name.toLowerCase()),
);
const MONTHS_BY_NAME = indexByName(
  ['jan', 'feb', 'mar', 'apr', '', 'jun', 'jul', 'aug', 'sep sept', 'oct', 'nov', 'dec'],
  MONTHS.map((name) => name.toLowerCase()),
);
const NUMBERS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, number) => [word, number]),
);
const TENS = new Map(
  ['twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties'].map((word, index) => [
    word,
    20 + index * 10,
  ]),
);
const PLURAL_NUMBERS = new Map([...NUMBERS].map(([word, number]) => [word === 'six' ? 'sixes' : `${word}s`, number]));

/** Words by which people say who comes. */
const WHO: Record<string, Ages> = {
  'baby babies infants': { min: 0, max: 1 },
  'toddler toddlers tots': { min: 1, max: 3 },
  'preschooler preschoolers': { min: 2, max: 4 },
  'kid kids child children childrens': { min: 3, max: 11 },
  'junior juniors youngsters': { min: 5, max: 15 },
  'teen teens teenager teenagers': { min: 13, max: 17 },
  'adult adults grownups': { min: 18 },
  'senior seniors pensioner pensioners oap oaps elderly': { min: 60 },
};
const WHO_BY_WORD = new Map(
  Object.entries(WHO).flatMap(([words, ages]) => words.split(' ').map((word) => [word, ages])),
);

/** Behind a number they make it something else than an hour or a price. */
const UNITS =
  /^(?:am|pm|years?|yrs?|yo|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|miles?|mi|km|kms|k|kilomet(?:re|er)s?|metres?|m|people|players|sessions?|classes|lessons|star|stars|%)$/;
const KILOMETRES = new Map(
  Object.entries({
    mile: MILE,
    miles: MILE,
    mi: MILE,
    km: 1,
    kms: 1,
    kilometre: 1,
    kilometres: 1,
    kilometer: 1,
    kilometers: 1,
  }),
);
/** Areas of the postcodes of the United Kingdom whose districts may end in a letter. */
const POSTCODE = /^(?:[a-z]{1,2}\d{1,2}|(?:e|ec|n|nw|se|sw|w|wc)\d[a-z])$/;
const INWARD = /^\d[a-z]{2}$/;
/** Between the words of a place's name and after it. */
const MOST_PLACE_WORDS = 4;
/** Characters of `near`. */
const MAX_PLACE = 100;

/** A weekday by its name, plural or abbreviation. */
const day: ValueReader<QueryContext> = (tokens, at) => {
  const found = DAYS_BY_NAME.get(tokens[at]?.word.replace(/(?<=day)s$/, '') ?? '');
  return found === undefined ? undefined : [found, at + 1];
};

/** `8`, `1.5`, `eight`; not before a unit. */
const bareNumber: ValueReader<QueryContext> = (tokens, at) => {
  const found = numberAt(tokens, at);
  return found === undefined || UNITS.test(tokens[at + 1]?.word ?? '') ? undefined : [found, at + 1];
};

const number: ValueReader<QueryContext> = (tokens, at) => {
  const found = numberAt(tokens, at);
  return found === undefined ? undefined : [found, at + 1];
};

/** `60s`, `sixties`, `fives`. */
const numbers: ValueReader<QueryContext> = (tokens, at) => {
  const word = tokens[at]?.word ?? '';
  const found = /^\d{1,3}s$/.test(word) ? Number(word.slice(0, -1)) : (TENS.get(word) ?? PLURAL_NUMBERS.get(word));
  return found === undefined ? undefined : [found, at + 1];
};

/** `60+`. */
const atLeast: ValueReader<QueryContext> = (tokens, at) => {
  const found = /^(\d{1,3})\+$/.exec(tokens[at]?.word ?? '')?.[1];
  return found === undefined ? undefined : [Number(found), at + 1];
};

/** `u11`, `u11s`. */
const under: ValueReader<QueryContext> = (tokens, at) => {
  const found = /^u(\d{1,2})s?$/.exec(tokens[at]?.word ?? '')?.[1];
  return found === undefined || Number(found) < 2 || Number(found) > 21 ? undefined : [Number(found), at + 1];
};

/** `£8`, `8 pounds`, `a tenner`. */
const money: ValueReader<QueryContext> = (tokens, at) => {
  const word = tokens[at]?.word ?? '';
  if (/^[£€$]/.test(word))
    return [Number(word.slice(1)), /^(?:pounds?|quid)$/.test(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1];
  const next = tokens[at + 1]?.word ?? '';
  if (word === 'a' && (next === 'fiver' || next === 'tenner')) return [next === 'fiver' ? 5 : 10, at + 2];
  const found = numberAt(tokens, at);
  return found === undefined || !/^(?:pounds?|quid|gbp)$/.test(next) ? undefined : [found, at + 2];
};

/** Kilometres: `3 miles`, `5km`, `a mile`. */
const distance: ValueReader<QueryContext> = (tokens, at) => {
  const word = tokens[at]?.word ?? '';
  const glued = /^(\d{1,3})(km|kms|mi|miles)$/.exec(word);
  const amount = glued !== null ? Number(glued[1]) : word === 'a' ? 1 : numberAt(tokens, at);
  const unit = KILOMETRES.get(glued?.[2] ?? tokens[at + 1]?.word ?? '');
  if (amount === undefined || unit === undefined || amount <= 0 || amount > 300) return undefined;
  return [Math.max(0.1, Math.round(amount * unit * 10) / 10), glued === null ? at + 2 : at + 1];
};

/** `6pm`, `18:30`, `7.30`, `noon`, `6 o'clock`, `6`. */
const numericClock: ValueReader<QueryContext> = (tokens, at) => {
  const word = tokens[at]?.word ?? '';
  if (word === 'noon' || word === 'midday') return [{ seconds: 12 * HOUR, bare: false }, at + 1];
  if (word === 'midnight') return [{ seconds: 24 * HOUR, bare: false }, at + 1];
  const digits = String(NUMBERS.get(word) || word);
  const [, hour = '', minute = '0', half] = /^(\d{1,2})(?:[:.](\d\d))?([ap]m)?$/.exec(digits) ?? [];
  const next = tokens[at + 1]?.word ?? '';
  if (hour === '' || Number(hour) > 23 || Number(minute) > 59) return undefined;
  if (half !== undefined) {
    if (Number(hour) < 1 || Number(hour) > 12) return undefined;
    return [
      { seconds: ((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * HOUR + Number(minute) * 60, bare: false },
      at + 1,
    ];
  }
  if (UNITS.test(next)) return undefined;
  const bare = Number(hour) > 0 && Number(hour) < 12 && !hour.startsWith('0');
  return [{ seconds: Number(hour) * HOUR + Number(minute) * 60, bare }, next === 'oclock' ? at + 2 : at + 1];
};

/** Of an hour, before or after the one that follows. */
const HOUR_PARTS = new Map([
  ['quarter past', 1 / 4],
  ['quarter to', -1 / 4],
  ['half past', 1 / 2],
]);

/** `half past six`, `a quarter to ten`; `isShort`: also `half six`. */
function clockInWords(tokens: readonly Token[], at: number, context: QueryContext, isShort: boolean) {
  const afterHyphen = (next: number): number => (tokens[next]?.word === '-' ? next + 1 : next);
  const first = tokens[at]?.word === 'a' ? at + 1 : at;
  const second = afterHyphen(first + 1);
  const word = tokens[first]?.word ?? '';
  const stated = HOUR_PARTS.get(`${word} ${tokens[second]?.word ?? ''}`);
  const part = stated ?? (isShort && word === 'half' ? 1 / 2 : undefined);
  if (part === undefined) return undefined;
  const hour = numericClock(tokens, stated === undefined ? second : afterHyphen(second + 1), context);
  if (hour === undefined) return undefined;
  const { seconds, bare } = hour[0] as Clock;
  if (seconds % HOUR !== 0) return undefined;
  // A quarter to one is after noon.
  const isNoon = bare && seconds + part * HOUR < HOUR;
  const time = (seconds + part * HOUR + (isNoon ? 12 : 24) * HOUR) % (24 * HOUR);
  return [{ seconds: time, bare: bare && !isNoon }, hour[1]] as const;
}

/** Any time, as numbers or in words. */
const anyClock: ValueReader<QueryContext> = (tokens, at, context) =>
  clockInWords(tokens, at, context, true) ?? numericClock(tokens, at, context);

/** A time that is no mere number. */
const exactClock: ValueReader<QueryContext> = (tokens, at, context) => {
  const word = tokens[at]?.word ?? '';
  const isExact = /^(?:noon|midday|midnight|\d{1,2}:\d\d)$|[ap]m$/.test(word) || tokens[at + 1]?.word === 'oclock';
  return isExact ? numericClock(tokens, at, context) : clockInWords(tokens, at, context, false);
};

/** The same behind a word such as `from`, where `half six` is a time too. */
const statedClock: ValueReader<QueryContext> = (tokens, at, context) =>
  exactClock(tokens, at, context) ?? clockInWords(tokens, at, context, true);

/** A local date: `24 Nov`, `24th of November 2026`, `Nov 24`, `2026-11-24`, `24/11/2026`. */
const date: ValueReader<QueryContext> = (tokens, at, { today }) => {
  const word = tokens[at]?.word ?? '';
  if (/^\d{4}-\d\d-\d\d$/.test(word))
    return dated(...(word.split('-').map(Number) as [number, number, number]), at + 1);
  if (/^\d{1,2}\/\d{1,2}\/\d{2,4}$/.test(word)) {
    const [date, month, year] = word.split('/').map(Number) as [number, number, number];
    return dated(year < 100 ? 2000 + year : year, month, date, at + 1);
  }
  const first = dateNumber(word);
  const month = MONTHS_BY_NAME.get(
    (first === undefined ? word : tokens[at + (tokens[at + 1]?.word === 'of' ? 2 : 1)]?.word) ?? '',
  );
  if (month === undefined) return undefined;
  const after = first === undefined ? at + 2 : at + (tokens[at + 1]?.word === 'of' ? 3 : 2);
  const dateOfMonth = first ?? dateNumber(tokens[at + 1]?.word ?? '');
  if (dateOfMonth === undefined) return undefined;
  const year = Number(/^20\d\d$/.exec(tokens[after]?.word ?? '')?.[0]);
  if (year > 0) return dated(year, month + 1, dateOfMonth, after + 1);
  return dated(yearOf(today, month + 1, dateOfMonth), month + 1, dateOfMonth, after);
};

const ordinal: ValueReader<QueryContext> = (tokens, at) => {
  const found = dateNumber(tokens[at]?.word ?? '');
  return found === undefined ? undefined : [found, at + 1];
};

/** The first day of a month that is named, this year or next. */
const month: ValueReader<QueryContext> = (tokens, at, { today }) => {
  const found = MONTHS_BY_NAME.get(tokens[at]?.word ?? '');
  return found === undefined ? undefined : [dayOf(yearOf(today, found + 1, 31), found + 1, 1), at + 1];
};

const who: ValueReader<QueryContext> = (tokens, at) => {
  const found = WHO_BY_WORD.get(tokens[at]?.word ?? '');
  return found === undefined ? undefined : [found, at + 1];
};

/** A place that the data has, or a postcode; the longest name. */
const place: ValueReader<QueryContext> = (tokens, at, context) => {
  const postcode = postcodeAt(tokens, at);
  if (postcode !== undefined) return postcode;
  for (let end = Math.min(at + MOST_PLACE_WORDS, tokens.length); end > at; end -= 1) {
    const name = between(tokens, at, end, context);
    if (name !== undefined && context.isPlace?.(name) === true) return [name, end];
  }
  return undefined;
};

/** A place, known or not: what follows, up to the next thing that is something else. */
const anyPlace: ValueReader<QueryContext> = (tokens, at, context) => {
  const known = place(tokens, at, context);
  if (known !== undefined) return known;
  let end = at;
  while (end < tokens.length && end < at + MOST_PLACE_WORDS && !(end > at && context.isOther(end))) end += 1;
  const name = /^(?:the|a|my|our)$/.test(tokens[at]?.word ?? '') ? undefined : between(tokens, at, end, context);
  return name === undefined ? undefined : [name, end];
};

/** A postcode by itself: where places are known, it is one of them. */
const postcode: ValueReader<QueryContext> = (tokens, at, context) => {
  const found = postcodeAt(tokens, at);
  if (found === undefined) return undefined;
  return found[1] > at + 1 || (context.isPlace?.(found[0]) ?? true) ? found : undefined;
};

export const VALUE_READERS: Readonly<Record<string, ValueReader<QueryContext>>> = {
  day,
  number,
  bareNumber,
  numbers,
  atLeast,
  under,
  money,
  distance,
  clock: anyClock,
  exactClock,
  statedClock,
  date,
  ordinal,
  month,
  who,
  place,
  anyPlace,
  postcode,
};

function numberAt(tokens: readonly Token[], at: number): number | undefined {
  const word = tokens[at]?.word ?? '';
  return /^\d{1,5}(?:\.\d{1,2})?$/.test(word) ? Number(word) : NUMBERS.get(word);
}

/** The district of a postcode: the first half of `EX99 9ZZ`. */
function postcodeAt(tokens: readonly Token[], at: number): readonly [string, number] | undefined {
  const word = tokens[at]?.word ?? '';
  if (POSTCODE.test(word)) return [word.toUpperCase(), INWARD.test(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1];
  const outward = /^([a-z]{1,2}\d[a-z\d]?)\d[a-z]{2}$/.exec(word)?.[1];
  return outward !== undefined && POSTCODE.test(outward) ? [outward.toUpperCase(), at + 1] : undefined;
}

function between(tokens: readonly Token[], at: number, end: number, { text }: QueryContext): string | undefined {
  const [first, last] = [tokens[at], tokens[end - 1]];
  const isName = first !== undefined && last !== undefined && /\p{L}/u.test(first.word) && last.word !== '-';
  if (!isName) return undefined;
  const name = text
    .slice(first.start, last.end)
    .replaceAll(/["“”\s]+/g, ' ')
    .trim();
  return name.length <= MAX_PLACE ? name : undefined;
}

function dateNumber(word: string): number | undefined {
  const found = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1];
  return found === undefined || Number(found) < 1 || Number(found) > 31 ? undefined : Number(found);
}

function dated(year: number, month: number, date: number, end: number): readonly [Day, number] | undefined {
  if (month < 1 || month > 12 || date < 1 || date > monthLength(year, month)) return undefined;
  return [dayOf(year, month, date), end];
}

/** The year of a date without one: this year, or the next if the date is over. */
function yearOf(today: Day, month: number, date: number): number {
  const now = civilOf(today);
  return month < now.month || (month === now.month && date < now.date) ? now.year + 1 : now.year;
}

function indexByName(short: readonly string[], long: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    long.flatMap((name, index) =>
      [name, ...(short[index] as string).split(' ')].filter((word) => word !== '').map((word) => [word, index]),
    ),
  );
}
