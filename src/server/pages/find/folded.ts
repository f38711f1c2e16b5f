import { counted, type FoundPage, type OccurrenceItem } from '../../../library/index.ts';
import { type Day, WEEKDAYS, weekdayOf } from '../../../time/days.ts';
import { dateWords, listWords, localMoment } from '../wording.ts';
import { dayOfItem } from './rows.tsx';

/** A list that is long because of few series: each shows its next date, with the others in words. Pure. */

export interface Folded {
  /** The next date of each series, and each date that differs: cancelled, moved. */
  items: readonly OccurrenceItem[];
  /** What else is on, of those that have more dates. */
  further: ReadonlyMap<OccurrenceItem, string>;
  /** The day on which what follows begins. */
  next?: Day;
}

/** Fewer rows are read at a glance. */
const FEW_ROWS = 6;

/** Whether half of the rows or more are of series that are in the list already. */
export function isRepetitive(items: readonly OccurrenceItem[]): boolean {
  return items.length > FEW_ROWS && new Set(items.map(({ series }) => series.key)).size * 2 <= items.length;
}

/** Whole days of a page; `home`: the zone of its days. */
export function folded({ items, next }: Pick<FoundPage<OccurrenceItem>, 'items' | 'next'>, home: string): Folded {
  const last = items.at(-1);
  const end = next === undefined || last === undefined ? undefined : dayOfItem(last, home);
  const whole = items.filter((item) => end === undefined || dayOfItem(item, home) < end);
  const shown = whole.length === 0 ? items : whole;
  const firsts = new Map<string, OccurrenceItem>();
  const others = new Map<OccurrenceItem, OccurrenceItem[]>();
  const kept: OccurrenceItem[] = [];
  for (const item of shown) {
    const key = isOrdinary(item) ? likeness(item) : undefined;
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

function isOrdinary({ status, was, elsewhere }: OccurrenceItem): boolean {
  return status === 'EventScheduled' && was === undefined && elsewhere === undefined;
}

/** What one row says for all of its dates: a session with a name, a price, a level or a leader of its own is a row of its own. */
function likeness({ series, name, price, age, level, details: { leader } }: OccurrenceItem): string {
  return JSON.stringify([series.key, name, price, age, level, leader]);
}

/** A rule that goes on for longer ends with what is known of it, and not by itself. */
const LONGEST = 180;

/** `and every Tuesday until Tue 15 Dec, 3 more dates`; `isAll`: there are no others. */
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

/** Weekdays of dates that are on in every week, at one time; undefined: they are others. */
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
/** Two dates a week apart are no rule. */
const FEW = 3;
