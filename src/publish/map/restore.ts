import { planSeries } from '../../calendar/series/plan.ts';
import { scheduleJson } from '../../calendar/source-properties.ts';
import { readInput } from '../../join/input.ts';
import { join } from '../../join/join.ts';
import { keyOf } from '../../opportunity/identity.ts';
import { isObject, type Json, type JsonObject } from '../../opportunity/item/json.ts';
import type { Series, Session } from '../../opportunity/records.ts';
import { occurrences } from '../../recurrence/overlay.ts';
import { DAY_MS } from '../../time/days.ts';
import { type Instant, utcText } from '../../time/instant.ts';
import type { PublishedObject } from '../contract.ts';
import { AHEAD_MS } from '../limits.ts';
import type { CalendarEvent, CalendarModel, Wording } from '../read/model.ts';
import type { EventGroup } from './dates/groups.ts';
import { slotOf } from './dates/instances.ts';
import { describe, placeOf } from './describe.ts';
import { statusJson, timesJson } from './json.ts';
import type { Mapped } from './mapped.ts';
import type { PublishedSeries, SeriesContext } from './series.ts';

/**
 * Restores series of this program's own calendars, with their `@id`s and each Schedule whole, though the calendar had to
 * divide it (calendar/source-properties.ts). A source property counts only where it gives exactly the occurrences that the
 * calendar shows, because the calendar may have been edited.
 */
export function restoreSeries(
  model: CalendarModel,
  groups: readonly EventGroup[],
  context: SeriesContext,
  publish: (group: EventGroup) => PublishedSeries | undefined,
): { restored: PublishedSeries[]; rest: EventGroup[]; outdated: string[] } {
  const restored: PublishedSeries[] = [];
  const outdated: string[] = [];
  const rest = Map.groupBy(groups, ({ uid }) => uid);
  const sourced = model.series.length === 0 ? NO_EVENTS : eventsByKey(groups);
  for (const text of model.series) {
    const series = sourcedSeries(text, sourced, model);
    if (series === undefined) continue;
    const own = series.uids.flatMap((uid) => rest.get(uid) ?? []);
    if (own.length === 0 && series.uids.length > 0) continue;
    const made = madeOf(series, own, context);
    const plain = own.flatMap((group) => publish(group) ?? []);
    if (restoresTo(plain, made, context.now, model.zone.id)) {
      restored.push(made);
      for (const uid of series.uids) rest.delete(uid);
    } else outdated.push(series.id);
  }
  return { restored, rest: [...rest.values()].flat(), outdated };
}

type EventsByKey = ReadonlyMap<string, readonly CalendarEvent[]>;

const NO_EVENTS: EventsByKey = new Map();

/** Explicit sessions by the key of their series. */
function eventsByKey(groups: readonly EventGroup[]): EventsByKey {
  const events = groups.flatMap(({ master, overrides }) => (master ? [master, ...overrides] : overrides));
  const ours = events.filter(({ source }) => source !== undefined);
  return Map.groupBy(ours, ({ source }) => source?.series ?? '');
}

interface Sourced {
  /** The series of the source property, as the reader gives it; other content of the property is not published. */
  series: Series;
  id: string;
  key: string;
  /** Events of the calendar that name this series in their source property, with the object of each. */
  events: readonly CalendarEvent[];
  sessions: PublishedObject[];
  /** UIDs that the planner gives the events of this series. */
  uids: string[];
}

