import type { Json, JsonObject } from '../opportunity/item/json.ts';
import type { Instant } from '../time/instant.ts';
import { type Zone, zone } from '../time/zone.ts';
import { findingOf, type PublishFinding } from './codes.ts';
import type { CalendarCount, CalendarText, Previous, Published, PublishedObject, PublishResult } from './contract.ts';
import { MAX_FINDINGS, MAX_PUBLISHED } from './limits.ts';
import { type Cancelled, cancelledTimes } from './map/choice/cancellations.ts';
import { chosen } from './map/choice/choice.ts';
import { publicWording } from './map/choice/personal.ts';
import { unknownConcepts } from './map/concepts.ts';
import { type EventGroup, groupsOf } from './map/dates/groups.ts';
import type { Tell } from './map/dates/instances.ts';
import { ANY_NAME, isAddress, type Mapped, mappedFor } from './map/describe.ts';
import { facilitiesOf } from './map/facilities.ts';
import type { Mapping } from './map/mapping.ts';
import { missingValues } from './map/missing.ts';
import { restoreSeries } from './map/restore.ts';
import { type PublishedSeries, publishGroup } from './map/series.ts';
import { readCalendar } from './read/calendar.ts';
import type { CalendarEvent, CalendarModel } from './read/model.ts';

/**
 * Calendars as the objects of the three feeds. Pure: the same input gives the same objects in the same order. `now` only
 * bounds how far rules that a Schedule cannot say are written out, and which years of opening hours are read.
 */
export function publishCalendars(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  previous: Previous,
  now: Instant,
): PublishResult {
  const publisher = new Publisher(mapping, previous, now);
  for (const input of inputs) publisher.add(input);
  return publisher.finish();
}

class Publisher {
  readonly #mapping: Mapping;
  readonly #before: ReadonlyMap<string, JsonObject>;
  readonly #now: Instant;
  readonly #findings: PublishFinding[] = [];
  readonly #calendars: CalendarCount[] = [];
  readonly #series = new Map<string, PublishedObject>();
  readonly #sessions = new Map<string, PublishedObject>();
  readonly #facilities = new Map<string, PublishedObject>();
  #left = 0;

  constructor(mapping: Mapping, previous: Previous, now: Instant) {
    this.#mapping = mapping;
    this.#now = now;
    this.#before = new Map(previous.map((data) => [jsonText(data['@id']), data]));
  }

  add(input: CalendarText): void {
    const mapped = mappedFor(this.#mapping, input.source);
    const floating = zone(mapped.calendar?.zone ?? this.#mapping.zone) as Zone;
    const { calendar: model, findings } = readCalendar(input, floating);
    this.#findings.push(...findings);
    const tell = this.#teller(model.source);
    const { sessions, opening, cancellations } = chosen(groupsOf(model.events, tell), model, mapped, tell);
    const cancelled = cancelledTimes(cancellations, model, this.#now, tell);
    const open = (event: CalendarEvent) => (model.ours ? event : publicEvent(event, mapped, tell(event.uid)));
    this.#addSeries(
      model,
      sessions.map((group) => ofGroup(group, open)),
      cancelled,
      mapped,
      tell,
    );
    for (const { uid, line, used } of cancelled) if (!used) tell(uid)('cancellation-without-sessions', `line ${line}`);
    if (model.attended > 0) tell('')('attendees-left-out', '', { count: model.attended });
    for (const one of facilitiesOf(model, opening.map(open), { mapped, now: this.#now, tell }))
      this.#facilities.set(one.id, one);
    this.#calendars.push(countOf(model));
  }

  #teller(source: string): (uid: string) => Tell {
    let noted = 0;
    return (uid) => (code, place, facts) => {
      if (++noted <= MAX_FINDINGS) this.#findings.push(findingOf(code, source, uid, place, facts));
    };
  }

  #addSeries(
    model: CalendarModel,
    groups: readonly EventGroup[],
    cancelled: readonly Cancelled[],
    mapped: Mapped,
    teller: (uid: string) => Tell,
  ): void {
    const before = (id: string) => this.#before.get(id);
    const context = (uid: string) => ({ mapped, now: this.#now, tell: teller(uid), before, cancelled });
    const quiet = { ...context(''), tell: () => {} };
    const { restored, rest, outdated } = restoreSeries(model, groups, quiet, (group) => publishGroup(group, quiet));
    for (const one of restored) this.#keep(one, '', teller(''));
    for (const id of outdated) teller(id)('mark-outdated', 'X-OPENACTIVE-SERIES');
    for (const group of rest) {
      const event = group.master ?? group.overrides[0];
      const made = publishGroup(group, context(group.uid));
      if (event === undefined || made === undefined) continue;
      const place = `line ${event.line}`;
      tellOddities(event, made, place, teller(group.uid));
      this.#keep(made, place, teller(group.uid));
    }
  }

  #keep({ series, sessions }: PublishedSeries, place: string, tell: Tell): void {
    if (this.#series.has(series.id)) {
      tell('uid-twice', place, { kept: 'the one of the calendar named first was published' });
      return;
    }
    this.#series.set(series.id, series);
    for (const session of sessions) {
      if (this.#sessions.size < MAX_PUBLISHED) this.#sessions.set(session.id, session);
      else this.#left++;
    }
  }

  finish(): PublishResult {
    const published: Published = {
      'session-series': sorted(this.#series),
      'scheduled-sessions': sorted(this.#sessions),
      'facility-uses': sorted(this.#facilities),
    };
    const findings = [...this.#findings, ...missingValues(published, this.#mapping), ...unknownConcepts(this.#mapping)];
    if (this.#left > 0)
      findings.push(findingOf('too-many-sessions', 'mapping', '', '', { most: MAX_PUBLISHED, left: this.#left }));
    return { published, findings, calendars: this.#calendars };
  }
}

function ofGroup({ uid, master, overrides }: EventGroup, change: (event: CalendarEvent) => CalendarEvent): EventGroup {
  return { uid, ...(master && { master: change(master) }), overrides: overrides.map(change) };
}

/** An event without what is not for everybody. */
function publicEvent(event: CalendarEvent, mapped: Mapped, tell: Tell): CalendarEvent {
  const { wording, left } = publicWording(event.wording, mapped);
  for (const { property, detail } of left)
    tell('personal-left-out', `line ${event.line} ${property}`, { what: DETAIL_WORDS[detail], property, detail });
  return { ...event, wording };
}

const DETAIL_WORDS = {
  phones: 'Telephone numbers',
  emails: 'E-mail addresses',
  conferences: 'Links and passcodes of online meetings',
  organizers: 'Names of persons',
};

function tellOddities({ wording }: CalendarEvent, { series }: PublishedSeries, place: string, tell: Tell): void {
  if (wording.status === 'TENTATIVE') tell('status-tentative', `${place} STATUS`);
  if (isAddress(wording.location ?? '')) tell('location-is-address', `${place} LOCATION`);
  if (wording.summary === undefined)
    tell('event-without-name', place, { used: jsonText(series.data.name ?? ANY_NAME) });
}

function countOf({ source, events, availabilities, skipped }: CalendarModel): CalendarCount {
  const overrides = events.filter(({ recurrenceId }) => recurrenceId !== undefined).length;
  return { source, events: events.length - overrides, overrides, availabilities: availabilities.length, skipped };
}

function sorted(objects: ReadonlyMap<string, PublishedObject>): PublishedObject[] {
  return [...objects.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function jsonText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
