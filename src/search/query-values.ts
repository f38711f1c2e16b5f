import type { ValueReader } from './patterns.ts';
import type { Token } from './tokens.ts';
import {
  anyClock,
  bareClock,
  clockBeside,
  dottedClock,
  exactClock,
  ishClock,
  looseClock,
  statedClock,
} from './values/clocks.ts';
import { type Ages, NUMBERS, numberAt, type QueryContext, UNITS } from './values/context.ts';
import {
  date,
  day,
  dayOfMonth,
  month,
  monthAtEnd,
  monthOfThings,
  ordinal,
  plainDayOfMonth,
  plainMonth,
  when,
} from './values/dates.ts';
import { feast, season } from './values/holidays.ts';
import { anyPlace, looseTown, nameNext, place, postcode, town } from './values/places.ts';
import { greeting, lateAlone, lateNight, notTo } from './values/times.ts';
import { soonest } from './values/when.ts';

/** Values in what people type: amounts and ages here, others in `values/`. */

const MILE = 1.609344;

const TENS = new Map(
  ['twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties'].map((word, index) => [
    word,
    20 + index * 10,
  ]),
);
const PLURAL_NUMBERS = new Map([...NUMBERS].map(([word, number]) => [word === 'six' ? 'sixes' : `${word}s`, number]));

/** Words for the people who come, with their ages. */
const WHO: Record<string, Ages> = {
  'baby|babies|infants|newborn|newborns': { min: 0, max: 1 },
  'toddler|toddlers|tots': { min: 1, max: 3 },
  'little one|little ones|wee one|wee ones': { min: 0, max: 4 },
  'preschooler|preschoolers|preschool|preschools|pre school|nursery': { min: 2, max: 4 },
  'kid|kids|child|children|childrens|bairn|bairns|grandkids|grandchild|grandchildren|kiddies|kiddos': {
    min: 3,
    max: 11,
  },
  'junior|juniors|youngsters': { min: 5, max: 15 },
  'primary school': { min: 4, max: 11 },
  'secondary school': { min: 11, max: 15 },
  'tween|tweens|pre teen|pre teens|preteens': { min: 8, max: 12 },
  'young people': { min: 11, max: 18 },
  'teen|teens|teenage|teenager|teenagers': { min: 13, max: 17 },
  'adult|adults|grownups': { min: 18 },
  'senior|seniors|pensioner|pensioners|oap|oaps|elderly|older people|older adults|older folk|mature adults|old people|elderly people|senior citizens|retired people|retirees':
    { min: 60 },
};
const WHO_BY_WORDS = new Map(
  Object.entries(WHO).flatMap(([words, ages]) => words.split('|').map((word) => [word, ages])),
);
const FIRST_OF_WHO = new Set([...WHO_BY_WORDS.keys()].map((words) => words.split(' ')[0] as string));
/** Words that are part of a name beside an activity: `baby swimming`, `adult tap`. */
const OF_NAMES: ReadonlySet<string> = new Set(
  'baby|babies|infants|tots|adult|preschool|preschools|pre school|nursery|primary school|secondary school'.split('|'),
);
/** Words that are a filter beside an activity only where no name in the data has them: `junior parkrun`. */
const OFTEN_OF_NAMES: ReadonlySet<string> = new Set('junior juniors senior child kid little wee'.split(' '));

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
/** Reads the number that the group of an expression has. */
function numberIn(form: RegExp): ValueReader<QueryContext> {
  return (tokens, at) => {
    const found = form.exec(tokens[at]?.word ?? '')?.[1];
    return found === undefined ? undefined : [Number(found), at + 1];
  };
}

/** A number that no unit follows. */
const bareNumber: ValueReader<QueryContext> = (tokens, at) => {
  const found = numberAt(tokens, at);
  return found === undefined || UNITS.test(tokens[found[1]]?.word ?? '') ? undefined : found;
};

const number: ValueReader<QueryContext> = numberAt;

