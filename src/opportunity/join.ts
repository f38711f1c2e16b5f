import { identOf } from './identity.ts';
import { compareModified } from './page.ts';
import { summaryOf } from './place.ts';
import type { Rank } from './reading.ts';
import {
  type Details,
  type Facility,
  inherit,
  type OpportunityRecord,
  type Place,
  type PlaceSummary,
  type Series,
  type Session,
  type Slot,
} from './records.ts';

export { summaryOf };

/** Stands in for the series of sessions whose own is not there. */
export const NOBODY: Series = {
  kind: 'series',
  id: '',
  type: 'EventSeries',
  status: 'EventScheduled',
  details: {},
  schedules: [],
};

/** Who says what a record says: what claims are ordered by. */
export interface Claimant {
  rank: number;
  modified: string;
  feed: string;
  /** RPDE kind and id of the item it came from. */
  kind: string;
  rpdeId: string;
}

/** A record with who says so. */
export interface Claim extends Claimant {
  record: OpportunityRecord;
  rank: Rank;
}

export interface Joined {
  /** Details are effective: inherited from parents, location resolved. Sorted by id. Sessions by start, then id. */
  series: { series: Series; sessions: Session[] }[];
  /** Sessions whose series is not there. Sorted by start, then id. */
  orphans: Session[];
  /** In the order of their first mention. */
  places: Place[];
  facilities: Facility[];
  slots: Slot[];
}

/**
 * Orders claims on one record, the one to believe first: the item itself before what is embedded, then the larger
 * `modified`, then by feed, kind and id, so that the order is total and nothing depends on what came first. Negative: `a`.
 */
export function betterClaim(a: Claimant, b: Claimant): number {
  return (
    b.rank - a.rank ||
    compareModified(b.modified, a.modified) ||
    compare(a.feed, b.feed) ||
    compare(a.kind, b.kind) ||
    compare(a.rpdeId, b.rpdeId)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An EventSeries may have a parent of its own; a chain of links that never ends, or runs in a circle, does. */
const MOST_PARENTS = 4;

/** Records by kind and identity: for each the best claim. */
interface Shelf {
  series: Map<string, Series>;
  session: Map<string, Session>;
  place: Map<string, Place>;
  facility: Map<string, Facility>;
  slot: Map<string, Slot>;
}

/** Joins records in memory, by the rules of the store (semantics 2). Only places and facilities keep the order given. */
export function join(claims: readonly Claim[]): Joined {
  const shelf = shelve(claims);
  const sessions = [...shelf.session.values()].map((session) => located(session, shelf)).sort(byStart);
  const bySeries = Map.groupBy(sessions, (session) => (session.series === undefined ? '' : identOf(session.series)));
  const series = [...shelf.series.entries()].map(([ident, one]) => ({
    series: effective(one, shelf),
    sessions: bySeries.get(ident) ?? [],
  }));
  return {
    series: series.filter(isCalendar).sort((a, b) => compare(a.series.id, b.series.id)),
    orphans: sessions.filter((session) => session.series === undefined || !shelf.series.has(identOf(session.series))),
    places: [...shelf.place.values()],
    facilities: [...shelf.facility.values()].map((facility) => effectiveFacility(facility, shelf)),
    slots: [...shelf.slot.values()].sort(byStart),
  };
}

/** The claim to believe on each record, by `claimKey`. */
export function bestClaims(claims: readonly Claim[]): Map<string, Claim> {
  const best = new Map<string, Claim>();
  for (const claim of claims) {
    const key = claimKey(claim.record.kind, claim.record.id);
    const known = best.get(key);
    if (known === undefined || betterClaim(claim, known) < 0) best.set(key, claim);
  }
  return best;
}

export function claimKey(kind: OpportunityRecord['kind'], id: string): string {
  return `${kind} ${identOf(id)}`;
}

function shelve(claims: readonly Claim[]): Shelf {
  const best = bestClaims(claims);
  const shelf: Shelf = {
    series: new Map(),
    session: new Map(),
    place: new Map(),
    facility: new Map(),
    slot: new Map(),
  };
  for (const { record } of best.values())
    (shelf[record.kind] as Map<string, OpportunityRecord>).set(identOf(record.id), record);
  return shelf;
}

function byStart(a: Session | Slot, b: Session | Slot): number {
  return a.start - b.start || compare(a.id, b.id);
}

/** An EventSeries groups others; it is a calendar only when sessions point to it directly. */
function isCalendar({ series, sessions }: Joined['series'][number]): boolean {
  return series.type !== 'EventSeries' || sessions.length > 0 || series.schedules.length > 0;
}

/** With the details of its parents, and of a place that is only named. */
function effective(series: Series, shelf: Shelf): Series {
  let { details, parent } = series;
  for (let depth = 0; parent !== undefined && depth < MOST_PARENTS; depth += 1) {
    const above = shelf.series.get(identOf(parent));
    if (above === undefined) break;
    details = inherit(above.details, details, false);
    parent = above.parent;
  }
  return { ...series, details: resolved(details, shelf) };
}

function effectiveFacility(facility: Facility, shelf: Shelf): Facility {
  const around = facility.aggregate === undefined ? undefined : shelf.facility.get(identOf(facility.aggregate));
  const place = facility.place ?? around?.place;
  return {
    ...facility,
    details: resolved(inherit(around?.details, facility.details, true), shelf),
    ...(place !== undefined && { place }),
    hours: facility.hours.length === 0 && around !== undefined ? around.hours : facility.hours,
  };
}

function located(session: Session, shelf: Shelf): Session {
  const details = resolved(session.details, shelf);
  return details === session.details ? session : { ...session, details };
}

function resolved(details: Details, shelf: Shelf): Details {
  return isReference(details.location) ? withPlace(details, shelf.place.get(identOf(details.location.id))) : details;
}

/** Whether a location only points to a Place and says nothing of it. */
export function isReference(location: PlaceSummary | undefined): location is PlaceSummary & { id: string } {
  return location?.id !== undefined && location.name === undefined && location.address === undefined;
}

/** Details with what is known of their place put under what they say of it themselves. */
export function withPlace(details: Details, place: Place | undefined): Details {
  if (place === undefined) return details;
  return { ...details, location: { ...summaryOf(place), ...details.location } };
}
