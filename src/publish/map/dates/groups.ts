import { shown } from '../../../opportunity/findings.ts';
import { compareText } from '../../../opportunity/ids.ts';
import { DAY_MS } from '../../../time/days.ts';
import { utcText } from '../../../time/instant.ts';
import { toWall } from '../../../time/zone.ts';
import type { CalendarEvent, Time } from '../../read/model.ts';
import { startsOf } from '../../read/rule.ts';
import { keyOf } from '../describe.ts';
import { ANY_NAME } from '../json.ts';
import type { Report } from './instances.ts';
import { wallsUntil } from './schedules.ts';

/** The components of one UID: a master (or a single event) and its overrides. */
export interface EventGroup {
  uid: string;
  /** The key of the master where another event has its UID, made of UID, start and name and independent of any order. */
  apart?: string;
  /** Absent: the calendar has only overrides. */
  master?: CalendarEvent;
  overrides: CalendarEvent[];
}

/**
 * Groups the events of a calendar by UID. Of events with one UID and RECURRENCE-ID, that with the larger SEQUENCE holds, then
 * the later stamp (RFC 5545 3.8.7.4). Two masters that are different events under one UID both stay.
 */
export function groupsOf(events: readonly CalendarEvent[], report: (uid: string) => Report): EventGroup[] {
  const groups: EventGroup[] = [];
  for (const [uid, own] of Map.groupBy(events, (event) => event.uid)) {
    const written = own.filter(({ recurrenceId }) => recurrenceId === undefined);
    const masters = distinct(written, report(uid));
    const overrides = latest(own.filter(({ recurrenceId }) => recurrenceId !== undefined));
    if (masters.length === 0) groups.push({ uid, overrides });
    const owned = Map.groupBy(overrides, (one) => masterOf(one, masters));
    for (const master of masters)
      groups.push({ uid, apart: apartOf(master, masters), master, overrides: owned.get(master) ?? [] });
  }
  return groups;
}

/** The master of an override: of those that have its date, the one that begins last; else the first. */
function masterOf(
  { recurrenceId }: CalendarEvent,
  [first, ...others]: readonly CalendarEvent[],
): CalendarEvent | undefined {
  return others.reduce((found, one) => {
    if (first === undefined || found === undefined || !hasDate(one, recurrenceId as Time)) return found;
    return hasDate(found, recurrenceId as Time) && found.start.instant >= one.start.instant ? found : one;
  }, first);
}

/** Whether an event has a date by its DTSTART, RDATE and RRULE; where COUNT ends a rule is left open. */
function hasDate({ start, rules, extra }: CalendarEvent, id: Time): boolean {
  const wall = id.allDay
    ? id.wall + start.wall - Math.floor(start.wall / DAY_MS) * DAY_MS
    : toWall(start.zone, id.instant);
  if (wall === start.wall || extra.some((one) => one.start.instant === id.instant)) return true;
  return rules.some((rule) => startsOf(rule, start.wall)(wall) && wallsUntil(rule, start, [wall]).length > 0);
}

/** The key of a master. `all`: the masters of its UID; where several have one start and name, the key has the rule too. */
function apartOf(master: CalendarEvent, all: readonly CalendarEvent[]): string {
  const texts = ({ uid, start, wording }: CalendarEvent) => [uid, String(start.instant), wording.summary ?? ''];
  const key = keyOf(...texts(master));
  const isAlone = all.every((one) => one === master || keyOf(...texts(one)) !== key);
  return isAlone ? key : keyOf(...texts(master), rulesText(master));
}

function rulesText({ rules }: CalendarEvent): string {
  return rules.map(({ text }) => text).join(' ');
}

/**
 * The masters without older versions. A master that is no version of another by SEQUENCE or start is an event of its own.
 * The first of them is the same in any order of the calendar.
 */
function distinct(masters: readonly CalendarEvent[], report: Report): CalendarEvent[] {
  if (masters.length < 2) return [...masters];
  const newest = Math.max(...masters.map(({ sequence }) => sequence));
  const current = masters.filter(({ sequence }) => sequence === newest);
  const byStart = new Map<string, CalendarEvent>();
  for (const event of current) {
    const key = `${event.start.instant} ${rulesText(event)} ${event.wording.summary ?? ''}`;
    const known = byStart.get(key);
    if (known === undefined || known.stamp <= event.stamp) byStart.set(key, event);
  }
  const kept = [...byStart]
    .sort(([a, one], [b, other]) => other.rules.length - one.rules.length || compareText(a, b))
    .map(([, event]) => event);
  const left = masters.filter((one) => !kept.includes(one)).map((one) => `${eventWords(one)} in line ${one.line}`);
  report('uid-twice', `line ${(masters[1] as CalendarEvent).line} UID`, { kept: keptWords(kept.length, left) });
  return kept;
}

/** Most events that a finding names; the others are counted. */
const NAMED = 3;

function keptWords(kept: number, left: readonly string[]): string {
  if (left.length === 0) return 'all were published';
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
  return `${kept} ${kept === 1 ? 'was' : 'were'} published, without ${left.slice(0, NAMED).join(', ')}${more}`;
}

/** An event in words: its name, and its start in the calendar's spelling. */
export function eventWords({ start, wording }: CalendarEvent): string {
  return `"${shown(wording.summary ?? ANY_NAME)}" of ${utcText(start.wall).slice(0, start.allDay ? 10 : 16)}`;
}

function latest(overrides: readonly CalendarEvent[]): CalendarEvent[] {
  const byInstance = new Map<string, CalendarEvent>();
  for (const event of overrides) {
    const key = `${event.recurrenceId?.instant} ${event.andFuture}`;
    const known = byInstance.get(key);
    const isNewer =
      known === undefined ||
      event.sequence > known.sequence ||
      (event.sequence === known.sequence && event.stamp >= known.stamp);
    if (isNewer) byInstance.set(key, event);
  }
  return [...byInstance.values()];
}
