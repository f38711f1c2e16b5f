import { counted, type FoundPage, type OccurrenceItem } from '../../../library/index.ts';
import { type Day, WEEKDAYS, weekdayOf } from '../../../time/days.ts';
import { dateWords, listWords, localMoment } from '../wording.ts';
import { dayOfItem } from './rows.tsx';

/** Results that repeat few series: each series is shown once, with its further dates in words. Pure. */

export interface Folded {
  /** The next date of each series, and each date that differs: cancelled, moved. */
  items: readonly OccurrenceItem[];
  /** Further dates in words, by the item that is shown. */
  further: ReadonlyMap<OccurrenceItem, string>;
  /** The first day that is not in the list; absent: the list has all. */
  next?: Day;
}

/** Lists of so many rows or fewer are not folded. */
const FEW_ROWS = 6;

/** Whether at least half of the rows are of series that an earlier row has. */
export function isRepetitive(items: readonly OccurrenceItem[]): boolean {
  return items.length > FEW_ROWS && new Set(items.map(({ series }) => series.key)).size * 2 <= items.length;
}

/**
 * The whole days of a page, with one row for all ordinary dates of a series that share name, price, ages, level and leader.
 * A page of one long day is folded as it is. `home`: the zone of days.
 */
export function folded({ items, next }: Pick<FoundPage<OccurrenceItem>, 'items' | 'next'>, home: string): Folded {
  const last = items.at(-1);
  const end = next === undefined || last === undefined ? undefined : dayOfItem(last, home);
  const whole = items.filter((item) => end === undefined || dayOfItem(item, home) < end);
  const shown = whole.length === 0 ? items : whole;
  const firsts = new Map<string, OccurrenceItem>();
  const others = new Map<OccurrenceItem, OccurrenceItem[]>();
  const kept: OccurrenceItem[] = [];
  for (const item of shown) {
    const key = isOrdinary(item) ? rowKey(item) : undefined;
    const first = key === undefined ? undefined : firsts.get(key);
    if (first === undefined) kept.push(item);
    else others.set(first, [...(others.get(first) ?? []), item]);
    if (key !== undefined && first === undefined) firsts.set(key, item);
  }
  const further = [...others].map(
    ([first, rest]) => [first, furtherWords(first, rest, home, next === undefined)] as const,
  );
  return { items: kept, further: new Map(further), ...(end !== undefined && whole.length > 0 && { next: end }) };
}

/** Whether an item takes place as planned: not cancelled or postponed, at its time and place. */
function isOrdinary({ status, was, elsewhere }: OccurrenceItem): boolean {
  return status === 'EventScheduled' && was === undefined && elsewhere === undefined;
}

/** A key that the dates of one row share. A session with its own name, price, ages, level or leader has another key. */
function rowKey({ series, name, price, age, level, details: { leader } }: OccurrenceItem): string {
  return JSON.stringify([series.key, name, price, age, level, leader]);
}

/** Days up to which the last date is named. A later one is where the known dates end, and not where the rule ends. */
const LONGEST = 180;

/** `and every Tuesday until Tue 15 Dec, 3 more dates`. `isAll`: `rest` has all further dates. */
function furtherWords(first: OccurrenceItem, rest: readonly OccurrenceItem[], home: string, isAll: boolean): string {
  const [from, to] = [dayOfItem(first, home), dayOfItem(rest.at(-1) as OccurrenceItem, home)];
  if (from === to && isAll) return `and ${counted(rest.length, 'more time')} that day`;
  const count = isAll ? counted(rest.length, 'more date') : 'more dates';
  const days = weeklyDays([first, ...rest], home);
  if (days === undefined) return `and ${count}`;
  if (!isAll) return `and every ${days} after that`;
  const until = to - from < LONGEST ? ` until ${dateWords(to, from)}` : '';
  return `and every ${days}${until}, ${count}`;
}

/** The weekdays of dates that are on in every week, at one time of day; undefined where the dates are not such. */
function weeklyDays(items: readonly OccurrenceItem[], home: string): string | undefined {
  const times = new Set(items.map(({ start, zone }) => localMoment(zone, start).time));
  const days = items.map((item) => dayOfItem(item, home));
  const byWeekday = Map.groupBy(days, weekdayOf);
  const [first, last] = [days[0] as Day, days.at(-1) as Day];
  const isEach = [...byWeekday.values()].every(
    (of) =>
      (of[0] as Day) - first < WEEK &&
      last - (of.at(-1) as Day) < WEEK &&
      of.every((day, at) => at === 0 || day - (of[at - 1] as Day) === WEEK),
  );
  if (times.size > 1 || items.length < FEW || !isEach) return undefined;
  if (byWeekday.size === WEEK) return 'day';
  return listWords([...byWeekday.keys()].sort().map((weekday) => WEEKDAYS[weekday] as string));
}

const WEEK = 7;
/** The fewest dates of a weekly pattern. */
const FEW = 3;