function sourcedSeries(text: string, sourced: EventsByKey, model: CalendarModel): Sourced | undefined {
  const source = parsed(text);
  const id = source?.['@id'];
  if (source?.['@type'] !== 'SessionSeries' || typeof id !== 'string' || !URL.canParse(id)) return undefined;
  const key = keyOf('series', id);
  const name = typeof source.name === 'string' ? source.name : undefined;
  const own = sourced.get(key) ?? [];
  const sessions = own.map((event) => sessionOf(event, key, id, name));
  const series = { kind: 'SessionSeries', id: key, data: source };
  const [read] = recordsOf([{ series, sessions }], model.zone.id);
  if (read === undefined) return undefined;
  const { events } = planSeries(read.series, read.sessions, { zone: model.zone.id });
  // A session without an `@id` has one UID here and another in the calendar.
  const uids = [...new Set([...events, ...own].map(({ uid }) => uid))];
  return { series: read.series, id, key, events: own, sessions, uids };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function madeOf(
  { series, id, key, events, sessions }: Sourced,
  own: readonly EventGroup[],
  { mapped }: SeriesContext,
): PublishedSeries {
  const { details, url, status, schedules } = series;
  const summary = details.name === undefined ? {} : { summary: details.name };
  const wording = wordingOf(own);
  const data: JsonObject = {
    '@context': 'https://openactive.io/',
    '@type': 'SessionSeries',
    '@id': id,
    identifier: key,
    ...describe({ ...wording, ...summary }, mapped, id),
    ...(url !== undefined && { url }),
    ...(status !== 'EventScheduled' && { eventStatus: `https://schema.org/${status}` }),
    // The model requires Schedules or sub-events, and the sessions are in a feed of their own.
    eventSchedule: schedules.length > 0 ? schedules.map(scheduleJson) : [{ '@type': 'PartialSchedule' }],
  };
  const complete = events.map((event, index) => completed(sessions[index] as PublishedObject, event, wording, mapped));
  return { series: { kind: 'SessionSeries', id: key, data }, sessions: complete };
}

/** The wording of an event with a rule, which describes the series, else of any session. */
function wordingOf(own: readonly EventGroup[]): Wording {
  const master = own.find((group) => (group.master?.rules.length ?? 0) > 0)?.master;
  return (master ?? own[0]?.master)?.wording ?? { categories: [], status: 'CONFIRMED' };
}

/** A session with its place, where that differs from the usual one of its series. */
function completed(session: PublishedObject, event: CalendarEvent, usual: Wording, mapped: Mapped): PublishedObject {
  const { location, geo } = event.wording;
  const place = location === undefined && geo === undefined ? undefined : placeOf(event.wording, mapped);
  if (JSON.stringify(place) === JSON.stringify(placeOf(usual, mapped))) return session;
  return { ...session, data: { ...session.data, ...(place && { location: place }) } };
}

function sessionOf(event: CalendarEvent, key: string, series: string, name: string | undefined): PublishedObject {
  const id = event.source?.id || `${event.uid} ${event.recurrenceId?.instant ?? ''}`;
  const data = sessionJson(event, series, name);
  return { kind: 'ScheduledSession', id: `${key}/${keyOf('session', id)}`, data };
}

function sessionJson(event: CalendarEvent, series: string, name: string | undefined): JsonObject {
  const { summary, status, url } = event.wording;
  const { id = '', previousStart, rescheduled } = event.source ?? {};
  return {
    '@context': 'https://openactive.io/',
    '@type': 'ScheduledSession',
    ...(id !== '' && { '@id': id }),
    superEvent: series,
    ...timesJson(slotOf(event.start, event.length)),
    ...(previousStart !== undefined && { previousStartDate: utcText(previousStart) }),
    eventStatus: statusJson(rescheduled && status === 'CONFIRMED' ? 'RESCHEDULED' : status),
    ...(summary !== undefined && summary !== name && { name: summary }),
    ...(url !== undefined && { url }),
  };
}

function recordsOf(made: readonly PublishedSeries[], zone: string): { series: Series; sessions: Session[] }[] {
  const objects = made.flatMap(({ series, sessions }) => [series.data, ...sessions.map(({ data }) => data)]);
  return join(readInput(JSON.stringify(objects), { zone, feed: '' }).records).series;
}

/** Sessions before this age may be missing: calendars leave out sessions that were cancelled long ago. */
const PAST_MS = 29 * DAY_MS;

function restoresTo(plain: readonly PublishedSeries[], made: PublishedSeries, now: Instant, zone: string): boolean {
  const rows = (list: readonly PublishedSeries[]): string =>
    recordsOf(list, zone)
      .flatMap(({ series, sessions }) => occurrences(series, sessions, now - PAST_MS, now + AHEAD_MS))
      .map(({ start, end, status }) => `${start} ${end} ${status === 'EventRescheduled' ? 'EventScheduled' : status}`)
      .sort()
      .join('\n');
  return rows(plain) === rows([made]);
}
