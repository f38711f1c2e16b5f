import { all, oneOf, type Part, wallOf } from './read.ts';

/** What a rule gives that fits Outlook's templates: few enough to be stepped through by hand. */

export const DAY = 86_400_000;
const NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** A rule's parts, by name. */
export function ruleOf(event: Part): Record<string, string> | undefined {
  const value = oneOf(event, 'RRULE');
  return value === undefined ? undefined : Object.fromEntries(value.split(';').map((part) => part.split('=')));
}

/** As far as endless rules are looked at, or some years if they begin later. */
export const HORIZON = Date.UTC(2052, 0, 1);

/**
 * Wall times of the instances of a master: DTSTART itself where it is one, the rule's until its end, EXDATEs included. UNTIL
 * is given as wall time by `toWall`.
 */
export function instancesOf(event: Part, toWall: (instant: number) => number): number[] {
  const start = wallOf(oneOf(event, 'DTSTART') as string);
  const rule = ruleOf(event);
  if (rule === undefined) return [start];
  const horizon = Math.max(HORIZON, start + 2000 * DAY);
  const until = rule.UNTIL === undefined ? horizon : Math.min(horizon, toWall(wallOf(rule.UNTIL)));
  const count = Number(rule.COUNT ?? Number.POSITIVE_INFINITY);
  const found: number[] = [];
  for (const at of stepped(start, rule, horizon)) {
    if (at > until || found.length >= count) break;
    found.push(at);
  }
  return found;
}

function* stepped(start: number, rule: Record<string, string>, horizon: number): Generator<number> {
  const every = Number(rule.INTERVAL ?? 1);
  const time = start % DAY;
  const first = new Date(start);
  if (rule.FREQ === 'DAILY') {
    for (let at = start; at <= horizon; at += every * DAY) yield at;
  } else if (rule.FREQ === 'WEEKLY') {
    const days = new Set((rule.BYDAY ?? '').split(','));
    const monday = start - time - ((first.getUTCDay() + 6) % 7) * DAY;
    for (let week = monday; week <= horizon; week += every * 7 * DAY) {
      for (let day = week; day < week + 7 * DAY; day += DAY) {
        if (days.has(NAMES[new Date(day).getUTCDay()] as string) && day + time >= start) yield day + time;
      }
    }
  } else {
    const months = rule.FREQ === 'YEARLY' ? 12 * every : every;
    for (let n = 0; Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n) <= horizon; n += months) {
      const at = dayInMonth(first.getUTCFullYear(), first.getUTCMonth() + n, rule);
      if (at !== undefined) yield at + time;
    }
  }
}

/** BYMONTHDAY, or one nth weekday, of a month; undefined where the month has none. */
function dayInMonth(year: number, month: number, rule: Record<string, string>): number | undefined {
  const first = Date.UTC(year, month, 1);
  const next = Date.UTC(year, month + 1, 1);
  let at: number;
  if (rule.BYMONTHDAY !== undefined) at = first + (Number(rule.BYMONTHDAY) - 1) * DAY;
  else {
    const [, nth, name = ''] = /^([+-]?\d+)([A-Z]{2})$/.exec(rule.BYDAY ?? '') ?? [];
    const weekday = NAMES.indexOf(name);
    const early = first + ((weekday - new Date(first).getUTCDay() + 7) % 7) * DAY;
    at =
      nth === '-1' ? early + Math.floor((next - 1 - early) / (7 * DAY)) * 7 * DAY : early + (Number(nth) - 1) * 7 * DAY;
  }
  return at < next ? at : undefined;
}

/** Wall times of EXDATE lines. */
export function exdatesOf(event: Part): number[] {
  return all(event, 'EXDATE').map(({ value }) => wallOf(value));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Offset of a zone at an instant, in ms east of UTC, as Intl has it. */
export function offsetAt(zone: string, instant: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT(?:([+-])(\d+):(\d+))?/.exec(format.format(instant)) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
}

/** All instants at which a zone's clock shows a wall time: none in a gap, two in a fold. */
export function instantsAt(zone: string, wall: number): number[] {
  const offsets = new Set([offsetAt(zone, wall - DAY), offsetAt(zone, wall), offsetAt(zone, wall + DAY)]);
  return [...offsets].map((offset) => wall - offset).filter((at) => at + offsetAt(zone, at) === wall);
}
