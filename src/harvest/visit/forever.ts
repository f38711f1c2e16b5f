/** Keeps feeds read, each in its own loop, so that no feed waits for another's errors. */

import { quietWait } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import type { FeedState } from '../../store/index.ts';
import type { Feed, Pass } from '../feed/crawl.ts';
import { waitLeft } from './states.ts';
import { type FeedStatus, type VisitOptions, visit } from './visit.ts';

export type { FeedStatus };

export interface HarvestOptions
  extends Omit<VisitOptions, 'tries' | 'retryWaitMs' | 'endWaitMs' | 'signal' | 'failures' | 'waitMs' | 'resync'> {
  signal: AbortSignal;
  /** Milliseconds between the end of a feed and its next visit, while visits bring news. */
  pollMs(feed: Feed): number;
  /** The longest of these waits, after many visits without news; default: `pollMs`. */
  idleMs?(feed: Feed): number;
  /** Milliseconds over which the first visits are spread; default: by the number of feeds. */
  spreadMs?: number;
  /** Called after each visit. `was`: the state before it, by any process; undefined: the feed is new, or the store failed. */
  onStatus?(status: FeedStatus, feed: Feed, was: FeedState['state'] | undefined): void;
}

/**
 * Reads all feeds until the signal aborts; resolves when the last pages are committed. Never rejects: a failure is a
 * status, and the feed is visited again.
 */
export async function harvestForever(feeds: readonly Feed[], options: HarvestOptions): Promise<void> {
  const spread = options.spreadMs ?? spreadOf(feeds.length);
  await Promise.all(feeds.map((feed) => keepReading(feed, spread * options.random(), options)));
}

/** Milliseconds over which the first visits of so many feeds are spread. */
export function spreadOf(feeds: number): number {
  return Math.min((feeds - 1) * LIMITS.firstVisitMs, LIMITS.firstVisitsMs);
}

async function keepReading(feed: Feed, spread: number, options: HarvestOptions): Promise<void> {
  const { signal } = options;
  const known = await stateNow(feed, options);
  // The wait from before this process began still holds.
  const first = spread + (known === undefined ? 0 : waitLeft(known, options.now()));
  if (first > 0) await waitOut(feed, first, known, options);
  let failures = known?.failures ?? 0;
  let was = known?.state;
  let quiet = 0;
  let isKept = known !== undefined || (await wasForgotten(feed, options));
  while (!signal.aborted) {
    // An operator had the feed forgotten: only a process that starts later reads it anew.
    while (isKept && !signal.aborted && (await isForgotten(feed, options))) await nap(LIMITS.confirmMs, options);
    if (signal.aborted) return;
    const waitMs = (pass: Pass | undefined) => waitAfterPass(feed, pass, quiet, options);
    const status = await visit(feed, { ...options, failures, waitMs });
    if (signal.aborted) return;
    failures = status.failures;
    isKept ||= (await stateNow(feed, options)) !== undefined;
    quiet = status.pass?.items === 0 ? quiet + 1 : 0;
    options.onStatus?.(status, feed, was);
    if (status.state !== 'paused' && !status.isOurs) was = status.state;
    if (status.state === 'paused') await waitUntilResumed(feed, options);
    else if (status.state === 'ended') await nap(status.wait, options);
    else await waitOut(feed, status.wait, await stateNow(feed, options), options);
  }
}

/** Waits before a feed in trouble is visited again; ends early when an operator confirms its deletions or wants a visit. */
async function waitOut(
  feed: Feed,
  wait: number,
  before: FeedState | undefined,
  options: HarvestOptions,
): Promise<void> {
  const { now, signal } = options;
  for (let left = wait; left > 0 && !signal.aborted; left -= LIMITS.confirmMs) {
    await nap(Math.min(left, LIMITS.confirmMs), options);
    const known = await stateNow(feed, options);
    if (known?.state === 'held' && known.confirmed !== undefined) return;
    if (known !== undefined && known.nextVisit !== before?.nextVisit && waitLeft(known, now()) === 0) return;
  }
}

/** Waits until the feed is resumed, and then for the rest of the wait from before the pause. */
async function waitUntilResumed(feed: Feed, options: HarvestOptions): Promise<void> {
  let known = await stateNow(feed, options);
  while (known?.paused !== undefined && !options.signal.aborted) {
    await nap(LIMITS.confirmMs, options);
    known = await stateNow(feed, options);
  }
  if (known !== undefined) await waitOut(feed, waitLeft(known, options.now()), known, options);
}

function isForgotten({ source }: Feed, { ingest }: HarvestOptions): Promise<boolean> {
  return ingest.state(source.url).then(
    (state) => state === undefined,
    () => false,
  );
}

function wasForgotten({ source }: Feed, { ingest }: HarvestOptions): Promise<boolean> {
  return ingest.wasForgotten(source.url).catch(() => false);
}

function stateNow({ source }: Feed, { ingest }: HarvestOptions): Promise<FeedState | undefined> {
  return ingest.state(source.url).catch(() => undefined);
}

function nap(ms: number, { sleep, signal }: HarvestOptions): Promise<void> {
  return sleep(ms, signal).catch(() => {});
}

/** Milliseconds until the next visit: longer with each visit without news, and never before the last page is stale. */
function waitAfterPass(feed: Feed, pass: Pass | undefined, quiet: number, options: HarvestOptions): number {
  const poll = options.pollMs(feed);
  if (pass === undefined || pass.items > 0) return Math.max(poll, pass?.fresh ?? 0);
  return Math.max(quietWait(quiet + 1, poll, options.idleMs?.(feed) ?? poll, options.random()), pass.fresh ?? 0);
}
