import { WEEKDAYS } from '../time/days.ts';
import type { Filters } from './filters.ts';
import { type Pattern, type PhraseRow, pattern } from './patterns.ts';
import { saysWho } from './query-values.ts';
import type { Length, QueryContext } from './values/context.ts';
import { MONTHS_BY_NAME } from './values/dates.ts';
import { AROUND_FEASTS, beginsSeason } from './values/holidays.ts';
import { TIMES } from './values/times.ts';
import { DATES, LESS_DAYS, MONTHS_BESIDE, WEEK } from './values/when.ts';
import { AGES, ALWAYS_BESIDE, BESIDE, LEADERS, PEOPLE, SUPPORT, under } from './values/who.ts';

/**
 * Phrases that are filters, a row each: the phrase, and its filters. The longest phrase wins, of equal ones the first.
 * `patterns.ts` says how phrases are written, `query-values.ts` and `values/` what is in braces.
 */

/** A phrase that is a filter. */
export interface Phrase {
  pattern: Pattern;
  /** The filters of the phrase; undefined: it is no filter in this context. */
  filters(values: readonly unknown[], context: QueryContext): Filters | undefined;
  /**
   * The phrase is a filter only beside an activity, or alone, as elsewhere it may be part of a name. `usually`: in a loose
   * reading it is one anywhere.
   */
  beside?: 'always' | 'usually';
  /** The part that no filter can express; true: all of it. It is left out of the search. */
  leftOut?: true | ((values: readonly unknown[]) => string | undefined);
  /** The length of sessions that it asks for. */
  lasts?: (values: readonly unknown[]) => Length;
  /** Whether its days are all but the unwanted ones. */
  isLess?: true;
}

const AT_MOST_WORDS =
  'under|below|less than|up to|upto|max|maximum|maximum of|at most|no more than|not more than|nothing more than|not over|nothing over|not above|nothing above';
const AT_MOST = `(${AT_MOST_WORDS}|cheaper than|for under|for less than|for up to)`;

const PRICES: readonly PhraseRow<Filters>[] = [
  ['{vacant}', {}],
  ['for? free', { free: true }],
  ['(free of charge|no charge|no cost|no fee|costs nothing|for nothing|free entry)', { free: true }],
  [`${AT_MOST} {money}`, (maxPrice: number) => priced(maxPrice)],
  ['{money}', (maxPrice: number) => priced(maxPrice)],
  ['for {money}', (maxPrice: number) => priced(maxPrice)],
  [
    'for? {money} (or less|or under|or cheaper|max|maximum|tops|at most|and under)',
    (maxPrice: number) => priced(maxPrice),
  ],
  [
    '(below|less than|cheaper than|up to|upto|max|maximum|at most|no more than|not more than) {bareNumber}',
    (maxPrice: number) => priced(maxPrice),
  ],
  ['under {bareNumber}', (limit: number) => (limit > 21 ? priced(limit) : under(limit))],
];

const PRICE_RANGES: readonly PhraseRow<Filters>[] = [
  ['(between|from|for|under|up to)? {money} (to|and|-) {money}', range],
  ['(between|from|for)? {number} (to|-) {money}', range],
  ['(between|from|for)? {money} (to|-) {bareNumber}', range],
  ['between {money} and {bareNumber}', range],
  ['between {number} and {money}', range],
];

/** The lower end of a range of prices, which no filter can express. */
const lowerEnd = ([lowest]: readonly unknown[]): string | undefined =>
  Number(lowest) > 0 ? `at least £${lowest}` : undefined;

function range(lowest: number, highest: number): Filters | undefined {
  return lowest <= highest ? priced(highest) : undefined;
}

const UNASKED: readonly PhraseRow<Filters>[] = [
  ['for? (at least|over|above|more than|from|starting from|starting at|minimum|min) {money}', {}],
  ['for? {money} (or more|or over|or above|and over|and above|and up|plus|upwards|minimum)', {}],
  ['(cheap|cheaper|cheapest|the cheapest|inexpensive|affordable|low cost)', {}],
  ['indoors', {}],
  ['(on|for)? a? rainy (day|days)?', {}],
  ['(how much is|how much are|how much does|how much do|how much for|how much)', {}],
  ['(what is|whats)? the? (price|prices|cost|costs) of', {}],
];

