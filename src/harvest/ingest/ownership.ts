import { bestClaim } from '../../join/join.ts';
import type { Publishers } from '../../join/publishers.ts';
import { OWN } from '../../opportunity/clean.ts';
import { inParts, isLong, yieldToEventLoop } from '../../process/event-loop.ts';
import {
  type Affected,
  ByName,
  CrossFindings,
  type NamedRecord,
  namedRows,
  noteWithdrawal,
  nothingAffected,
  type Rows,
  SAVING_ORDER,
  saveKind,
  Written,
} from '../../revision/index.ts';
import type { Change, PreparedRecord } from '../../revision/records/prepared.ts';
import type { Claim, Owner, RecordBody, Writer } from '../../store/index.ts';
import { cleanRaw } from '../page/prepare.ts';
import type { Assigning, IngestOptions } from './contract.ts';
import { followers } from './followers.ts';

/**
 * Decides which item owns a record. The same series may come as an item of its own, embedded in each of its sessions, and
 * from two feeds. The best claim owns the record (`betterClaim`); the others wait, and one takes over when it is withdrawn.
 * The result depends on the claims and not on their order. A claim of a publisher without a right to the record is kept
 * too, as refused.
 */

/** An owner with the order of its publisher (`Publishers.order`). */
type Ranked = Owner & { publisher: number };

interface Assertion {
  owner: Ranked;
  record: PreparedRecord;
}

/** One record and all claims of this transaction on it. */
interface ClaimedRecord extends NamedRecord {
  row: RecordBody | undefined;
  /** The item that owns the record, once that is decided. */
  ownerItem: number | undefined;
  assertions: Assertion[];
  /** Changed items that owned the record and assert it no more; undefined: no changed item owned it. */
  withdrawn: Set<number> | undefined;
}

/**
 * Gives each record of the changes its owner. Returns the affected records and calendars, and as `gone` the records that no
 * item claims any more. Their rows are still there, so that the caller can read them before it clears them.
 */
export async function assignOwners(
  tx: Writer,
  all: readonly Change[],
  options: IngestOptions,
  publishers: Publishers,
): Promise<{ affected: Affected; gone: RecordBody[] }> {
  const assigning = { tx, options, publishers };
  for (let changes = lastOfEach(all); ; ) {
    const { named, outcome } = await decideAll(assigning, changes);
    const further = await followers(assigning, named.values(), changes);
    if (further.length === 0) {
      const affected = await apply(assigning, outcome, named, changes);
      return { affected, gone: outcome.gone };
    }
    changes = [...changes, ...further];
  }
}

/** Decides the owner of each record; writes nothing but the withdrawal of claims. */
async function decideAll(
  assigning: Assigning,
  changes: readonly Change[],
): Promise<{ named: ByName<ClaimedRecord>; outcome: Outcome }> {
  const { tx } = assigning;
  const named = await collectClaimed(assigning, changes);
  const records = named.values();
  const all = await tx.claimsOn(
    records.filter((one) => one.withdrawn && one.row).map((one) => (one.row as RecordBody).id),
  );
  const claims = Map.groupBy(all, (claim) => claim.record);
  const outcome: Outcome = { writes: [], gone: [], waiting: [], promoted: [], flags: [], disowned: [] };
  for (const claimed of records) {
    if (isLong()) await yieldToEventLoop();
    await decideOwner(assigning, claimed, claims.get(claimed.row?.id ?? -1), outcome);
  }
  return { named, outcome };
}

function giveOwner(
  { publishers }: Assigning,
  claimed: ClaimedRecord,
  owner: Ranked,
  record: PreparedRecord,
  { writes }: Outcome,
): void {
  claimed.owned = true;
  claimed.ownerItem = owner.item;
  claimed.publisherId = publishers.idOf(owner.feed);
  writes.push(new Written(claimed, owner, record, claimed.row, claimed.publisherId));
}

/** The last change of each item. `known` is that of its first: whether it had a row before the transaction. */
function lastOfEach(all: readonly Change[]): readonly Change[] {
  const byItem = new Map<number, Change>();
  for (const change of all) {
    const earlier = byItem.get(change.item);
    const same = earlier === undefined || earlier.known === change.known;
    byItem.set(change.item, same ? change : { ...change, known: earlier.known });
  }
  return byItem.size === all.length ? all : [...byItem.values()];
}

