import type { ValueReader } from '../patterns.ts';
import type { Token } from '../tokens.ts';
import { type Clock, NUMBERS, type QueryContext, UNITS } from './context.ts';
import { MONTHS_BY_NAME } from './dates.ts';

/** Times of day in what people type. */

const HOUR = 3600;
/** The ending of an approximate time. */
const ISH = /ish$/;

/** `6pm`, `18:30`, `7.30`, `noon`, `6 o'clock`, `6`, `6ish`. */
const numericClock: ValueReader<QueryContext> = (tokens, at) => {
  const word = tokens[at]?.word.replace(ISH, '') ?? '';
  if (word === 'noon' || word === 'midday') return [{ seconds: 12 * HOUR, bare: false }, at + 1];
  if (word === 'midnight') return [{ seconds: 24 * HOUR, bare: false }, at + 1];
  const inWords = NUMBERS.get(word) ?? 0;
  const digits = inWords >= 1 && inWords <= 12 ? String(inWords) : word;
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

/** Parts of an hour that are added to the hour behind them. */
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
export const anyClock: ValueReader<QueryContext> = (tokens, at, context) => {
  const found = clockInWords(tokens, at, context, true) ?? numericClock(tokens, at, context);
  if (found === undefined) return undefined;
  const ish = tokens[found[1]]?.word === '-' ? found[1] + 1 : found[1];
  return tokens[ish]?.word === 'ish' ? [found[0], ish + 1] : found;
};

/** `7ish`, `7pm-ish`, `half six ish`. */
export const ishClock: ValueReader<QueryContext> = (tokens, at, context) => {
  const found = anyClock(tokens, at, context);
  return found !== undefined && ISH.test((tokens[found[1] - 1] as Token).word) ? found : undefined;
};

/** A time that is more than a number. */
export const exactClock: ValueReader<QueryContext> = (tokens, at, context) => {
  const word = tokens[at]?.word ?? '';
  const isExact = /^(?:noon|midday|midnight|\d{1,2}:\d\d)$|[ap]m$/.test(word) || tokens[at + 1]?.word === 'oclock';
  return isExact ? numericClock(tokens, at, context) : clockInWords(tokens, at, context, true);
};

/** An exact time, or one in words, behind a word such as `from`. */
export const statedClock: ValueReader<QueryContext> = (tokens, at, context) =>
  exactClock(tokens, at, context) ?? clockInWords(tokens, at, context, true);

/** `10` or `6.30`, but not the day of a month: `Sunday 10-12 December`. */
export const bareClock: ValueReader<QueryContext> = (tokens, at, context) => {
  const isBare = /^\d{1,2}(?:\.\d\d)?$/.test(tokens[at]?.word ?? '');
  return isBare && !MONTHS_BY_NAME.has(tokens[at + 1]?.word ?? '') ? numericClock(tokens, at, context) : undefined;
};

/** `6.30`, `1900` or `6` beside a day. Behind a bare hour nothing may follow that it could count: `Monday 5 a side`. */
export const clockBeside: ValueReader<QueryContext> = (tokens, at, context) => {
  const word = tokens[at]?.word ?? '';
  if (FOUR_DIGITS.test(word))
    return [{ seconds: Number(word.slice(0, 2)) * HOUR + Number(word.slice(2)) * 60, bare: false }, at + 1];
  const isAlone = at + 1 >= tokens.length || context.isOther(at + 1);
  return isAlone || word.includes('.') ? bareClock(tokens, at, context) : undefined;
};

/** Times of a clock that shows 24 hours, at a whole number of five minutes: `2026` is a year. */
const FOUR_DIGITS = /^(?:[01]\d|2[0-3])[0-5][05]$/;

/** `6.30` without a day, in a loose reading. */
export const looseClock: ValueReader<QueryContext> = (tokens, at, context) =>
  context.loosely?.ranges === 'hours' ? dottedClock(tokens, at, context) : undefined;

/** `6.30`, which may also be a price or a version where no day is beside it. */
export const dottedClock: ValueReader<QueryContext> = (tokens, at, context) =>
  /^\d{1,2}\.\d\d$/.test(tokens[at]?.word ?? '') ? numericClock(tokens, at, context) : undefined;
