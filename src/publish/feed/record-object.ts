import { scheduleJson } from '../../calendar/source-properties.ts';
import { durationValue } from '../../ical/values.ts';
import { identOf, isActive, keyOf } from '../../opportunity/identity.ts';
import type { Json, JsonObject } from '../../opportunity/item/json.ts';
import { geoJson, postalAddress } from '../../opportunity/place/place-json.ts';
import { type ByKind, type Details, type Organization, type PlaceSummary, ROWS } from '../../opportunity/properties.ts';
import {
  defined,
  type Facility,
  type Place,
  type Schedule,
  type Series,
  type Session,
  type Slot,
  type TimedSession,
} from '../../opportunity/records.ts';
import { ATTENDANCE_MODES } from '../../opportunity/whereabouts.ts';
import { isTimed } from '../../recurrence/overlay.ts';
import { DAY_MS } from '../../time/days.ts';
import { utcDate, utcText } from '../../time/instant.ts';
import {
  ageRangeJson,
  daysBetween,
  hoursJson,
  offerJson,
  schema,
  spanJson,
  timesJson,
  withContext,
} from '../map/json.ts';

/**
 * Records as the objects of feeds, the inverse of the reader. Every value has one spelling, whatever the feed that it came
 * from had: `@type` and `@id`, addresses of https://schema.org/ and https://openactive.io/, instants in UTC, lists where the
 * model has lists. Pure.
 */

/** The origin of a record, whose licence demands the credit. */
export interface Provenance {
  /** Address of the feed, without keys. */
  feed: string;
  publisher?: string | undefined;
  license?: string | undefined;
}

/** Activities and other concepts by label: records have the labels, the model the addresses. */
export type Concepts = ReadonlyMap<string, JsonObject>;

export interface ObjectContext {
  provenance: Provenance;
  concepts: Concepts;
}

export function seriesObject(series: Series, sessions: readonly Session[], context: ObjectContext): JsonObject {
  const { id, type, url, status, details, schedules } = series;
  const own = sessions.find((session) => session.id === id);
  // A session without an `@id` in both the feed of sessions and its series would be read as two.
  const parts = sessions.filter((session) => session !== own && (session.idStated || type !== 'SessionSeries'));
  return {
    ...head(type, id, context, details, ...parts.map((part) => part.details)),
    ...(url !== undefined && { url }),
    ...detailsJson(details, context.concepts),
    ...(status !== 'EventScheduled' && { eventStatus: schema(status) }),
    ...(schedules.length > 0 && { eventSchedule: schedules.map(publishedSchedule) }),
    ...(type === 'CourseInstance' && own === undefined && boundsOf(series, parts)),
    ...(parts.length > 0 && { subEvent: parts.map((part) => partJson(series, part, context)) }),
    ...(own !== undefined && sessionTimes(own)),
  };
}

/** A part of an event. Sessions of a SessionSeries have a feed of their own; parts of other series stand here alone, in full. */
function partJson({ type, id }: Series, session: Session, { concepts }: ObjectContext): JsonObject {
  if (type === 'SessionSeries') return sessionJson(session, 'ScheduledSession');
  const standIn = session.idStated ? undefined : partOf(id, session.id);
  return {
    ...(standIn !== undefined && { identifier: standIn }),
    ...detailsJson(session.details, concepts),
    ...sessionJson(session, 'Event'),
  };
}

/** The `identifier` of a part without an `@id`, from which a reader makes the same stand-in id again. */
function partOf(series: string, id: string): string | undefined {
  const within = `${series}#/subEvent/`;
  return id.startsWith(within) ? decodeURIComponent(id.slice(within.length)) : undefined;
}

/**
 * The first and last date of a CourseInstance. A HeadlineEvent gets none: they would be an event of its own (semantics 4.9),
 * and the start of each part without one.
 */
