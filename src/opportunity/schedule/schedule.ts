import { DAY_MS } from '../../time/days.ts';
import { utcDate } from '../../time/instant.ts';
import { timeText } from '../../time/iso-text.ts';
import { toInstant, type Wall, type Zone } from '../../time/zone.ts';
import { shown } from '../findings.ts';
import { identOf, statedId } from '../identity.ts';
import { isObject, type Json, type JsonObject } from '../item/json.ts';
import { at, first, isEmpty, many, named, note, noteOnce, type Reading } from '../item/reading.ts';
import { durationOf, localDayOf, momentFrom, timeOf, toNumber, typeOf, wordOf, zoneOf } from '../item/values.ts';
import { bareName } from '../item/vocabulary.ts';
import { MAX_COUNT, MAX_EXCEPT, MAX_EXPANDED, MAX_SCHEDULES } from '../limits.ts';
import { endAt } from '../local-times.ts';
import { NO_PARTS, type Schedule } from '../records.ts';
import { frequencyOf, meantFrequency } from './frequency.ts';
import { templateOf } from './id-template.ts';
import { daysOf, inWeeks, monthDaysOf, monthsOf, monthWeeksOf } from './rule-parts.ts';

/** Reads `eventSchedule` (semantics 3). `eventType`: what its occurrences are when it does not say. */
export function schedulesOf(reading: Reading, from: JsonObject, path: string, eventType: string): Schedule[] {
  const property = named(reading, from, 'eventSchedule', path, ['schedule']);
  if (isEmpty(from[property])) return [];
  const here = at(path, property);
  if (!Array.isArray(from[property])) noteOnce(reading, 'single-value', here, { property });
  const schedules: Schedule[] = [];
  for (const [index, entry] of many(reading, from, property, path, MAX_SCHEDULES).entries()) {
    if (isObject(entry)) schedules.push(scheduleOf(reading, entry, `${here}[${index}]`, index, eventType));
    else note(reading, 'schedule-not-an-object', `${here}[${index}]`, { value: shown(entry) });
  }
  limitExpanded(reading, schedules, here);
  dropRepeatedIds(schedules);
  return schedules;
}

/** An `@id` of several Schedules tells none of them from the others. */
function dropRepeatedIds(schedules: Schedule[]): void {
  const count = Map.groupBy(schedules, ({ id }) => id && identOf(id));
  for (const [id, same] of count) {
    if (id !== undefined && same.length > 1) for (const schedule of same) delete schedule.id;
  }
}

/** Leaves Schedules of a series unexpanded beyond the limit, with a finding. */
function limitExpanded(reading: Reading, schedules: Schedule[], path: string): void {
  const expandable = schedules.filter((schedule) => schedule.expandable);
  if (expandable.length <= MAX_EXPANDED) return;
  note(reading, 'schedules-not-expanded', path, { most: MAX_EXPANDED, count: expandable.length });
  for (const schedule of expandable.slice(MAX_EXPANDED)) schedule.expandable = false;
}

/** Reads one Schedule or PartialSchedule, part by part. `index`: its position in `eventSchedule`. */
function scheduleOf(reading: Reading, from: JsonObject, path: string, index: number, eventType: string): Schedule {
  const partial = isPartial(reading, from, path);
  const zone = scheduleZone(reading, from, path, partial);
  const id = scheduleId(reading, from, path);
  const schedule: Schedule = {
    partial,
    expandable: !partial,
    index,
    ...(id !== undefined && { id }),
    ...NO_PARTS,
    except: [],
    zone: zone?.id ?? reading.zone.id,
    zoneStated: zone !== undefined,
    eventType: scheduledType(reading, from, path, partial, eventType),
  };
  addTimes(reading, from, path, schedule);
  const end = addDates(reading, from, path, schedule, zone ?? reading.zone);
  addRule(reading, from, path, schedule);
  if (end !== undefined) Object.assign(schedule, endAt(end, schedule));
  noteReversed(reading, path, schedule);
  addCount(reading, from, path, schedule);
  if (!partial) addExceptions(reading, from, path, schedule, zone ?? reading.zone);
  if (!partial) addTemplates(reading, from, path, schedule);
  return schedule;
}

