/**
 * Holds large deletions back. A publisher whose database was emptied, or whose export broke, deletes everything, and
 * subscribers must not lose it all (semantics 1.5). Where a transaction takes more than a twentieth of a feed, all its losses
 * of this feed are held: until the publisher sends the items again, or an operator confirms. All other changes are applied.
 */

import { BugError, OpenactiveIcalError, publicUrl } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { ItemLoss } from '../../revision/index.ts';
import {
  type FeedReport,
  type FeedRow,
  type FeedState,
  type ItemKey,
  type Loss,
  lossWords,
  type NamedHeldCopy,
  type Store,
  stateOf,
  type Writer,
} from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { IngestOptions } from '../ingest/contract.ts';

type Burst = NonNullable<FeedState['burst']>;

/**
 * Items whose changes a transaction holds back, each with its loss. Its keys are feed and name, because the row id of a new
 * item is rolled back with the transaction that made it.
 */
export class ToHold {
  readonly #losses = new Map<string, Loss>();

  get size(): number {
    return this.#losses.size;
  }

  add({ feed, calendars, sessions, ...item }: ItemLoss): void {
    this.#losses.set(itemNameOf(feed, item), { calendars, sessions });
  }

  /** `feed`: its address. */
  has(feed: string, item: ItemKey): boolean {
    return this.#losses.has(itemNameOf(feed, item));
  }

  lossBy(feed: string, item: ItemKey): Loss {
    return this.#losses.get(itemNameOf(feed, item)) ?? NO_LOSS;
  }
}

const itemNameOf = (feed: string, { kind, rpdeId }: ItemKey): string => JSON.stringify([feed, kind, rpdeId]);
const NO_LOSS: Loss = { calendars: 0, sessions: 0 };

/** Rolls a transaction back that would take too much away; `writeGuarded` tries again with these losses held back. */
class TooMuchError extends OpenactiveIcalError {
  readonly losses: readonly ItemLoss[];

  constructor(losses: readonly ItemLoss[]) {
    super('a feed would lose too much');
    this.losses = losses;
  }
}

/**
 * Runs a transaction; where it would take too much away from subscribers, runs it again with those losses in `toHold`.
 *
 * @throws BugError where holding back does not help
 */
export async function writeGuarded<T>(store: Store, work: (tx: Writer, toHold: ToHold) => Promise<T>): Promise<T> {
  const toHold = new ToHold();
  for (;;) {
    try {
      return await store.write((tx) => work(tx, toHold));
    } catch (error) {
      if (!(error instanceof TooMuchError)) throw error;
      const before = toHold.size;
      for (const loss of error.losses) toHold.add(loss);
      if (toHold.size === before)
        throw new BugError('A feed would lose too much though everything that does it is held back.', { cause: error });
    }
  }
}

/** Adds the losses of a transaction to the burst of each feed. @throws TooMuchError where a burst is too large */
export async function countLosses(tx: Writer, losses: readonly ItemLoss[], options: IngestOptions): Promise<void> {
  const tooMuch: ItemLoss[] = [];
  for (const [url, ofFeed] of Map.groupBy(losses, ({ feed }) => feed)) {
    const feed = await tx.feedState(url);
    if (feed === undefined || isUnguarded(feed, options)) continue;
    const burst = await burstWith(tx, feed, ofFeed, options.now());
    if (isTooMuch(burst)) tooMuch.push(...ofFeed);
    else await tx.saveFeedState(feed.id, { ...stateOf(feed), burst });
  }
  if (tooMuch.length > 0) throw new TooMuchError(tooMuch);
}

/** Whether losses of a feed are applied however many they are. */
export function isUnguarded(feed: FeedRow & Pick<FeedState, 'confirmed'>, { applyDeletes }: IngestOptions): boolean {
  return feed.confirmed !== undefined || applyDeletes?.(feed) === true;
}

/** The recent burst of a feed with `losses` added. */
async function burstWith(tx: Writer, feed: FeedReport, losses: readonly Loss[], now: Instant): Promise<Burst> {
  const { calendars, sessions, of, since } = recentBurst(feed, now) ?? { calendars: 0, sessions: 0, since: now };
  const burst = {
    calendars: losses.reduce((sum, loss) => sum + loss.calendars, calendars),
    sessions: losses.reduce((sum, loss) => sum + loss.sessions, sessions),
    since,
  };
  if (Math.max(burst.calendars, burst.sessions) <= LIMITS.burstLosses) return burst;
  return { ...burst, of: of ?? (await ownedBefore(tx, feed, { calendars, sessions })) };
}

/** The burst of earlier visits, if it is recent: a table that is emptied row by row is one burst over many visits. */
function recentBurst({ burst }: FeedReport, now: Instant): Burst | undefined {
  return burst !== undefined && Math.abs(now - burst.since) <= LIMITS.burstMs ? burst : undefined;
}

/** The calendars and sessions that the feed had before the burst. */
async function ownedBefore(tx: Writer, feed: FeedReport, loss: Loss): Promise<Loss> {
  const { calendars, sessions } = await tx.before.ownedIn(feed.id);
  return { calendars: calendars + loss.calendars, sessions: sessions + loss.sessions };
}

function isTooMuch({ calendars, sessions, of }: Burst): boolean {
  return of !== undefined && (isShare(calendars, of.calendars) || isShare(sessions, of.sessions));
}

function isShare(loss: number, of: number): boolean {
  return loss > LIMITS.burstLosses && loss > of * LIMITS.burstShare;
}

/** Keeps the feed's copy of an item beside it, and leaves the item as it was. */
export function holdBack(
  tx: Writer,
  feed: Pick<FeedRow, 'id' | 'url'>,
  copies: readonly Omit<NamedHeldCopy, keyof Loss | 'feed'>[],
  toHold: ToHold,
): Promise<void> {
  return tx.saveHeld(copies.map((copy) => ({ ...copy, feed: feed.id, ...toHold.lossBy(feed.url, copy) })));
}

/** Writes the sums of held copies into the state of their feed. */
export async function noteHeld(tx: Writer, url: string, now: Instant): Promise<void> {
  const feed = (await tx.feedState(url)) as FeedReport;
  const sum = await tx.sumHeld(feed.id);
  const of = feed.held?.of ?? (await ownedBefore(tx, feed, recentBurst(feed, now) ?? NO_LOSS));
  const held = sum.items === 0 ? undefined : { ...sum, of, since: feed.held?.since ?? now };
  await tx.saveFeedState(feed.id, { ...stateOf(feed), held });
}

/** The held losses of a feed, in one sentence. */
export function heldSentence(url: string, held: NonNullable<FeedState['held']>): string {
  const shown = publicUrl(url);
  return `${shown} would take away ${lossWords(held, held.of)}: they are kept until its publisher sends them again or you confirm it with: openactive-ical feeds --confirm "${shown}"`;
}

/** Whether a feed's losses are applied without asking, by the setting `confirmDeletes`. */
export function appliesDeletes(setting: 'ask' | 'apply' | readonly string[]): (feed: { url: string }) => boolean {
  if (typeof setting === 'string') return () => setting === 'apply';
  const urls = new Set(setting.flatMap((url) => [url, URL.parse(url)?.href ?? url]));
  return ({ url }) => urls.has(url) || urls.has(publicUrl(url));
}
