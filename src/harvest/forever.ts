/** Keeps feeds read: each in its own loop, so that none waits for another's errors. */

import { LIMITS } from '../limits.ts';
import type { Feed, Pass } from './crawl.ts';
import { waitLeft } from './states.ts';
import { type FeedStatus, type VisitOptions, visit } from './visit.ts';
import { quietWait } from './waits.ts';

export type { FeedStatus };

export interface HarvestOptions
  extends Omit<VisitOptions, 'tries' | 'patienceMs' | 'signal' | 'failures' | 'waitMs' | 'resync'> {
  signal: AbortSignal;
  /** Milliseconds between the end of a feed and asking it for news, while there is some. */
  pollMs(feed: Feed): number;
  /** The longest of these waits, when there has been none for long; default: `pollMs`. */
  idleMs?(feed: Feed): number;
  /** Milliseconds over which the first visits are spread; default: by the number of feeds. */
  spreadMs?: number;
  onStatus?(status: FeedStatus, feed: Feed): void;
}

/**
 * Reads all feeds until the signal stops it; resolves when every page that was being committed is. Never rejects:
 * what fails is a status, and tried again.
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
  const nap = (ms: number) => options.sleep(ms, signal).catch(() => {});
  const known = await options.ingest.state(feed.source.url).catch(() => undefined);
  // What the feed was told before this process began still holds.
  const first = spread + (known === undefined ? 0 : waitLeft(known, options.now()));
  if (first > 0) await nap(first);
  let failures = known?.failures ?? 0;
  let quiet = 0;
  while (!signal.aborted) {
    const waitMs = (pass: Pass | undefined) => waitAfterPass(feed, pass, quiet, options);
    const status = await visit(feed, { ...options, failures, waitMs });
    if (signal.aborted) return;
    failures = status.failures;
    quiet = status.pass?.items === 0 ? quiet + 1 : 0;
    options.onStatus?.(status, feed);
    await waitOut(feed, status, nap, options);
  }
}

/** What waits for somebody goes on soon after they confirmed it. */
async function waitOut(
  feed: Feed,
  { state, wait }: FeedStatus,
  nap: (ms: number) => Promise<void>,
  { ingest, signal }: HarvestOptions,
): Promise<void> {
  if (state !== 'held') return nap(wait);
  for (let left = wait; left > 0 && !signal.aborted; left -= LIMITS.confirmMs) {
    await nap(Math.min(left, LIMITS.confirmMs));
    const known = await ingest.state(feed.source.url).catch(() => undefined);
    if (known?.confirmed !== undefined) return;
  }
}

/** The pace of the tail; slower step by step while there is no news; never sooner than the publisher says is of use. */
function waitAfterPass(feed: Feed, pass: Pass | undefined, quiet: number, options: HarvestOptions): number {
  const poll = options.pollMs(feed);
  if (pass === undefined || pass.items > 0) return Math.max(poll, pass?.fresh ?? 0);
  return Math.max(quietWait(quiet + 1, poll, options.idleMs?.(feed) ?? poll, options.random()), pass.fresh ?? 0);
}
