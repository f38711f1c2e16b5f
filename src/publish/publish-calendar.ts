import { isObject, type JsonObject, jsonText } from '../opportunity/item/json.ts';
import type { Instant } from '../time/instant.ts';
import { type Zone, zone } from '../time/zone.ts';
import { findingOf, type PublishFinding } from './codes.ts';
import type { CalendarCount, CalendarText, Previous, PublishedObject } from './contract.ts';
import type { FindingList } from './finding-list.ts';
import { MAX_OF_CALENDAR } from './limits.ts';
import { cancelledTimes } from './map/choice/cancellations.ts';
import { type Chosen, chosen } from './map/choice/choice.ts';
import { publicWording } from './map/choice/personal.ts';
import { type EventGroup, groupsOf } from './map/dates/groups.ts';
import type { Report } from './map/dates/instances.ts';
import { keyOf } from './map/describe.ts';
import { facilitiesOf } from './map/facilities.ts';
import { ANY_NAME } from './map/json.ts';
import { type Mapped, mappedFor } from './map/mapped.ts';
import { restoreSeries } from './map/restore.ts';
import type { Mapping } from './map/schema.ts';
import { type PublishedSeries, publishGroup, type SeriesContext } from './map/series.ts';
import { readCalendar } from './read/calendar.ts';
import type { CalendarEvent, CalendarModel } from './read/model.ts';
import { Share } from './share.ts';

/** One calendar as the objects of the three feeds. */
export interface CalendarOutcome {
  count: CalendarCount;
  series: PublishedSeries[];
  /** Ids of series that do not fit. */
  overLimit: string[];
  facilities: PublishedObject[];
  findings: PublishFinding[];
}

/** A calendar that was read, with the choice of events to publish. */
export interface CalendarReading {
  model: CalendarModel;
  mapped: Mapped;
  chosen: Chosen;
  findings: FindingList;
  report: (uid: string) => Report;
}

/** Reads a calendar and chooses its events. `keysOf` gives the ids of earlier objects that `publishReading` needs. */
export function readSource(input: CalendarText, mapping: Mapping): CalendarReading {
  const mapped = mappedFor(mapping, input.source);
  const floating = zone(mapped.calendar?.zone ?? mapping.zone) as Zone;
  const { calendar: model, findings } = readCalendar(input, floating);
  const report =
    (uid: string): Report =>
    (code, place, facts) =>
      findings.add(code, uid, place, facts);
  const open = (event: CalendarEvent) => (model.ours ? event : publicEvent(event, mapped, report(event.uid)));
  const { sessions, opening, cancellations } = chosen(groupsOf(model.events, report), model, mapped, report);
  const own = { sessions: sessions.map((group) => ofGroup(group, open)), opening: opening.map(open), cancellations };
  if (model.attended > 0) report('')('attendees-left-out', '', { count: model.attended });
  return { model, mapped, chosen: own, findings, report };
}

/** Ids of the series that a calendar may be published as. */
export function keysOf({ chosen: { sessions } }: CalendarReading): string[] {
  return sessions.flatMap(({ uid, apart }) => (apart === undefined ? keyOf(uid) : [keyOf(uid), apart]));
}

/**
 * The objects of a calendar. `previous`: the earlier series of `keysOf`, with their sessions. `apart`: keys of events whose
 * UID another event has. Pure.
 */
export function publishReading(
  reading: CalendarReading,
  previous: Previous,
  now: Instant,
  apart: ReadonlySet<string> = new Set(),
): CalendarOutcome {
  const { model, mapped, findings, report } = reading;
  const { sessions, opening, cancellations } = reading.chosen;
  const cancelled = cancelledTimes(cancellations, model, now, report);
  const share = seriesOf(model, sessions, { cancelled, mapped, now, report, apart, before: beforeOf(previous) });
  for (const { uid, line, used } of cancelled) if (!used) report(uid)('cancellation-without-sessions', `line ${line}`);
  const facilities = facilitiesOf(model, opening, { mapped, now, report });
  const { kept, left } = share.finish();
  const all = findings.all();
  if (left.length > 0) all.push(tooMany(model.source, left, MAX_OF_CALENDAR));
  const overLimit = left.map(({ id }) => id);
  const ids = {
    series: [...kept.map(({ series }) => series.id), ...overLimit],
    facilities: facilities.map(({ id }) => id),
  };
  return { count: { ...countOf(model), ids }, series: kept, overLimit, facilities, findings: all };
}