async function collectClaimed(
  { tx, publishers }: Assigning,
  changes: readonly Change[],
): Promise<ByName<ClaimedRecord>> {
  const byName = new ByName<ClaimedRecord>();
  const known = changes.filter((change) => change.known).map((change) => change.item);
  for (const row of await tx.ownedBy(known)) {
    const { id, kind, ident, publisherId } = row;
    const withdrawn = new Set([(row.owner as Owner).item]);
    const one = { kind, ident, id, publisherId, owned: false, row, ownerItem: undefined };
    byName.set(kind, ident, { ...one, assertions: [], withdrawn });
  }
  for (const change of changes) addAssertions(change, byName, publishers);
  const all = byName.values();
  await readRows(tx, all);
  await withdrawClaims(tx, known, all);
  return byName;
}

function addAssertions(
  { item, feed, modified, kind: itemKind, rpdeId, records }: Change,
  byName: ByName<ClaimedRecord>,
  publishers: Publishers,
): void {
  for (const record of records) {
    const { kind, ident, rank } = record;
    const publisher = publishers.order(feed, ident);
    const assertion = { owner: { publisher, item, rank, modified, feed, kind: itemKind, rpdeId }, record };
    const found = byName.get(kind, ident);
    if (found === undefined) {
      byName.set(kind, ident, {
        kind,
        ident,
        id: undefined,
        publisherId: undefined,
        owned: false,
        row: undefined,
        ownerItem: undefined,
        assertions: [assertion],
        withdrawn: undefined,
      });
      continue;
    }
    found.assertions.push(assertion);
    found.withdrawn?.delete(item);
  }
}

async function readRows(tx: Writer, records: readonly ClaimedRecord[]): Promise<void> {
  const unknown = records.filter((one) => one.row === undefined);
  const missing = Map.groupBy(unknown, (one) => one.kind);
  for (const [kind, list] of missing) {
    const idents = list.map((one) => one.ident);
    const rows = await tx.records(kind, idents);
    list.forEach((one, index) => {
      one.row = rows[index];
      one.id = one.row?.id;
      one.publisherId = one.row?.publisherId;
    });
  }
}

/** Drops the waiting claims of changed items; `saveWaiting` makes those again that still hold. */
async function withdrawClaims(tx: Writer, known: readonly number[], records: readonly ClaimedRecord[]): Promise<void> {
  const before = await tx.claimsBy(known);
  if (before.length === 0) return;
  await tx.dropClaims(before);
  const rows = new Map(records.map((one) => [one.id, one]));
  for (const claim of before) rows.get(claim.record)?.withdrawn?.delete(claim.item);
}

interface Outcome {
  writes: Written[];
  gone: RecordBody[];
  waiting: { of: NamedRecord; owner: Ranked; refused: boolean }[];
  promoted: { of: NamedRecord; record: number; item: number }[];
  /** Waiting claims that are refused now and were not, or the reverse. */
  flags: { of: NamedRecord; claim: Claim }[];
  /** Records without an owner, whose publisher has no right to them any more. */
  disowned: number[];
}

type OtherClaim = Claim & { owner: Owner };

/** The claims on a record, and the best of them. */
interface Ranking {
  /** The owner until now; undefined: there is none, its item changed, or its claim was withdrawn. */
  standing: Ranked | undefined;
  claimants: Ranked[];
  waiting: { claim: OtherClaim; owner: Ranked }[];
  best: Ranked | undefined;
}

/** Ranks the claims on a record. `known`: stored claims of other items; undefined: the stored owner is the best of them. */
async function rankingOf(
  { tx, publishers }: Assigning,
  claimed: ClaimedRecord,
  known: readonly OtherClaim[] | undefined,
): Promise<Ranking> {
  const { row } = claimed;
  const ranked = (owner: Owner): Ranked => ({ ...owner, publisher: publishers.order(owner.feed, claimed.ident) });
  const before = row?.owner && ranked(row.owner);
  const stands =
    before !== undefined && assertionOf(claimed, before) === undefined && !claimed.withdrawn?.has(before.item);
  const standing = stands ? before : undefined;
  const owners = claimed.assertions.map(({ owner }) => owner);
  const claimants = standing === undefined ? owners : [...owners, standing];
  const first = bestClaim(claimants);
  // Another publisher may own the record now: each waiting claim may be refused, or not any more.
  const moves = row !== undefined && first?.publisher !== before?.publisher;
  const others = known ?? (moves ? await tx.claimsOn([row.id]) : []);
  const items = new Set(owners.map(({ item }) => item));
  const waiting = others.filter(({ item }) => !items.has(item)).map((claim) => ({ claim, owner: ranked(claim.owner) }));
  const best = waiting.length === 0 ? first : bestClaim([...claimants, ...waiting.map(({ owner }) => owner)]);
  return { standing, claimants, waiting, best };
}

