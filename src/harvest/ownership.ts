import { betterClaim } from '../opportunity/join.ts';
import type { Claim, Owner, RecordBody, RecordKind, Writer } from '../store/contract.ts';
import { breathe, inParts, isLong } from './breathe.ts';
import { ByName } from './by-name.ts';
import type { Change } from './changes.ts';
import type { IngestOptions } from './ingest.ts';
import { saveKeys } from './joining.ts';
import { cleanRaw, OWN, type PreparedRecord } from './prepared.ts';
import { type Named, Rows } from './rows.ts';
import { append, left, mark, saysTheSame, type Touched, untouched } from './touched.ts';
import { Written } from './written.ts';

/**
 * Who says what a record says. The same series may come as an item of its own, embedded in each of its sessions, and from
 * two feeds; the best claim owns the record (`betterClaim`), the others wait, and take over when it is withdrawn. The result
 * depends on what was said and not on the order in which it came.
 */

interface Said {
  owner: Owner;
  record: PreparedRecord;
}

/** One record and all that this page says of it. */
interface Case extends Named {
  row: RecordBody | undefined;
  said: Said[];
  /** Items of this page that said it before and do no more. */
  withdrawn: Set<number> | undefined;
  /** Some of the claims in the store may be better than what is left. */
  contested: boolean;
}

/**
 * Gives each record of the changes its owner; returns what moved, and the records that nobody says any more: those are
 * still there, so that the caller can take a last look before it clears them.
 */
export async function settleOwners(
  tx: Writer,
  all: readonly Change[],
  options: IngestOptions,
): Promise<{ touched: Touched; gone: RecordBody[] }> {
  const touched = untouched();
  const changes = lastOfEach(all);
  const named = await collect(tx, changes);
  const cases = named.values();
  const held = await tx.claimsOn(cases.filter((c) => c.contested && c.row).map((c) => (c.row as RecordBody).id));
  const claims = Map.groupBy(held, (claim) => claim.record);
  const outcome: Outcome = { writes: [], gone: [], losers: [], winners: [] };
  for (const each of cases) {
    if (isLong()) await breathe();
    const [first] = each.said;
    // Most of what is new is said once, and there is nobody to compare it with.
    if (each.row === undefined && each.said.length === 1 && first !== undefined)
      outcome.writes.push(new Written(each, first.owner, first.record, undefined));
    else await decide(tx, each, claims.get(each.row?.id ?? -1) ?? [], outcome, options);
  }
  await apply(tx, outcome, named, changes, touched);
  return { touched, gone: outcome.gone };
}

/** An item that changed more than once says what it said last; it had a row before if the first change met one. */
function lastOfEach(all: readonly Change[]): readonly Change[] {
  const byItem = new Map<number, Change>();
  for (const change of all) {
    const earlier = byItem.get(change.item);
    const same = earlier === undefined || earlier.known === change.known;
    byItem.set(change.item, same ? change : { ...change, known: earlier.known });
  }
  return byItem.size === all.length ? all : [...byItem.values()];
}

async function collect(tx: Writer, changes: readonly Change[]): Promise<ByName<Case>> {
  const cases = new ByName<Case>();
  const known = changes.filter((change) => change.known).map((change) => change.item);
  for (const row of await tx.ownedBy(known)) {
    const { kind, ident } = row;
    const withdrawn = new Set([(row.owner as Owner).item]);
    cases.set(kind, ident, { kind, ident, id: row.id, row, said: [], withdrawn, contested: true });
  }
  for (const change of changes) saidBy(change, cases);
  const all = cases.values();
  await lookUp(tx, all);
  await withdrawClaims(tx, known, all);
  return cases;
}

