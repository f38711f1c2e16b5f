import { civilOf, type Day, dateOfDay, dayOf, weekdayOf } from '../../time/days.ts';
import type { Filters } from '../filters.ts';
import type { PhraseRow, ValueReader } from '../patterns.ts';
import type { Token } from '../tokens.ts';
import type { QueryContext } from './context.ts';

/** Days of the year with names: holidays, feasts and seasons. */

type DayOfYear = (year: number) => Day;

const on =
  (month: number, date: number): DayOfYear =>
  (year) =>
    dayOf(year, month, date);
const fromEaster =
  (days: number): DayOfYear =>
  (year) =>
    easter(year) + days;

const HOLIDAYS: readonly (readonly [words: string, day: DayOfYear])[] = [
  ['christmas day', on(12, 25)],
  ['christmas eve', on(12, 24)],
  ['xmas day', on(12, 25)],
  ['xmas eve', on(12, 24)],
  ['boxing day', on(12, 26)],
  ['new years day', on(1, 1)],
  ['new years eve', on(12, 31)],
  ['nye', on(12, 31)],
  ['good friday', fromEaster(-2)],
  ['easter sunday', fromEaster(0)],
  ['easter monday', fromEaster(1)],
];

/** A feast, which is a date behind words such as "after": `Christmas walk` is a name. */
const FEASTS: readonly (readonly [words: string, day: DayOfYear])[] = [
  ['christmas', on(12, 25)],
  ['xmas', on(12, 25)],
  ['new year', on(1, 1)],
  ['easter', fromEaster(0)],
];

const span = (from: Day, to: Day): Filters => ({ from: dateOfDay(from), to: dateOfDay(to) });

export const AROUND_FEASTS: readonly PhraseRow<Filters>[] = [
  [
    '(in|from|starting|starting in) the? new year',
    ({ today }: QueryContext) => ({ from: dateOfDay(dayOf(civilOf(today).year + 1, 1, 1)) }),
  ],
  ['after the? {feast}', (day: Day) => ({ from: dateOfDay(day + 1) })],
  ['(before|until|till|by) the? {feast}', (day: Day) => ({ to: dateOfDay(day) })],
  ['(between|from) {feast} (and|to|until) the? {feast}', (first: Day, last: Day) => span(first + 1, last)],
  [
    '(over|during) the? (christmas|xmas) (period|holiday|holidays|break)?',
    ({ today }: QueryContext) => coming(CHRISTMAS, today),
  ],
  ['(over|during|at|in|for) the? {season}', (days: Filters) => days],
  ['{season}', (days: Filters) => days],
];

/** The first day, and the day after the last. */
type DaySpan = readonly [first: Day, end: Day];
/** Spans of days of a year, in their order. */
type DaysOfYear = (year: number) => readonly DaySpan[];

/** From Christmas Eve to New Year's Day. */
const CHRISTMAS: DaysOfYear = (year) => [[dayOf(year, 12, 24), dayOf(year + 1, 1, 2)]];

const MONDAY = 0;
const firstMonday = (year: number, month: number): Day => {
  const first = dayOf(year, month, 1);
  return first + ((7 + MONDAY - weekdayOf(first)) % 7);
};
const lastMonday = (year: number, month: number): Day => firstMonday(year, month + 1) - 7;
const oneDay = (day: Day): DaySpan => [day, day + 1];

/** The first days from one on that are no weekend: bank holidays move to them. */
const workingDays = (from: Day, count: number): DaySpan[] => {
  const days = Array.from({ length: 4 }, (_, more) => from + more).filter((day) => weekdayOf(day) < 5);
  return days.slice(0, count).map(oneDay);
};

const BANK_HOLIDAYS: Readonly<Record<string, DaysOfYear>> = {
  'new year': (year) => workingDays(dayOf(year, 1, 1), 1),
  easter: (year) => [oneDay(easter(year) - 2), oneDay(easter(year) + 1)],
  may: (year) => [oneDay(firstMonday(year, 5)), oneDay(lastMonday(year, 5))],
  spring: (year) => [oneDay(lastMonday(year, 5))],
  august: (year) => [oneDay(lastMonday(year, 8))],
  christmas: (year) => workingDays(dayOf(year, 12, 25), 2),
};
/** Bank holidays of England and Wales, in their order. */
const EVERY_BANK_HOLIDAY: DaysOfYear = (year) => Object.values(BANK_HOLIDAYS).flatMap((daysIn) => daysIn(year));
const ON_MONDAYS: DaysOfYear = (year) => EVERY_BANK_HOLIDAY(year).filter(([day]) => weekdayOf(day) === MONDAY);
/** Bank holiday weekends: from the Saturday before the Monday. */
const WEEKENDS: DaysOfYear = (year) => ON_MONDAYS(year).map(([day, end]) => [day - 2, end]);

