import { durationValue } from '../../ical/values.ts';
import type { JsonObject } from '../../opportunity/json.ts';
import type {
  Details,
  Facility,
  Organization,
  Place,
  PlaceSummary,
  Series,
  Session,
  Slot,
  TimedSession,
} from '../../opportunity/records.ts';
import { isTimed } from '../../recurrence/overlay.ts';
import { utcText } from '../../recurrence/templates.ts';
import { daysBetween, hoursJson, scheduleJson, spanJson, timesJson } from '../map/json.ts';

/**
 * Records as the objects of feeds: the door the other way round. One spelling of everything, whatever the feed that it came
 * from had: `@type` and `@id`, addresses of https://schema.org/ and https://openactive.io/, instants in UTC, lists where the model has
 * lists. Pure.
 */

/** Where a record comes from: its licence asks that it is said. */
export interface Provenance {
  /** Address of the feed, without keys. */
  feed: string;
  publisher?: string | undefined;
  license?: string | undefined;
}

/** Activities and other concepts by their label: records keep the labels, lists go by the addresses. */
export type Concepts = ReadonlyMap<string, JsonObject>;

export interface ObjectContext {
  provenance: Provenance;
  concepts: Concepts;
}

export function seriesObject(series: Series, sessions: readonly Session[], context: ObjectContext): JsonObject {
  const { id, type, url, status, details, schedules } = series;
  const own = sessions.find((session) => session.id === id);
  const parts = sessions.filter((session) => session !== own);
  return {
    ...head(type, id, context),
    ...(url !== undefined && { url }),
    ...detailsJson(details, context.concepts),
    ...(status !== 'EventScheduled' && { eventStatus: schema(status) }),
    ...(schedules.length > 0 && { eventSchedule: schedules.map(scheduleJson) }),
    ...((own === undefined || parts.length > 0) && partsOf(series, parts)),
    ...(own !== undefined && timesOf(own)),
  };
}

/** What is in a series, and how long it goes on where its type has that: a CourseInstance from day to day. */
function partsOf(series: Series, sessions: readonly Session[]): JsonObject {
  const { type } = series;
  const part = type === 'SessionSeries' ? 'ScheduledSession' : 'Event';
  const subEvent = sessions.map((session) => sessionJson(session, part));
  return { ...extentOf(series, sessions), ...(subEvent.length > 0 && { subEvent }) };
}

function extentOf({ type, schedules }: Series, sessions: readonly Session[]): JsonObject {
  if (type !== 'CourseInstance' && type !== 'HeadlineEvent') return {};
  const timed = sessions.filter(isTimed);
  const starts = timed.map(({ start }) => start);
  const ends = timed.map(({ start, end = start }) => end);
  if (type === 'HeadlineEvent') {
    const whole = { start: Math.min(...starts), end: Math.max(...ends) };
    const isDays = timed.every(({ allDay }) => allDay);
    return starts.length === 0
      ? {}
      : timesJson({ ...whole, ...(isDays && { days: daysBetween(whole.start, whole.end) }) });
  }
  const firsts = [...schedules.map(({ startDate }) => startDate), ...starts.map(dayOf)].filter(
    (day) => day !== undefined,
  );
  const last = ({ start, end = start, allDay }: TimedSession) => dayOf(allDay ? end - DAY_MS : end);
  const lasts = [...schedules.map(({ endDate }) => endDate), ...timed.map(last)].filter((day) => day !== undefined);
  const [startDate, endDate] = [firsts.sort()[0], lasts.sort().at(-1)];
  if (startDate === undefined || endDate === undefined) return defined({ startDate, endDate });
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
  return { startDate, endDate, duration: `P${days}D` };
}

const DAY_MS = 86_400_000;

function dayOf(instant: number): string {
  return utcText(instant).slice(0, 10);
}

export function sessionObject(session: Session, context: ObjectContext): JsonObject {
  const { details, series } = session;
  const type = sessionType(session);
  return {
    ...head(type, session.id, context),
    ...detailsJson(details, context.concepts),
    ...sessionJson(session, type),
    ...(series !== undefined && { superEvent: series }),
  };
}

/** Whatever else it was called, it is a session. */
export function sessionType({ type }: Session): 'Event' | 'ScheduledSession' {
  return type === 'Event' ? type : 'ScheduledSession';
}

function sessionJson(session: Session, type: string): JsonObject {
  const { id, url } = session;
  return { '@type': type, '@id': id, ...(url !== undefined && { url }), ...timesOf(session) };
}

function timesOf(session: Session): JsonObject {
  const { previousStart, status, remainingAttendeeCapacity: left } = session;
  return {
    ...spanOf(session),
    ...(previousStart !== undefined && { previousStartDate: utcText(previousStart) }),
    eventStatus: schema(status),
    ...(left !== undefined && { remainingAttendeeCapacity: left }),
  };
}

function spanOf({ start, end, allDay, length }: Session): JsonObject {
  const days = allDay && start !== undefined ? daysBetween(start, end) : undefined;
  if (start !== undefined) return timesJson({ start, end: end ?? start, ...(days && { days }) });
  return {
    ...(end !== undefined && { endDate: utcText(end) }),
    ...(length !== undefined && { duration: durationValue(length) }),
  };
}

