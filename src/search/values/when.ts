import {
  civilOf,
  DAY_SECONDS,
  type Day,
  dateOfDay,
  dayOf,
  EVERY_DAY,
  weekdayOf,
  weekendFrom,
} from '../../time/days.ts';
import type { Weekday } from '../../time/instant.ts';
import type { Filters } from '../filters.ts';
import type { PhraseRow, ValueReader } from '../patterns.ts';
import type { QueryContext } from './context.ts';
import { hours } from './times.ts';

/** Phrases for days: days of the week, dates, and times of one of them. */

const HOUR = 3600;
const WEEKEND: Weekday[] = [5, 6];
const WORKING_DAYS: Weekday[] = [0, 1, 2, 3, 4];

const minute = (seconds: number): number => seconds - (seconds % 60);
const dates = (from: Day, to: Day): Filters => ({ from: dateOfDay(from), to: dateOfDay(to) });
const monday = (today: Day): Day => today - weekdayOf(today);
/** The first such weekday from a day on. */
const comingDay = (day: Weekday, from: Day): Day => from + ((day - weekdayOf(from) + 7) % 7);
const monthFrom = (first: Day): Filters => {
  const { year, month } = civilOf(first);
  return dates(first, dayOf(year, month + 1, 1));
};
const wholeWeek = (day: Day): Filters => dates(monday(day), monday(day) + 7);
const daysBetween = (first: Weekday, last: Weekday): Weekday[] =>
  EVERY_DAY.filter((day) => (first <= last ? day >= first && day <= last : day >= first || day <= last));

const NOT =
  '(not|not on|not on a|except|except on|but not|but not on|but not on a|but not the|no|without|minus|excluding|apart from|any day but|any day except|every day but|every day except)';
const allBut = (...days: Weekday[]): Filters => ({ day: EVERY_DAY.filter((one) => !days.includes(one)) });

/** Unwanted days, as all other days; `lessDays` keeps those of them that are wanted. */
export const LESS_DAYS: readonly PhraseRow<Filters>[] = [
  [`${NOT} {day}`, (day: Weekday) => allBut(day)],
  [`${NOT} {day} (or|nor|and|or on|and on) {day}`, (first: Weekday, second: Weekday) => allBut(first, second)],
  [`${NOT} {day} {day} (or|nor|and|or on|and on) {day}`, (a: Weekday, b: Weekday, c: Weekday) => allBut(a, b, c)],
  [`${NOT} at? the? weekend|weekends`, { day: WORKING_DAYS }],
  [`${NOT} the? weekday|weekdays`, { day: WEEKEND }],
];

/** `next` of `when is the next open day`, and not of `next week`. */
export const soonest: ValueReader<QueryContext> = (tokens, at, context) =>
  tokens[at]?.word === 'next' && !context.isOther(at) ? [undefined, at + 1] : undefined;

export const WEEK: readonly PhraseRow<Filters>[] = [
  ['(on|every|each|on a)? {day}', (day: Weekday) => ({ day: [day] })],
  [
    '(from|on|every)? {day} (to|till|until|through|-) {day}',
    (first: Weekday, last: Weekday) => ({ day: daysBetween(first, last) }),
  ],
  ['(once|twice) a week on {day}', (day: Weekday) => ({ day: [day] })],
  ['(on|every|each|on a)? {day} night|nights', (day: Weekday) => ({ day: [day], ...hours(18, 24) })],
  ['(on|every|each|on a)? {day} am', (day: Weekday) => ({ day: [day], ...hours(0, 12) })],
  ['(on|every|each|on a)? {day} pm', (day: Weekday) => ({ day: [day], ...hours(12, 24) })],
  ['(on|every|each|on a)? {day} eve|eves', (day: Weekday) => ({ day: [day], ...hours(17, 24) })],
  ['(at|on|over|during|every)? the? weekend|weekends|wknd|wknds', { day: WEEKEND }],
  ['(on|during|every)? the? weekday|weekdays', { day: WORKING_DAYS }],
  ['(in|during) the week', { day: WORKING_DAYS }],
  ['(seven|7) days a week', {}],
  ['midweek', { day: [1, 2, 3] }],
  ['(on|in)? weeknight|weeknights', { day: WORKING_DAYS, ...hours(17, 24) }],
];

/** A part of the words with its filters. `isLess`: its days are all but the unwanted ones. */
interface DaysPart {
  filters: Filters;
  leftOut?: true | string;
  isLess?: true;
}

/**
 * Parts without unwanted days: `weekend but not Sunday` is Saturday. Where no day would be left, the unwanted days are left
 * out.
 */
