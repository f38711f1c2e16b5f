/** Keeps a changing set of feeds read: a feed that joins is started, one that retires stops when its pages are committed. */

import { LIMITS } from '../../limits.ts';
import type { Feed } from '../feed/crawl.ts';
import { type HarvestOptions, harvestForever, spreadOf } from '../visit/forever.ts';

export interface FeedList {
  /** The feeds to read now; a feed is the same object at each call. */
  feeds(): readonly Feed[];
  /** Milliseconds until the dataset sites should be read again; undefined: never. */
  wait(): number | undefined;
  /** Reads the dataset sites, so that `feeds` is up to date. Never rejects: a failure is reported, and the site is tried again. */
  discover(): Promise<void>;
  /** Called when no more pages of these feeds are read, until `feeds` has them again. Never rejects. */
  retire(feeds: readonly Feed[]): Promise<void>;
}

/** Reads feeds until the signal aborts; resolves when the last pages are committed. */
export async function harvestList(feedList: FeedList, options: HarvestOptions): Promise<void> {
  const { signal, sleep } = options;
  const readings = readingsOf(feedList, options);
  for (let least = 0; !signal.aborted; least = LIMITS.retryFirstMs) {
    readings.update();
    const wait = feedList.wait();
    if (wait === undefined) break;
    // A pause between two rounds, also where a site is due at once. Timers hold 24 days at most.
    await sleep(Math.min(Math.max(wait, least), LIMITS.siteMs), signal).catch(() => {});
    if (!signal.aborted) await discoverWhileReading(feedList, readings, options);
  }
  await readings.whenStopped();
}

/** Sites may take minutes to answer, and the set of feeds may change meanwhile. */
async function discoverWhileReading(
  feedList: FeedList,
  readings: ReturnType<typeof readingsOf>,
  { signal, sleep }: HarvestOptions,
): Promise<void> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const updates = async () => {
    while (!stop.aborted) {
      await sleep(LIMITS.leaseRenewMs, stop).catch(() => {});
      if (!stop.aborted) readings.update();
    }
  };
  await Promise.all([feedList.discover().finally(() => over.abort()), updates()]);
}

interface RunningRead {
  stop: AbortController;
  done: Promise<void>;
}

/** The feeds that are being read, each by one visit at a time. */
function readingsOf(feedList: FeedList, options: HarvestOptions) {
  const running = new Map<Feed, RunningRead>();
  /** Feeds that were stopped, until their last pages are committed. */
  const stopping = new Map<Feed, Promise<void>>();
  /** Calls of `retire` under way. */
  const reports = new Set<Promise<void>>();

  /** Stops feeds that left the list and starts new ones; a feed that is still stopping starts with a later update. */
  function update(): void {
    const now = new Set(feedList.feeds());
    for (const [feed, reading] of running) if (!now.has(feed)) stopReading(feed, reading);
    const joining = [...now].filter((feed) => !running.has(feed) && !stopping.has(feed));
    const spreadMs = options.spreadMs ?? spreadOf(joining.length);
    for (const feed of joining) running.set(feed, startReading(feed, { ...options, spreadMs }));
  }

  function stopReading(feed: Feed, { stop, done }: RunningRead): void {
    stop.abort();
    running.delete(feed);
    const stopped = done.then(() => {
      const reported = feedList.retire([feed]).finally(() => reports.delete(reported));
      reports.add(reported);
      stopping.delete(feed);
    });
    stopping.set(feed, stopped);
  }

  /** Resolves when all feeds have stopped, and their last pages are committed. */
  async function whenStopped(): Promise<void> {
    await Promise.all([...[...running.values()].map(({ done }) => done), ...stopping.values()]);
    await Promise.all(reports);
  }

  return { update, whenStopped };
}

function startReading(feed: Feed, options: HarvestOptions): RunningRead {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  return { stop, done: harvestForever([feed], { ...options, signal }) };
}
