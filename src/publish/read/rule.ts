import type { ContentLine } from '../../ical/content-line.ts';
import { UNITS } from '../../ical/recurrence.ts';
import type { ByDay, RepeatUnit } from '../../opportunity/records.ts';
import { isSubDay } from '../../recurrence/rule.ts';
import { starts } from '../../recurrence/starts.ts';
import type { Starts } from '../../recurrence/subday.ts';
import type { FullRule } from '../../recurrence/types.ts';
import { civilOf, DAY_MS, dayOf, WEEKDAY_CODES } from '../../time/days.ts';
import type { Weekday } from '../../time/instant.ts';
import type { Wall } from '../../time/zone.ts';
import { MAX_PART, MAX_RULE, MAX_TIMES } from '../limits.ts';
import type { RuleParts } from './model.ts';
import { parseTime } from './values.ts';

/** Reads RRULE and EXRULE. A rule with an unreadable part is not followed, because without the part it would be another rule. */
type ReadRule = { rule: RuleParts; both: boolean } | { problem: 'rule-unreadable' | 'rule-too-much'; why: string };

type Lists = 'bySecond' | 'byMinute' | 'byHour' | 'byMonthDay' | 'byYearDay' | 'byWeekNo' | 'byMonth' | 'bySetPos';

/** Least and greatest magnitude of each list; signed ones also count from the end. */
const LISTS: Record<string, { to: Lists; least: number; most: number; signed: boolean }> = {
  BYSECOND: { to: 'bySecond', least: 0, most: 60, signed: false },
  BYMINUTE: { to: 'byMinute', least: 0, most: 59, signed: false },
  BYHOUR: { to: 'byHour', least: 0, most: 23, signed: false },
  BYMONTHDAY: { to: 'byMonthDay', least: 1, most: 31, signed: true },
  BYYEARDAY: { to: 'byYearDay', least: 1, most: 366, signed: true },
  BYWEEKNO: { to: 'byWeekNo', least: 1, most: 53, signed: true },
  BYMONTH: { to: 'byMonth', least: 1, most: 12, signed: false },
  BYSETPOS: { to: 'bySetPos', least: 1, most: 366, signed: true },
};

class Unreadable extends Error {}

/** Reads the value of an RRULE or EXRULE line. */
export function readRule(line: ContentLine): ReadRule {
  if (line.value.length > MAX_RULE) return { problem: 'rule-too-much', why: `more than ${MAX_RULE} characters` };
  try {
    const rule = partsOf(line);
    const times = [rule.byHour, rule.byMinute, rule.bySecond].reduce((all, list) => all * Math.max(1, list.length), 1);
    if (times > MAX_TIMES) return { problem: 'rule-too-much', why: `${times} times a day` };
    return { rule, both: rule.count !== undefined && rule.until !== undefined };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: 'rule-unreadable', why: error.message };
    throw error;
  }
}

function partsOf({ value, line }: ContentLine): RuleParts {
  const given = new Map<string, string>();
  for (const part of value
    .trim()
    .replace(/^RRULE:/i, '')
    .split(';')) {
    if (part.trim() === '') continue;
    const [word = '', ...rest] = part.split('=');
    const name = word.trim().toUpperCase().slice(0, 20);
    if (given.has(name)) throw new Unreadable(`${name} stands twice`);
    given.set(name, rest.join('=').trim());
  }
  const unit = (UNITS as Partial<Record<string, RepeatUnit>>)[(given.get('FREQ') ?? '').toUpperCase()];
  if (unit === undefined) throw new Unreadable('FREQ is missing or unknown');
  const rule = emptyRule(unit, value.trim(), line);
  for (const [name, text] of given) addPart(rule, name, text);
  // A leap second counts as the second before it.
  rule.bySecond = [...new Set(rule.bySecond.map((second) => Math.min(second, 59)))];
  if (rule.byWeekNo.length > 0 && unit !== 'year') throw new Unreadable('BYWEEKNO is only of years');
  const plain = unit !== 'month' && unit !== 'year';
  if (plain && rule.byDay.some(({ ordinal }) => ordinal !== undefined)) {
    // RFC 5545: "MUST NOT be specified with a numeric value"; all programs read the day alone.
    rule.byDay = rule.byDay.map(({ day }) => ({ day }));
  }
  return rule;
}

function emptyRule(unit: RepeatUnit, text: string, line: number): RuleParts {
  const lists = { bySecond: [], byMinute: [], byHour: [], byMonthDay: [], byYearDay: [], byWeekNo: [] };
  return { unit, every: 1, ...lists, byDay: [], byMonth: [], bySetPos: [], weekStart: 0, text, line };
}

