import { expect } from 'vitest';
import { createClient } from '../../../src/fetch/client.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import type { Feed } from '../../../src/harvest/feed/crawl.ts';
import { httpSource } from '../../../src/harvest/feed/http-source.ts';
import { createIngest } from '../../../src/harvest/ingest/ingest.ts';
import { confirmDeletes } from '../../../src/harvest/visit/operator.ts';
import { type FeedStatus, visit } from '../../../src/harvest/visit/visit.ts';
import { openStore } from '../../../src/store/index.ts';
import { Random } from '../../generate/random.ts';
import { dyingAfter } from '../ingest/dying.ts';
import { BAD_DELIVERY, LEADS_NOWHERE, ODD_BUT_GOOD, StaleCache } from '../misbehaviours.ts';
import { type Rig, rig, servedBy, withoutStamps } from '../rig.ts';
import type { Instead, RpdePublisher } from '../rpde-publisher.ts';
import { World } from './world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const QUICK = { connectMs: 200, headersMs: 60, idleMs: 60, totalMs: 400, bytes: 2_000_000 };

/**
 * A publisher, a network and a machine that do whatever they like for a while; then they behave, and what is served must
 * be what a harvester serves that saw nothing but the publisher's last word. Meanwhile nothing may be deleted that the
 * publisher never deleted.
 */
export async function survived(seed: number, steps: number): Promise<Record<string, number>> {
  const random = new Random(seed);
  const world = await World.open(random, seed);
  const one = await rig();
  const client = createClient({
    userAgent: 'test',
    named: world.feeds.map(({ url }) => url),
    now: () => one.clock.now,
    limits: QUICK,
  });
  const run = new Run(world, one, random, () => world.feeds.map((feed) => feedOf(feed, client)));
  try {
    for (let step = 0; step < steps; step += 1) await run.step();
    await run.calm();
    await run.judge();
    return run.done;
  } finally {
    await client.close();
    await world.close();
    await one.close();
  }
}

const META = {
  publisherKey: 'a dataset',
  publisher: 'Example Leisure',
  license: 'https://creativecommons.org/licenses/by/4.0/',
};

function feedOf({ url }: RpdePublisher, client: ReturnType<typeof createClient>): Feed {
  return {
    source: httpSource({ url, client, queue: createHostQueue(), named: new Set([new URL(url).origin]) }),
    meta: META,
  };
}

class Run {
  /** How often each thing was done, so that a test can see that all of them were. */
  readonly done: Record<string, number> = {};
  readonly #world: World;
  readonly #one: Rig;
  readonly #random: Random;
  readonly #makeFeeds: () => Feed[];
  #feeds: Feed[];
  readonly #stale = new StaleCache();

  constructor(world: World, one: Rig, random: Random, makeFeeds: () => Feed[]) {
    this.#world = world;
    this.#one = one;
    this.#random = random;
    this.#makeFeeds = makeFeeds;
    this.#feeds = makeFeeds();
  }

