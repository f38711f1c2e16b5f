import { lengthOf } from '../../ical/content.ts';
import type { ContentLine } from '../../ical/content-line.ts';
import { lineOf, linesOf, type ReadComponent } from '../../ical/read.ts';
import { DAY_MS } from '../../time/days.ts';
import { toInstant } from '../../time/zone.ts';
import { MAX_DATES } from '../limits.ts';
import { type Context, placeOf } from './context.ts';
import { between } from './length.ts';
import type { CalendarEvent, RuleParts, Time } from './model.ts';
import { readRule } from './rule.ts';
import { isPlausible } from './values.ts';

/** What an event says of its dates besides DTSTART: RRULE, EXRULE, RDATE and EXDATE. */
export function datesGiven(
  component: ReadComponent,
  start: Time,
  context: Context,
  uid: string,
): Pick<CalendarEvent, 'rules' | 'exRules' | 'extra' | 'except'> {
  return {
    rules: rulesOf(component, 'RRULE', context, uid),
    exRules: rulesOf(component, 'EXRULE', context, uid),
    extra: extraOf(component, start, context, uid),
    except: linesOf(component, 'EXDATE')
      .flatMap((line) => writtenTimes(line, context, uid))
      .slice(0, MAX_DATES),
  };
}

function rulesOf(component: ReadComponent, name: 'RRULE' | 'EXRULE', context: Context, uid: string): RuleParts[] {
  const read = linesOf(component, name)
    .slice(0, 10)
    .map((line) => ({ line, found: readRule(line) }));
  const rules = read.flatMap(({ found }) => ('rule' in found ? found.rule : []));
  const kept = keptOf(component, name, rules.length > 0);
  for (const { line, found } of read) {
    if ('rule' in found && found.both) context.report('rule-count-and-until', uid, placeOf(line));
    if ('rule' in found) continue;
    const facts = { name, value: line.value.slice(0, 80), why: found.why, kept };
    context.report(found.problem, uid, placeOf(line), facts);
  }
  return rules;
}

/** What is published where a rule is not followed. */
function keptOf(component: ReadComponent, name: 'RRULE' | 'EXRULE', hasOther: boolean): string {
  if (name === 'EXRULE') return 'no date was excluded by it';
  if (hasOther) return 'the dates of the other RRULE are published';
  return lineOf(component, 'RDATE') ? 'DTSTART and the RDATEs are published' : 'only the first date is published';
}

function writtenTimes(line: ContentLine, context: Context, uid: string): Time[] {
  return line.value
    .split(',', MAX_DATES)
    .filter((value) => value.trim() !== '')
    .flatMap((value) => context.time(line, value, uid) ?? []);
}

/** RDATE: dates, or periods with a length of their own. */
function extraOf(component: ReadComponent, of: Time, context: Context, uid: string): CalendarEvent['extra'] {
  const found: CalendarEvent['extra'] = [];
  const isOfTime = (time: Time) => time.allDay && !of.allDay;
  for (const line of linesOf(component, 'RDATE')) {
    const own = line.value.split(',', MAX_DATES).flatMap((value) => extraIn(line, value, context, uid) ?? []);
    if (own.some(({ start }) => isOfTime(start))) context.report('rdate-of-day', uid, placeOf(line));
    found.push(...own.map((one) => (isOfTime(one.start) ? { start: atTimeOf(of, one.start) } : one)));
  }
  return found.slice(0, MAX_DATES);
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
  if (/^[+-]?P/i.test(second)) return lengthOf(second);
  const end = context.time(line, second, uid);
  return end && between(start, end);
}
