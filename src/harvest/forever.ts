/** Keeps feeds read: each in its own loop, so that none waits for another's errors. */

import { messageOf, StatusError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type CrawlOptions, crawlOnce, type Feed, type Pass } from './crawl.ts';
import { isGone, waitAfter } from './waits.ts';

/** How a feed is doing, for operators. */
export interface FeedStatus {
  /** As `FeedSource.describe` shows it. */
  feed: string;
  /** `ended`: read to its end; `failing`: the last pass failed; `gone`: 404 or 410, looked at once a day. */
  state: 'ended' | 'failing' | 'gone';
  /** What the last pass did; absent when it failed. */
  pass?: Pass;
  error?: string;
  /** Failed passes in a row. */
  failures: number;
  /** Milliseconds until the next pass. */
  wait: number;
}

export interface HarvestOptions extends Omit<CrawlOptions, 'tries' | 'patienceMs' | 'signal' | 'fromStart'> {
  signal: AbortSignal;
  /** Milliseconds between the end of a feed and asking it for news. */
  pollMs(feed: Feed): number;
  onStatus?(status: FeedStatus, feed: Feed): void;
}

/**
 * Reads all feeds until the signal stops it; resolves when every page that was being committed is. Never rejects:
 * what fails is a status, and tried again.
 */
export async function harvestForever(feeds: readonly Feed[], options: HarvestOptions): Promise<void> {
  await Promise.all(feeds.map((feed) => keepReading(feed, options)));
}

async function keepReading(feed: Feed, options: HarvestOptions): Promise<void> {
  const { signal } = options;
  let failures = 0;
  let fromStart = false;
  while (!signal.aborted) {
    const status = await onePass(feed, failures, { ...options, fromStart });
    if (signal.aborted) return;
    failures = status.failures;
    // The address of a page may be gone where the feed is not: its publisher pages it otherwise now.
    fromStart = status.state === 'gone' && !fromStart;
    options.onStatus?.(status, feed);
    await options.sleep(status.wait, signal).catch(() => {});
  }
}

async function onePass(
  feed: Feed,
  failuresBefore: number,
  options: HarvestOptions & CrawlOptions,
): Promise<FeedStatus> {
  const shown = feed.source.describe();
  const failures = failuresBefore + 1;
  try {
    const pass = await crawlOnce(feed, options);
    if (pass.stuck === undefined) return { feed: shown, state: 'ended', pass, failures: 0, wait: options.pollMs(feed) };
    // It will be there again next time, with what is new on its page: worth a look, but not every few seconds.
    return { feed: shown, state: 'failing', pass, error: pass.stuck, failures, wait: LIMITS.retryMaxMs };
  } catch (error) {
    const state = error instanceof StatusError && isGone(error.status) ? 'gone' : 'failing';
    const wait = Math.max(waitAfter(error, failures, options.random()), options.pollMs(feed));
    return { feed: shown, state, error: messageOf(error), failures, wait };
  }
}