/** `60s`, `sixties`, `fives`. */
const numbers: ValueReader<QueryContext> = (tokens, at) => {
  const word = tokens[at]?.word ?? '';
  const found = /^\d{1,3}s$/.test(word) ? Number(word.slice(0, -1)) : (TENS.get(word) ?? PLURAL_NUMBERS.get(word));
  return found === undefined ? undefined : [found, at + 1];
};

/** `60+`. */
const atLeast = numberIn(/^(\d{1,3})\+$/);

/** `over50s`. */
const over = numberIn(/^over(\d{2})s?$/);

/** `u11`, `u11s`, `under11s`. */
const under = numberIn(/^u(?:nder)?(0?[2-9]|1\d|2[01])s?$/);

/** `£8`, `8 pounds`, `a tenner`. */
const money: ValueReader<QueryContext> = (tokens, at) => {
  const word = tokens[at]?.word ?? '';
  if (/^[£€$]/.test(word))
    return [Number(word.slice(1)), /^(?:pounds?|quid)$/.test(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1];
  const next = tokens[at + 1]?.word ?? '';
  const [note, end] = word === 'a' ? [next, at + 2] : [word, at + 1];
  if (note === 'fiver' || note === 'tenner') return [note === 'fiver' ? 5 : 10, end];
  if (word === 'a' && (next === 'quid' || next === 'pound')) return [1, end];
  const found = numberAt(tokens, at);
  if (found === undefined || !/^(?:pounds?|quid|gbp)$/.test(tokens[found[1]]?.word ?? '')) return undefined;
  return [found[0], found[1] + 1];
};

/** `free` of `badminton court free tomorrow`, which means vacant. */
const vacant: ValueReader<QueryContext> = (tokens, at) =>
  tokens[at]?.word === 'free' && HIRED.test(tokens[at - 1]?.word ?? '') ? [undefined, at + 1] : undefined;

const HIRED = /^(?:courts?|pitch|pitches|lanes?|halls?|rooms?|studios?)$/;

/** Kilometres: `3 miles`, `5km`, `a mile`. */
const distance: ValueReader<QueryContext> = (tokens, at) => {
  const word = tokens[at]?.word ?? '';
  const glued = /^(\d{1,3})(km|kms|mi|miles)$/.exec(word);
  const counted = word === 'a' ? ([1, at + 1] as const) : numberAt(tokens, at);
  const [amount, end] = glued === null ? (counted ?? [0, at]) : [Number(glued[1]), at];
  const unit = KILOMETRES.get(glued?.[2] ?? tokens[end]?.word ?? '');
  if (unit === undefined || amount <= 0 || amount > 300) return undefined;
  return [Math.max(0.1, Math.round(amount * unit * 10) / 10), end + 1];
};

/** Minutes that something lasts: `45 minutes`, `half an hour`, `1hr 30 minutes`, `hour-long`, `an hour and a half`. */
const statedDuration: ValueReader<QueryContext> = (tokens, at) => {
  const first = hoursInWords(tokens, at) ?? countedDuration(tokens, at);
  const more = first !== undefined && first[0] % 60 === 0 ? countedDuration(tokens, first[1]) : undefined;
  return first !== undefined && more !== undefined && more[0] < 60 ? [first[0] + more[0], more[1]] : first;
};

/** `half an hour`, `an hour and a half`, `hour-long`. */
function hoursInWords(tokens: readonly Token[], at: number): readonly [number, number] | undefined {
  const words = tokens.slice(at, at + 7).map(({ word }) => word);
  const hour = words.slice(0, 4).findIndex((word) => /^(?:hours?|hrs?)$/.test(word));
  const isLong = hour === 0 && words[words[1] === '-' ? 2 : 1] === 'long';
  const isMore = words.slice(hour + 1, hour + 4).join(' ') === 'and a half';
  const part = words.slice(0, Math.max(0, hour)).filter((word) => word !== '-');
  const isPart = /^(?:an|half an?|half|an? half)$/.test(part.join(' '));
  if (!isPart && !(hour === 0 && (isLong || isMore))) return undefined;
  return [(part.includes('half') ? 30 : 60) + (isMore ? 30 : 0), at + hour + (isMore ? 4 : 1)];
}

/** `45 minutes`, `45min`, `one and a half hours`. */
function countedDuration(tokens: readonly Token[], at: number): readonly [number, number] | undefined {
  const glued = /^(\d{1,3})(mins?|minutes?|hrs?|hours?)$/.exec(tokens[at]?.word ?? '');
  if (glued !== null) return [inMinutes(Number(glued[1]), glued[2] as string), at + 1];
  const [count, counted] = numberAt(tokens, at) ?? [0, at];
  const words = tokens.slice(counted, counted + 3).map(({ word }) => word);
  const isMore = words.join(' ') === 'and a half';
  const end = isMore ? counted + 3 : counted;
  const unit = tokens[end]?.word === '-' ? end + 1 : end;
  const word = tokens[unit]?.word ?? '';
  const isLength = counted > at && UNIT_OF_LENGTH.test(word);
  return isLength ? [inMinutes(isMore ? count + 0.5 : count, word), unit + 1] : undefined;
}

/** `75+ minutes`. */
const durationAtLeast: ValueReader<QueryContext> = (tokens, at, context) => {
  const count = atLeast(tokens, at, context);
  const unit = tokens[at + 1]?.word ?? '';
  return count !== undefined && UNIT_OF_LENGTH.test(unit) ? [inMinutes(count[0] as number, unit), at + 2] : undefined;
};

const UNIT_OF_LENGTH = /^(?:min|hour|hr)s?$|^minutes?$/;
const inMinutes = (count: number, unit: string): number => (unit.startsWith('m') ? count : count * 60);

/** `30 and 60 minutes`, `1-2 hours`, `half an hour to an hour`. */
const statedDurations: ValueReader<QueryContext> = (tokens, at, context) => {
  const first = statedDuration(tokens, at, context);
  const [count, end] = first ?? numberAt(tokens, at) ?? [0, at];
  const last = /^(?:and|to|-)$/.test(tokens[end]?.word ?? '') ? statedDuration(tokens, end + 1, context) : undefined;
  if (end === at || last === undefined) return undefined;
  const unit = tokens[last[1] - 1]?.word.replace(/^\d+/, '') ?? '';
  const [min, max] = [first === undefined ? inMinutes(count as number, unit) : (count as number), last[0] as number];
  return min < max ? [{ min, max }, last[1]] : undefined;
};

/** Lengths where nothing is called so. */
const duration: ValueReader<QueryContext> = (...asked) => asked[2].loosely && statedDuration(...asked);
const durations: ValueReader<QueryContext> = (...asked) => asked[2].loosely && statedDurations(...asked);

/** Whether a word may say who comes, alone or with the next. */
export function saysWho(word: string): boolean {
  return FIRST_OF_WHO.has(word);
}

/** `babies and toddlers` are one group, of all their ages. */
const who: ValueReader<QueryContext> = (tokens, at) => {
  const first = oneWho(tokens, at);
  if (first === undefined) return undefined;
  const isJoined = tokens[first[1]]?.word === 'and' || tokens[first[1]]?.word === 'or';
  const other = isJoined ? oneWho(tokens, first[1] + 1) : undefined;
  if (other === undefined) return first;
  const [{ min, max }, { min: otherMin, max: otherMax }] = [first[0], other[0]];
  const ends = max !== undefined && otherMax !== undefined && { max: Math.max(max, otherMax) };
  return [{ min: Math.min(min, otherMin), ...ends }, other[1]];
};

function oneWho(tokens: readonly Token[], at: number): readonly [Ages, number] | undefined {
  const word = tokens[at]?.word ?? '';
  const next = tokens[at + 1]?.word === '-' ? at + 2 : at + 1;
  const found = WHO_BY_WORDS.get(`${word} ${tokens[next]?.word ?? ''}`);
  if (found !== undefined) return [found, next + 1];
  const one = WHO_BY_WORDS.get(word);
  return one === undefined ? undefined : [one, at + 1];
}

/** The people who come, beside an activity and not in its name. */
const whoBeside: ValueReader<QueryContext> = (tokens, at, context) => {
  const found = who(tokens, at, context);
  const word = tokens[at]?.word ?? '';
  if (found === undefined || context.loosely) return found;
  const words = tokens.slice(at, found[1]).filter((one) => one.word !== '-');
  if (OF_NAMES.has(words.map((one) => one.word).join(' '))) return undefined;
  if (!OFTEN_OF_NAMES.has(word)) return found;
  // `junior tennis coaching` may be the name of something that is not here.
  const isLast = found[1] + 1 >= tokens.length || context.isOther(found[1] + 1);
  if (context.isName === undefined || !isLast) return undefined;
  const beside = [tokens.slice(at, found[1] + 1), tokens.slice(Math.max(0, at - 1), found[1])];
  const isNamed = beside.some((words) => words.length > 1 && context.isName?.(words.map((one) => one.word).join(' ')));
  return isNamed ? undefined : found;
};

/** The first number of `5-11` without a word such as `ages`. */
const looseAge: ValueReader<QueryContext> = (tokens, at, context) =>
  context.loosely?.ranges === 'ages' && !COUNTED.test(tokens[at - 1]?.word ?? '')
    ? wholeNumber(tokens, at, context)
    : undefined;

/** `18` of `18 months`, not behind a word that makes it a time. */
const looseMonths: ValueReader<QueryContext> = (tokens, at, context) =>
  context.loosely && !OF_TIME.test(tokens[at - 1]?.word ?? '') ? numberAt(tokens, at) : undefined;

const OF_TIME = /^(?:after|in|last|next|over|past|within)$/;

const looseHour: ValueReader<QueryContext> = (tokens, at, context) =>
  context.loosely?.ranges === 'hours' && !COUNTED.test(tokens[at - 1]?.word ?? '')
    ? bareClock(tokens, at, context)
    : undefined;

/** Words in front of a number that is no age. */
const COUNTED = /^(?:stages?|levels?|grades?|weeks?|terms?|parts?|years?)$/;

/** `11`, where no unit follows. */
const wholeNumber: ValueReader<QueryContext> = (tokens, at, context) =>
  /^\d{1,2}$/.test(tokens[at]?.word ?? '') ? bareNumber(tokens, at, context) : undefined;

/** `7yo`, `7yrs`: years in one piece. */
const gluedYears = numberIn(/^(\d{1,2})(?:yo|yos|yr|yrs|y)$/);

/** An activity or another phrase follows; nothing of it is read. */
const activityNext: ValueReader<QueryContext> = (_, at, { isOther }) => (isOther(at) ? [undefined, at] : undefined);

/** A word for people who do something follows: `swimmers` of `nervous swimmers`. Nothing of it is read. */
const learnerNext: ValueReader<QueryContext> = (tokens, at) =>
  LEARNERS.test(tokens[at]?.word ?? '') ? [undefined, at] : undefined;

const LEARNERS = /^(?:swimmer|runner|walker|dancer|climber|cyclist|rider|player|learner|starter|beginner|member)s?$/;

/** No ability, age or level follows, as `mixed abilities` means no genders. Nothing is read. */
const noAbility: ValueReader<QueryContext> = (tokens, at) =>
  /^(?:abilit|ages?$|levels?$)/.test(tokens[at]?.word ?? '') ? undefined : [undefined, at];

export const VALUE_READERS: Readonly<Record<string, ValueReader<QueryContext>>> = {
  day,
  number,
  bareNumber,
  numbers,
  atLeast,
  over,
  under,
  money,
  vacant,
  distance,
  duration,
  durationAtLeast,
  durations,
  statedDuration,
  statedDurations,
  clock: anyClock,
  exactClock,
  ishClock,
  statedClock,
  bareClock,
  dottedClock,
  clockBeside,
  looseClock,
  date,
  ordinal,
  dayOfMonth,
  plainDayOfMonth,
  when,
  month,
  monthAtEnd,
  monthOfThings,
  plainMonth,
  feast,
  greeting,
  who,
  whoBeside,
  noAbility,
  activityNext,
  learnerNext,
  gluedYears,
  looseAge,
  looseHour,
  looseMonths,
  lateAlone,
  lateNight,
  notTo,
  soonest,
  season,
  wholeNumber,
  place,
  town,
  looseTown,
  anyPlace,
  nameNext,
  postcode,
};
