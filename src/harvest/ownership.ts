import { cleanItem } from '../opportunity/clean.ts';
import { identOf } from '../opportunity/identity.ts';
import { betterClaim } from '../opportunity/join.ts';
import { parseData } from '../opportunity/page.ts';
import type { OpportunityRecord, Series, Session } from '../opportunity/records.ts';
import type { Claim, FeedRow, Owner, RecordBody, RecordKind, RecordWrite, Writer } from '../store/contract.ts';
import { isReference } from '../store/series.ts';
import type { Change } from './changes.ts';
import type { IngestOptions } from './ingest.ts';

/**
 * Who says what a record says. The same series may come as an item of its own, embedded in each of its sessions, and from
 * two feeds; the best claim owns the record (`betterClaim`), the others wait, and take over when it is withdrawn. The result
 * depends on what was said and not on the order in which it came.
 */

/** What the page changed, for the calendars to follow. Rows by id. */
export interface Touched {
  /** Series to plan anew as a whole. */
  series: Set<number>;
  /** Rows that were written, as they now stand. */
  fresh: Map<number, RecordBody>;
  /** Sessions among them that are yet to be saved, by series: `saveSessions`. */
  unsaved: Map<number, Map<number, RecordWrite>>;
  /** Those of them that had no row before: nothing but what is fresh can belong to them. */
  created: Set<number>;
  /** Sessions that changed, came or left, by the series they belong (or belonged) to. */
  sessions: Map<number, Set<number>>;
  /** Series that lost a session which their calendar showed. */
  lost: Set<number>;
  /** Places and EventSeries whose dependents must be planned anew. */
  sources: Set<number>;
  /** Places and facilities of which something else is said. */
  places: Set<number>;
  /** Places at which something else is on; facilities with other slots. */
  venues: Set<number>;
  slots: Set<number>;
}

export const untouched = (): Touched => ({
  series: new Set(),
  fresh: new Map(),
  unsaved: new Map(),
  created: new Set(),
  sessions: new Map(),
  lost: new Set(),
  sources: new Set(),
  places: new Set(),
  venues: new Set(),
  slots: new Set(),
});

interface Said {
  owner: Owner;
  record: OpportunityRecord;
}

/** One record and all that this page says of it. */
interface Case {
  kind: RecordKind;
  ident: string;
  row: RecordBody | undefined;
  said: Said[];
  /** Items of this page that said it before and do no more. */
  withdrawn: Set<number>;
  /** Some of the claims in the store may be better than what is left. */
  contested: boolean;
}

/**
 * Gives each record of the changes its owner; returns what moved, and the records that nobody says any more: those are
 * still there, so that the caller can take a last look before it clears them.
 */
export async function settleOwners(
  tx: Writer,
  feed: FeedRow,
  changes: readonly Change[],
  options: IngestOptions,
): Promise<{ touched: Touched; gone: RecordBody[] }> {
  const touched = untouched();
  const cases = await collect(tx, feed, changes);
  const held = await tx.claimsOn(cases.filter((c) => c.contested && c.row).map((c) => (c.row as RecordBody).id));
  const claims = Map.groupBy(held, (claim) => claim.record);
  const outcome: Outcome = { writes: [], gone: [], losers: [], winners: [] };
  for (const each of cases) await decide(tx, each, claims.get(each.row?.id ?? -1) ?? [], outcome, options);
  await apply(tx, outcome, cases, touched);
  return { touched, gone: outcome.gone };
}

async function collect(tx: Writer, feed: FeedRow, changes: readonly Change[]): Promise<Case[]> {
  const cases = new Map<string, Case>();
  const at = (kind: RecordKind, ident: string, row?: RecordBody): Case => {
    const name = `${kind} ${ident}`;
    let found = cases.get(name);
    if (found === undefined) {
      found = { kind, ident, row, said: [], withdrawn: new Set(), contested: false };
      cases.set(name, found);
    }
    return found;
  };
  const known = changes.filter((change) => change.known).map((change) => change.item);
  const owned = await tx.ownedBy(known);
  for (const row of owned) {
    const found = at(row.kind, row.ident, row);
    found.withdrawn.add((row.owner as Owner).item);
    found.contested = true;
  }
  for (const change of changes) {
    for (const { record, rank } of change.records) {
      const ident = identOf(record.id);
      const found = at(record.kind, ident);
      const { item, modified, kind, rpdeId } = change;
      found.said.push({ owner: { item, rank, modified, feed: feed.url, kind, rpdeId }, record });
      found.withdrawn.delete(item);
    }
  }
  await lookUp(tx, cases);
  await withdrawClaims(tx, known, cases);
  return [...cases.values()];
}

