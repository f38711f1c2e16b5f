import { civilOf, type Day, dateOfDay, dayOf, MONTHS, monthLength, WEEKDAYS } from '../../time/days.ts';
import type { Weekday } from '../../time/instant.ts';
import type { Filters } from '../filters.ts';
import type { ValueReader } from '../patterns.ts';
import type { Token } from '../tokens.ts';
import { GENERIC, type QueryContext, UNITS } from './context.ts';
import { holidayAt } from './holidays.ts';

/** Days, months and dates in what people type. */

const DAYS_BY_NAME = indexByName(
  ['mon', 'tue tues', 'wed weds', 'thu thur thurs', 'fri', 'sat', 'sun'],
  WEEKDAYS.map((name) => name.toLowerCase()),
);
export const MONTHS_BY_NAME = indexByName(
  ['jan', 'feb', 'mar', 'apr', '', 'jun', 'jul', 'aug', 'sep sept', 'oct', 'nov', 'dec'],
  MONTHS.map((name) => name.toLowerCase()),
);
/** A weekday by its name, plural or abbreviation. */
export const day: ValueReader<QueryContext> = (tokens, at) => {
  const found = DAYS_BY_NAME.get(tokens[at]?.word.replace(/(?<=day)s$/, '') ?? '');
  return found === undefined ? undefined : [found, at + 1];
};

/**
 * A local date: `24 Nov`, `24th of November 2026`, `Nov 24`, `2026-11-24`, `24/11/2026`, `24.11.26`, `24/11`, `Boxing Day`.
 */
export const date: ValueReader<QueryContext> = (tokens, at, { today }) => {
  const word = tokens[at]?.word ?? '';
  if (/^\d{4}-\d\d-\d\d$/.test(word))
    return dated(...(word.split('-').map(Number) as [number, number, number]), at + 1);
  if (/^\d{1,2}([/.-])\d{1,2}\1\d{2,4}$/.test(word)) {
    const [date, month, year] = word.split(/[/.-]/).map(Number) as [number, number, number];
    return dated(year < 100 ? 2000 + year : year, month, date, at + 1);
  }
  const holiday = holidayAt(tokens, at, today);
  if (holiday !== undefined) return holiday;
  if (/^\d{1,2}\/\d{1,2}$/.test(word)) return NO_DATES.has(word) ? undefined : shortDate(tokens, at, today);
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

/** `30/11`, not in front of a unit: `5/6 people`. */
function shortDate(tokens: readonly Token[], at: number, today: Day): readonly [Day, number] | undefined {
  const [date, month] = (tokens[at] as Token).word.split('/').map(Number) as [number, number];
  if (UNITS.test(tokens[at + 1]?.word ?? '')) return undefined;
  return dated(yearOf(today, month, date), month, date, at + 1);
}

/** Words that look like dates: `24/7`, and fractions. */
const NO_DATES = new Set(['24/7', '1/2', '1/3', '1/4', '2/3', '3/4']);

/** The next such day of a month: `the 5th`, and not the 5th Friday or floor. */
export const dayOfMonth: ValueReader<QueryContext> = (tokens, at, { today }) => {
  const word = tokens[at]?.word ?? '';
  const next = tokens[at + 1]?.word ?? '';
  const wanted = /\D$/.test(word) ? dateNumber(word) : undefined;
  if (wanted === undefined || next === 'floor' || DAYS_BY_NAME.has(next)) return undefined;
  let found = today;
  while (civilOf(found).date !== wanted) found += 1;
  return [found, at + 1];
};

/**
 * A day of the month without `on`, where it counts nothing that follows: `yoga 24th`, not `the 5th Devon scouts` or `1st
 * swim`.
 */
export const plainDayOfMonth: ValueReader<QueryContext> = (tokens, at, context) => {
  const isNext = /^[1-3]\D/.test(tokens[at]?.word ?? '') ? false : context.isOther(at + 1);
  return at + 1 === tokens.length || isNext ? dayOfMonth(tokens, at, context) : undefined;
};

export const ordinal: ValueReader<QueryContext> = (tokens, at) => {
  const found = dateNumber(tokens[at]?.word ?? '');
  return found === undefined ? undefined : [found, at + 1];
};

/** A day, a part of the day, or both, beside a time. The part decides the half of the day. */
export const when: ValueReader<QueryContext> = (tokens, at, context) => {
  const day = wholeDay(tokens, at, context);
  if (day === undefined) return PART_OF_DAY.test(tokens[at]?.word ?? '') ? [{}, at + 1] : undefined;
  return PART_OF_DAY.test(tokens[day[1]]?.word ?? '') ? [day[0], day[1] + 1] : day;
};

const PART_OF_DAY = /^(?:(?:morning|afternoon|evening)s?|nights?)$/;

const wholeDay = (
  tokens: readonly Token[],
  at: number,
  context: QueryContext,
): readonly [Filters, number] | undefined => {
  const { today } = context;
  const word = tokens[at]?.word ?? '';
  const span = (first: Day): Filters => ({ from: dateOfDay(first), to: dateOfDay(first + 1) });
  if (word === 'today' || word === 'tonight') return [span(today), at + 1];
  if (word === 'tomorrow') return [span(today + 1), at + 1];
  const weekday = day(tokens, at, context);
  if (weekday !== undefined) return [{ day: [weekday[0] as Weekday] }, weekday[1]];
  const dated = date(tokens, at, context);
  return dated && [span(dated[0] as Day), dated[1]];
};

/** The first day of a month that is named, this year or next. */
export const month: ValueReader<QueryContext> = (tokens, at, { today }) => {
  const found = MONTHS_BY_NAME.get(tokens[at]?.word ?? '');
  return found === undefined ? undefined : [dayOf(yearOf(today, found + 1, 31), found + 1, 1), at + 1];
};

/** A month beside classes, events and the like: `May classes`, `classes October`, but neither `May fair` nor `classes may`. */
export const monthOfThings: ValueReader<QueryContext> = (tokens, at, context) => {
  if (GENERIC.has(tokens[at + 1]?.word ?? '')) return month(tokens, at, context);
  const isEnd = at + 1 === tokens.length || context.isOther(at + 1);
  return isEnd && GENERIC.has(tokens[at - 1]?.word ?? '') ? plainMonth(tokens, at, context) : undefined;
};

/** Months whose names are also names of persons, or verbs. */
const OTHER_NAMES = new Set(['jan', 'mar', 'march', 'april', 'may', 'june', 'jun', 'august']);

/** A month whose name is nothing else. */
export const plainMonth: ValueReader<QueryContext> = (tokens, at, context) =>
  OTHER_NAMES.has(tokens[at]?.word ?? '') ? undefined : month(tokens, at, context);

/** `5k December`, where nothing follows to which the month may belong. Behind a number it is part of an invalid date. */
export const monthAtEnd: ValueReader<QueryContext> = (tokens, at, context) => {
  const isEnd = at + 1 === tokens.length || context.isOther(at + 1);
  return isEnd && /\D$/.test(tokens[at - 1]?.word ?? '') ? plainMonth(tokens, at, context) : undefined;
};

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
