import { DAY_MS } from '../../time/days.ts';
import { utcDate } from '../../time/instant.ts';
import { timeText } from '../../time/iso-text.ts';
import { toInstant, type Wall, type Zone } from '../../time/zone.ts';
import { shown } from '../findings.ts';
import { identOf, statedId } from '../identity.ts';
import { isObject, type Json } from '../item/json.ts';
import {
  at,
  first,
  isEmpty,
  many,
  named,
  note,
  noteOnce,
  noteProperty,
  type Part,
  partAt,
  type Spot,
} from '../item/reading.ts';
import { durationOf, localDayOf, momentFrom, timeOf, toNumber, typeOf, wordOf, zoneOf } from '../item/values.ts';
import { bareName } from '../item/vocabulary.ts';
import { MAX_COUNT, MAX_EXCEPT, MAX_EXPANDED, MAX_SCHEDULES } from '../limits.ts';
import { endAt } from '../local-times.ts';
import { NO_PARTS, type Schedule } from '../records.ts';
import { frequencyOf, meantFrequency } from './frequency.ts';
import { templateOf } from './id-template.ts';
import { daysOf, inWeeks, monthDaysOf, monthsOf, monthWeeksOf } from './rule-parts.ts';

/** Reads `eventSchedule` (semantics 3). `eventType`: the type of occurrences where none is stated. */
export function schedulesOf(part: Part, eventType: string): Schedule[] {
  const property = named(part, 'eventSchedule', ['schedule']);
  if (isEmpty(part.from[property])) return [];
  const here = at(part, property);
  if (!Array.isArray(part.from[property])) noteOnce(here, 'single-value', { property });
  const schedules: Schedule[] = [];
  for (const [index, entry] of many(part, property, MAX_SCHEDULES).entries()) {
    if (isObject(entry)) schedules.push(scheduleOf(partAt(part, entry, property, index), index, eventType));
    else note(at(part, property, index), 'schedule-not-an-object', { value: shown(entry) });
  }
  limitExpanded(here, schedules);
  dropRepeatedIds(schedules);
  return schedules;
}

/** Drops an `@id` that several Schedules have, as it identifies none of them. */
function dropRepeatedIds(schedules: Schedule[]): void {
  const count = Map.groupBy(schedules, ({ id }) => id && identOf(id));
  for (const [id, same] of count) {
    if (id !== undefined && same.length > 1) for (const schedule of same) delete schedule.id;
  }
}

/** Leaves Schedules of a series unexpanded beyond the limit, with a finding. */
function limitExpanded(spot: Spot, schedules: Schedule[]): void {
  const expandable = schedules.filter((schedule) => schedule.expandable);
  if (expandable.length <= MAX_EXPANDED) return;
  note(spot, 'schedules-not-expanded', { most: MAX_EXPANDED, count: expandable.length });
  for (const schedule of expandable.slice(MAX_EXPANDED)) schedule.expandable = false;
}

/** Reads one Schedule or PartialSchedule, part by part. `index`: its position in `eventSchedule`. */
function scheduleOf(part: Part, index: number, eventType: string): Schedule {
  const partial = isPartial(part);
  const zone = scheduleZone(part, partial);
  const id = scheduleId(part);
  const schedule: Schedule = {
    partial,
    expandable: !partial,
    index,
    ...(id !== undefined && { id }),
    ...NO_PARTS,
    except: [],
    zone: zone?.id ?? part.reading.zone.id,
    zoneStated: zone !== undefined,
    eventType: scheduledType(part, partial, eventType),
  };
  addTimes(part, schedule);
  const end = addDates(part, schedule, zone ?? part.reading.zone);
  addRule(part, schedule);
  if (end !== undefined) Object.assign(schedule, endAt(end, schedule));
  noteReversed(part, schedule);
  addCount(part, schedule);
  if (!partial) addExceptions(part, schedule, zone ?? part.reading.zone);
  if (!partial) addTemplates(part, schedule);
  return schedule;
}