const DAY_MINUTES = 1440;
const LASTING = '(for|lasting|that last|that lasts)?';

/** How long something lasts. No filter says so: what is as long is shown, where something is. */
const LENGTHS: readonly (readonly [text: string, lasts: (minutes: number) => Length])[] = [
  ['(for|lasting|about|around)? {duration} long?', (minutes) => ({ min: minutes - 5, max: minutes + 5 })],
  [`${LASTING} (under|less than|shorter than) {statedDuration} long?`, (minutes) => ({ min: 1, max: minutes - 1 })],
  [
    `${LASTING} (no more than|not more than|no longer than|not longer than|not over|at most|max|maximum) {statedDuration} long?`,
    upToLength,
  ],
  [`${LASTING} (up to) {duration} long?`, upToLength],
  ['{statedDuration} (or less|or under|or shorter|max|maximum)', upToLength],
  [
    `${LASTING} (at least|no less than|not less than|no shorter than|not under|minimum|min) {statedDuration} long?`,
    atLeastLength,
  ],
  [
    `${LASTING} (over|above|more than|longer than) {statedDuration} long?`,
    (minutes) => ({ min: minutes + 1, max: DAY_MINUTES }),
  ],
  ['{statedDuration} (or more|or longer|and over|and up|plus|minimum)', atLeastLength],
  [`${LASTING} {durationAtLeast} long?`, atLeastLength],
];

function atLeastLength(minutes: number): Length {
  return { min: minutes, max: DAY_MINUTES };
}

function upToLength(minutes: number): Length {
  return { min: 1, max: minutes };
}

const LENGTH_RANGES = [`${LASTING} (between|from) {statedDurations} long?`, `${LASTING} {durations} long?`];

function priced(maxPrice: number): Filters {
  return maxPrice === 0 ? { free: true } : { maxPrice };
}

const PLACES: readonly PhraseRow<Filters>[] = [
  [
    '(near me|near to me|close to me|around me|around here|near here|near by|nearby|close by|in my area|near my location|where i am|not far|not too far|not far away|not too far away|not far from me|not far from here)',
    { near: 'me' },
  ],
  ['(near|near to|nr|close to|next to|not far from|not too far from) {anyPlace}', (near: string) => ({ near })],
  ['(in|at|around|from) {place}', (near: string) => ({ near })],
  // Of a town and its postcode, the postcode is more exact.
  [
    '(in|at|around|from|near) {town} {postcode}',
    (town: string, near: string) => (/\d/.test(town) ? undefined : { near }),
  ],
  ['by {town}', (near: string) => ({ near })],
  ['{postcode}', (near: string) => ({ near })],
  ['{looseTown}', (near: string) => ({ near })],
  ['within {distance}', (km: number) => ({ near: 'me', within: km })],
  [`(within|${AT_MOST_WORDS})? {distance} away`, (km: number) => ({ near: 'me', within: km })],
  ['within? {distance} (of|from|around) (me|here|my location)', (km: number) => ({ near: 'me', within: km })],
  [
    `(within|${AT_MOST_WORDS})? {distance} (of|from|around|away from) {anyPlace}`,
    (km: number, near: string) => ({ near, within: km }),
  ],
  ['(within walking distance|in walking distance|walking distance)', { near: 'me', within: 1.5 }],
];

const OTHERS: readonly PhraseRow<Filters>[] = [
  [
    '(online only|online|zoom|virtual|virtually|livestream|livestreamed|live stream|live streamed|from home|at home|in my living room|over video)',
    { online: true },
  ],
  ['(on|via|over|by) zoom', { online: true }],
  ['(including|with|show|even|also)? cancelled|canceled', { cancelled: true }],
  ['(not|non) cancelled|canceled', {}],
  ['(when is|when are|when|whens) the? {soonest}', {}],
  ['(starting|starts|start) soon', {}],
];

