import { scheduleJson } from '../../calendar/source-properties.ts';
import type { JsonObject } from '../../opportunity/item/json.ts';
import type { Schedule } from '../../opportunity/records.ts';
import { fillTemplate } from '../../recurrence/templates.ts';
import { DAY_MS, dateOfDay } from '../../time/days.ts';
import { type Instant, utcText } from '../../time/instant.ts';
import { dayAt, type Zone, zone } from '../../time/zone.ts';
import type { PublishedObject } from '../contract.ts';
import type { CalendarEvent, RuleParts, Wording } from '../read/model.ts';
import { type Cancelled, withCancelled } from './choice/cancellations.ts';
import { type EventGroup, eventWords } from './dates/groups.ts';
import { withKeptIds } from './dates/identity.ts';
import { datesOf, type Report } from './dates/instances.ts';
import { exceptOverlaps } from './dates/overlaps.ts';
import { applyOverrides, type Draft } from './dates/overrides.ts';
import { patternOf } from './dates/shapes.ts';
import { describe, keyOf, otherJson } from './describe.ts';
import { statusJson, timesJson, withContext } from './json.ts';
import type { Mapped } from './mapped.ts';

/** One SessionSeries, with its sessions that its Schedules do not give. */
export interface PublishedSeries {
  series: PublishedObject;
  sessions: PublishedObject[];
  /** Absent: its ids are not made of a UID. */
  claim?: Claim;
}

/** The facts that decide between different events of one UID. */
export interface Claim {
  uid: string;
  /** The event in words. */
  words: string;
  /** The key by UID alone, which one of them has. */
  plain: string;
  /** The key by UID, start and name, which all others have. */
  apart: string;
  /** How many of its properties equal those of the series that was published under the plain key. */
  alike: number;
}

/** The context of a series besides its events. */
export interface SeriesContext {
  mapped: Mapped;
  now: Instant;
  report: Report;
  /** Cancellations by other events of the calendar. */
  cancelled: readonly Cancelled[];
  /** Keys of events whose UID another event has. */
  apart: ReadonlySet<string>;
  /** The series of an `@id` that was published before, with its sessions. */
  before: (id: string) => { series: JsonObject | undefined; sessions: readonly JsonObject[] };
}

/** Turns a master and its overrides into objects of the feeds, the inverse of semantics 3 and 4. */
export function publishGroup(group: EventGroup, context: SeriesContext): PublishedSeries | undefined {
  const main = group.master ?? group.overrides[0];
  if (main === undefined) return undefined;
  const { mapped, report } = context;
  const idOf = (one: string) => `${mapped.base}session-series/${one}`;
  const key = keyOfGroup(group, context, idOf);
  const id = idOf(key);
  const template = `${mapped.base}scheduled-sessions/${key}/{startDate}`;
  if (main.start.allDay) report('whole-days', `line ${main.line} DTSTART`);
  const dates = datesOf(group.master, context.now, report);
  const saysOther = (own: Wording) =>
    own.status !== main.wording.status || Object.keys(otherJson(own, main.wording, mapped, id)).length > 0;
  const made = applyOverrides(group, dates, { now: context.now, report, saysOther });
  const off = withCancelled(made, dates, main.wording, context.cancelled);
  const before = context.before(id);
  const drafts = withKeptIds(off, dates, before.sessions, template, context.now);
  exceptOverlaps(dates, drafts, before.series, report);
  const urlTemplate = mapped.mapping.urlTemplate?.replaceAll('{uid}', encodeURIComponent(main.uid));
  const templates = { idTemplate: template, ...(urlTemplate !== undefined && { urlTemplate }) };
  const schedules = dates.schedules.map(({ schedule }, index) => scheduleJson({ ...schedule, index, ...templates }));
  const patterns = [...dates.written].map((rule) => partialJson(main, rule));
  if (drafts.length === 0 && schedules.length === 0) return undefined;
  const data = withContext({
    '@type': 'SessionSeries',
    '@id': id,
    identifier: key,
    ...describe(main.wording, mapped, id),
    ...(group.master !== undefined &&
      main.wording.status !== 'CONFIRMED' && { eventStatus: statusJson(main.wording.status) }),
    // The model requires a Schedule, and without a rule there is no pattern.
    eventSchedule: schedules.length + patterns.length > 0 ? [...schedules, ...patterns] : [NO_PATTERN],
  });
  const sessions = drafts.map((draft) =>
    sessionOf(draft, main.wording, { id, key, template, urlTemplate, mapped, zone: main.start.zone }),
  );
  const claim = group.apart && claimOf(main, group.apart, data, context.before(idOf(keyOf(group.uid))).series);
  return { series: { kind: 'SessionSeries', id: key, data }, sessions, ...(claim && { claim }) };
}

