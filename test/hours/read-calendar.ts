/**
 * Reads back what the hours' calendars say, in the two ways that programs in the field read them: ical.js parses and
 * steps through rules, Intl tells the time. `exact` readers repeat the length in seconds and step from day to day, an hour
 * late for good once they step into a gap (sabre/vobject); `nominal` ones repeat the wall times (RFC 7953's own wording).
 */
import ICAL from 'ical.js';
import { instant, wallAt } from './reference.ts';

export type Reader = 'nominal' | 'exact';
export type Period = [start: number, end: number];

/** Open time of the first VAVAILABILITY of a calendar within [from, to): its bounds hold, EXDATE is not looked at. */
export function readAvailability(text: string, reader: Reader, from: number, to: number): Period[] {
  const component = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vavailability') as ICAL.Component;
  const start = Math.max(from, utc(component, 'dtstart'));
  const end = Math.min(to, utc(component, 'dtend'));
  const open = component.getAllSubcomponents('available').flatMap((one) => instances(one, reader, end));
  return union(open, start, end);
}

/** Time covered by the timed events of a calendar within [from, to). */
export function readEvents(text: string, reader: Reader, from: number, to: number): Period[] {
  const components = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  return union(
    components.filter((one) => !time(one, 'dtstart').isDate).flatMap((one) => instances(one, reader, to)),
    from,
    to,
  );
}

/** All-day events as `FIRST LAST SUMMARY`. */
export function readAllDay(text: string): string[] {
  const components = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  return components
    .filter((one) => time(one, 'dtstart').isDate)
    .map((one) => `${time(one, 'dtstart')} ${time(one, 'dtend')} ${one.getFirstPropertyValue('summary')}`);
}

function time(component: ICAL.Component, name: string): ICAL.Time {
  return component.getFirstPropertyValue(name) as ICAL.Time;
}

/** A wall time as if in UTC. */
function wallOf(value: ICAL.Time): number {
  return Date.UTC(value.year, value.month - 1, value.day, value.hour, value.minute, value.second);
}

function zoneOf(component: ICAL.Component): string {
  return (component.getFirstProperty('dtstart')?.getParameter('tzid') as string | undefined) ?? 'UTC';
}

function utc(component: ICAL.Component, name: string): number {
  const property = component.getFirstProperty(name);
  const zone = (property?.getParameter('tzid') as string | undefined) ?? 'UTC';
  return instant(zone, wallOf(property?.getFirstValue() as ICAL.Time));
}

function instances(component: ICAL.Component, reader: Reader, until: number): Period[] {
  const zone = zoneOf(component);
  const first = time(component, 'dtstart');
  const nominal = wallOf(time(component, 'dtend')) - wallOf(first);
  const exact = utc(component, 'dtend') - utc(component, 'dtstart');
  const excluded = new Set(component.getAllProperties('exdate').map((one) => wallOf(one.getFirstValue() as ICAL.Time)));
  const walls = (reader === 'exact' ? stepped : listed)(component, zone, until);
  return walls
    .filter((wall) => !excluded.has(wall))
    .map((wall) => {
      const start = instant(zone, wall);
      return [start, reader === 'exact' ? start + exact : instant(zone, wall + nominal)];
    });
}

/** Wall times of the rule as ical.js steps through it, UNTIL compared as an instant. */
function listed(component: ICAL.Component, zone: string, until: number): number[] {
  const first = time(component, 'dtstart');
  const rule = component.getFirstPropertyValue('rrule') as ICAL.Recur | null;
  if (rule === null) return [wallOf(first)];
  const last = rule.until === null ? until : instant('UTC', wallOf(rule.until));
  const endless = ICAL.Recur.fromString(rule.toString().replace(/;?UNTIL=[^;]*/, ''));
  const walls: number[] = [];
  // In UTC every wall time is regular: the zone step is ours.
  const floating = ICAL.Time.fromJSDate(new Date(wallOf(first)), true);
  for (const iterator = endless.iterator(floating); ; ) {
    const next = iterator.next() as ICAL.Time | null;
    if (next === null || instant(zone, wallOf(next)) > Math.min(last, until)) return walls;
    walls.push(wallOf(next));
  }
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const DAY = 86_400_000;

/** Day after day; a wall time that the clocks skip is moved behind the gap and stays there. */
function stepped(component: ICAL.Component, zone: string, until: number): number[] {
  const rule = component.getFirstPropertyValue('rrule') as ICAL.Recur | null;
  const start = wallOf(time(component, 'dtstart'));
  if (rule === null) return [start];
  const last = rule.until === null ? until : instant('UTC', wallOf(rule.until));
  const days = rule.parts.BYDAY as string[];
  const walls: number[] = [];
  for (let wall = start; ; wall = wallAt(zone, instant(zone, wall + DAY))) {
    const own = days.includes(DAYS[new Date(wall).getUTCDay()] as string);
    if (instant(zone, wall) > Math.min(last, until) || (rule.count && walls.length >= rule.count)) return walls;
    if (own) walls.push(wall);
  }
}

function union(periods: readonly Period[], from: number, to: number): Period[] {
  const merged: Period[] = [];
  for (const [start, end] of periods.toSorted((a, b) => a[0] - b[0])) {
    if (end <= from || start >= to) continue;
    const last = merged.at(-1);
    if (last === undefined || start > last[1]) merged.push([Math.max(start, from), Math.min(end, to)]);
    else last[1] = Math.min(to, Math.max(last[1], end));
  }
  return merged;
}