/** The `@id` of a Schedule. That of a blank node (`_:b0`) is another one in each document, and names nothing. */
function scheduleId(reading: Reading, from: JsonObject, path: string): string | undefined {
  const id = statedId(reading, from, path);
  return id?.startsWith('_:') ? undefined : id;
}

/** Whether it is a PartialSchedule, or of no type that is known: then it is words only. */
function isPartial(reading: Reading, from: JsonObject, path: string): boolean {
  const type = typeOf(reading, from, path, TYPES);
  if (type === 'PartialSchedule') return true;
  if (type === undefined) note(reading, 'schedule-type-missing', path);
  else if (type !== 'Schedule') {
    note(reading, 'schedule-type-unknown', path, { value: shown(type) });
    return true;
  }
  return false;
}

const TYPES = new Set(['Schedule', 'PartialSchedule']);

/** The zone that a Schedule states; undefined: none, or one that nobody knows. */
function scheduleZone(reading: Reading, from: JsonObject, path: string, partial: boolean): Zone | undefined {
  const property = named(reading, from, 'scheduleTimezone', path, ZONE_ALIASES);
  if (!isEmpty(from[property])) return zoneOf(reading, from, property, path);
  if (!partial) noteOnce(reading, 'schedule-timezone-missing', path);
  return undefined;
}

const ZONE_ALIASES = ['beta:timeZone', 'timeZone', 'scheduleTimeZone', 'timezone'];

/** The first zone that a Schedule of a series states. */
export function zoneOfSchedules(reading: Reading, from: JsonObject, path: string): Zone | undefined {
  const property = named(reading, from, 'eventSchedule', path, ['schedule']);
  for (const entry of many(reading, from, property, path, MAX_SCHEDULES)) {
    const stated = isObject(entry) ? scheduleZone(reading, entry, path, true) : undefined;
    if (stated !== undefined) return stated;
  }
  return undefined;
}

/** Only words of letters are types: they are written into answers. */
function scheduledType(reading: Reading, from: JsonObject, path: string, partial: boolean, usual: string): string {
  if (partial) return usual;
  const value = isEmpty(from.scheduledEventType) ? undefined : wordOf(first(reading, from, 'scheduledEventType', path));
  const name = value === undefined ? undefined : bareName(value);
  if (name === undefined) noteOnce(reading, 'scheduled-event-type-missing', path, { used: usual });
  else if (!EVENT_TYPES.has(name)) {
    note(reading, 'scheduled-event-type-unexpected', at(path, 'scheduledEventType'), {
      value: shown(name),
      used: usual,
    });
  } else {
    if (usual === 'ScheduledSession' && name !== usual) {
      note(reading, 'scheduled-event-type-unexpected', at(path, 'scheduledEventType'), { value: name, used: usual });
    }
    return name;
  }
  return usual;
}

const EVENT_TYPES = new Set(['Event', 'ScheduledSession', 'HeadlineEvent', 'SessionSeries', 'CourseInstance']);