/** The key of a group. An event that was published under its own key keeps it, even once the other event of its UID is gone. */
function keyOfGroup({ uid, apart }: EventGroup, context: SeriesContext, idOf: (key: string) => string): string {
  const isApart = apart !== undefined && (context.apart.has(apart) || context.before(idOf(apart)).series !== undefined);
  return isApart ? apart : keyOf(uid);
}

function claimOf(event: CalendarEvent, apart: string, data: JsonObject, before: JsonObject | undefined): Claim {
  const { uid } = event;
  const isSame = (name: string) => JSON.stringify(data[name]) === JSON.stringify(before?.[name]);
  return { uid, words: eventWords(event), plain: keyOf(uid), apart, alike: Object.keys(data).filter(isSame).length };
}

const NO_PATTERN = { '@type': 'PartialSchedule' };

/** The PartialSchedule of a rule whose sessions are written one by one. */
function partialJson({ start, length }: CalendarEvent, rule: RuleParts): JsonObject {
  const { time, unit, every, ...parts } = patternOf(rule, start.wall);
  const duration = length.days * DAY_MS + length.exact;
  const isTimed = time !== undefined && !start.allDay;
  const schedule: Schedule = {
    partial: true,
    expandable: false,
    index: 0,
    startDate: dateOfDay(Math.floor(start.wall / DAY_MS)),
    frequency: { unit, every },
    ...parts,
    ...(isTimed && { startTime: time }),
    // Equal `startTime` and `endTime` would mean the next day, so an event without a length gets no `endTime`.
    ...(isTimed && duration > 0 && { endTime: (time + duration / 1000) % 86_400, duration }),
    except: [],
    zone: start.zone.id,
    zoneStated: true,
    eventType: 'ScheduledSession',
  };
  const json = scheduleJson(schedule);
  // The model takes no zone that only this calendar defines.
  if (zone(start.zone.id) !== start.zone) delete json.scheduleTimezone;
  return json;
}

interface SeriesIds {
  id: string;
  key: string;
  template: string;
  urlTemplate: string | undefined;
  mapped: Mapped;
  /** The zone of the days of events without times. */
  zone: Zone;
}

/** The original start of a session, in the form of its start. */
function earlierStart({ original, days }: Draft, z: Zone): string {
  return days === undefined ? utcText(original) : dateOfDay(dayAt(z, original));
}

/** A session with the properties that differ from its series; the rest is inherited (semantics 2). */
function sessionOf(draft: Draft, series: Wording, ids: SeriesIds): PublishedObject {
  const { original, start, end } = draft;
  const { mapped, urlTemplate } = ids;
  const own = draft.wording ?? series;
  const isMoved = start !== original;
  const status = own.status === 'CONFIRMED' && isMoved ? 'RESCHEDULED' : own.status;
  const id = fillTemplate(ids.template, original, end);
  const rpdeId = `${ids.key}/${utcText(original)}`;
  const generated = urlTemplate && fillTemplate(urlTemplate, original, end);
  const { url = generated, ...other } = draft.wording ? otherJson(own, series, mapped, id) : {};
  const data = withContext({
    '@type': 'ScheduledSession',
    // The `@id` has the original start, so that a moved session still replaces its instance.
    '@id': id,
    identifier: rpdeId,
    superEvent: ids.id,
    ...timesJson(draft),
    ...(status === 'RESCHEDULED' && { previousStartDate: earlierStart(draft, ids.zone) }),
    eventStatus: statusJson(status),
    ...other,
    ...(url !== undefined && { url }),
  });
  return { kind: 'ScheduledSession', id: rpdeId, data };
}
