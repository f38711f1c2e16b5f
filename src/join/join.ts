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
import { superEvents } from './super-events.ts';

/** The empty series that sessions without one inherit from. */
export const NO_SERIES: Series = {
  kind: 'series',
  id: '',
  type: 'EventSeries',
  status: 'EventScheduled',
  details: {},
  schedules: [],
};

/** The item of a claim, with all that orders claims. */
export interface Claimant {
  /** The order of its publisher for this `@id`: `Publishers.order`. */
  publisher: number;
  rank: number;
  modified: string;
  feed: string;
  /** RPDE kind and id of the item. */
  kind: string;
  rpdeId: string;
}

/** A record with the item that claims it. */
export type Claim = Claimant & RankedRecord;

export interface Joined {
  /** Sorted by id, with effective details: inherited from parents, location resolved. Sessions by start, then id. */
  series: { series: Series; sessions: Session[] }[];
  /** Sessions without a series among the records. Sorted by start, then id. */
  orphans: Session[];
  /** In the order of their first mention. */
  places: Place[];
  facilities: Facility[];
  slots: Slot[];
}

/**
 * Orders claims on one record, the best first; negative: `a` is better. The order of publishers comes first, because
 * `modified` cannot be compared between publishers. Within a publisher an item's own record comes before an embedded one,
 * then the larger `modified`, then feed, kind and id. The order is total, so that nothing depends on the order of arrival.
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

/** The record of the best claim, by kind and identity. */
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

/** Reads the times of a slot in the zone of its facility, where they name none. */
function timedSlot(slot: Slot, findFor: (by: OpportunityRecord) => Find): Slot {
  if (slot.stated === undefined) return slot;
  const facility = slot.facility === undefined ? undefined : findFor(slot)('facility', slot.facility);
  return slotIn(facility && zoneOfFacility(facility, findFor(facility)), slot);
}

/**
 * Makes a function that finds the series of a session: the one it names, if both have one publisher, else the session's own.
 * For a session that names none it is the series whose `subEvent` or Schedule has it. `whole`: effective series by stated ones.
 */
function joiner(
  best: ReadonlyMap<string, Claim>,
  findFor: (by: OpportunityRecord) => Find,
  whole: ReadonlyMap<Series, Series>,
): (session: Session) => Series | undefined {
  const all = [...best.values()].flatMap(({ record, publisher }) =>
    record.kind === 'series' ? [{ of: record, series: whole.get(record) as Series, publisher: String(publisher) }] : [],
  );
  const seriesOf = superEvents(all);
  return (session) => {
    if (session.series !== undefined) return seriesNamed(session, findFor(session));
    const { publisher } = best.get(claimKey('session', session.id)) as Claim;
    return seriesOf(session, String(publisher));
  };
}

function seriesNamed({ id, series, ownSeries }: Session, find: Find): Series | undefined {
  return find('series', series as string) ?? (ownSeries === true ? find('series', id) : undefined);
}

/** The best claim on one record; undefined: there is none, or no publisher has a right to the `@id`. */
export function bestClaim<C extends Claimant>(claims: readonly C[]): C | undefined {
  let best: C | undefined;
  for (const claim of claims) if (best === undefined || betterClaim(claim, best) < 0) best = claim;
  return best?.publisher === NO_RIGHT ? undefined : best;
}

/** The best claim on each record, by `claimKey`; none where no publisher has a right to the `@id`. */
export function bestClaims(claims: readonly Claim[]): Map<string, Claim> {
  const rightful = claims.filter(({ publisher }) => publisher !== NO_RIGHT);
  const byRecord = Map.groupBy(rightful, ({ record }) => claimKey(record.kind, record.id));
  return new Map(Array.from(byRecord, ([key, some]) => [key, bestClaim(some) as Claim]));
}

export function claimKey(kind: OpportunityRecord['kind'], id: string): string {
  return `${kind} ${identOf(id)}`;
}

/** Records by kind, and a function by which each finds the records that it inherits from (`mayTake`). */
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