function addPart(rule: RuleParts, name: string, text: string): void {
  const list = LISTS[name];
  if (list !== undefined) rule[list.to] = numbersOf(name, text, list);
  else if (name === 'INTERVAL') rule.every = positive(name, text);
  else if (name === 'COUNT') rule.count = positive(name, text);
  else if (name === 'UNTIL') rule.until = untilOf(text);
  else if (name === 'BYDAY') rule.byDay = daysOf(text);
  else if (name === 'WKST') rule.weekStart = weekdayOf(text);
  else if (name === 'RSCALE') only(text, 'GREGORIAN', 'a calendar other than the Gregorian');
  else if (name === 'SKIP') only(text, 'OMIT', `SKIP is ${text.slice(0, 20)}`);
  else if (name !== 'FREQ') throw new Unreadable(`${name} is no part of a rule`);
}

/** Accepts a part only with its usual value: RSCALE and SKIP of RFC 7529 then change nothing. */
function only(text: string, usual: string, why: string): void {
  if (text.toUpperCase() !== usual) throw new Unreadable(why);
}

function positive(name: string, text: string): number {
  const number = /^\+?\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new Unreadable(`${name} must be 1 or more`);
  return number;
}

function numbersOf(name: string, text: string, { least, most, signed }: (typeof LISTS)[string]): number[] {
  const words = text.split(',');
  if (words.length > MAX_PART) throw new Unreadable(`${name} has more than ${MAX_PART} values`);
  const numbers = words.map((word) => {
    const number = /^[+-]?\d{1,3}$/.test(word.trim()) ? Number(word) : Number.NaN;
    const size = signed ? Math.abs(number) : number;
    if (!(size >= least && size <= most)) throw new Unreadable(`${name} has ${word.slice(0, 20)}`);
    return number;
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function daysOf(text: string): ByDay[] {
  const words = text.split(',');
  if (words.length > MAX_PART) throw new Unreadable(`BYDAY has more than ${MAX_PART} values`);
  const days = new Map<string, ByDay>();
  for (const word of words) {
    const match = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/i.exec(word.trim());
    const ordinal = match?.[1] === undefined ? undefined : Number(match[1]);
    if (match === null || ordinal === 0 || Math.abs(ordinal ?? 1) > 53)
      throw new Unreadable(`BYDAY has ${word.slice(0, 20)}`);
    const day = weekdayOf(match[2] as string);
    days.set(`${day} ${ordinal}`, ordinal === undefined ? { day } : { day, ordinal });
  }
  return [...days.values()].sort((a, b) => a.day - b.day || (a.ordinal ?? 0) - (b.ordinal ?? 0));
}

function weekdayOf(text: string): Weekday {
  const index = WEEKDAY_CODES.indexOf(text.toUpperCase());
  if (index < 0) throw new Unreadable(`${text.slice(0, 20)} is no day of the week`);
  return index as Weekday;
}

function untilOf(text: string): NonNullable<RuleParts['until']> {
  const time = parseTime(text);
  if (time === undefined) throw new Unreadable(`UNTIL is no date`);
  return time.form === 'utc' ? { instant: time.wall } : { wall: time.wall, isDate: time.form === 'date' };
}

/** Starts of an RRULE from DTSTART through `through`, at most `most`; DTSTART itself only where the rule gives it. COUNT and UNTIL are the caller's. */
export function expandRule(rule: RuleParts, start: Wall, through: Wall, most: number): Starts {
  return starts(fromStart(rule, start), start, through, most);
}

/**
 * A test whether a rule has a start, for single starts; COUNT and UNTIL are the caller's. A start by BYSETPOS needs its whole
 * period, so a year of them is listed once.
 */
export function startsOf(rule: RuleParts, start: Wall): (wall: Wall) => boolean {
  const full = fromStart(rule, start);
  if (rule.bySetPos.length === 0 || isSubDay(full)) return (wall) => starts(full, wall, wall, 1).walls.length > 0;
  const years = new Map<number, Set<Wall>>();
  return (wall) => {
    const { year } = civilOf(Math.floor(wall / DAY_MS));
    const [first, next] = [year, year + 1].map((one) => dayOf(one, 1, 1) * DAY_MS) as [Wall, Wall];
    const known = years.get(year) ?? new Set(starts(full, first, next - 1, Number.POSITIVE_INFINITY).walls);
    years.set(year, known);
    return known.has(wall);
  };
}

function fromStart(rule: RuleParts, start: Wall): FullRule {
  const firstDay = Math.floor(start / DAY_MS);
  const { unit, every, byDay, byMonth, byMonthDay } = rule;
  const time = Math.floor((start - firstDay * DAY_MS) / 1000);
  return { unit, every, byDay, byMonth, byMonthDay, firstDay, time, more: rule };
}
