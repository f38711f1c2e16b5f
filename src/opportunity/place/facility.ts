import { CAPACITY, detailsOf, slotOffers } from '../details.ts';
import { type StatedSpan, timedSpan } from '../event/span.ts';
import { statusOf } from '../event/status.ts';
import {
  childId,
  digestOf,
  identifierOf,
  isPointer,
  itemStandIn,
  referenceOf,
  standInByContent,
  statedId,
} from '../identity.ts';
import { isObject } from '../item/json.ts';
import { at, emit, first, isEmpty, many, named, note, type Part, partAt, type Rank, within } from '../item/reading.ts';
import { momentOf, numberOf, typeOf, urlOf } from '../item/values.ts';
import { MAX_CHILDREN } from '../limits.ts';
import { defined, type EventStatus, type Facility, inherit, type Slot } from '../records.ts';
import { standardHours } from './hours.ts';
import { zoneOfLocation } from './place.ts';

type FacilityType = Facility['type'];

/** A FacilityUse or IndividualFacilityUse item, with the facilities in and around it, and its slots if `slots` is set. */
export function facilityItem(part: Part, type: FacilityType): void {
  const around = type === 'IndividualFacilityUse' ? facilityAt(part, 'aggregateFacilityUse') : {};
  const facility = facilityOf(part, type, itemStandIn(part, type), around.facility);
  if (around.id !== undefined) facility.aggregate = around.id;
  emit(part, facility, 2);
  slotsWithin(part, facility.id);
  for (const court of objectsIn(part, 'individualFacilityUse')) {
    const fallback = `${facility.id}#/individualFacilityUse/${digestOf(court.from)}`;
    const individual = facilityOf(court, 'IndividualFacilityUse', fallback, facility);
    individual.aggregate = facility.id;
    emit(part, individual, 1);
    within(part, () => slotsWithin(court, individual.id));
  }
}

/** The objects of a list that state more than an id. */
function* objectsIn(part: Part, name: string): Iterable<Part> {
  for (const [index, entry] of many(part, name, MAX_CHILDREN).entries()) {
    if (!isObject(entry)) referenceOf(part, name, entry, index);
    else if (!isPointer(entry)) yield partAt(part, entry, name, index);
  }
}

/** The facility that a property names by its id, or holds. One that it holds becomes a record too. */
function facilityAt(part: Part, name: 'aggregateFacilityUse' | 'facilityUse'): { id?: string; facility?: Facility } {
  const value = first(part, name);
  if (value === undefined) return {};
  if (!isObject(value) || isPointer(value)) return defined({ id: referenceOf(part, name, value) });
  const inner = partAt(part, value, name);
  const isCourt = name === 'facilityUse' && typeOf(inner) === 'IndividualFacilityUse';
  const type = isCourt ? 'IndividualFacilityUse' : 'FacilityUse';
  const facility = facilityOf(inner, type, itemStandIn(part, type), undefined);
  emit(part, facility, 0);
  return { id: facility.id, facility };
}

/** Reads a facility, with details, hours and place inherited from the facility around it (semantics 2). */
function facilityOf(part: Part, type: FacilityType, fallback: string, around: Facility | undefined): Facility {
  const stated = statedId(part);
  const own = detailsOf(part);
  const details = inherit(around?.details, own, true);
  const url = urlOf(part, 'url');
  const about = { name: own.name, url, place: part.path === '$' ? undefined : details.location?.id };
  const property = named(part, 'hoursAvailable', ['openingHoursSpecification']);
  const { location } = details;
  const zone = () => (location && zoneOfLocation(location)) ?? part.reading.zone;
  const hours = standardHours(part, property, zone);
  const place = location?.id;
  if (stated === undefined) note(part, 'id-missing', { type });
  if (details.name === undefined && isEmpty(part.from.aggregateFacilityUse)) note(part, 'name-missing', { type });
  return {
    kind: 'facility',
    id: stated ?? standInByContent(part, type, about) ?? fallback,
    type,
    ...(url !== undefined && { url }),
    details,
    ...(place !== undefined && { place }),
    hours: hours.length === 0 && around !== undefined ? around.hours : hours,
  };
}

/** Emits the slots in the `event` of a facility. */
function slotsWithin(part: Part, facility: string): void {
  if (isEmpty(part.from.event)) return;
  if (!part.reading.slots) {
    note(at(part, 'event'), 'slots-not-harvested', { count: many(part, 'event', MAX_CHILDREN).length });
    return;
  }
  within(part, () => {
    for (const one of objectsIn(part, 'event')) {
      const slot = slotOf(one, '', facility);
      if (slot !== undefined) emit(part, slot, 1);
    }
  });
}

export function slotItem(part: Part): void {
  if (!part.reading.slots) {
    note(part, 'slots-not-harvested', { count: 1 });
    return;
  }
  const { id } = facilityAt(part, 'facilityUse');
  if (id === undefined) note(part, 'slot-without-facility');
  const slot = slotOf(part, itemStandIn(part, 'Slot'), id);
  if (slot !== undefined) emit(part, slot, 2 satisfies Rank);
}

function slotOf(part: Part, fallback: string, facility: string | undefined): Slot | undefined {
  const { start, end, stated } = slotSpan(part) ?? {};
  if (start === undefined || end === undefined) {
    note(part, 'slot-unusable', { missing: start === undefined ? 'startDate' : 'endDate or duration' });
    return undefined;
  }
  const left = numberOf(part, 'remainingUses', CAPACITY);
  if (left === undefined) note(part, 'slot-without-uses');
  const most = numberOf(part, 'maximumUses', CAPACITY);
  if (left !== undefined && most !== undefined && left > most)
    note(at(part, 'remainingUses'), 'slot-uses-exceed-maximum', { left, most });
  const isOff = OFF.has(statusOf(part));
  if (isOff) note(at(part, 'eventStatus'), 'slot-cancelled');
  const offers = slotOffers(part);
  const id =
    statedId(part) ?? (fallback || childId(`${facility}#/event`, identifierOf(part) ?? new Date(start).toISOString()));
  return {
    kind: 'slot',
    id,
    ...(facility !== undefined && { facility }),
    start,
    end,
    ...(stated !== undefined && { stated }),
    remainingUses: isOff ? 0 : (left ?? 0),
    ...(most !== undefined && { maximumUses: most }),
    ...(offers !== undefined && { offers }),
  };
}

/** Statuses of slots that cannot be booked; the model has no status for slots. */
const OFF: ReadonlySet<EventStatus | undefined> = new Set(['EventCancelled', 'EventPostponed']);

/** The span of a slot; undefined where its start has no time of day. */
function slotSpan(part: Part): StatedSpan | undefined {
  const moment = momentOf(part, 'startDate');
  if (typeof moment !== 'object' || moment.kind === 'date') return undefined;
  return timedSpan(part, moment);
}