export function lessDays<Part extends DaysPart>(parts: readonly Part[]): Part[] {
  const less = parts.filter(({ isLess }) => isLess).map(({ filters }) => filters.day ?? []);
  if (less.length === 0) return [...parts];
  const asked = parts.flatMap(({ filters, isLess }) => (isLess ? [] : (filters.day ?? [])));
  const from = asked.length > 0 ? asked : EVERY_DAY;
  const left = from.filter((day) => less.every((days) => days.includes(day)));
  return parts.map(({ isLess, ...part }) => {
    if (left.length === 0) return (isLess ? { ...part, filters: {}, leftOut: true } : part) as Part;
    return (part.filters.day === undefined ? part : { ...part, filters: { ...part.filters, day: left } }) as Part;
  });
}

/** Words for how far ahead a day is, with the number of days. */
const AHEAD: readonly (readonly [unit: string, days: number])[] = [
  ['week', 7],
  ['fortnight', 14],
];

const DAYS_AHEAD: readonly PhraseRow<Filters>[] = AHEAD.flatMap(([unit, days]): PhraseRow<Filters>[] => [
  [`(a|one)? ${unit} (today|from today|from now)`, ({ today }: QueryContext) => dates(today + days, today + days + 1)],
  [`(today|tonight) ${unit}`, ({ today }: QueryContext) => dates(today + days, today + days + 1)],
  [`(a|one)? ${unit} from? tomorrow`, ({ today }: QueryContext) => dates(today + days + 1, today + days + 2)],
  [`tomorrow ${unit}`, ({ today }: QueryContext) => dates(today + days + 1, today + days + 2)],
  [`a ${unit} (on|from) {day}`, (day: Weekday, { today }: QueryContext) => later(day, today, days)],
  [`on? {day} ${unit}`, (day: Weekday, { today }: QueryContext) => later(day, today, days)],
  [`in (a|one) (${unit}|${unit}s time)`, ({ today }: QueryContext) => wholeWeek(today + days)],
]);

function later(day: Weekday, today: Day, days: number): Filters {
  const first = comingDay(day, today) + days;
  return dates(first, first + 1);
}

/** The most weeks, days or hours ahead; more are the length of a course: `couch to 5k in 9 weeks`. */
const MOST_AHEAD = 4;
const isAhead = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= MOST_AHEAD;

const TIMES_AHEAD: readonly PhraseRow<Filters>[] = [
  [
    'in {number} (weeks|weeks time)',
    (count: number, { today }: QueryContext) => (isAhead(count) ? wholeWeek(today + count * 7) : undefined),
  ],
  [
    'in {number} (days|days time)',
    (count: number, { today }: QueryContext) => (isAhead(count) ? dates(today + count, today + count + 1) : undefined),
  ],
  ['in (a|an|one|1) (hour|hours time)', (context: QueryContext) => soon(1, context)],
  ['in half an hour', (context: QueryContext) => soon(1 / 2, context)],
  [
    'in {number} (hours|hrs|hours time)',
    (count: number, context: QueryContext) => (isAhead(count) ? soon(count, context) : undefined),
  ],
];

/** Two hours that begin some hours ahead; undefined where the time is unknown. */
function soon(hoursAhead: number, { today, time }: QueryContext): Filters | undefined {
  if (time === undefined) return undefined;
  const at = minute(time) + hoursAhead * HOUR;
  const [day, after] = [today + Math.floor(at / DAY_SECONDS), at % DAY_SECONDS];
  return { ...dates(day, day + 1), after, ...(after + 2 * HOUR < DAY_SECONDS && { before: after + 2 * HOUR }) };
}

const WEEK_OF = '(week commencing|week beginning|week starting|week from|w c|wc)';

