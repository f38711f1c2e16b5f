import { bestClaim } from '../../join/join.ts';
import { Publishers } from '../../join/publishers.ts';
import { revisionContext } from '../../revision/index.ts';
import { type Claim, META, type Owner, type RecordRow, type Store, type Writer } from '../../store/index.ts';
import { applyChanges } from './apply-changes.ts';
import type { Assigning, IngestOptions } from './contract.ts';
import { itemsBeside, sameChanges } from './followers.ts';

/**
 * Assigns stored records again after a feed came, went or joined a dataset, as publishers may have other rights then. Every
 * record is read, in small transactions that a new process goes on with. A record with another owner or publisher than it
 * would get now is assigned from the raw data. Pages that come meanwhile are assigned by the present publishers.
 */

/** Record ids read in one transaction. */
const SPAN = 2000;

interface Progress {
  fingerprint: string;
  /** Undefined: every record is assigned. */
  at?: { step: number; after: number };
}

/** Assigns records to the publishers of the known feeds, if a publisher has changed. Returns whether one had. */
export async function assignPublishers(store: Store, options: IngestOptions): Promise<boolean> {
  for (let steps = 0; ; steps += 1) {
    const keys = (await isAssigned(store)) ? undefined : await store.write((tx) => assignSome(tx, options));
    if (keys === undefined) return steps > 0;
    if (keys.length > 0) options.onChange?.(keys);
  }
}

async function isAssigned({ read }: Store): Promise<boolean> {
  const { fingerprint, at } = progressOf(await read.meta(META.publishers));
  return at === undefined && fingerprint === new Publishers(await read.feeds()).fingerprint;
}

function progressOf(text: string | undefined): Progress {
  return text === undefined ? { fingerprint: '' } : (JSON.parse(text) as Progress);
}

async function assignSome(tx: Writer, options: IngestOptions): Promise<string[] | undefined> {
  const publishers = new Publishers(await tx.feeds());
  const { fingerprint } = publishers;
  const before = progressOf(await tx.meta(META.publishers));
  const { step, after } =
    before.fingerprint === fingerprint && before.at !== undefined ? before.at : { step: 0, after: 0 };
  const last = await tx.lastRecord();
  const upTo = Math.min(after + SPAN, last);
  const keys = await (STEPS[step] as Step)({ tx, options, publishers }, after, upTo);
  const next = upTo < last ? { step, after: upTo } : { step: step + 1, after: 0 };
  const over = last === 0 || next.step === STEPS.length;
  if (over) await tx.prunePublishers();
  await tx.setMeta(META.publishers, JSON.stringify({ fingerprint, ...(!over && { at: next }) } satisfies Progress));
  return keys;
}

type Step = (assigning: Assigning, after: number, upTo: number) => Promise<string[]>;

/** Steps, each for all rows before the next: a record's publisher must be right before its children are read. */
const STEPS: readonly Step[] = [
  async (assigning, after, upTo) => reassign(assigning, await assigning.tx.followFeeds(after, upTo)),
  async (assigning, after, upTo) => reassign(assigning, await undecidedItems(assigning, after, upTo)),
  async (assigning, after, upTo) => reassign(assigning, await assigning.tx.misplaced(after, upTo)),
  clearStubs,
];

/** Stubs that nothing names any more. */
async function clearStubs({ tx }: Assigning, after: number, upTo: number): Promise<string[]> {
  const rows = await tx.recordsBetween(after, upTo);
  await tx.clearRecords(rows.filter(({ owner }) => owner === undefined).map(({ id }) => id));
  return [];
}

async function reassign({ tx, options }: Assigning, items: readonly number[]): Promise<string[]> {
  const changes = await sameChanges(tx, [...new Set(items)], options);
  return applyChanges(tx, changes, await revisionContext(tx, options), options);
}

/** Items with records that would get another owner or publisher now. */
async function undecidedItems({ tx, publishers }: Assigning, after: number, upTo: number): Promise<number[]> {
  const claims = Map.groupBy(await tx.claimsBetween(after, upTo), ({ record }) => record);
  const items: number[] = [];
  const disowned: number[] = [];
  for (const row of await tx.recordsBetween(after, upTo)) {
    items.push(...itemsToDecide(row, claims.get(row.id) ?? [], publishers));
    const { id, ident, owner, publisherId } = row;
    // A record that is only named: its publisher, the first that named it, has no right to it now.
    if (owner === undefined && publisherId !== undefined && !publishers.mayName(publisherId, ident)) {
      disowned.push(id);
      items.push(...(await tx.itemsOn([id])));
    }
    if (row.strays) items.push(...(await itemsBeside(tx, row, publishers)));
  }
  await tx.disown(disowned);
  return items;
}

/** Items that claim a record, if another claim is the best now, or one is refused now and was not, or the reverse. */
function itemsToDecide(
  row: RecordRow,
  claims: readonly (Claim & { owner: Owner })[],
  publishers: Publishers,
): number[] {
  const order = ({ feed }: Owner): number => publishers.order(feed, row.ident);
  const claimants = [...(row.owner === undefined ? [] : [row.owner]), ...claims.map(({ owner }) => owner)].map(
    (owner) => ({ ...owner, publisher: order(owner) }),
  );
  const best = bestClaim(claimants);
  const same =
    best?.item === row.owner?.item &&
    claims.every(({ owner, refused }) => refused === (order(owner) !== best?.publisher));
  return same ? [] : claimants.map(({ item }) => item);
}