/** Reads `startTime`, `endTime` and `duration`: the length is the duration, else the time between the two. */
function addTimes(reading: Reading, from: JsonObject, path: string, schedule: Schedule): void {
  const start = timeOf(reading, from, 'startTime', path, 86_399);
  const end = timeOf(reading, from, 'endTime', path, 86_400);
  if (typeof start === 'number') schedule.startTime = start;
  if (typeof end === 'number') schedule.endTime = end;
  if (typeof start !== 'number' && !schedule.partial)
    note(reading, start === undefined ? 'schedule-start-time-missing' : 'schedule-start-time-unusable', path);
  if (typeof start !== 'number') schedule.expandable = false;
  const stated = durationOf(reading, from, 'duration', path);
  const span = lengthBetween(schedule.startTime, schedule.endTime);
  const length = stated ?? span;
  if (stated === undefined && span !== undefined && !schedule.partial) {
    schedule.endsByClock = true;
    if (start === end) note(reading, 'schedule-same-times', path, { value: shown(from.startTime) });
  }
  if (length !== undefined) schedule.duration = length;
  else if (!schedule.partial) note(reading, 'schedule-without-length', path);
  if (stated !== undefined && span !== undefined && (stated - span) % DAY_MS !== 0 && !schedule.partial) {
    const times = { start: timeText(schedule.startTime as number), end: timeText(schedule.endTime as number) };
    note(reading, 'schedule-duration-conflict', path, { duration: shown(from.duration), ...times });
  }
}

/** The milliseconds from start to end. The end is on the next day if it is not after the start (semantics 3). */
function lengthBetween(start: number | undefined, end: number | undefined): number | undefined {
  if (start === undefined || end === undefined) return undefined;
  return (end > start ? end - start : end - start + 86_400) * 1000;
}

/** Reads `startDate`, and gives `endDate` as local time. Without a first date a Schedule is not expanded. */
function addDates(reading: Reading, from: JsonObject, path: string, schedule: Schedule, zone: Zone): Wall | undefined {
  const start = localTime(reading, from, 'startDate', path, schedule, zone);
  const end = localTime(reading, from, 'endDate', path, schedule, zone);
  if (start !== undefined && start !== 'invalid') schedule.startDate = utcDate(start);
  else schedule.expandable = false;
  if (schedule.startDate === undefined && !schedule.partial)
    note(reading, start === undefined ? 'schedule-start-date-missing' : 'schedule-start-date-unusable', path);
  if (end === 'invalid') {
    // A rule without its end would go on for ever: that is not what was meant.
    if (!schedule.partial) note(reading, 'schedule-end-date-unusable', path);
    leaveUnexpanded(schedule, 'endDate');
    return undefined;
  }
  return end;
}

function noteReversed(reading: Reading, path: string, { partial, startDate: start, endDate: end }: Schedule): void {
  if (partial || start === undefined || end === undefined || end >= start) return;
  note(reading, 'schedule-ends-before-start', path, { start, end });
}

/** A date as local time; of a Schedule that states no zone the instant is kept. */
function localTime(
  reading: Reading,
  from: JsonObject,
  name: 'startDate' | 'endDate',
  path: string,
  schedule: Schedule,
  zone: Zone,
): Wall | 'invalid' | undefined {
  const day = localDayOf(reading, from, name, path, () => zone);
  if (day === undefined || day === 'invalid') return day;
  if (day.instant !== undefined && !schedule.zoneStated)
    schedule.instants = { ...schedule.instants, [name]: day.instant };
  return day.wall;
}

/** Without a part that is stated it would be another rule: no occurrence is made of it. */
function leaveUnexpanded(schedule: Schedule, part: NonNullable<Schedule['unusable']>): void {
  schedule.expandable = false;
  if (!schedule.partial) schedule.unusable ??= part;
}