async function lookUp(tx: Writer, cases: Map<string, Case>): Promise<void> {
  const missing = Map.groupBy([...cases.values()].filter((c) => c.row === undefined), (c) => c.kind);
  for (const [kind, list] of missing) {
    const rows = await tx.records(kind, list.map((c) => c.ident));
    list.forEach((c, index) => {
      c.row = rows[index];
    });
  }
}

/** A waiting claim of an item that changed is made again below, if the item still says it. */
async function withdrawClaims(tx: Writer, known: readonly number[], cases: Map<string, Case>): Promise<void> {
  const before = await tx.claimsBy(known);
  if (before.length === 0) return;
  await tx.dropClaims(before);
  const rows = new Map([...cases.values()].map((c) => [c.row?.id, c]));
  for (const claim of before) rows.get(claim.record)?.withdrawn.delete(claim.item);
}

interface Outcome {
  writes: { write: RecordWrite; record: OpportunityRecord; owner: Owner; before: RecordBody | undefined }[];
  gone: RecordBody[];
  losers: { case: Case; owner: Owner }[];
  winners: { record: number; item: number }[];
}

async function decide(
  tx: Writer,
  each: Case,
  claims: (Claim & { owner: Owner })[],
  outcome: Outcome,
  options: IngestOptions,
): Promise<void> {
  const said = new Map(each.said.map((one) => [one.owner.item, one]));
  const standing = each.row?.owner;
  const stands = standing !== undefined && !said.has(standing.item) && !each.withdrawn.has(standing.item);
  const others = claims.filter((claim) => !said.has(claim.item)).map((claim) => claim.owner);
  const candidates = [...each.said.map((one) => one.owner), ...(stands ? [standing] : []), ...others];
  const best = candidates.reduce<Owner | undefined>((a, b) => (a !== undefined && betterClaim(a, b) <= 0 ? a : b), undefined);
  if (best === undefined) {
    if (each.row?.owner !== undefined) outcome.gone.push(each.row);
    return;
  }
  for (const { owner } of each.said) if (owner !== best) outcome.losers.push({ case: each, owner });
  if (stands && best === standing) return;
  if (stands) outcome.losers.push({ case: each, owner: standing });
  const winner = said.get(best.item)?.record ?? (await heir(tx, each, best, options));
  if (winner === undefined) return;
  if (each.row !== undefined && !said.has(best.item)) outcome.winners.push({ record: each.row.id, item: best.item });
  outcome.writes.push({ write: writeOf(each, best, winner), record: winner, owner: best, before: each.row });
}

/** What a waiting item says of a record: its raw data is cleaned again. */
async function heir(tx: Writer, each: Case, owner: Owner, options: IngestOptions): Promise<OpportunityRecord | undefined> {
  const raw = (await tx.raw([owner.item])).get(owner.item);
  if (raw === undefined) return undefined;
  const feed = (await tx.feeds()).find((one) => one.url === owner.feed);
  if (feed === undefined) return undefined;
  const { kind, rpdeId, modified } = owner;
  const { records } = cleanItem({ state: 'updated', kind, id: rpdeId, modified, ...parseData(raw) }, options.door(feed));
  return records.find(({ record }) => record.kind === each.kind && identOf(record.id) === each.ident)?.record;
}

function writeOf(each: Case, owner: Owner, record: OpportunityRecord): RecordWrite {
  const timed = record.kind === 'session' || record.kind === 'slot';
  return {
    id: each.row?.id,
    kind: each.kind,
    ident: each.ident,
    parent: undefined,
    place: undefined,
    venue: undefined,
    item: owner.item,
    rank: owner.rank,
    start: timed ? record.start : undefined,
    end: timed ? (record.end ?? record.start) : undefined,
    cancelled: record.kind === 'session' && record.status === 'EventCancelled',
    body: JSON.stringify(record),
  };
}

