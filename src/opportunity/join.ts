import type { Rank } from './clean.ts';
import type { Details, Facility, OpportunityRecord, Place, PlaceSummary, Series, Session, Slot } from './records.ts';

/** A record with who says so. */
export interface Claim {
  record: OpportunityRecord;
  rank: Rank;
  modified: string;
  feed: string;
  /** RPDE kind and id of the item it came from. */
  kind: string;
  id: string;
}

export interface Joined {
  /** Details are effective: inherited from parents, location resolved. Sorted by id. Sessions by start, then id. */
  series: { series: Series; sessions: Session[] }[];
  /** Sessions whose series is not there. */
  orphans: Session[];
  /** In the order given. */
  places: Place[];
  facilities: Facility[];
  slots: Slot[];
}

/** Who says it, without what: what claims are ordered by. */
export type Claimant = Omit<Claim, 'record'>;

/** Whether `a` is to be believed rather than `b`: rank, then larger `modified`, then feed, kind and id. A total order. */
export function betterClaim(_a: Claimant, _b: Claimant): boolean {
  throw new Error('to come');
}

/** Joins records in memory, by the rules of the store (semantics 2). The order of claims does not matter but for places. */
export function join(_claims: readonly Claim[]): Joined {
  throw new Error('to come');
}

/** A Place record as far as an event needs it. */
export function summaryOf(_place: Place): PlaceSummary {
  throw new Error('to come');
}

/** Details with the location of a Place record put under what they say themselves. */
export function withPlace(details: Details, _place: Place | undefined): Details {
  return details;
}
