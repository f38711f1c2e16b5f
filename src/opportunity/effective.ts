import { summaryOf } from './place.ts';
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
 * What a series, session, facility or venue is, with all that it takes from other records (semantics 2). The one reading of
 * the domain: commands, server and database all come here, and differ only in how they find a record. Pure.
 */

/** A way to find a record by its `@id`, in whatever form the id is written; undefined: nobody has published it. */
export type Find = <K extends OpportunityRecord['kind']>(
  kind: K,
  id: string,
) => Extract<OpportunityRecord, { kind: K }> | undefined;

/** An EventSeries may have a parent of its own; a chain of links that never ends, or runs in a circle, does. */
const MOST_PARENTS = 4;

/** With the details of its parents, and of a place that is only named. */
export function effectiveSeries(series: Series, find: Find): Series {
  let { details, parent } = series;
  for (let depth = 0; parent !== undefined && depth < MOST_PARENTS; depth += 1) {
    const above = find('series', parent);
    if (above === undefined) break;
    details = inherit(above.details, details, false);
    parent = above.parent;
  }
  return { ...series, details: located(details, find) };
}

/** With the details of its own place, if that is only named; what it takes from its series is put under it by the planner. */
export function effectiveSession(session: Session, find: Find): Session {
  const details = located(session.details, find);
  return details === session.details ? session : { ...session, details };
}

/** With details, hours and place of the FacilityUse that it is one court or lane of. */
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

/** What has opening hours, with all that it takes from other records. */
export interface EffectiveVenue {
  record: Place | Facility;
  /** The Place that a facility is at. */
  around?: Place;
}

export function effectiveVenue(said: Place | Facility, find: Find): EffectiveVenue {
  if (said.kind === 'place') return { record: said };
  const record = effectiveFacility(said, find);
  const around = record.place === undefined ? undefined : find('place', record.place);
  return { record, ...(around && { around }) };
}

function located(details: Details, find: Find): Details {
  const { location } = details;
  const place = isReference(location) ? find('place', location.id) : undefined;
  return place === undefined ? details : { ...details, location: { ...summaryOf(place), ...location } };
}

/** Whether a location only points to a Place and says nothing of it. */
export function isReference(location: PlaceSummary | undefined): location is PlaceSummary & { id: string } {
  return location?.id !== undefined && location.name === undefined && location.address === undefined;
}