/** A facility with what it hangs on. */
export interface FacilityParts {
  facility: Facility;
  /** Where it is, with the hours of the place. */
  place: Place | undefined;
  /** The FacilityUse it is one court or lane of, where that is known. */
  aggregate: Facility | undefined;
}

export function facilityObject({ facility, place, aggregate }: FacilityParts, context: ObjectContext): JsonObject {
  return {
    ...head(facility.type, facility.id, context),
    ...facilityJson(facility, place, context),
    ...(aggregate !== undefined && {
      aggregateFacilityUse: {
        '@type': aggregate.type,
        '@id': aggregate.id,
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

export function slotObject(slot: Slot, context: ObjectContext): JsonObject {
  const { id, facility, start, end, remainingUses, maximumUses } = slot;
  return {
    ...head('Slot', id, context),
    ...(facility !== undefined && { facilityUse: facility }),
    ...spanJson(start, end),
    remainingUses,
    ...(maximumUses !== undefined && { maximumUses }),
  };
}

/**
 * `identifier` says where it comes from, because it is the one property of every type in which the model lets publishers
 * say what it has no words for.
 */
function head(type: string, id: string, { provenance: { feed, publisher, license } }: ObjectContext): JsonObject {
  return {
    '@context': 'https://openactive.io/',
    '@type': type,
    '@id': id,
    identifier: [
      said('isBasedOn', feed),
      ...(publisher === undefined ? [] : [said('publisher', publisher)]),
      ...(license === undefined ? [] : [said('license', license)]),
    ],
  };
}

function said(property: string, value: string): JsonObject {
  return { '@type': 'PropertyValue', propertyID: schema(property), name: property, value };
}

function schema(name: string): string {
  return `https://schema.org/${name}`;
}

const ATTENDANCE = {
  offline: 'OfflineEventAttendanceMode',
  online: 'OnlineEventAttendanceMode',
  mixed: 'MixedEventAttendanceMode',
} as const;

function detailsJson(details: Details, concepts: Concepts): JsonObject {
  const { name, description, activity, category, organizer, leader, level, ageRange, gender } = details;
  const { location, attendance, meetingPoint, attendeeInstructions, image, schedulingNote, offers } = details;
  const { maximumAttendeeCapacity } = details;
  return {
    ...defined({ name, description, meetingPoint, attendeeInstructions, schedulingNote, maximumAttendeeCapacity }),
    ...(activity && { activity: activity.map((label) => conceptJson(label, concepts)) }),
    ...(category && { category }),
    ...(organizer && { organizer: organizationJson(organizer) }),
    ...(leader && { leader: leader.map((one) => ({ '@type': 'Person', name: one })) }),
    ...(level && { level }),
    ...(ageRange && { ageRange: ageRangeJson(ageRange) }),
    ...(gender && { genderRestriction: `https://openactive.io/${gender}` }),
    ...(location && { location: placeSummaryJson(location) }),
    ...(attendance && { eventAttendanceMode: schema(ATTENDANCE[attendance]) }),
    ...(image !== undefined && { image: [{ '@type': 'ImageObject', url: image }] }),
    ...(offers && {
      offers: offers.map(({ name: own, price, currency, url }) => ({
        '@type': 'Offer',
        ...defined({ name: own, price, priceCurrency: currency, url }),
      })),
    }),
  };
}

function conceptJson(label: string, concepts: Concepts): JsonObject {
  return concepts.get(label) ?? { '@type': 'Concept', prefLabel: label };
}

function organizationJson({ id, ...rest }: Organization): JsonObject {
  return { '@type': 'Organization', ...defined({ '@id': id, ...rest }) };
}

function ageRangeJson({ min, max }: { min?: number; max?: number }): JsonObject {
  return { '@type': 'QuantitativeValue', ...defined({ minValue: min, maxValue: max }) };
}

function placeSummaryJson({ id, latitude, longitude, ...rest }: PlaceSummary): JsonObject {
  return { '@type': 'Place', ...defined({ '@id': publicId(id), ...rest }), ...geoJson(latitude, longitude) };
}

function placeJson(place: Place): JsonObject {
  const { id, name, description, url, telephone, email, address, street, locality, region, postalCode, country } =
    place;
  const parts = defined({
    streetAddress: street,
    addressLocality: locality,
    addressRegion: region,
    postalCode,
    addressCountry: country,
  });
  const whole = Object.keys(parts).length > 0 ? { '@type': 'PostalAddress', ...parts } : address;
  return {
    '@type': 'Place',
    ...defined({ '@id': publicId(id), name, description, url, telephone, email, address: whole }),
    ...geoJson(place.latitude, place.longitude),
    ...(place.hours.length > 0 && { openingHoursSpecification: place.hours.map(hoursJson) }),
    ...(place.specialHours.length > 0 && { specialOpeningHoursSpecification: place.specialHours.map(hoursJson) }),
  };
}

/** A place is known by more than its id: one that is only ours is left out. */
function publicId(id: string | undefined): string | undefined {
  return id !== undefined && /^https?:/i.test(id) ? id : undefined;
}

function geoJson(latitude: number | undefined, longitude: number | undefined): JsonObject {
  if (latitude === undefined || longitude === undefined) return {};
  return { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}

function defined(values: Record<string, JsonObject[string] | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject;
}