async function decideOwner(
  assigning: Assigning,
  claimed: ClaimedRecord,
  others: readonly OtherClaim[] | undefined,
  outcome: Outcome,
) {
  const { publishers } = assigning;
  const { row } = claimed;
  const { standing, claimants, waiting, best } = await rankingOf(assigning, claimed, others);
  const refused = (owner: Ranked): boolean => owner.publisher !== best?.publisher;
  for (const owner of claimants)
    if (owner !== best) outcome.waiting.push({ of: claimed, owner, refused: refused(owner) });
  for (const { claim, owner } of waiting)
    if (owner !== best && claim.refused !== refused(owner))
      outcome.flags.push({ of: claimed, claim: { ...claim, refused: refused(owner) } });
  if (best === undefined) {
    if (row?.owner !== undefined) outcome.gone.push(row);
    if (row?.publisherId !== undefined && !publishers.mayName(row.publisherId, row.ident)) {
      claimed.publisherId = undefined;
      outcome.disowned.push(row.id);
    }
    return;
  }
  if (best === standing) {
    claimed.owned = true;
    claimed.ownerItem = standing.item;
    return;
  }
  const fresh = assertionOf(claimed, best)?.record;
  const record = fresh ?? (await recordOfWaiting(assigning, claimed, best));
  if (record === undefined) return;
  if (row !== undefined && fresh === undefined) outcome.promoted.push({ of: claimed, record: row.id, item: best.item });
  giveOwner(assigning, claimed, best, record, outcome);
}

/** The last assertion of a record by an item of this transaction. */
const assertionOf = ({ assertions }: ClaimedRecord, { item }: Owner): Assertion | undefined =>
  assertions.findLast(({ owner }) => owner.item === item);

/** The record of a waiting claim, cleaned from the raw data of its item. */
async function recordOfWaiting(
  { tx, options }: Assigning,
  claimed: ClaimedRecord,
  owner: Owner,
): Promise<PreparedRecord | undefined> {
  const raw = (await tx.raw([owner.item])).get(owner.item);
  if (raw === undefined) return undefined;
  const feed = (await tx.feeds()).find((one) => one.url === owner.feed);
  if (feed === undefined) return undefined;
  const { records } = cleanRaw(owner, raw, options.cleanOptions(feed));
  return records.find((record) => record.kind === claimed.kind && record.ident === claimed.ident);
}

async function apply(
  { tx, publishers, options: { again } }: Assigning,
  outcome: Outcome,
  named: ByName<ClaimedRecord>,
  changes: readonly Change[],
): Promise<Affected> {
  const affected = nothingAffected(tx);
  const rows = namedRows(tx, named, publishers);
  const findings = new CrossFindings();
  await tx.disown(outcome.disowned);
  const byKind = Map.groupBy(outcome.writes, ({ kind }) => kind);
  for (const kind of SAVING_ORDER) await saveKind(tx, byKind.get(kind) ?? [], { rows, affected, findings, again });
  if (outcome.promoted.length > 0) await tx.dropClaims(outcome.promoted);
  for (const { item, of } of outcome.promoted) findings.noteClaim(item, of, false);
  await saveWaiting(tx, outcome, rows, findings);
  await findings.save(tx, changes);
  const byItem = new Map(outcome.gone.length > 0 ? changes.map((change) => [change.item, change]) : []);
  for (const row of outcome.gone) {
    noteWithdrawal(affected, row);
    const now = successor(row, byItem.get(row.owner?.item ?? -1));
    const to = now && named.get(now.kind, now.ident)?.id;
    // An item that has no right to the new name cannot move a record to it.
    if (to !== undefined && affected.records.get(to)?.item === row.owner?.item) affected.moved.set(to, row.id);
  }
  return affected;
}

async function saveWaiting(
  tx: Writer,
  { waiting, flags }: Outcome,
  rows: Rows,
  findings: CrossFindings,
): Promise<void> {
  // Records that only a refused item names have no row yet: they get one, so that the finding can point to it.
  for (const { of } of waiting) rows.at(of.kind, of.ident);
  await rows.make();
  const claims: Claim[] = flags.map(({ claim }) => claim);
  for (const { of, owner, refused } of waiting)
    claims.push({ record: of.id as number, item: owner.item, rank: owner.rank, refused });
  await inParts(claims, (part) => tx.saveClaims(part));
  for (const { of, owner, refused } of waiting) if (refused) findings.noteClaim(owner.item, of, true);
  for (const { of, claim } of flags) findings.noteClaim(claim.item, of, claim.refused);
}

/** The record of the same item under its new `@id`: the calendar of the old one has moved there. */
function successor({ kind, owner }: RecordBody, change: Change | undefined): PreparedRecord | undefined {
  if (owner?.rank !== OWN) return undefined;
  return change?.records.find((record) => record.kind === kind && record.rank === OWN);
}
