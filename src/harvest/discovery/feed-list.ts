/** Keeps a changing set of feeds read: those that join start, those that retire stop at the end of what they commit. */

import { LIMITS } from '../../limits.ts';
import type { Feed } from '../feed/crawl.ts';
import { type HarvestOptions, harvestForever, spreadOf } from '../visit/forever.ts';

export interface FeedList {
  /** Who is to be read now; the same object as long as it is the same feed. */
  feeds(): readonly Feed[];
  /** Milliseconds until the sites should be read again; undefined: never. */
  wait(): number | undefined;
  /** Reads the sites, so that `feeds` is up to date. Never rejects: what fails is reported, and tried again. */
  discover(): Promise<void>;
  /** Called when nothing more is read of these, until `feeds` has them again. Never rejects. */
  retire(feeds: readonly Feed[]): Promise<void>;
}

/** Reads until the signal stops it; resolves when every page that was being committed is. */
export async function harvestList(feedList: FeedList, options: HarvestOptions): Promise<void> {
  const { signal, sleep } = options;
  const readings = new Readings(feedList, options);
  for (let least = 0; !signal.aborted; least = LIMITS.retryFirstMs) {
    readings.update();
    const wait = feedList.wait();
    if (wait === undefined) break;
    // However many sites are due one after the other, there is a while between two rounds; and timers hold 24 days.
    await sleep(Math.min(Math.max(wait, least), LIMITS.siteMs), signal).catch(() => {});
    if (!signal.aborted) await discoverWhileReading(feedList, readings, options);
  }
  await readings.whenStopped();
}

/** Sites may take minutes to answer: who is to be read changes meanwhile. */
async function discoverWhileReading(
  feedList: FeedList,
  readings: Readings,
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
class Readings {
  readonly #feedList: FeedList;
  readonly #options: HarvestOptions;
  readonly #running = new Map<Feed, RunningRead>();
  /** Feeds that were stopped, until what they commit is committed. */
  readonly #stopping = new Map<Feed, Promise<void>>();
  /** Reports of feeds that have ended since. */
  readonly #reported = new Set<Promise<void>>();

  constructor(feedList: FeedList, options: HarvestOptions) {
    this.#feedList = feedList;
    this.#options = options;
  }

  /** Stops who is not among the feeds any more, starts who is new; one that is still stopping starts with a later update. */
  update(): void {
    const now = new Set(this.#feedList.feeds());
    for (const [feed, reading] of this.#running) if (!now.has(feed)) this.#stop(feed, reading);
    const joining = [...now].filter((feed) => !this.#running.has(feed) && !this.#stopping.has(feed));
    const spreadMs = this.#options.spreadMs ?? spreadOf(joining.length);
    for (const feed of joining) this.#running.set(feed, startReading(feed, { ...this.#options, spreadMs }));
  }

  #stop(feed: Feed, { stop, done }: RunningRead): void {
    stop.abort();
    this.#running.delete(feed);
    const stopped = done.then(() => {
      const reported = this.#feedList.retire([feed]).finally(() => this.#reported.delete(reported));
      this.#reported.add(reported);
      this.#stopping.delete(feed);
    });
    this.#stopping.set(feed, stopped);
  }

  /** Resolves when all have stopped, and what they commit is committed. */
  async whenStopped(): Promise<void> {
    await Promise.all([...[...this.#running.values()].map(({ done }) => done), ...this.#stopping.values()]);
    await Promise.all(this.#reported);
  }
}

function startReading(feed: Feed, options: HarvestOptions): RunningRead {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  return { stop, done: harvestForever([feed], { ...options, signal }) };
}