/** The finding about series that were left out. */
export function tooMany(source: string, left: readonly { size: number }[], most: number): PublishFinding {
  const sessions = left.reduce((sum, { size }) => sum + size - 1, 0);
  return findingOf('too-many-sessions', source, '', '', { events: left.length, left: sessions, most });
}

function beforeOf(previous: Previous): SeriesContext['before'] {
  const byId = new Map(previous.map((data) => [jsonText(data['@id']), data]));
  const bySeries = Map.groupBy(previous, (data) => jsonText(data.superEvent));
  return (id) => ({ series: byId.get(id), sessions: bySeries.get(id) ?? [] });
}

type SeriesWork = Omit<SeriesContext, 'report'> & Pick<CalendarReading, 'report'>;

function seriesOf(model: CalendarModel, groups: readonly EventGroup[], work: SeriesWork): Share<PublishedSeries> {
  const { report: reporter, ...rest } = work;
  const share = new Share<PublishedSeries>(MAX_OF_CALENDAR);
  const context = (uid: string) => ({ ...rest, report: reporter(uid) });
  const quiet = { ...context(''), report: () => {} };
  const {
    restored,
    rest: plain,
    outdated,
  } = restoreSeries(model, groups, quiet, (group) => publishGroup(group, quiet));
  for (const one of restored) addTo(share, one);
  for (const id of outdated) reporter(id)('mark-outdated', 'X-OPENACTIVE-SERIES');
  for (const group of plain) {
    const event = group.master ?? group.overrides[0];
    const made = publishGroup(group, context(group.uid));
    if (event === undefined || made === undefined) continue;
    reportOddities(event, made, `line ${event.line}`, reporter(group.uid));
    addTo(share, made);
  }
  return share;
}

function addTo(share: Share<PublishedSeries>, one: PublishedSeries): void {
  share.add({ id: one.series.id, size: 1 + one.sessions.length, last: one.sessions.at(-1)?.id.slice(-20) ?? '' }, one);
}

function ofGroup(group: EventGroup, change: (event: CalendarEvent) => CalendarEvent): EventGroup {
  const { master, overrides } = group;
  return { ...group, ...(master && { master: change(master) }), overrides: overrides.map(change) };
}

/** An event without personal details. */
function publicEvent(event: CalendarEvent, mapped: Mapped, report: Report): CalendarEvent {
  const { wording, left } = publicWording(event.wording, mapped);
  for (const { property, detail } of left)
    report('personal-left-out', `line ${event.line} ${property}`, { what: DETAIL_WORDS[detail], property, detail });
  return { ...event, wording };
}

const DETAIL_WORDS = {
  phones: 'Telephone numbers',
  emails: 'E-mail addresses',
  conferences: 'Links and passcodes of online meetings and chats',
  organizers: 'Names of persons',
};

function reportOddities(event: CalendarEvent, { series }: PublishedSeries, place: string, report: Report): void {
  const { wording, start, length } = event;
  if (!start.allDay && length.days + length.exact === 0)
    report(hasSchedule(series.data) ? 'rule-without-end' : 'event-without-end', `${place} DTSTART`);
  if (wording.status === 'TENTATIVE') report('status-tentative', `${place} STATUS`);
  if (wording.meeting?.property === 'LOCATION') report('location-is-address', `${place} LOCATION`);
  if (wording.summary === undefined)
    report('event-without-name', place, { used: jsonText(series.data.name) || ANY_NAME });
}

function hasSchedule({ eventSchedule }: JsonObject): boolean {
  return Array.isArray(eventSchedule) && eventSchedule.some((one) => isObject(one) && one['@type'] === 'Schedule');
}

function countOf({ source, events, availabilities, skipped }: CalendarModel): Omit<CalendarCount, 'ids'> {
  const overrides = events.filter(({ recurrenceId }) => recurrenceId !== undefined).length;
  return { source, events: events.length - overrides, overrides, availabilities: availabilities.length, skipped };
}