/** The `@id` of a Schedule; undefined for a blank node (`_:b0`), whose name changes with each document. */
function scheduleId(part: Part): string | undefined {
  const id = statedId(part);
  return id?.startsWith('_:') ? undefined : id;
}

/** Whether an entry is a PartialSchedule, or has an unknown type; both are shown in words only. */
function isPartial(part: Part): boolean {
  const type = typeOf(part, TYPES);
  if (type === 'PartialSchedule') return true;
  if (type === undefined) note(part, 'schedule-type-missing');
  else if (type !== 'Schedule') {
    note(part, 'schedule-type-unknown', { value: shown(type) });
    return true;
  }
  return false;
}

const TYPES = new Set(['Schedule', 'PartialSchedule']);

/** The zone that a Schedule states; undefined: none, or an unknown one. */
function scheduleZone(part: Part, partial: boolean): Zone | undefined {
  const property = named(part, 'scheduleTimezone', ZONE_ALIASES);
  if (!isEmpty(part.from[property])) return zoneOf(part, property);
  if (!partial) noteOnce(part, 'schedule-timezone-missing');
  return undefined;
}

const ZONE_ALIASES = ['beta:timeZone', 'timeZone', 'scheduleTimeZone', 'timezone'];

/** The first zone that a Schedule of a series states. */
export function zoneOfSchedules(part: Part): Zone | undefined {
  const property = named(part, 'eventSchedule', ['schedule']);
  for (const entry of many(part, property, MAX_SCHEDULES)) {
    const stated = isObject(entry) ? scheduleZone({ ...part, from: entry }, true) : undefined;
    if (stated !== undefined) return stated;
  }
  return undefined;
}

/** The `scheduledEventType`, if it is a known type, because it is written into answers; else the usual one. */
function scheduledType(part: Part, partial: boolean, usual: string): string {
  if (partial) return usual;
  const value = wordOf(first(part, 'scheduledEventType'));
  const name = value === undefined ? undefined : bareName(value);
  if (name === undefined) noteOnce(part, 'scheduled-event-type-missing', { used: usual });
  else if (!EVENT_TYPES.has(name) || (usual === 'ScheduledSession' && name !== usual))
    note(at(part, 'scheduledEventType'), 'scheduled-event-type-unexpected', { value: shown(name), used: usual });
  return name !== undefined && EVENT_TYPES.has(name) ? name : usual;
}

const EVENT_TYPES = new Set(['Event', 'ScheduledSession', 'HeadlineEvent', 'SessionSeries', 'CourseInstance']);

/** Reads `startTime`, `endTime` and `duration`: the length is the duration, else the time between the two. */
function addTimes(part: Part, schedule: Schedule): void {
  const start = timeOf(part, 'startTime', 86_399);
  const end = timeOf(part, 'endTime', 86_400);
  if (typeof start === 'number') schedule.startTime = start;
  if (typeof end === 'number') schedule.endTime = end;
  if (typeof start !== 'number' && !schedule.partial)
    note(part, start === undefined ? 'schedule-start-time-missing' : 'schedule-start-time-unusable');
  if (typeof start !== 'number') schedule.expandable = false;
  const stated = durationOf(part, 'duration');
  const span = lengthBetween(schedule.startTime, schedule.endTime);
  const length = stated ?? span;
  if (stated === undefined && span !== undefined && !schedule.partial) {
    schedule.endsByClock = true;
    if (start === end) note(part, 'schedule-same-times', { value: shown(part.from.startTime) });
  }
  if (length !== undefined) schedule.duration = length;
  else if (!schedule.partial) note(part, 'schedule-without-length');
  if (stated !== undefined && span !== undefined && (stated - span) % DAY_MS !== 0 && !schedule.partial) {
    const times = { start: timeText(schedule.startTime as number), end: timeText(schedule.endTime as number) };
    note(part, 'schedule-duration-conflict', { duration: shown(part.from.duration), ...times });
  }
}

