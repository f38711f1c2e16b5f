/** Keeps a changing set of feeds read: those that join start, those that retire stop at the end of what they commit. */

import { LIMITS } from '../../limits.ts';
import type { Feed } from '../crawl.ts';
import { type HarvestOptions, harvestForever, spreadOf } from '../forever.ts';

export interface Roster {
  /** Who is to be read now; the same object as long as it is the same feed. */
  feeds(): readonly Feed[];
  /** Milliseconds until it should be looked again who is; undefined: never. */
  wait(): number | undefined;
  /** Looks, so that `feeds` is up to date. Never rejects: what fails is told, and tried again. */
  look(): Promise<void>;
}

/** Reads until the signal stops it; resolves when every page that was being committed is. */
export async function keepRoster(roster: Roster, options: HarvestOptions): Promise<void> {
  const { signal } = options;
  const running = new Map<Feed, Reading>();
  const ended: Promise<void>[] = [];
  for (let least = 0; !signal.aborted; least = LIMITS.retryFirstMs) {
    const now = new Set(roster.feeds());
    for (const [feed, { stop, done }] of running) {
      if (now.has(feed)) continue;
      stop.abort();
      running.delete(feed);
      ended.push(done);
    }
    const fresh = [...now].filter((feed) => !running.has(feed));
    const spreadMs = spreadOf(fresh.length);
    for (const feed of fresh) running.set(feed, startReading(feed, { ...options, spreadMs }));
    const wait = roster.wait();
    if (wait === undefined) break;
    // However many sites are due one after the other, there is a while between two looks; and timers hold 24 days.
    await options.sleep(Math.min(Math.max(wait, least), LIMITS.siteMs), signal).catch(() => {});
    if (!signal.aborted) await roster.look();
  }
  await Promise.all([...ended, ...[...running.values()].map(({ done }) => done)]);
}

interface Reading {
  stop: AbortController;
  done: Promise<void>;
}

function startReading(feed: Feed, options: HarvestOptions): Reading {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  return { stop, done: harvestForever([feed], { ...options, signal }) };
}
