import { effectiveFacility, effectiveSeries, effectiveSession, type Find } from './effective.ts';
import { identOf } from './identity.ts';
import { Takers } from './joining.ts';
import { compareModified } from './page.ts';
import { publisherOf } from './publisher.ts';
import type { Rank } from './reading.ts';
import type { Facility, OpportunityRecord, Place, Series, Session, Slot } from './records.ts';

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
  const best = bestClaims(claims);
  const shelf = shelve(best.values());
  const find = ((kind, id) => shelf[kind].get(identOf(id))) as Find;
  const seriesOf = joiner(best);
  const sessions = [...shelf.session.values()].map((session) => effectiveSession(session, find)).sort(byStart);
  const bySeries = Map.groupBy(sessions, (session) => seriesOf(session) ?? '');
  const series = [...shelf.series.entries()].map(([ident, one]) => ({
    series: effectiveSeries(one, find),
    sessions: bySeries.get(ident) ?? [],
  }));
  return {
    series: series.filter(isCalendar).sort((a, b) => compare(a.series.id, b.series.id)),
    orphans: sessions.filter((session) => !shelf.series.has(seriesOf(session) ?? '')),
    places: [...shelf.place.values()],
    facilities: [...shelf.facility.values()].map((facility) => effectiveFacility(facility, find)),
    slots: [...shelf.slot.values()].sort(byStart),
  };
}

/** Tells the identity of the series of a session: the one it names, else the one that takes it. */
function joiner(best: ReadonlyMap<string, Claim>): (session: Session) => string | undefined {
  const all = [...best.values()].flatMap(({ record, feed }) =>
    record.kind === 'series' ? [{ of: identOf(record.id), series: record, publisher: publisherOf(feed) }] : [],
  );
  const takers = new Takers(all);
  return (session) => {
    if (session.series !== undefined) return identOf(session.series);
    const { feed } = best.get(claimKey('session', session.id)) as Claim;
    return takers.of(session, publisherOf(feed));
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

function shelve(best: Iterable<Claim>): Shelf {
  const shelf: Shelf = {
    series: new Map(),
    session: new Map(),
    place: new Map(),
    facility: new Map(),
    slot: new Map(),
  };
  for (const { record } of best) (shelf[record.kind] as Map<string, OpportunityRecord>).set(identOf(record.id), record);
  return shelf;
}

function byStart(a: Session | Slot, b: Session | Slot): number {
  return (a.start ?? 0) - (b.start ?? 0) || compare(a.id, b.id);
}

/** An EventSeries groups others; it is a calendar only when sessions point to it directly. */
function isCalendar({ series, sessions }: Joined['series'][number]): boolean {
  return series.type !== 'EventSeries' || sessions.length > 0 || series.schedules.length > 0;
}