/** The record this one hangs on, and the kind of it. */
function parentOf(record: OpportunityRecord): [RecordKind, string] | undefined {
  if (record.kind === 'session' && record.series !== undefined) return ['series', record.series];
  if (record.kind === 'series' && record.parent !== undefined) return ['series', record.parent];
  if (record.kind === 'facility' && record.place !== undefined) return ['place', record.place];
  if (record.kind === 'slot' && record.facility !== undefined) return ['facility', record.facility];
  return undefined;
}

function referredPlace(record: OpportunityRecord): string | undefined {
  if (record.kind !== 'series' && record.kind !== 'session') return undefined;
  const { location } = (record as Series | Session).details;
  return isReference(location) ? location.id : undefined;
}

function venueOf(record: OpportunityRecord): string | undefined {
  if (record.kind === 'series') return record.details.location?.id;
  return record.kind === 'facility' ? record.place : undefined;
}

/** What is pointed to is saved before what points to it. */
const SAVING_ORDER: readonly RecordKind[] = ['place', 'series', 'facility', 'session', 'slot'];

async function apply(tx: Writer, outcome: Outcome, cases: readonly Case[], touched: Touched): Promise<void> {
  const rows = new Rows(tx);
  for (const { kind, ident, row } of cases) if (row !== undefined) rows.set(kind, ident, row.id);
  const byKind = Map.groupBy(outcome.writes, ({ write }) => write.kind);
  for (const kind of SAVING_ORDER) await saveKind(tx, byKind.get(kind) ?? [], rows, touched);
  if (outcome.winners.length > 0) await tx.dropClaims(outcome.winners);
  const claims = outcome.losers.map(({ case: { kind, ident }, owner: { item, rank } }) => ({
    record: rows.get(kind, ident) as number,
    item,
    rank,
  }));
  if (claims.length > 0) await tx.saveClaims(claims);
  for (const row of outcome.gone) left(touched, row);
}

type Outgoing = Outcome['writes'][number];

async function saveKind(tx: Writer, writes: readonly Outgoing[], rows: Rows, touched: Touched): Promise<void> {
  const targets = writes.map(({ record }) => ({ parent: parentOf(record), place: referredPlace(record), venue: venueOf(record) }));
  await rows.find(targets.flatMap(({ parent, place, venue }) => [parent, place && ['place', place], venue && ['place', venue]]) as Target[]);
  writes.forEach(({ write }, index) => {
    const { parent, place, venue } = targets[index] as (typeof targets)[number];
    write.parent = parent && rows.get(parent[0], identOf(parent[1]));
    write.place = place === undefined ? undefined : rows.get('place', identOf(place));
    write.venue = venue === undefined ? undefined : rows.get('place', identOf(venue));
    // A stub may just have been made of it, for another record on the same page.
    write.id ??= rows.get(write.kind, write.ident);
  });
  await save(tx, writes, touched);
  writes.forEach((outgoing) => {
    const id = outgoing.write.id as number;
    rows.set(outgoing.write.kind, outgoing.write.ident, id);
    remember(touched, id, outgoing);
    mark(touched, id, outgoing.write, outgoing.record, outgoing.before);
  });
}

/**
 * A session that only the plan of its series has to do with is saved together with what that plan makes of it: one write,
 * and no row that grows in its page just after it was put there.
 */
function canWait({ write: { kind, parent, place }, before }: Outgoing): boolean {
  return kind === 'session' && parent !== undefined && place === undefined && (before === undefined || before.parent === parent);
}

async function save(tx: Writer, writes: readonly Outgoing[], touched: Touched): Promise<void> {
  const added = writes.filter(({ write }) => write.id === undefined);
  const ids = await tx.newRecordIds(added.length);
  added.forEach(({ write }, index) => {
    write.id = ids[index];
    write.fresh = true;
  });
  await tx.saveRecords(writes.filter((each) => !canWait(each)).map(({ write }) => write));
  for (const { write } of writes.filter(canWait)) unsavedOf(touched, write.parent as number).set(write.id as number, write);
}

function unsavedOf({ unsaved }: Touched, series: number): Map<number, RecordWrite> {
  const own = unsaved.get(series) ?? new Map<number, RecordWrite>();
  unsaved.set(series, own);
  return own;
}