function boundsOf({ schedules }: Series, sessions: readonly Session[]): JsonObject {
  if (!sessions.every(isTimed)) return {};
  const firsts = [
    ...schedules.map(({ startDate }) => startDate),
    ...sessions.map(({ start }) => utcDate(start)),
  ].filter((day) => day !== undefined);
  const last = ({ start, end = start, allDay }: TimedSession) => utcDate(allDay ? end - DAY_MS : end);
  const lasts = [...schedules.map(({ endDate }) => endDate), ...sessions.map(last)].filter((day) => day !== undefined);
  const [startDate, endDate] = [firsts.sort()[0], lasts.sort().at(-1)];
  if (startDate === undefined || endDate === undefined) return defined({ startDate, endDate });
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
  return { startDate, endDate, duration: `P${days}D` };
}

export function sessionObject(session: Session, context: ObjectContext): JsonObject {
  const { details, series } = session;
  const type = sessionType(session);
  return {
    ...head(type, session.idStated ? session.id : undefined, context, session.details),
    ...detailsJson(details, context.concepts),
    ...sessionJson(session, type),
    ...(series !== undefined && { superEvent: publishedId(series) }),
  };
}

/** The type of a session in feeds, whatever its type was. */
export function sessionType({ type }: Session): 'Event' | 'ScheduledSession' {
  return type === 'Event' ? type : 'ScheduledSession';
}

/** A session as an object. Without an `@id` it gets none, so that it replaces the instance at its start (semantics 4.8). */
function sessionJson(session: Session, type: string): JsonObject {
  const { id, idStated, url } = session;
  return {
    '@type': type,
    ...(idStated && { '@id': publishedId(id) }),
    ...(url !== undefined && { url }),
    ...sessionTimes(session),
  };
}

/** The times and status of a session; a status that is not stated is inherited. */
function sessionTimes(session: Session): JsonObject {
  const { previousStart, status, statusStated, remainingAttendeeCapacity: left } = session;
  return {
    ...sessionSpan(session),
    ...(previousStart !== undefined && { previousStartDate: utcText(previousStart) }),
    ...(statusStated !== false && { eventStatus: schema(status) }),
    ...(left !== undefined && { remainingAttendeeCapacity: left }),
  };
}

function sessionSpan({ start, end, allDay, length }: Session): JsonObject {
  const days = allDay && start !== undefined ? daysBetween(start, end) : undefined;
  if (start !== undefined) return timesJson({ start, end: end ?? start, ...(days && { days }) });
  return {
    ...(end !== undefined && { endDate: utcText(end) }),
    ...(length !== undefined && { duration: durationValue(length) }),
  };
}

/** A facility with the records on which it depends. */
interface FacilityParts {
  facility: Facility;
  /** The place of the facility, with the hours of the place. */
  place: Place | undefined;
  /** The FacilityUse of which it is a court or lane, if that is known. */
  aggregate: Facility | undefined;
}

export function facilityObject({ facility, place, aggregate }: FacilityParts, context: ObjectContext): JsonObject {
  return {
    ...head(facility.type, facility.id, context, facility.details),
    ...facilityJson(facility, place, context),
    ...(aggregate !== undefined && {
      aggregateFacilityUse: {
        '@type': aggregate.type,
        '@id': publishedId(aggregate.id),
        ...facilityJson(aggregate, place, context),
      },
    }),
  };
}

function facilityJson(facility: Facility, place: Place | undefined, context: ObjectContext): JsonObject {
  const { url, details, hours } = facility;
  const { organizer, activity, ...shared } = detailsJson(details, context.concepts);
  return {
    ...(url !== undefined && { url }),
    ...shared,
    ...(organizer !== undefined && { provider: organizer }),
    ...(activity !== undefined && { facilityType: activity }),
    ...(place !== undefined && { location: placeJson(place) }),
    ...(hours.length > 0 && { hoursAvailable: hours.map(hoursJson) }),
  };
}

export function placeObject(place: Place, context: ObjectContext): JsonObject {
  return { ...head('Place', place.id, context), ...placeJson(place) };
}

export function slotObject(slot: Slot, context: ObjectContext): JsonObject {
  const { id, facility, start, end, remainingUses, maximumUses, offers } = slot;
  return {
    ...head('Slot', id, context),
    ...(facility !== undefined && { facilityUse: publishedId(facility) }),
    ...spanJson(start, end),
    remainingUses,
    ...defined({ maximumUses, offers: offers?.map((offer) => offerJson(offer)) }),
  };
}

const BETA = ROWS.filter(({ from: [name] }) => name.startsWith('beta:')).map(({ name }) => name);

