import { lengthOf } from '../../ical/content.ts';
import type { ContentLine } from '../../ical/content-line.ts';
import { lineOf, linesOf, type ReadComponent } from '../../ical/read.ts';
import { DAY_MS } from '../../time/days.ts';
import { toInstant } from '../../time/zone.ts';
import { MAX_DATES, MAX_RULES } from '../limits.ts';
import { type Context, placeOf } from './context.ts';
import { between } from './length.ts';
import type { CalendarEvent, RuleParts, Time } from './model.ts';
import { readRule } from './rule.ts';
import { isPlausible } from './values.ts';

/** The properties of an event's dates besides DTSTART: RRULE, EXRULE, RDATE and EXDATE. */
export function datesGiven(
  component: ReadComponent,
  start: Time,
  context: Context,
  uid: string,
): Pick<CalendarEvent, 'rules' | 'exRules' | 'extra' | 'except'> {
  return {
    rules: rulesOf(component, 'RRULE', start, context, uid),
    exRules: rulesOf(component, 'EXRULE', start, context, uid),
    extra: extraOf(component, start, context, uid),
    except: firstDates(
      linesOf(component, 'EXDATE').flatMap((line) => writtenTimes(line, start, context, uid)),
      component,
      'EXDATE',
      context,
      uid,
    ),
  };
}

/** The first dates of a property, up to the limit of one event; a finding has the number of the others. */
function firstDates<T>(
  dates: readonly T[],
  component: ReadComponent,
  name: 'RDATE' | 'EXDATE',
  context: Context,
  uid: string,
): T[] {
  if (dates.length > MAX_DATES) {
    const facts = { name, most: MAX_DATES };
    context.report('dates-too-many', uid, placeOf(lineOf(component, name) ?? component), facts);
  }
  return dates.slice(0, MAX_DATES);
}

function rulesOf(
  component: ReadComponent,
  name: 'RRULE' | 'EXRULE',
  { allDay }: Time,
  context: Context,
  uid: string,
): RuleParts[] {
  const lines = linesOf(component, name);
  const read = lines.slice(0, MAX_RULES).map((line) => ({ line, found: readRule(line) }));
  const rules = read.flatMap(({ found }) => ('rule' in found ? found.rule : []));
  const kept = keptOf(component, name, rules.length > 0);
  for (const { line, found } of read) {
    if ('rule' in found && found.both) context.report('rule-count-and-until', uid, placeOf(line));
    if ('rule' in found && !allDay && isOfDay(found.rule)) context.report('rule-until-date', uid, placeOf(line));
    if ('rule' in found) continue;
    const facts = { name, value: line.value.slice(0, 80), why: found.why, kept };
    context.report(found.problem, uid, placeOf(line), facts);
  }
  const [beyond] = lines.slice(MAX_RULES);
  if (beyond !== undefined) {
    const facts = { name, value: beyond.value.slice(0, 80), why: `more than ${MAX_RULES} in one event`, kept };
    context.report('rule-too-much', uid, placeOf(beyond), facts);
  }
  return rules;
}

function isOfDay({ until }: RuleParts): boolean {
  return until !== undefined && 'isDate' in until && until.isDate;
}

/** The part of an event that is published without an unreadable rule, in words. */
function keptOf(component: ReadComponent, name: 'RRULE' | 'EXRULE', hasOther: boolean): string {
  if (name === 'EXRULE') return 'no date was excluded by it';
  if (hasOther) return 'the dates of the other RRULE are published';
  return lineOf(component, 'RDATE') ? 'DTSTART and the RDATEs are published' : 'only the first date is published';
}

function writtenTimes(line: ContentLine, start: Time, context: Context, uid: string): Time[] {
  return line.value
    .split(',', MAX_DATES + 1)
    .filter((value) => value.trim() !== '')
    .flatMap((value) => context.time(line, value, uid, start) ?? []);
}

/** RDATE: dates, or periods with a length of their own. */
function extraOf(component: ReadComponent, of: Time, context: Context, uid: string): CalendarEvent['extra'] {
  const found: CalendarEvent['extra'] = [];
  const isOfTime = (time: Time) => time.allDay && !of.allDay;
  for (const line of linesOf(component, 'RDATE')) {
    const own = line.value.split(',', MAX_DATES + 1).flatMap((value) => extraIn(line, value, context, uid) ?? []);
    if (own.some(({ start }) => isOfTime(start))) context.report('rdate-of-day', uid, placeOf(line));
    found.push(...own.map((one) => (isOfTime(one.start) ? { start: atTimeOf(of, one.start) } : one)));
  }
  return firstDates(found, component, 'RDATE', context, uid);
}

/** A day at the time of DTSTART, in its zone. */
function atTimeOf({ wall: first, zone }: Time, { wall: day }: Time): Time {
  const wall = day + (first - Math.floor(first / DAY_MS) * DAY_MS);
  return { wall, zone, instant: toInstant(zone, wall), allDay: false };
}

function extraIn(
  line: ContentLine,
  value: string,
  context: Context,
  uid: string,
): CalendarEvent['extra'][number] | undefined {
  const [first = '', second] = value.split('/');
  const start = value.trim() === '' ? undefined : context.time(line, first, uid);
  if (start === undefined || !isPlausible(start.wall)) return undefined;
  const length = second === undefined ? undefined : periodLength(line, start, second, context, uid);
  return { start, ...(length && { length }) };
}

function periodLength(line: ContentLine, start: Time, second: string, context: Context, uid: string) {
  const isLength = /^[+-]?P/i.test(second);
  const end = isLength ? undefined : context.time(line, second, uid, start);
  const length = isLength ? lengthOf(second) : end && between(start, end);
  if (length === undefined && (isLength || end !== undefined))
    context.report('end-unusable', uid, placeOf(line), { value: second.slice(0, 40) });
  return length;
}