function saidBy({ item, feed, modified, kind: itemKind, rpdeId, records }: Change, cases: ByName<Case>): void {
  for (const record of records) {
    const { kind, ident, rank } = record;
    const said = { owner: { item, rank, modified, feed, kind: itemKind, rpdeId }, record };
    const found = cases.get(kind, ident);
    if (found === undefined) {
      cases.set(kind, ident, {
        kind,
        ident,
        id: undefined,
        row: undefined,
        said: [said],
        withdrawn: undefined,
        contested: false,
      });
      continue;
    }
    found.said.push(said);
    found.withdrawn?.delete(item);
    if (stillBest(found.row?.owner, item, rank)) found.contested = false;
  }
}

/** Items only get newer: who was to be believed before all others still is, and nobody needs to look at the others. */
function stillBest(owner: Owner | undefined, item: number, rank: number): boolean {
  return owner?.item === item && rank >= owner.rank;
}

async function lookUp(tx: Writer, cases: readonly Case[]): Promise<void> {
  const missing = Map.groupBy(
    cases.filter((c) => c.row === undefined),
    (c) => c.kind,
  );
  for (const [kind, list] of missing) {
    const rows = await tx.records(
      kind,
      list.map((c) => c.ident),
    );
    list.forEach((c, index) => {
      c.row = rows[index];
      c.id = c.row?.id;
    });
  }
}

/** A waiting claim of an item that changed is made again below, if the item still says it. */
async function withdrawClaims(tx: Writer, known: readonly number[], cases: readonly Case[]): Promise<void> {
  const before = await tx.claimsBy(known);
  if (before.length === 0) return;
  await tx.dropClaims(before);
  const rows = new Map(cases.map((c) => [c.id, c]));
  for (const claim of before) rows.get(claim.record)?.withdrawn?.delete(claim.item);
}

interface Outcome {
  writes: Written[];
  gone: RecordBody[];
  losers: { of: Named; owner: Owner }[];
  winners: { record: number; item: number }[];
}

async function decide(
  tx: Writer,
  each: Case,
  claims: (Claim & { owner: Owner })[],
  outcome: Outcome,
  options: IngestOptions,
): Promise<void> {
  const standing = each.row?.owner;
  const stands = standing !== undefined && saidOf(each, standing) === undefined && !each.withdrawn?.has(standing.item);
  let best: Owner | undefined;
  for (const { owner } of each.said) best = better(best, owner);
  if (stands) best = better(best, standing);
  if (claims.length > 0) {
    const items = new Set(each.said.map(({ owner }) => owner.item));
    for (const { owner } of claims) if (!items.has(owner.item)) best = better(best, owner);
  }
  if (best === undefined) {
    if (each.row?.owner !== undefined) outcome.gone.push(each.row);
    return;
  }
  for (const { owner } of each.said) if (owner !== best) outcome.losers.push({ of: each, owner });
  if (stands && best === standing) return;
  if (stands) outcome.losers.push({ of: each, owner: standing });
  const own = saidOf(each, best)?.record;
  const winner = own ?? (await heir(tx, each, best, options));
  if (winner === undefined) return;
  if (each.row !== undefined && own === undefined) outcome.winners.push({ record: each.row.id, item: best.item });
  outcome.writes.push(new Written(each, best, winner, each.row));
}

const better = (a: Owner | undefined, b: Owner): Owner => (a !== undefined && betterClaim(a, b) <= 0 ? a : b);

/** What an item of this transaction says, the last time where it says it twice. */
const saidOf = ({ said }: Case, { item }: Owner): Said | undefined => said.findLast(({ owner }) => owner.item === item);

/** What a waiting item says of a record: its raw data is cleaned again. */
async function heir(tx: Writer, each: Case, owner: Owner, options: IngestOptions): Promise<PreparedRecord | undefined> {
  const raw = (await tx.raw([owner.item])).get(owner.item);
  if (raw === undefined) return undefined;
  const feed = (await tx.feeds()).find((one) => one.url === owner.feed);
  if (feed === undefined) return undefined;
  const { records } = cleanRaw(owner, raw, options.door(feed));
  return records.find((record) => record.kind === each.kind && record.ident === each.ident);
}

/** What is pointed to is saved before what points to it. */
const SAVING_ORDER: readonly RecordKind[] = ['place', 'series', 'facility', 'session', 'slot'];