/**
 * The first properties of an object. Its origin stands in `identifier`, the one property of every type in which the model lets
 * publishers state facts that it has no words for.
 */
function head(
  type: string,
  id: string | undefined,
  { provenance: { feed, publisher, license } }: ObjectContext,
  ...details: readonly Details[]
): JsonObject {
  const isBeta = details.some((own) => BETA.some((name) => own[name] !== undefined));
  const identifier = [
    stated('isBasedOn', feed),
    ...(publisher === undefined ? [] : [stated('publisher', publisher)]),
    ...(license === undefined || isActive(license) ? [] : [stated('license', license)]),
  ];
  return withContext({ '@type': type, ...defined({ '@id': id && publishedId(id) }), identifier }, isBeta);
}

/** The published `@id` of a record. An active one (`isActive`) is replaced by a name of this program. */
function publishedId(id: string): string {
  return isActive(id) ? `urn:openactive-ical:${keyOf('id', identOf(id))}` : id;
}

/** A Schedule without a template whose ids would be active. */
function publishedSchedule(schedule: Schedule): JsonObject {
  const { idTemplate, ...rest } = schedule;
  return scheduleJson(idTemplate === undefined || !isActive(idTemplate) ? schedule : rest);
}

function stated(property: string, value: string): JsonObject {
  return { '@type': 'PropertyValue', propertyID: schema(property), name: property, value };
}

/** Writers of values by kind; values of other kinds are JSON already. */
const WRITERS: Partial<ByKind<[Concepts], Json>> = {
  url: (url) => [{ '@type': 'ImageObject', url }],
  concepts: (labels, concepts) => labels.map((label) => conceptJson(label, concepts)),
  activities: (labels, concepts) => labels.map((label) => conceptJson(label, concepts)),
  people: (names) => names.map((name) => ({ '@type': 'Person', name })),
  organization: organizationJson,
  brand: (brand) => ({ '@type': 'Brand', ...brand }),
  ages: ageRangeJson,
  gender: (gender) => `https://openactive.io/${gender}`,
  attendance: (mode) => ATTENDANCE_MODES[mode],
  place: placeSummaryJson,
  room: (name) => [{ '@type': 'SportsActivityLocation', name }],
  virtual: (virtual) => ({ '@type': 'VirtualLocation', ...virtual }),
  offers: (offers) => offers.map((offer) => offerJson(offer)),
};

/** The details as JSON, each under the first name of its row. */
function detailsJson(details: Details, concepts: Concepts): JsonObject {
  const json: JsonObject = {};
  for (const { name, kind, from } of ROWS) {
    const value = details[name];
    const write = WRITERS[kind] as ((value: unknown, concepts: Concepts) => Json) | undefined;
    if (value !== undefined) json[from[0]] = write === undefined ? (value as Json) : write(value, concepts);
  }
  return json;
}

function conceptJson(label: string, concepts: Concepts): JsonObject {
  return concepts.get(label) ?? { '@type': 'Concept', prefLabel: label };
}

function organizationJson({ id, ...rest }: Organization): JsonObject {
  return { '@type': 'Organization', ...defined({ '@id': id && publishedId(id), ...rest }) };
}

/** A place summary as JSON, without `zone`, which comes from the country and is not in the model. */
function placeSummaryJson({ id, latitude, longitude, zone: _, ...rest }: PlaceSummary): JsonObject {
  return { '@type': 'Place', ...defined({ '@id': id && publishedId(id), ...rest }), ...geoJson(latitude, longitude) };
}

function placeJson(place: Place): JsonObject {
  const { id, name, description, url, telephone, email, address } = place;
  const parts = postalAddress(place);
  const whole = Object.keys(parts).length > 0 ? { '@type': 'PostalAddress', ...parts } : address;
  return {
    '@type': 'Place',
    ...defined({ '@id': publishedId(id), name, description, url, telephone, email, address: whole }),
    ...geoJson(place.latitude, place.longitude),
    ...(place.hours.length > 0 && { openingHoursSpecification: place.hours.map(hoursJson) }),
    ...(place.specialHours.length > 0 && { specialOpeningHoursSpecification: place.specialHours.map(hoursJson) }),
  };
}
