import { planSeries } from '../../calendar/series.ts';
import { keyOf } from '../../opportunity/identity.ts';
import { readInput } from '../../opportunity/input.ts';
import { join } from '../../opportunity/join.ts';
import { isObject, type Json, type JsonObject } from '../../opportunity/json.ts';
import type { Instant, Series, Session } from '../../opportunity/records.ts';
import { DAY_MS } from '../../recurrence/days.ts';
import { occurrences } from '../../recurrence/overlay.ts';
import { AHEAD_MS } from '../limits.ts';
import type { CalendarEvent, CalendarModel, Wording } from '../read/model.ts';
import { describe } from './describe.ts';
import type { EventGroup } from './groups.ts';
import { endOf } from './instances.ts';
import { spanJson, statusJson } from './json.ts';
import type { PublishedSeries, SeriesContext } from './series.ts';

/**
 * Series of our own calendars come back as they were: with their `@id`s, and each Schedule as one, though the calendar had to
 * divide it (calendar/marks.ts). A mark is only believed where it stands for the very occurrences that the calendar shows:
 * somebody may have edited it since.
 */
export function restoreSeries(
  model: CalendarModel,
  groups: readonly EventGroup[],
  context: SeriesContext,
  publish: (group: EventGroup) => PublishedSeries | undefined,
): { restored: PublishedSeries[]; rest: EventGroup[]; outdated: string[] } {
  const restored: PublishedSeries[] = [];
  const outdated: string[] = [];
  let rest = [...groups];
  for (const text of model.series) {
    const marked = markedSeries(text, rest, model, context);
    if (marked === undefined) continue;
    const own = rest.filter(({ uid }) => marked.uids.has(uid));
    const plain = own.flatMap((group) => publish(group) ?? []);
    if (own.length === 0 && marked.uids.size > 0) continue;
    if (!isSame(plain, marked.made, context.now, model.zone.id)) outdated.push(marked.made.series.id);
    else {
      restored.push(marked.made);
      rest = rest.filter(({ uid }) => !marked.uids.has(uid));
    }
  }
  return { restored, rest, outdated };
}

interface Marked {
  made: PublishedSeries;
  /** UIDs that our own planner gives the events of this series. */
  uids: ReadonlySet<string>;
}

function markedSeries(
  text: string,
  groups: readonly EventGroup[],
  model: CalendarModel,
  context: SeriesContext,
): Marked | undefined {
  const mark = parsed(text);
  const id = mark?.['@id'];
  if (mark === undefined || mark['@type'] !== 'SessionSeries' || typeof id !== 'string' || !URL.canParse(id))
    return undefined;
  const key = keyOf('series', id);
  const sessions = groups.flatMap(({ master, overrides }) => [...(master ? [master] : []), ...overrides]);
  const own = sessions.filter((event) => event.mark?.series === key);
  const made = madeOf(mark, id, key, own, groups, context);
  const read = recordsOf([made], model.zone.id)[0];
  if (read === undefined) return undefined;
  const { events } = planSeries(read.series, read.sessions, { zone: model.zone.id });
  return { made, uids: new Set(events.map(({ uid }) => uid)) };
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
  mark: JsonObject,
  id: string,
  key: string,
  own: readonly CalendarEvent[],
  groups: readonly EventGroup[],
  { mapped }: SeriesContext,
): PublishedSeries {
  const name = typeof mark.name === 'string' ? mark.name : undefined;
  const wording = wordingOf(own, groups);
  const described = describe({ ...wording, ...(name !== undefined && { summary: name }) }, mapped, id);
  const hasDates = Array.isArray(mark.eventSchedule) && mark.eventSchedule.length > 0;
  const sessions = own.map((event) => ({
    kind: 'ScheduledSession',
    id: `${key}/${keyOf('session', markId(event))}`,
    data: sessionJson(event, id, name),
  }));
  const data: JsonObject = {
    '@context': 'https://openactive.io/',
    ...described,
    ...mark,
    identifier: key,
    // The model wants one or the other.
    ...(!hasDates && { eventSchedule: [{ '@type': 'PartialSchedule' }] }),
  };
  return { series: { kind: 'SessionSeries', id: key, data }, sessions };
}

/** Of a master, for that says what the series does; else of any session. */
function wordingOf(own: readonly CalendarEvent[], groups: readonly EventGroup[]): Wording {
  const master = groups.find(({ master: one }) => one !== undefined && one.rules.length > 0)?.master;
  return (master ?? own[0] ?? groups[0]?.master)?.wording ?? { categories: [], status: 'CONFIRMED' };
}

function markId({ mark }: CalendarEvent): string {
  return mark?.id ?? '';
}

function sessionJson(event: CalendarEvent, series: string, name: string | undefined): JsonObject {
  const { summary, status, url } = event.wording;
  return {
    '@context': 'https://openactive.io/',
    '@type': 'ScheduledSession',
    '@id': markId(event),
    superEvent: series,
    ...spanJson(event.start.instant, endOf(event.start, event.length)),
    eventStatus: statusJson(status),
    ...(summary !== undefined && summary !== name && { name: summary }),
    ...(url !== undefined && { url }),
  };
}

function recordsOf(made: readonly PublishedSeries[], zone: string): { series: Series; sessions: Session[] }[] {
  const objects = made.flatMap(({ series, sessions }) => [series.data, ...sessions.map(({ data }) => data)]);
  return join(readInput(JSON.stringify(objects), { zone, feed: '' }).records).series;
}

/** What a calendar left out when it was made (sessions cancelled long ago) is past. */
const PAST_MS = 29 * DAY_MS;

function isSame(plain: readonly PublishedSeries[], made: PublishedSeries, now: Instant, zone: string): boolean {
  const rows = (list: readonly PublishedSeries[]): string =>
    recordsOf(list, zone)
      .flatMap(({ series, sessions }) => occurrences(series, sessions, now - PAST_MS, now + AHEAD_MS))
      .map(({ start, end, status }) => `${start} ${end} ${status === 'EventRescheduled' ? 'EventScheduled' : status}`)
      .sort()
      .join('\n');
  return rows(plain) === rows([made]);
}
