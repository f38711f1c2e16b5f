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
import { isObject, type Json, type JsonObject } from '../item/json.ts';
import { at, emit, first, isEmpty, many, named, note, type Rank, type Reading, within } from '../item/reading.ts';
import { momentOf, numberOf, urlOf } from '../item/values.ts';
import { MAX_CHILDREN } from '../limits.ts';
import { type EventStatus, type Facility, inherit, type Slot } from '../records.ts';
import { standardHours } from './hours.ts';
import { zoneOfLocation } from './place.ts';

type FacilityType = Facility['type'];

/** A FacilityUse or IndividualFacilityUse item, with the ones it holds or is held by, and its slots if they are asked for. */
export function facilityItem(reading: Reading, from: JsonObject, type: FacilityType): void {
  const around = type === 'IndividualFacilityUse' ? aggregateOf(reading, from) : {};
  const facility = facilityOf(reading, from, '$', type, itemStandIn(reading, type), around.facility);
  if (around.id !== undefined) facility.aggregate = around.id;
  emit(reading, facility, 2);
  slotsWithin(reading, from, '$', facility.id);
  if (isEmpty(from.individualFacilityUse)) return;
  for (const [index, entry] of many(reading, from, 'individualFacilityUse', '$', MAX_CHILDREN).entries()) {
    const path = `$.individualFacilityUse[${index}]`;
    if (!isObject(entry)) referenceOf(reading, entry, 'individualFacilityUse', '$');
    if (!isObject(entry) || isPointer(entry)) continue;
    const fallback = `${facility.id}#/individualFacilityUse/${digestOf(entry)}`;
    const part = facilityOf(reading, entry, path, 'IndividualFacilityUse', fallback, facility);
    part.aggregate = facility.id;
    emit(reading, part, 1);
    within(reading, from, () => slotsWithin(reading, entry, path, part.id));
  }
}

/** `aggregateFacilityUse`: an id, or the FacilityUse itself, which is then a record too. */
function aggregateOf(reading: Reading, from: JsonObject): { id?: string; facility?: Facility } {
  const value = from.aggregateFacilityUse === undefined ? undefined : first(reading, from, 'aggregateFacilityUse', '$');
  if (value === undefined) return {};
  if (!isObject(value) || isPointer(value)) {
    const id = referenceOf(reading, value, 'aggregateFacilityUse', '$');
    return id === undefined ? {} : { id };
  }
  const facility = facilityOf(
    reading,
    value,
    '$.aggregateFacilityUse',
    'FacilityUse',
    itemStandIn(reading, 'FacilityUse'),
    undefined,
  );
  emit(reading, facility, 0);
  return { id: facility.id, facility };
}

/** Reads a facility over what it takes from the one around it (semantics 2): details, hours and place. */
function facilityOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  type: FacilityType,
  fallback: string,
  around: Facility | undefined,
): Facility {
  const stated = statedId(reading, from, path);
  const own = detailsOf(reading, from, path);
  const details = inherit(around?.details, own, true);
  const url = urlOf(reading, from, 'url', path);
  const about = { name: own.name, url, place: path === '$' ? undefined : details.location?.id };
  const property = named(reading, from, 'hoursAvailable', path, ['openingHoursSpecification']);
  const { location } = details;
  const zone = () => (location && zoneOfLocation(location)) ?? reading.zone;
  const hours = standardHours(reading, from, property, path, zone);
  const place = location?.id;
  if (stated === undefined) note(reading, 'id-missing', path, { type });
  if (details.name === undefined && isEmpty(from.aggregateFacilityUse)) note(reading, 'name-missing', path, { type });
  return {
    kind: 'facility',
    id: stated ?? standInByContent(reading, from, type, path, about) ?? fallback,
    type,
    ...(url !== undefined && { url }),
    details,
    ...(place !== undefined && { place }),
    hours: hours.length === 0 && around !== undefined ? around.hours : hours,
  };
}

/** `event`: the slots of a facility. */
function slotsWithin(reading: Reading, from: JsonObject, path: string, facility: string): void {
  if (isEmpty(from.event)) return;
  const entries = many(reading, from, 'event', path, MAX_CHILDREN);
  if (!reading.slots) {
    note(reading, 'slots-not-harvested', at(path, 'event'), { count: entries.length });
    return;
  }
  within(reading, from, () => {
    for (const [index, entry] of entries.entries()) {
      if (!isObject(entry)) referenceOf(reading, entry, 'event', path);
      if (!isObject(entry) || isPointer(entry)) continue;
      const slot = slotOf(reading, entry, `${path}.event[${index}]`, '', facility);
      if (slot !== undefined) emit(reading, slot, 1);
    }
  });
}

export function slotItem(reading: Reading, from: JsonObject): void {
  if (!reading.slots) {
    note(reading, 'slots-not-harvested', '$', { count: 1 });
    return;
  }
  const value = isEmpty(from.facilityUse) ? undefined : first(reading, from, 'facilityUse', '$');
  const facility = value === undefined ? undefined : facilityOfSlot(reading, value);
  if (facility === undefined) note(reading, 'slot-without-facility', '$');
  const slot = slotOf(reading, from, '$', itemStandIn(reading, 'Slot'), facility);
  if (slot !== undefined) emit(reading, slot, 2 satisfies Rank);
}

function facilityOfSlot(reading: Reading, value: Json): string | undefined {
  if (!isObject(value) || isPointer(value)) return referenceOf(reading, value, 'facilityUse', '$');
  const type: FacilityType = value['@type'] === 'IndividualFacilityUse' ? 'IndividualFacilityUse' : 'FacilityUse';
  const facility = facilityOf(reading, value, '$.facilityUse', type, itemStandIn(reading, type), undefined);
  emit(reading, facility, 0);
  return facility.id;
}

function slotOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  fallback: string,
  facility: string | undefined,
): Slot | undefined {
  const { start, end, stated } = slotSpan(reading, from, path) ?? {};
  if (start === undefined || end === undefined) {
    note(reading, 'slot-unusable', path, { missing: start === undefined ? 'startDate' : 'endDate or duration' });
    return undefined;
  }
  const left = numberOf(reading, from, 'remainingUses', path, CAPACITY);
  if (left === undefined) note(reading, 'slot-without-uses', path);
  const most = numberOf(reading, from, 'maximumUses', path, CAPACITY);
  if (left !== undefined && most !== undefined && left > most)
    note(reading, 'slot-uses-exceed-maximum', at(path, 'remainingUses'), { left, most });
  const isOff = OFF.has(statusOf(reading, from, path));
  if (isOff) note(reading, 'slot-cancelled', at(path, 'eventStatus'));
  const offers = slotOffers(reading, from, path);
  const id =
    statedId(reading, from, path) ??
    (fallback || childId(`${facility}#/event`, identifierOf(reading, from, path) ?? new Date(start).toISOString()));
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

/** Slots have no status in the model; one that does not take place cannot be booked. */
const OFF: ReadonlySet<EventStatus | undefined> = new Set(['EventCancelled', 'EventPostponed']);

/** A slot begins at a time of day. */
function slotSpan(reading: Reading, from: JsonObject, path: string): StatedSpan | undefined {
  const moment = momentOf(reading, from, 'startDate', path);
  if (typeof moment !== 'object' || moment.kind === 'date') return undefined;
  return timedSpan(reading, from, path, moment);
}