  async step(): Promise<void> {
    const what = this.#random.weighted({
      change: 8,
      visit: 6,
      trouble: 6,
      odd: 2,
      stale: 2,
      time: 3,
      absence: 1,
      clock: 1,
      purge: 0.3,
      crash: 2,
      restart: 1,
      second: 1,
      nowhere: 1,
    });
    this.#count(what);
    await this.#do(what);
    await this.#nothingInvented();
  }

  #count(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1;
  }

  async #do(what: string): Promise<void> {
    const { clock } = this.#one;
    if (what === 'change') this.#world.change(clock.now);
    if (what === 'purge') this.#world.purge(clock.now);
    if (what === 'visit') await this.#visitAll();
    if (what === 'trouble') await this.#with(this.#random.pick(Object.values(BAD_DELIVERY)));
    if (what === 'odd') await this.#with(this.#random.pick(Object.values(ODD_BUT_GOOD)));
    if (what === 'nowhere') await this.#with(this.#random.pick(Object.values(LEADS_NOWHERE)));
    if (what === 'stale') await this.#fromCaches();
    if (what === 'time') this.#pass(this.#random.int(1, 30) * HOUR);
    if (what === 'absence') this.#pass(this.#random.int(8, 20) * DAY);
    if (what === 'clock') clock.now -= this.#random.int(1, 40) * HOUR;
    if (what === 'crash') await this.#crash(this.#random.int(1, 200));
    if (what === 'restart') await this.#restart();
    if (what === 'second') await this.#secondProcess();
  }

  /** Publishers keep tombstones for seven days, whether we look or not. */
  #pass(ms: number): void {
    this.#one.clock.now += ms;
    this.#world.forget(this.#one.clock.now);
  }

  #visit(feed: Feed, ingest = this.#one.ingest): Promise<FeedStatus> {
    return visit(feed, {
      ingest,
      now: () => this.#one.clock.now,
      failures: 0,
      waitMs: () => 8000,
      sleep: async () => {},
      random: () => 0.5,
    });
  }

  async #visitAll(ingest = this.#one.ingest): Promise<FeedStatus[]> {
    const found: FeedStatus[] = [];
    for (const feed of this.#feeds) found.push(await this.#visit(feed, ingest));
    return found;
  }

  /** One of the next answers is another one. */
  async #with(instead: Instead): Promise<void> {
    const feed = this.#random.pick(this.#world.feeds);
    let left = this.#random.int(0, 3);
    feed.instead = (...asked) => {
      left -= 1;
      return left < 0 && left > -3 && instead(...asked);
    };
    await this.#visitAll();
    feed.instead = undefined;
  }

  /** A cache in front answers with what it kept up to an hour ago. */
  async #fromCaches(): Promise<void> {
    const feed = this.#random.pick(this.#world.feeds);
    feed.instead = (request, _response, answer) => {
      this.#stale.keep(request.url ?? '', answer);
      return false;
    };
    await this.#visitAll();
    this.#world.change(this.#one.clock.now);
    feed.instead = this.#stale.instead;
    await this.#visitAll();
    feed.instead = undefined;
    this.#stale.clear();
  }

  /** The store dies in the middle of something, and the process begins again. */
  async #crash(after: number): Promise<void> {
    dyingAfter(this.#one.store, after);
    await this.#visitAll();
    await this.#restart();
  }

  async #restart(): Promise<void> {
    await this.#one.reopen();
    this.#feeds = this.#makeFeeds();
  }

  /** Another process works on the same store, at the same time. */
  async #secondProcess(): Promise<void> {
    const other = await openStore(this.#one);
    try {
      await Promise.all([this.#visitAll(), this.#visitAll(createIngest(other, this.#one.options))]);
    } finally {
      await other.close();
    }
  }

  /** Only what the publisher once deleted is ever deleted. */
  async #nothingInvented(): Promise<void> {
    const live = new Set(await this.#live());
    const items = this.#world.feeds.flatMap((feed) => feed.items());
    const seen = this.#seen;
    for (const key of live) seen.add(key);
    for (const key of seen) if (!live.has(key)) expect(this.#world.everDeleted).toContain(key);
    const published = new Set(items.map(({ kind, id }) => `${kind} ${id}`));
    for (const key of live) expect(published.has(key) || this.#world.everDeleted.has(key), key).toBe(true);
  }

  readonly #seen = new Set<string>();

  async #live(): Promise<string[]> {
    const items = await this.#one.store.read.liveItems(0, 100_000);
    return items.map(({ kind, rpdeId }) => `${kind} ${rpdeId}`);
  }

  /** Everybody behaves from now on. Held deletions are confirmed, as an operator would. */
  async calm(): Promise<void> {
    for (let visits = 0; visits < 12; visits += 1) {
      this.#pass(2 * DAY);
      for (const { state } of await this.#visitAll()) this.#count(state);
      for (const feed of await this.#one.store.read.feedStates()) {
        if (feed.lastResync !== undefined) this.#count('resync');
        if (feed.state === 'held') await confirmDeletes(this.#one.store, feed.url, this.#one.clock.now);
      }
    }
    expect((await this.#visitAll()).map(({ state, error }) => [state, error])).toEqual([
      ['ended', undefined],
      ['ended', undefined],
    ]);
  }

  async judge(): Promise<void> {
    const last = this.#world.feeds.map((feed) => feed.items().filter(({ data }) => data !== undefined));
    expect((await this.#live()).sort()).toEqual(
      last
        .flat()
        .map(({ kind, id }) => `${kind} ${id}`)
        .sort(),
    );
    const other = await rig();
    try {
      other.clock.now = this.#one.clock.now;
      // The day that is stored is that of the first commit.
      await other.store.write((tx) => this.#one.store.read.meta('today').then((day) => tx.setMeta('today', day ?? '')));
      for (const [index, items] of last.entries()) {
        const made = items.map((item) => ({
          ...item,
          state: 'updated' as const,
          data: item.data as Record<string, unknown>,
        }));
        await other.feed(made, 500, this.#world.feeds[index as 0 | 1].url, META.publisherKey);
      }
      const [ours, theirs] = await Promise.all(
        [this.#one, other].map(({ store, options }) => servedBy(store, options)),
      );
      expect(withoutStamps(ours as Map<string, string>)).toEqual(withoutStamps(theirs as Map<string, string>));
    } finally {
      await other.close();
    }
  }
}