/** Saves what waits: the sessions of one series, before they are read back; or all that are left. */
export async function saveSessions(tx: Writer, { unsaved }: Touched, series?: number): Promise<void> {
  const waiting = series === undefined ? [...unsaved.values()] : [unsaved.get(series) ?? new Map<number, RecordWrite>()];
  await tx.saveRecords(waiting.flatMap((own) => [...own.values()]));
  if (series === undefined) unsaved.clear();
  else unsaved.delete(series);
}

type Target = [kind: RecordKind, id: string];

/** Ids of the rows a page has to do with, by kind and identity; stubs are made for what has not come yet. */
class Rows {
  readonly #tx: Writer;
  readonly #ids = new Map<string, number>();

  constructor(tx: Writer) {
    this.#tx = tx;
  }

  get(kind: RecordKind, ident: string): number | undefined {
    return this.#ids.get(`${kind} ${ident}`);
  }

  set(kind: RecordKind, ident: string, id: number): void {
    this.#ids.set(`${kind} ${ident}`, id);
  }

  async find(targets: readonly (Target | undefined)[]): Promise<void> {
    const missing = new Map<RecordKind, Set<string>>();
    for (const target of targets) {
      if (target === undefined) continue;
      const ident = identOf(target[1]);
      if (this.get(target[0], ident) !== undefined) continue;
      const idents = missing.get(target[0]) ?? new Set();
      missing.set(target[0], idents.add(ident));
    }
    for (const [kind, idents] of missing) {
      const ids = await this.#tx.stubs(kind, [...idents]);
      [...idents].forEach((ident, index) => {
        this.set(kind, ident, ids[index] as number);
      });
    }
  }
}

function remember(touched: Touched, id: number, { write, record, before, owner }: Outgoing): void {
  const { kind, ident, parent, place, venue, body } = write;
  // A session that comes to another series has shown nothing there yet.
  const hash = before !== undefined && before.parent === parent ? before.hash : undefined;
  const { sequence = 0, changed = 0 } = before ?? {};
  touched.fresh.set(id, { id, kind, ident, parent, place, venue, owner, hash, sequence, changed, body, record });
  if (before === undefined) touched.created.add(id);
}

function mark(touched: Touched, id: number, write: RecordWrite, record: OpportunityRecord, before: RecordBody | undefined): void {
  const moved = before === undefined || before.body !== write.body || before.place !== write.place || before.parent !== write.parent;
  if (!moved) return;
  if (record.kind === 'session') {
    if (before?.parent !== undefined && before.parent !== write.parent) leave(touched, before);
    if (write.parent !== undefined) touch(touched, write.parent, id);
  } else if (record.kind === 'series') {
    touched.series.add(id);
    if (before?.venue !== undefined && before.venue !== write.venue) touched.venues.add(before.venue);
    if (record.type === 'EventSeries') touched.sources.add(id);
  } else if (record.kind === 'slot') touchSlots(touched, before?.parent, write.parent);
  else venueMoved(touched, id, record.kind);
}

function venueMoved(touched: Touched, id: number, kind: RecordKind): void {
  touched.places.add(id);
  if (kind === 'place') touched.sources.add(id);
}

function touchSlots(touched: Touched, ...facilities: (number | undefined)[]): void {
  for (const facility of facilities) if (facility !== undefined) touched.slots.add(facility);
}

function left(touched: Touched, row: RecordBody): void {
  if (row.kind === 'session') leave(touched, row);
  if (row.kind === 'series') {
    touched.series.add(row.id);
    touched.sources.add(row.id);
    if (row.venue !== undefined) touched.venues.add(row.venue);
  }
  if (row.kind === 'slot') touchSlots(touched, row.parent);
  if (row.kind === 'place' || row.kind === 'facility') venueMoved(touched, row.id, row.kind);
}

function leave(touched: Touched, row: RecordBody): void {
  if (row.parent === undefined) return;
  touch(touched, row.parent, row.id);
  if (row.hash) touched.lost.add(row.parent);
}

function touch(touched: Touched, series: number, session: number): void {
  const sessions = touched.sessions.get(series);
  if (sessions === undefined) touched.sessions.set(series, new Set([session]));
  else sessions.add(session);
}