/** The milliseconds from start to end. The end is on the next day if it is not after the start (semantics 3). */
function lengthBetween(start: number | undefined, end: number | undefined): number | undefined {
  if (start === undefined || end === undefined) return undefined;
  return (end > start ? end - start : end - start + 86_400) * 1000;
}

/** Reads `startDate`, and gives `endDate` as local time. Without a first date a Schedule is not expanded. */
function addDates(part: Part, schedule: Schedule, zone: Zone): Wall | undefined {
  const start = localTime(part, 'startDate', schedule, zone);
  const end = localTime(part, 'endDate', schedule, zone);
  if (start !== undefined && start !== 'invalid') schedule.startDate = utcDate(start);
  else schedule.expandable = false;
  if (schedule.startDate === undefined && !schedule.partial)
    note(part, start === undefined ? 'schedule-start-date-missing' : 'schedule-start-date-unusable');
  if (end === 'invalid') {
    // Without its end the rule would go on for ever.
    if (!schedule.partial) note(part, 'schedule-end-date-unusable');
    leaveUnexpanded(schedule, 'endDate');
    return undefined;
  }
  return end;
}

function noteReversed(spot: Spot, { partial, startDate: start, endDate: end }: Schedule): void {
  if (partial || start === undefined || end === undefined || end >= start) return;
  note(spot, 'schedule-ends-before-start', { start, end });
}

/** A date as local time. In a Schedule without a zone its instant is kept too. */
function localTime(
  part: Part,
  name: 'startDate' | 'endDate',
  schedule: Schedule,
  zone: Zone,
): Wall | 'invalid' | undefined {
  const day = localDayOf(part, name, () => zone);
  if (day === undefined || day === 'invalid') return day;
  if (day.instant !== undefined && !schedule.zoneStated)
    schedule.instants = { ...schedule.instants, [name]: day.instant };
  return day.wall;
}

/** Makes a Schedule unexpandable because of an unusable part, without which it would be another rule. */
function leaveUnexpanded(schedule: Schedule, part: NonNullable<Schedule['unusable']>): void {
  schedule.expandable = false;
  if (!schedule.partial) schedule.unusable ??= part;
}

/** Reads the parts of the rule. One that cannot be used leaves the Schedule unexpanded. */
function addRule(part: Part, schedule: Schedule): void {
  const stated = frequencyOf(part);
  const unit = typeof stated === 'object' ? stated.unit : undefined;
  const days = daysOf(part, unit);
  const months = monthsOf(part);
  const monthDays = monthDaysOf(part);
  if (stated === 'invalid') leaveUnexpanded(schedule, 'repeatFrequency');
  if (days === 'unusable') leaveUnexpanded(schedule, 'byDay');
  if (months === 'unusable') leaveUnexpanded(schedule, 'byMonth');
  if (monthDays === 'unusable') leaveUnexpanded(schedule, 'byMonthDay');
  if (typeof months === 'object') schedule.byMonth = months;
  if (typeof monthDays === 'object') schedule.byMonthDay = monthDays;
  if (typeof days === 'object') schedule.byDay = days;
  const frequency = typeof stated === 'object' ? stated : undefined;
  const weeks = monthWeeksOf(part, schedule.byDay, frequency);
  if (weeks.length > 0) schedule.byDay = inWeeks(schedule.byDay, weeks);
  const meant = stated === 'invalid' ? undefined : meantFrequency(schedule, frequency, weeks);
  if (meant === undefined) {
    if (stated === undefined && !schedule.partial) note(part, 'schedule-without-rule');
    return;
  }
  schedule.frequency = meant.frequency;
  const { from: property, used } = meant;
  if (property !== undefined && !schedule.partial) note(part, 'frequency-inferred', { property, used });
}