export const DATES: readonly PhraseRow<Filters>[] = [
  ...DAYS_AHEAD,
  ...TIMES_AHEAD,
  ['today', ({ today }: QueryContext) => dates(today, today + 1)],
  ['(this|today) (morning)', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(0, 12) })],
  ['(this|today) (afternoon)', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(12, 17) })],
  ['(this|today) (evening)', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(17, 24) })],
  ['tonight', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(17, 24) })],
  [
    '(later today|later on today)',
    ({ today, time }: QueryContext) => ({
      ...dates(today, today + 1),
      ...(time !== undefined && { after: minute(time) }),
    }),
  ],
  ['(right now|open now|on now|now|starting now)', (context: QueryContext) => soon(0, context)],
  ['(today|this) am', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(0, 12) })],
  ['(today|this) pm', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(12, 24) })],
  ['tomorrow am', ({ today }: QueryContext) => ({ ...dates(today + 1, today + 2), ...hours(0, 12) })],
  ['tomorrow pm', ({ today }: QueryContext) => ({ ...dates(today + 1, today + 2), ...hours(12, 24) })],
  ['tomorrow eve', ({ today }: QueryContext) => ({ ...dates(today + 1, today + 2), ...hours(17, 24) })],
  ['tomorrow', ({ today }: QueryContext) => dates(today + 1, today + 2)],
  ['tomorrow night', ({ today }: QueryContext) => ({ ...dates(today + 1, today + 2), ...hours(18, 24) })],
  ['the? day after tomorrow', ({ today }: QueryContext) => dates(today + 2, today + 3)],
  [
    'on? (this|this coming|the coming|coming) {day}',
    (day: Weekday, { today }: QueryContext) => dates(comingDay(day, today), comingDay(day, today) + 1),
  ],
  [
    'on? next {day}',
    (day: Weekday, { today }: QueryContext) => dates(monday(today) + 7 + day, monday(today) + 8 + day),
  ],
  [
    '(at|on|over)? (this|this coming|the coming|coming) weekend|wknd',
    ({ today }: QueryContext) => dates(...weekendFrom(today)),
  ],
  ['(at|on|over)? next weekend|wknd', ({ today }: QueryContext) => dates(monday(today) + 12, monday(today) + 14)],
  ['this week', ({ today }: QueryContext) => dates(today, monday(today) + 7)],
  ['next week', ({ today }: QueryContext) => dates(monday(today) + 7, monday(today) + 14)],
  ['this month', ({ today }: QueryContext) => monthFrom(today)],
  ['next month', ({ today }: QueryContext) => monthFrom(dayOf(civilOf(today).year, civilOf(today).month + 1, 1))],
  ['(in|over|within|during) the next (week|7 days)', ({ today }: QueryContext) => dates(today, today + 7)],
  ['(in|over|within|during) the next month', ({ today }: QueryContext) => dates(today, today + 31)],
  ['(in|over|within)? (the|this)? next? fortnight', ({ today }: QueryContext) => dates(today, today + 14)],
  ['(in|over|within)? the? next {number} days', (count: number, { today }: QueryContext) => spanFrom(today, count)],
  [
    '(in|over|within)? the? next {number} weeks',
    (count: number, { today }: QueryContext) => spanFrom(today, count * 7),
  ],
  ['(on|on the)? {date}', (day: Day) => dates(day, day + 1)],
  ['(on|on the) {dayOfMonth}', (day: Day) => dates(day, day + 1)],
  ['the? {plainDayOfMonth}', (day: Day) => dates(day, day + 1)],
  ['on? {day} the? {dayOfMonth}', onWeekday],
  ['(from|between) the? {dayOfMonth} (to|until|till|and|-) the? {dayOfMonth}', between],
  ['on? {day} the? {date}', (_: Weekday, day: Day) => dates(day, day + 1)],
  ['(from|since|starting) the? {date}', (day: Day) => ({ from: dateOfDay(day) })],
  ['after the? {date}', (day: Day) => ({ from: dateOfDay(day + 1) })],
  ['(until|till|to|by) the? {date}', (day: Day) => ({ to: dateOfDay(day + 1) })],
  ['before the? {date}', (day: Day) => ({ to: dateOfDay(day) })],
  ['(from|between) {date} (to|until|till|and|-) {date}', between],
  ['{date} (to|until|till|-) {date}', between],
  ['(from|between)? {ordinal} (to|until|till|and|-) {date}', betweenDates],
  [`the? ${WEEK_OF} the? {date}`, (day: Day) => dates(day, day + 7)],
  ['(the|in the|for the)? week of the? {date}', (day: Day) => wholeWeek(day)],
  ['(in|during) {month}', (first: Day) => monthFrom(first)],
  ['(from|since|starting|starting in|starting from) {month}', (first: Day) => ({ from: dateOfDay(first) })],
  ['(before|until|till) {month}', (first: Day) => ({ to: dateOfDay(first) })],
  ['after {month}', (first: Day) => ({ from: monthFrom(first).to as string })],
  ['{monthAtEnd}', (first: Day) => monthFrom(first)],
  ['{monthOfThings}', (first: Day) => monthFrom(first)],
];

/** Months that are a filter beside an activity, or alone. */
export const MONTHS_BESIDE: readonly PhraseRow<Filters>[] = [['{plainMonth}', (first: Day) => monthFrom(first)]];

/** `Friday 25th`: the next 25th that is a Friday; where none is within a year, the next 25th. */
function onWeekday(weekday: Weekday, next: Day): Filters {
  const { date } = civilOf(next);
  for (let day = next; day < next + 366; day += 1)
    if (civilOf(day).date === date && weekdayOf(day) === weekday) return dates(day, day + 1);
  return dates(next, next + 1);
}

function between(first: Day, last: Day): Filters | undefined {
  return first <= last ? dates(first, last + 1) : undefined;
}

/** `1 to 5 Dec`. */
function betweenDates(first: number, last: Day): Filters | undefined {
  return between(last - civilOf(last).date + first, last);
}

function spanFrom(today: Day, days: number): Filters | undefined {
  return Number.isInteger(days) && days >= 1 && days <= 366 ? dates(today, today + days) : undefined;
}