/** Words for days around a feast, and for seasons. Holidays of schools are not the same everywhere. */
const SEASONS: readonly (readonly [words: string, days: DaysOfYear])[] = [
  ...['christmas', 'xmas'].flatMap((name) =>
    ['', ' period', ' holidays', ' holiday', ' break'].map((more) => [`${name}${more}`, CHRISTMAS] as const),
  ),
  ...['', 's'].map((more) => [`bank holiday${more}`, EVERY_BANK_HOLIDAY] as const),
  ...['', 's'].map((more) => [`bank holiday monday${more}`, ON_MONDAYS] as const),
  ...['', 's'].map((more) => [`bank holiday weekend${more}`, WEEKENDS] as const),
  ...Object.entries(BANK_HOLIDAYS).map(([name, days]) => [`${name} bank holiday`, days] as const),
  ['new year', (year) => [[dayOf(year, 12, 31), dayOf(year + 1, 1, 2)]]],
  ['new years', (year) => [[dayOf(year, 12, 31), dayOf(year + 1, 1, 2)]]],
  ...['', ' weekend'].map((more) => [`easter${more}`, aroundEaster(-2, 2)] as const),
  ...[' holidays', ' holiday', ' break'].map((more) => [`easter${more}`, aroundEaster(-8, 8)] as const),
  ['summer', (year) => [[dayOf(year, 6, 1), dayOf(year, 9, 1)]]],
  ...[' holidays', ' holiday', ' break'].map(
    (more) => [`summer${more}`, (year: number) => [[dayOf(year, 7, 20), dayOf(year, 9, 1)]] as const] as const,
  ),
];

function aroundEaster(first: number, end: number): DaysOfYear {
  return (year) => [[easter(year) + first, easter(year) + end]];
}

const MOST_SEASON_WORDS = 4;
const DAYS_OF_SEASON = new Map(SEASONS);
const FIRST_OF_SEASON: ReadonlySet<string> = new Set(SEASONS.map(([words]) => words.split(' ')[0] as string));

/** Whether a word may begin the name of a season. */
export function beginsSeason(word: string): boolean {
  return FIRST_OF_SEASON.has(word);
}

/** The rest of a season, or the next one, in a loose reading. */
export const season: ValueReader<QueryContext> = (tokens, at, { today, loosely }) => {
  if (loosely?.seasons !== true) return undefined;
  for (let end = at + MOST_SEASON_WORDS; end > at; end -= 1) {
    const words = tokens.slice(at, end).map(({ word }) => word);
    const days = words.length === end - at ? DAYS_OF_SEASON.get(words.join(' ')) : undefined;
    if (days !== undefined) return [coming(days, today), end];
  }
  return undefined;
};

/** The first span that has not ended, from today on. */
function coming(days: DaysOfYear, today: Day): Filters {
  const { year } = civilOf(today);
  const all = [year - 1, year, year + 1].flatMap((one) => days(one));
  const [first, end] = all.find(([, last]) => last > today) as DaySpan;
  return span(Math.max(today, first), end);
}

/** The next day of a holiday that begins at a token, but not of `boxing, the day after tomorrow`. */
export function holidayAt(tokens: readonly Token[], at: number, today: Day): readonly [Day, number] | undefined {
  return namedAt(HOLIDAYS, tokens, at, today);
}

/** The next day of a feast. */
export const feast: ValueReader<QueryContext> = (tokens, at, { today }) => namedAt(FEASTS, tokens, at, today);

function namedAt(
  days: readonly (readonly [words: string, day: DayOfYear])[],
  tokens: readonly Token[],
  at: number,
  today: Day,
): readonly [Day, number] | undefined {
  const wordsTo = (end: number): string =>
    tokens
      .slice(at, end)
      .map(({ word }) => word)
      .join(' ');
  const { year } = civilOf(today);
  for (const [words, dayIn] of days) {
    const end = at + words.split(' ').length;
    if (wordsTo(end) !== words || wordsTo(end + 2) === `${words} after tomorrow`) continue;
    return [dayIn(year) < today ? dayIn(year + 1) : dayIn(year), end];
  }
  return undefined;
}

/** Easter Sunday of the western churches: the Sunday after the full moon of the computus, as Gauss has it. */
function easter(year: number): Day {
  const century = Math.floor(year / 100);
  const moon = 15 + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const age = (19 * (year % 19) + moon) % 30;
  const isLate = age === 29 || (age === 28 && year % 19 > 10);
  const full = dayOf(year, 3, 21) + age - (isLate ? 1 : 0);
  return full + 7 - ((weekdayOf(full) + 1) % 7);
}