/** Reads `repeatCount`. Systems write zero for "no count", so numbers below 1 are ignored; an unreadable count is not guessed. */
function addCount(part: Part, schedule: Schedule): void {
  const value = first(part, 'repeatCount');
  if (value === undefined) return;
  const count = toNumber(value);
  const here = at(part, 'repeatCount');
  if (count === undefined || !Number.isInteger(count) || count < 1) {
    const isUnreadable = count === undefined && !schedule.partial;
    note(here, isUnreadable ? 'schedule-count-unreadable' : 'schedule-count-invalid', { value: shown(value) });
    if (isUnreadable) leaveUnexpanded(schedule, 'repeatCount');
    return;
  }
  if (count > MAX_COUNT) note(here, 'schedule-count-too-large', { value: shown(value), most: MAX_COUNT });
  if (schedule.endDate !== undefined && !schedule.partial) note(part, 'schedule-count-and-end');
  schedule.count = Math.min(count, MAX_COUNT);
}

/** Reads `exceptDate` and its misspelling `exceptDates`. */
function addExceptions(part: Part, schedule: Schedule, zone: Zone): void {
  for (const property of ['exceptDate', 'exceptDates'] as const) {
    if (isEmpty(part.from[property])) continue;
    if (property === 'exceptDates')
      noteOnce(at(part, property), 'property-misnamed', { found: property, use: 'exceptDate' });
    for (const { value, index } of exceptionsIn(part, property)) {
      const exception = exceptionOf(at(part, property, index), value, zone, schedule.zoneStated);
      if (exception === undefined) continue;
      const place = `${property}[${index}]`;
      const isUsual = place === `exceptDate[${schedule.except.length}]`;
      schedule.except.push(isUsual ? exception : { ...exception, at: place });
    }
  }
}

/**
 * The exceptions of a property, each with its index in the array. One text may have several, with commas, semicolons or blanks
 * between them.
 */
function exceptionsIn(part: Part, property: string): { value: Json; index: number }[] {
  const all = many(part, property, MAX_EXCEPT).flatMap((entry, index) => {
    const pieces = typeof entry === 'string' ? entry.trim().split(BETWEEN_DATES) : [];
    if (pieces.length < 2) return { value: entry, index };
    noteOnce(at(part, property), 'single-value', { property });
    return pieces.filter((piece) => !isEmpty(piece)).map((value) => ({ value, index }));
  });
  const omitted = all.length - MAX_EXCEPT;
  if (omitted > 0) noteProperty(part, property, 'capped', { most: MAX_EXCEPT, count: all.length, omitted });
  return all.slice(0, MAX_EXCEPT);
}

/** A comma may also stand before a fraction of a second, and a blank between a date and its time. */
const BETWEEN_DATES = /[,;]\s*(?=\d{4}-|\D|$)|(?<!\s)\s+(?=\d{4}-)/;

/** A date, an instant, or wall time of the Schedule's own zone. */
function exceptionOf(spot: Spot, value: Json, zone: Zone, zoneStated: boolean): Schedule['except'][number] | undefined {
  const moment = momentFrom(spot, 'exceptDate', value);
  if (moment === 'far' || moment === 'invalid') return undefined;
  if (moment.kind === 'date') return { date: moment.date };
  if (moment.kind === 'instant') return { instant: moment.instant };
  noteOnce(spot, 'except-date-without-zone', { value: shown(value) });
  const instant = toInstant(zone, moment.wall);
  return zoneStated ? { instant } : { instant, wall: moment.wall };
}

function addTemplates(part: Part, schedule: Schedule): void {
  const id = templateOf(part, 'idTemplate');
  if (id !== undefined) schedule.idTemplate = id;
  else if (!isEmpty(part.from.idTemplate)) schedule.templateUnusable = true;
  const url = templateOf(part, 'urlTemplate');
  if (url !== undefined) schedule.urlTemplate = url;
}
