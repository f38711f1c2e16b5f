import type { OpeningHours } from '../opportunity/records.ts';
import { type Day, dayOfDate, weekdayOf } from '../time/days.ts';
import type { LocalDate, Weekday } from '../time/instant.ts';
import type { HolidayCalendar } from './holidays.ts';
import { onDay } from './overlaps.ts';
import { mergeSpans, type ReasonedSpan, spanOf } from './spans.ts';

/** The opening hours that a place publishes. */
export interface Hours {
  standard: readonly OpeningHours[];
  special: readonly OpeningHours[];
}

/** Which of the three rules of semantics 5 decided a day; `none`: no entry covers it. */
type DecidedBy = 'special' | 'holiday' | 'standard' | 'none';

/** The hours of a day, and their reasons. Neighbouring days that are decided alike share one object. */
interface DayRule {
  by: DecidedBy;
  /** The entries that decided the day, including those for closed. */
  entries: readonly OpeningHours[];
  /** Open spans that begin on the day, merged and sorted; none: closed. */
  spans: readonly ReasonedSpan[];
  /** The spans before they are merged, one per entry: on days with a clock change each is turned into instants by itself. */
  apart: readonly ReasonedSpan[];
  /** Why the day is open or closed: one sentence per entry. */
  because: readonly string[];
}

export interface DayDecision {
  day: Day;
  rule: DayRule;
  /** Name of the public holiday that falls on the day; only computed where the hours name public holidays. */
  holiday?: string;
}

/** Decides days; calls must be in ascending order. */
type Decider = (day: Day) => DayDecision;

const NO_ENTRY: DayRule = {
  by: 'none',
  entries: [],
  spans: [],
  apart: [],
  because: ['no opening hours cover this date'],
};

/** The decision for every day from `from` to `through`, both included, in order (semantics 5). */
export function decisions(hours: Hours, holidays: HolidayCalendar | undefined, from: Day, through: Day): DayDecision[] {
  const decide = decider(hours, holidays);
  const list: DayDecision[] = [];
  for (let day = from; day <= through; day++) list.push(decide(day));
  return list;
}

/**
 * A decider over the entries. The list of entries in force moves along with the days, so a run of days costs days + entries,
 * not days × entries. Each run of days needs a decider of its own.
 */
export function decider(hours: Hours, holidays: HolidayCalendar | undefined): Decider {
  const special = sweep(hours.special, specialRule);
  const standard = sweep(hours.standard, standardRule);
  // Holidays cost much to load, and few places name them.
  const named = [...hours.special, ...hours.standard].some((entry) => entry.publicHolidays);
  return (day) => {
    const holiday = named ? holidays?.on(day) : undefined;
    const rule = special(day, holiday) ?? standard(day, holiday) ?? NO_ENTRY;
    return holiday === undefined ? { day, rule } : { day, rule, holiday };
  };
}

/** One entry with its validity as days, both ends included. */
interface Ranged {
  entry: OpeningHours;
  index: number;
  from: Day;
  through: Day;
}

type Choose = (active: readonly Ranged[], weekday: Weekday, holiday: string | undefined) => DayRule | undefined;

/** The rules of days in ascending order. The entries in force change only where a validity begins or ends. */
function sweep(entries: readonly OpeningHours[], choose: Choose): (day: Day, holiday?: string) => DayRule | undefined {
  const coming = entries.map(ranged).sort((a, b) => b.from - a.from);
  if (coming.length === 0) return () => undefined;
  const memo = new Map<number | string, DayRule | undefined>();
  let active: Ranged[] = [];
  let until = Number.NEGATIVE_INFINITY;
  return (day, holiday) => {
    if (day >= until) {
      active = inForce(active, coming, day);
      until = active.reduce((least, { through }) => Math.min(least, through + 1), coming.at(-1)?.from ?? Infinity);
      memo.clear();
    }
    const weekday = weekdayOf(day);
    const key = holiday === undefined ? weekday : `${weekday} ${holiday}`;
    if (!memo.has(key)) memo.set(key, choose(active, weekday, holiday));
    return memo.get(key);
  };
}

/** The entries in force on a day: those still in force, and those of `coming` (latest first) that have begun. */
function inForce(active: Ranged[], coming: Ranged[], day: Day): Ranged[] {
  const now = active.filter(({ through }) => through >= day);
  for (let next = coming.at(-1); next !== undefined && next.from <= day; next = coming.at(-1)) {
    if (next.through >= day) now.push(next);
    coming.pop();
  }
  return now.sort((a, b) => a.index - b.index);
}

function ranged(entry: OpeningHours, index: number): Ranged {
  return { entry, index, from: dayOr(entry.validFrom, -Infinity), through: dayOr(entry.validThrough, Infinity) };
}

function dayOr(date: LocalDate | undefined, otherwise: number): Day {
  return date === undefined ? otherwise : dayOfDate(date);
}

/** Several special entries cover the date: the shortest validity wins, equally short ones add up (semantics 5.1). */
function specialRule(active: readonly Ranged[], weekday: Weekday, holiday: string | undefined): DayRule | undefined {
  const covering = active.filter(
    ({ entry }) => onDay(entry, weekday) || (entry.publicHolidays && holiday !== undefined),
  );
  if (covering.length === 0) return undefined;
  const shortest = covering.reduce((least, one) => Math.min(least, daysIn(one)), Infinity);
  const winners = covering.filter((one) => daysIn(one) === shortest);
  return rule('special', winners, (path) => `special hours, ${path}`);
}

function daysIn({ from, through }: Ranged): number {
  return through - from;
}

/** Public holidays only count where the hours name them (semantics 5.2); otherwise the weekday does (5.3). */
function standardRule(active: readonly Ranged[], weekday: Weekday, holiday: string | undefined): DayRule | undefined {
  const onHoliday = holiday === undefined ? [] : active.filter(({ entry }) => entry.publicHolidays);
  if (onHoliday.length > 0) return rule('holiday', onHoliday, (path) => `${holiday} (public holiday), ${path}`);
  const usual = active.filter(({ entry }) => onDay(entry, weekday));
  return usual.length === 0 ? undefined : rule('standard', usual, (path) => `standard hours, ${path}`);
}

function rule(by: DecidedBy, chosen: readonly Ranged[], sentence: (path: string) => string): DayRule {
  const apart: ReasonedSpan[] = [];
  const because: string[] = [];
  for (const { entry } of chosen) {
    const span = spanOf(entry);
    const text = sentence(entry.path);
    because.push(span === undefined ? `${text}: closed` : text);
    if (span !== undefined) apart.push({ ...span, because: [text] });
  }
  return { by, entries: chosen.map(({ entry }) => entry), spans: mergeSpans(apart), apart, because };
}
