import { type Zone, zone as zoneNamed } from '../time/zone.ts';
import { scheduleIn, sessionIn } from './local-times.ts';
import { placeSummary, zoneOfLocation } from './place/place.ts';
import {
  type Details,
  type Facility,
  inherit,
  type OpportunityRecord,
  type Place,
  type PlaceSummary,
  type Series,
  type Session,
} from './records.ts';

/**
 * Series, sessions, facilities and venues after inheritance from other records (semantics 2). This is the one reading of the
 * domain: commands, server and databases all use it, and differ only in how they find a record. Pure.
 */

/** Finds a record by its `@id`, in any spelling; undefined: it is not published. */
export type Find = <K extends OpportunityRecord['kind']>(
  kind: K,
  id: string,
) => Extract<OpportunityRecord, { kind: K }> | undefined;

/** Most parents of a series that are followed: an EventSeries may have a parent, and broken chains may be endless or a circle. */
export const MOST_PARENTS = 4;

/**
 * A series with the details of its parents, their status where it states none, and the words of a place that it only names.
 * Schedules that state no zone are in that of the place.
 */
export function effectiveSeries(series: Series, find: Find): Series {
  let { details, parent, status, statusStated } = series;
  for (let depth = 0; parent !== undefined && depth < MOST_PARENTS; depth += 1) {
    const above = find('series', parent);
    if (above === undefined) break;
    details = inherit(above.details, details, false);
    if (statusStated === false) ({ status, statusStated } = above);
    parent = above.parent;
  }
  return inItsZone({ ...series, status, details: located(details, find) }, find);
}

/**
 * Schedules that state no zone are read in that of the place, else of a Schedule that states one (semantics 3). A series
 * without Schedules has the zone of its place.
 */
function inItsZone(series: Series, find: Find): Series {
  if (series.schedules.length > 0 && series.schedules.every(({ zoneStated }) => zoneStated)) return series;
  const zone = zoneOfSeries(series, find);
  if (zone === undefined) return series;
  if (series.schedules.length === 0) return { ...series, zone: zone.id };
  return { ...series, schedules: series.schedules.map((schedule) => scheduleIn(zone, schedule)) };
}

/** Whether an expandable Schedule has a zone from the settings alone. `series`: from `effectiveSeries`. */
export function assumesZone({ schedules }: Series): boolean {
  return schedules.some(({ expandable, zoneStated }) => expandable && !zoneStated);
}

/**
 * A session with the details of its own place, if it only names the place. The planner adds the details of its series. Times
 * without a zone have the zone of its place, else of its Schedule (semantics 3). `series`: from `effectiveSeries`.
 */
export function effectiveSession(session: Session, find: Find, series: Series | undefined): Session {
  const details = located(session.details, find);
  const whole = details === session.details ? session : { ...session, details };
  if (session.stated === undefined) return whole;
  const location = details.location ?? series?.details.location;
  return sessionIn(zoneAround(location, series, find), whole, session.stated);
}

/** The zone of a series' session times without one; undefined: it is unknown. `series`: from `effectiveSeries`. */
export function zoneOfSeries(series: Series, find: Find): Zone | undefined {
  return zoneAround(series.details.location, series, find);
}

/** The zone of a location, else that of a Schedule that states one. */
function zoneAround(location: PlaceSummary | undefined, series: Series | undefined, find: Find): Zone | undefined {
  return placeZone(location, find) ?? (series && zoneOfSchedules(series));
}

/** The zone at the coordinates of a location or of its Place record, else that of its country. */
function placeZone(location: PlaceSummary | undefined, find: Find): Zone | undefined {
  if (location === undefined) return undefined;
  const place = location.id !== undefined && !showsZone(location) ? find('place', location.id) : undefined;
  return zoneOfLocation(place === undefined ? location : placeSummary(place));
}

function zoneOfSchedules({ schedules }: Series): Zone | undefined {
  const stated = schedules.find(({ zoneStated }) => zoneStated);
  return stated && zoneNamed(stated.zone);
}

/** A facility that inherits details, hours and place from the FacilityUse of which it is a court or lane. */
export function effectiveFacility(facility: Facility, find: Find): Facility {
  const whole = facility.aggregate === undefined ? undefined : find('facility', facility.aggregate);
  const place = facility.place ?? whole?.place;
  return {
    ...facility,
    details: located(inherit(whole?.details, facility.details, true), find),
    ...(place !== undefined && { place }),
    hours: facility.hours.length === 0 && whole !== undefined ? whole.hours : facility.hours,
  };
}

/** The zone of a facility's slot times without one: that of its place (semantics 3.11); undefined: it is unknown. */
export function zoneOfFacility(facility: Facility, find: Find): Zone | undefined {
  return placeZone(effectiveFacility(facility, find).details.location, find);
}

/** A place or facility after inheritance. */
export interface EffectiveVenue {
  record: Place | Facility;
  /** The Place that a facility is at. */
  around?: Place;
}

/** A place or facility after inheritance, with the place around a facility. */
export function effectiveVenue(stated: Place | Facility, find: Find): EffectiveVenue {
  if (stated.kind === 'place') return { record: stated };
  const record = effectiveFacility(stated, find);
  const around = record.place === undefined ? undefined : find('place', record.place);
  return { record, ...(around && { around }) };
}

/** Details with the name and address of the Place that their location only names. */
function located(details: Details, find: Find): Details {
  const { location } = details;
  const place = isReference(location) ? find('place', location.id) : undefined;
  return place === undefined ? details : { ...details, location: { ...placeSummary(place), ...location } };
}

/** The `@id` of the Place whose name, address or zone the location of a series or session needs; undefined: none. */
export function placeToFind({ details: { location }, ...of }: Series | Session): string | undefined {
  const needsZone = of.kind === 'series' || of.stated !== undefined;
  const isWhole = location === undefined || (!isReference(location) && (!needsZone || showsZone(location)));
  return isWhole ? undefined : location.id;
}

/** Whether a location has coordinates or a zone. */
function showsZone({ latitude, zone }: PlaceSummary): boolean {
  return latitude !== undefined || zone !== undefined;
}

/** Whether a location only points to a Place, without a name or address. */
function isReference(location: PlaceSummary | undefined): location is PlaceSummary & { id: string } {
  return location?.id !== undefined && location.name === undefined && location.address === undefined;
}
