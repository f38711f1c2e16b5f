import { isObject, type JsonObject } from '../../opportunity/item/json.ts';
import type { Instant } from '../../time/instant.ts';
import { activityList, facilityTypes } from '../../vocabulary/shipped.ts';
import type { PublishedObject } from '../contract.ts';
import type { CalendarEvent, CalendarModel } from '../read/model.ts';
import { conceptJson } from './concepts.ts';
import type { Report } from './dates/instances.ts';
import { bodyJson, keyOf, placeJson, placeOf } from './describe.ts';
import { hoursOf, isClosed, type OpenTimes, openByAvailability, openByEvents } from './hours.ts';
import { hoursJson } from './json.ts';
import type { Mapped } from './mapped.ts';

/** Opening hours as FacilityUses: `hoursAvailable`, and on the embedded Place standard and special hours. */

interface FacilityContext {
  mapped: Mapped;
  now: Instant;
  report: (uid: string) => Report;
}

export function facilitiesOf(
  model: CalendarModel,
  opening: readonly CalendarEvent[],
  context: FacilityContext,
): PublishedObject[] {
  const reading = { fallback: model.zone, now: context.now, report: context.report };
  const found: PublishedObject[] = [];
  const closing = opening.filter(isClosed);
  if (closing.length === opening.length && model.availabilities.length === 0)
    for (const one of closing) context.report(one.uid)('closed-without-hours', `line ${one.line}`);
  // Components of one name are layers of the same hours (RFC 7953 3.2); those of several names are several facilities.
  for (const [label, list] of Map.groupBy(model.availabilities, ({ name }) => labelOf(name ?? ''))) {
    const open = openByAvailability(list, closing, reading);
    found.push(facilityOf(label, list[0]?.location, open, model, context));
  }
  for (const [label, events] of eventGroups(opening)) {
    const open = openByEvents(events, reading);
    const location = events.find(({ wording }) => wording.location !== undefined)?.wording.location;
    found.push(facilityOf(label, location, open, model, context));
  }
  return found;
}

/** Events by facility: `Open: Pool` and `Open: Gym` are two. A closure counts for all of them, unless it is elsewhere. */
function eventGroups(events: readonly CalendarEvent[]): Map<string, CalendarEvent[]> {
  const openings = events.filter((event) => !isClosed(event));
  const open = Map.groupBy(openings, ({ wording }) => labelOf(wording.summary ?? ''));
  const closed = events.filter(isClosed);
  for (const own of open.values()) {
    // Calendars of this program have the place of each venue on its events.
    const places = new Set(own.flatMap(({ wording }) => wording.location ?? []));
    const isHere = ({ wording: { location } }: CalendarEvent) =>
      location === undefined || places.size === 0 || places.has(location);
    own.push(...closed.filter(isHere));
  }
  return open;
}

/** The name of the facility: `Open: Pool (special hours)` is about the pool. */
function labelOf(summary: string): string {
  const match = /^(?:open(?:ing hours)?)\s*:\s*(.*?)(?:\s*\((?:[^()]|\([^()]*\))*\))?$/i.exec(summary);
  return match?.[1] ?? '';
}

function facilityOf(
  label: string,
  location: string | undefined,
  open: OpenTimes,
  model: CalendarModel,
  { mapped }: FacilityContext,
): PublishedObject {
  const { mapping, calendar, base } = mapped;
  const facility = calendar?.facility;
  const key = keyOf('facility', model.source, label);
  const id = `${base}facility-uses/${key}`;
  const { standard, special } = hoursOf(open);
  const place = withHours(
    whereOf(location, label || model.name, mapped),
    standard.map(hoursJson),
    special.map(hoursJson),
  );
  const provider = calendar?.organizer ?? mapping.organizer;
  const activity = facility?.activity ?? calendar?.activity ?? mapping.activity;
  const data: JsonObject = {
    '@context': 'https://openactive.io/',
    '@type': 'FacilityUse',
    '@id': id,
    identifier: key,
    url: facility?.url ?? calendar?.url ?? mapping.url ?? id,
    name: facility?.name ?? (label || (model.name ?? nameOf(place) ?? 'Opening hours')),
    ...(facility?.type && { facilityType: [conceptJson(facility.type, facilityTypes())] }),
    ...(activity && !facility?.type && { activity: [conceptJson(activity, activityList())] }),
    ...(provider && { provider: bodyJson(provider) }),
    ...(place && { location: place }),
    ...(standard.length > 0 && { hoursAvailable: standard.map(hoursJson) }),
  };
  return { kind: 'FacilityUse', id: key, data };
}

/** The place of hours: that of the mapping, else that of the calendar, because people have to find it. */
function whereOf(location: string | undefined, name: string | undefined, mapped: Mapped): JsonObject | undefined {
  const usual = mapped.calendar?.place ?? (location === undefined ? mapped.mapping.place : undefined);
  if (usual !== undefined) return placeJson(usual, mapped.base);
  const stated = location ?? name;
  return stated === undefined ? undefined : placeOf({ location: stated, categories: [], status: 'CONFIRMED' }, mapped);
}

function withHours(
  place: JsonObject | undefined,
  standard: JsonObject[],
  special: JsonObject[],
): JsonObject | undefined {
  return (
    place && {
      ...place,
      ...(standard.length > 0 && { openingHoursSpecification: standard }),
      ...(special.length > 0 && { specialOpeningHoursSpecification: special }),
    }
  );
}

function nameOf(place: JsonObject | undefined): string | undefined {
  return isObject(place) && typeof place.name === 'string' ? place.name : undefined;
}