/** Every phrase that is a filter; those that need something beside them are last. */
export const PHRASES: readonly Phrase[] = [
  ...[WEEK, DATES, AROUND_FEASTS, TIMES, PRICES, PLACES, AGES, PEOPLE, SUPPORT, LEADERS, OTHERS].flatMap((rows) =>
    rows.map((row) => phrase(row)),
  ),
  ...LESS_DAYS.map((row): Phrase => ({ ...phrase(row), isLess: true })),
  ...PRICE_RANGES.map((row): Phrase => ({ ...phrase(row), leftOut: lowerEnd })),
  ...UNASKED.map((row): Phrase => ({ ...phrase(row), leftOut: true })),
  ...LENGTHS.map(([text, lasts]) => lengthPhrase(text, ([minutes]) => lasts(minutes as number))),
  ...LENGTH_RANGES.map((text) => lengthPhrase(text, ([length]) => length as Length)),
  ...[...BESIDE, ...MONTHS_BESIDE].map((row) => phrase(row, 'usually')),
  ...ALWAYS_BESIDE.map((row) => phrase(row, 'always')),
];

const USUALLY_BESIDE = PHRASES.flatMap(({ beside, pattern: { firstWords } }) =>
  beside === 'usually' ? [...(firstWords ?? [])] : [],
);
const OF_LOOSE_READINGS: ReadonlySet<string> = new Set([
  ...USUALLY_BESIDE,
  ...MONTHS_BY_NAME.keys(),
  'hour',
  'hours',
  'hr',
  'hrs',
]);

/** Whether words without a number or a town may be filters in a loose reading. */
export function mayBeLoose(words: readonly string[]): boolean {
  const line = words.join(' ');
  return (
    words.some((word) => OF_LOOSE_READINGS.has(word) || saysWho(word) || beginsSeason(word)) ||
    [...KEPT_AT_FIRST].some((name) => line.includes(name))
  );
}

function phrase([text, filters]: PhraseRow<Filters>, beside?: Phrase['beside']): Phrase {
  return {
    pattern: pattern(text),
    filters: (values, context) =>
      typeof filters === 'function' ? filters(...([...values, context] as never[])) : filters,
    ...(beside && { beside }),
  };
}

function lengthPhrase(text: string, lasts: NonNullable<Phrase['lasts']>): Phrase {
  return { ...phrase([text, {}]), leftOut: true, lasts };
}

const DAYS_OF_WEEK = WEEKDAYS.map((name) => name.toLowerCase());

/** Kept words that are a filter in a loose reading. */
export const KEPT_AT_FIRST: ReadonlySet<string> = new Set([
  'adult and toddler',
  'after school club',
  'baby and toddler',
  'bank holiday monday',
  'free running',
  'kids club',
  'parent and toddler',
]);

/** Whether kept words are a name before a word: `free running` is parkour, and a free running club costs nothing. */
export const isKeptName = (words: string, next = ''): boolean =>
  KEPT.has(words) && !(words === 'free running' && OF_RUNNERS.test(next));

const OF_RUNNERS = /^(?:clubs?|events?|groups?|races?)$/;

/** Names that people search for and that look like filters: they stay words. */
const KEPT: ReadonlySet<string> = new Set([
  ...`adult and toddler|after school club|baby and toddler|parent and toddler|am free|alcohol free|bank holiday monday|barrier free|birthday party|book online|
    boys and girls|girls and boys|men and women|women and men|boys brigade|care free|club night|coffee morning|dairy free|drug free|
    free climbing|free diving|free fall|free flow|free form|free jumping|free kick|free movement|free play|
    free range|free running|free spirit|free style|free trial|free weights|free wheelers|free wheeling|
    girls brigade|gluten free|hands free|im free|kids club|ladies day|ladies night|mens shed|mens sheds|
    night owls|no barriers|no boundaries|no contact|no excuses|no gi|no lights no lycra|no limit|no limits|no strings|
    not for profit|online booking|open day|open days|open evening|open morning|pain free|send off|smoke free|
    stress free|sun salutation|sun salutations|sun style|tea dance|this girl can|virtual bodybalance|
    virtual bodycombat|virtual bodypump|virtual cycle|virtual cycling|virtual grit|virtual race|virtual rpm|
    virtual run|virtual spin|virtual spinning|virtual sprint|what is on|whats on|womens institute`
    .split('|')
    .map((words) => words.trim()),
  ...['first', 'second', 'third', 'fourth', 'last'].flatMap((ordinal) =>
    DAYS_OF_WEEK.map((day) => `${ordinal} ${day}`),
  ),
]);