/** Reads the parts of the rule. One that cannot be used leaves the Schedule unexpanded. */
function addRule(reading: Reading, from: JsonObject, path: string, schedule: Schedule): void {
  const stated = frequencyOf(reading, from, path);
  const unit = typeof stated === 'object' ? stated.unit : undefined;
  const days = daysOf(reading, from, path, unit);
  const months = monthsOf(reading, from, path);
  const monthDays = monthDaysOf(reading, from, path);
  if (stated === 'invalid') leaveUnexpanded(schedule, 'repeatFrequency');
  if (days === 'unusable') leaveUnexpanded(schedule, 'byDay');
  if (months === 'unusable') leaveUnexpanded(schedule, 'byMonth');
  if (monthDays === 'unusable') leaveUnexpanded(schedule, 'byMonthDay');
  if (typeof months === 'object') schedule.byMonth = months;
  if (typeof monthDays === 'object') schedule.byMonthDay = monthDays;
  if (typeof days === 'object') schedule.byDay = days;
  const frequency = typeof stated === 'object' ? stated : undefined;
  const weeks = monthWeeksOf(reading, from, path, schedule.byDay, frequency);
  if (weeks.length > 0) schedule.byDay = inWeeks(schedule.byDay, weeks);
  const meant = stated === 'invalid' ? undefined : meantFrequency(schedule, frequency, weeks);
  if (meant === undefined) {
    if (stated === undefined && !schedule.partial) note(reading, 'schedule-without-rule', path);
    return;
  }
  schedule.frequency = meant.frequency;
  const { from: property, used } = meant;
  if (property !== undefined && !schedule.partial) note(reading, 'frequency-inferred', path, { property, used });
}

/** Zero is what systems write for "no count": it and less is ignored; what cannot be read at all is not guessed. */
function addCount(reading: Reading, from: JsonObject, path: string, schedule: Schedule): void {
  const value = first(reading, from, 'repeatCount', path);
  if (value === undefined) return;
  const count = toNumber(value);
  const here = at(path, 'repeatCount');
  if (count === undefined || !Number.isInteger(count) || count < 1) {
    const isUnreadable = count === undefined && !schedule.partial;
    note(reading, isUnreadable ? 'schedule-count-unreadable' : 'schedule-count-invalid', here, { value: shown(value) });
    if (isUnreadable) leaveUnexpanded(schedule, 'repeatCount');
    return;
  }
  if (count > MAX_COUNT) note(reading, 'schedule-count-too-large', here, { value: shown(value), most: MAX_COUNT });
  if (schedule.endDate !== undefined && !schedule.partial) note(reading, 'schedule-count-and-end', path);
  schedule.count = Math.min(count, MAX_COUNT);
}

/** Reads the dates on which nothing takes place. */
function addExceptions(reading: Reading, from: JsonObject, path: string, schedule: Schedule, zone: Zone): void {
  for (const property of ['exceptDate', 'exceptDates'] as const) {
    if (isEmpty(from[property])) continue;
    if (property === 'exceptDates')
      noteOnce(reading, 'property-misnamed', at(path, property), { found: property, use: 'exceptDate' });
    for (const [index, value] of many(reading, from, property, path, MAX_EXCEPT).entries()) {
      const place = `${property}[${index}]`;
      const exception = exceptionOf(reading, value, `${path}.${place}`, zone, schedule.zoneStated);
      if (exception === undefined) continue;
      const isUsual = place === `exceptDate[${schedule.except.length}]`;
      schedule.except.push(isUsual ? exception : { ...exception, at: place });
    }
  }
}

/** A date, an instant, or wall time of the Schedule's own zone. */
function exceptionOf(
  reading: Reading,
  value: Json,
  path: string,
  zone: Zone,
  zoneStated: boolean,
): Schedule['except'][number] | undefined {
  const moment = momentFrom(reading, value, 'exceptDate', path);
  if (moment === 'far' || moment === 'invalid') return undefined;
  if (moment.kind === 'date') return { date: moment.date };
  if (moment.kind === 'instant') return { instant: moment.instant };
  noteOnce(reading, 'except-date-without-zone', path, { value: shown(value) });
  const instant = toInstant(zone, moment.wall);
  return zoneStated ? { instant } : { instant, wall: moment.wall };
}

/** Reads the templates for `@id` and address of each occurrence. */
function addTemplates(reading: Reading, from: JsonObject, path: string, schedule: Schedule): void {
  const id = templateOf(reading, from, 'idTemplate', path);
  if (id !== undefined) schedule.idTemplate = id;
  else if (!isEmpty(from.idTemplate)) schedule.templateUnusable = true;
  const url = templateOf(reading, from, 'urlTemplate', path);
  if (url !== undefined) schedule.urlTemplate = url;
}
