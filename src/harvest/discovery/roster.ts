/** Keeps a changing set of feeds read: those that join start, those that retire stop at the end of what they commit. */

import { LIMITS } from '../../limits.ts';
import type { Feed } from '../feed/crawl.ts';
import { type HarvestOptions, harvestForever, spreadOf } from '../visit/forever.ts';

export interface Roster {
  /** Who is to be read now; the same object as long as it is the same feed. */
  feeds(): readonly Feed[];
  /** Milliseconds until the sites should be read again; undefined: never. */
  wait(): number | undefined;
  /** Reads the sites, so that `feeds` is up to date. Never rejects: what fails is reported, and tried again. */
  discover(): Promise<void>;
  /** Called when nothing more is read of these. Never rejects. */
  retired(feeds: readonly Feed[]): Promise<void>;
}

/** Reads until the signal stops it; resolves when every page that was being committed is. */
export async function keepRoster(roster: Roster, options: HarvestOptions): Promise<void> {
  const { signal } = options;
  const running = new Map<Feed, RunningRead>();
  for (let least = 0; !signal.aborted; least = LIMITS.retryFirstMs) {
    await turnOver(running, roster, options);
    const wait = roster.wait();
    if (wait === undefined) break;
    // However many sites are due one after the other, there is a while between two rounds; and timers hold 24 days.
    await options.sleep(Math.min(Math.max(wait, least), LIMITS.siteMs), signal).catch(() => {});
    if (!signal.aborted) await roster.discover();
  }
  await Promise.all([...running.values()].map(({ done }) => done));
}

/** Stops who is not among the feeds any more, starts who is new. */
async function turnOver(running: Map<Feed, RunningRead>, roster: Roster, options: HarvestOptions): Promise<void> {
  const now = new Set(roster.feeds());
  const retired = [...running].filter(([feed]) => !now.has(feed));
  for (const [feed, { stop }] of retired) {
    stop.abort();
    running.delete(feed);
  }
  const joining = [...now].filter((feed) => !running.has(feed));
  const spreadMs = options.spreadMs ?? spreadOf(joining.length);
  for (const feed of joining) running.set(feed, startReading(feed, { ...options, spreadMs }));
  await Promise.all(retired.map(([, { done }]) => done));
  if (retired.length > 0) await roster.retired(retired.map(([feed]) => feed));
}

interface RunningRead {
  stop: AbortController;
  done: Promise<void>;
}

function startReading(feed: Feed, options: HarvestOptions): RunningRead {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  return { stop, done: harvestForever([feed], { ...options, signal }) };
}
