import {
  effectiveFacility,
  effectiveSeries,
  effectiveSession,
  type Find,
  zoneOfFacility,
} from '../opportunity/effective.ts';
import { identOf } from '../opportunity/identity.ts';
import { compareText } from '../opportunity/ids.ts';
import type { RankedRecord } from '../opportunity/item/reading.ts';
import { slotIn } from '../opportunity/local-times.ts';
import { compareModified } from '../opportunity/page/page.ts';
import {
  type Facility,
  isGroup,
  type OpportunityRecord,
  type Place,
  type Series,
  type Session,
  type Slot,
} from '../opportunity/records.ts';
import { mayTake, NO_RIGHT } from './publishers.ts';
import { SuperEvents } from './super-events.ts';

/** Stands in for the series of sessions whose own is not there. */
export const NOBODY: Series = {
  kind: 'series',
  id: '',
  type: 'EventSeries',
  status: 'EventScheduled',
  details: {},
  schedules: [],
};

/** Where a claim comes from, by which claims are ordered. */
export interface Claimant {
  /** Where its publisher stands among those that speak of this `@id`: `Publishers.order`. */
  publisher: number;
  rank: number;
  modified: string;
  feed: string;
  /** RPDE kind and id of the item it came from. */
  kind: string;
  rpdeId: string;
}

/** A record with who says so. */
export type Claim = Claimant & RankedRecord;

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
 * Orders claims on one record, the one to believe first. `modified` says nothing between publishers: the publisher that may
 * speak comes first, whatever the others say. Within one publisher the item itself comes before what is embedded, then the
 * larger `modified`, then feed, kind and id. So the order is total, and nothing depends on what came first. Negative: `a`.
 */
export function betterClaim(a: Claimant, b: Claimant): number {
  return (
    a.publisher - b.publisher ||
    b.rank - a.rank ||
    compareModified(b.modified, a.modified) ||
    compareText(a.feed, b.feed) ||
    compareText(a.kind, b.kind) ||
    compareText(a.rpdeId, b.rpdeId)
  );
}

/** Records by kind and identity: for each the best claim. */
type RecordsByKind = { [K in OpportunityRecord['kind']]: Map<string, Extract<OpportunityRecord, { kind: K }>> };

/**
 * Joins records in memory, by the rules of the store (semantics 2). Only places and facilities keep the order given.
 *
 * @example
 * ```ts
 * const { records } = readInput(text, { zone: 'Europe/London', feed: 'https://example.org/feed' });
 * for (const { series, sessions } of join(records).series) console.log(series.id, sessions.length);
 * ```
 */
export function join(claims: readonly Claim[]): Joined {
  const best = bestClaims(claims);
  const { records, findFor } = byKind(best.values());
  const whole = new Map([...records.series.values()].map((one) => [one, effectiveSeries(one, findFor(one))]));
  const seriesOf = joiner(best, findFor, whole);
  const sessions = [...records.session.values()].map((known) => {
    const series = seriesOf(known);
    return { session: effectiveSession(known, findFor(known), series && whole.get(series)), series };
  });
  sessions.sort((a, b) => byStart(a.session, b.session));
  const bySeries = Map.groupBy(sessions, ({ series }) => series);
  const series = [...whole].map(([one, effective]) => ({
    series: effective,
    sessions: (bySeries.get(one) ?? []).map(({ session }) => session),
  }));
  return {
    series: series
      .filter((one) => one.sessions.length > 0 || !isGroup(one.series))
      .sort((a, b) => compareText(a.series.id, b.series.id)),
    orphans: (bySeries.get(undefined) ?? []).map(({ session }) => session),
    places: [...records.place.values()],
    facilities: [...records.facility.values()].map((facility) => effectiveFacility(facility, findFor(facility))),
    slots: [...records.slot.values()].map((slot) => timedSlot(slot, findFor)).sort(byStart),
  };
}

/** A slot whose times name no zone is read in that of its facility. */
function timedSlot(slot: Slot, findFor: (by: OpportunityRecord) => Find): Slot {
  if (slot.stated === undefined) return slot;
  const facility = slot.facility === undefined ? undefined : findFor(slot)('facility', slot.facility);
  return slotIn(facility && zoneOfFacility(facility, findFor(facility)), slot);
}

/**
 * Tells the series of a session: the one it names, if that is its publisher's, else its own or the one that takes it.
 * `whole`: as they are effective.
 */
function joiner(
  best: ReadonlyMap<string, Claim>,
  findFor: (by: OpportunityRecord) => Find,
  whole: ReadonlyMap<Series, Series>,
): (session: Session) => Series | undefined {
  const all = [...best.values()].flatMap(({ record, publisher }) =>
    record.kind === 'series' ? [{ of: record, series: whole.get(record) as Series, publisher: String(publisher) }] : [],
  );
  const superEvents = new SuperEvents(all);
  return (session) => {
    if (session.series !== undefined) return seriesNamed(session, findFor(session));
    const { publisher } = best.get(claimKey('session', session.id)) as Claim;
    return superEvents.of(session, String(publisher));
  };
}

function seriesNamed({ id, series, ownSeries }: Session, find: Find): Series | undefined {
  return find('series', series as string) ?? (ownSeries === true ? find('series', id) : undefined);
}

/** The claim to believe of those on one record; undefined: there is none, or none whose publisher may speak. */
export function bestClaim<C extends Claimant>(claims: readonly C[]): C | undefined {
  let best: C | undefined;
  for (const claim of claims) if (best === undefined || betterClaim(claim, best) < 0) best = claim;
  return best?.publisher === NO_RIGHT ? undefined : best;
}

/** The claim to believe on each record, by `claimKey`; none where nobody who claims it may speak. */
export function bestClaims(claims: readonly Claim[]): Map<string, Claim> {
  const rightful = claims.filter(({ publisher }) => publisher !== NO_RIGHT);
  const byRecord = Map.groupBy(rightful, ({ record }) => claimKey(record.kind, record.id));
  return new Map(Array.from(byRecord, ([key, some]) => [key, bestClaim(some) as Claim]));
}

export function claimKey(kind: OpportunityRecord['kind'], id: string): string {
  return `${kind} ${identOf(id)}`;
}

/** Records by kind, and how each record finds those that it inherits from (`mayTake`). */
function byKind(claims: Iterable<Claim>): { records: RecordsByKind; findFor(by: OpportunityRecord): Find } {
  const best = [...claims];
  const records: RecordsByKind = {
    series: new Map(),
    session: new Map(),
    place: new Map(),
    facility: new Map(),
    slot: new Map(),
  };
  for (const { record } of best)
    (records[record.kind] as Map<string, OpportunityRecord>).set(identOf(record.id), record);
  const publishers = new Map(best.map(({ record, publisher }) => [record, publisher]));
  const findFor =
    (by: OpportunityRecord): Find =>
    (kind, id) => {
      const found = records[kind].get(identOf(id));
      const isOwn = found === undefined || publishers.get(found) === publishers.get(by);
      return isOwn || mayTake(by.kind, kind) ? found : undefined;
    };
  return { records, findFor };
}

function byStart(a: Session | Slot, b: Session | Slot): number {
  return (a.start ?? 0) - (b.start ?? 0) || compareText(a.id, b.id);
}