async function apply(
  tx: Writer,
  outcome: Outcome,
  named: ByName<Case>,
  changes: readonly Change[],
  touched: Touched,
): Promise<void> {
  const rows = new Rows(tx, named);
  const byKind = Map.groupBy(outcome.writes, ({ kind }) => kind);
  for (const kind of SAVING_ORDER) await saveKind(tx, byKind.get(kind) ?? [], rows, touched);
  if (outcome.winners.length > 0) await tx.dropClaims(outcome.winners);
  const claims = outcome.losers.map(({ of, owner: { item, rank } }) => ({ record: of.id as number, item, rank }));
  await inParts(claims, (part) => tx.saveClaims(part));
  const saying = new Map(outcome.gone.length > 0 ? changes.map((change) => [change.item, change]) : []);
  for (const row of outcome.gone) {
    left(touched, row);
    const now = successor(row, saying.get(row.owner?.item ?? -1));
    if (now !== undefined) touched.moved.set(named.get(now.kind, now.ident)?.id as number, row.id);
  }
}

/** What an item says under another `@id` now: the same thing, whose calendar has moved. */
function successor({ kind, owner }: RecordBody, change: Change | undefined): PreparedRecord | undefined {
  if (owner?.rank !== OWN) return undefined;
  return change?.records.find((record) => record.kind === kind && record.rank === OWN);
}

async function saveKind(tx: Writer, writes: readonly Written[], rows: Rows, touched: Touched): Promise<void> {
  const named = writes.map(({ said: { parent, place, venue } }): (Named | undefined)[] => [
    rows.at(parent),
    rows.at(place),
    rows.at(venue),
  ]);
  await rows.make();
  const added: Written[] = [];
  writes.forEach((written, index) => {
    const [parent, place, venue] = named[index] as (Named | undefined)[];
    const { of, before } = written;
    // Which series takes it is found out when all that this transaction changes is there (joining.ts).
    const isUnnamed = written.kind === 'session' && parent === undefined;
    written.parent = isUnnamed ? before?.parent : parent?.id;
    written.place = place?.id;
    written.venue = venue?.id;
    written.same = before !== undefined && saysTheSame(before, written);
    // A stub may just have been made of it, for another record on the same page.
    if (of.id === undefined) added.push(written);
    else written.id = of.id;
  });
  await giveIds(tx, added);
  await save(tx, writes, touched);
  await saveKeys(tx, writes, touched);
  for (const written of writes) {
    touched.fresh.set(written.id, written);
    mark(touched, written);
  }
}

async function giveIds(tx: Writer, added: readonly Written[]): Promise<void> {
  const ids = await tx.newRecordIds(added.length);
  added.forEach((written, index) => {
    written.id = ids[index] as number;
    written.of.id = written.id;
    written.fresh = true;
  });
}

/**
 * A session that only the plan of its series has to do with is saved together with what that plan makes of it: one write,
 * and no row that grows in its page just after it was put there.
 */
function canWait({ kind, parent, place, before, said }: Written): boolean {
  return (
    kind === 'session' &&
    parent !== undefined &&
    said.parent !== undefined &&
    place === undefined &&
    (before === undefined || before.parent === parent)
  );
}

async function save(tx: Writer, writes: readonly Written[], { unsaved }: Touched): Promise<void> {
  const now: Written[] = [];
  for (const written of writes) {
    written.waits = canWait(written);
    if (written.waits) append(unsaved, written.parent as number, written);
    else now.push(written);
  }
  await inParts(now, (part) => tx.saveRecords(part));
}

/** Saves what waits: the sessions of one series, before they are read back; or all that are left. */
export async function saveSessions(tx: Writer, { unsaved }: Touched, series?: number): Promise<void> {
  const rows = series === undefined ? [...unsaved.values()].flat() : (unsaved.get(series) ?? []);
  await inParts(rows, (part) => tx.saveRecords(part));
  for (const written of rows) written.waits = false;
  if (series === undefined) unsaved.clear();
  else unsaved.delete(series);
}
