import fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import type { SharedFeedList } from '../../../src/cli/feeds/feed-list.ts';
import { HarvestShare } from '../../../src/cli/feeds/harvest-share.ts';
import { StalledError } from '../../../src/errors.ts';
import type { Feed, FeedList } from '../../../src/harvest/index.ts';
import { LIMITS } from '../../../src/limits.ts';
import type { Leases } from '../../../src/store/index.ts';
import { Random } from '../../generate/random.ts';

/** What a process reads of what it holds, and when it gives it back: leases are as in PostgreSQL, and none ends. */

const log = pino({ level: 'silent' });

class ModelLeases {
  readonly holders = new Map<string, object>();
  readonly #alive = new Set<object>();

  /** `onRelease` hears what is given back. */
  of(onRelease: (name: string) => void): Leases {
    const self = {};
    const own = () => [...this.holders].filter(([, holder]) => holder === self).map(([name]) => name);
    return {
      renew: async (names) => {
        this.#alive.add(self);
        const share = Math.ceil(names.length / this.#alive.size);
        const wanted = own().filter((name) => names.includes(name));
        const free = names.filter((name) => !this.holders.has(name));
        for (const name of free.slice(0, Math.max(0, share - wanted.length))) this.holders.set(name, self);
        const unused = own().filter((name) => !names.includes(name));
        return { tokens: new Map(own().map((name) => [name, 1])), surplus: [...unused, ...wanted.slice(share)] };
      },
      release: async (names) => {
        const given = own().filter((name) => names === undefined || names.includes(name));
        for (const name of given) {
          onRelease(name);
          this.holders.delete(name);
        }
        if (names === undefined) this.#alive.delete(self);
      },
      harvesters: async () => this.#alive.size,
      isCurrent: async () => true,
      close: async () => {},
    };
  }
}

const feedOf = (url: string): Feed => ({ source: { url } as Feed['source'], meta: {} });
const originOf = ({ source }: Feed) => new URL(source.url).origin;

/** A process that reads as `followFeeds` does, one step at a time. */
class Process {
  readonly share: HarvestShare;
  readonly reading = new Set<Feed>();
  readonly #feedList: FeedList;
  #stopping: Feed[] = [];

  constructor(leases: ModelLeases, list: () => readonly Feed[]) {
    const own = leases.of((name) => expect([...this.reading].map(originOf)).not.toContain(name));
    this.share = new HarvestShare(own, list, []);
    const all: SharedFeedList = {
      feeds: list,
      wait: () => undefined,
      discover: async () => {},
      follow: async () => {},
      retire: async () => {},
    };
    this.#feedList = this.share.feedList(all);
  }

  renew(): Promise<void> {
    return this.share.renew(0, log);
  }

  /** Who is not on the list any more stops; those that stopped before have ended. */
  async turn(): Promise<void> {
    const ended = this.#stopping;
    this.#stopping = [];
    for (const feed of ended) this.reading.delete(feed);
    if (ended.length > 0) await this.#feedList.retire(ended);
    const now = this.#feedList.feeds();
    this.#stopping = [...this.reading].filter((feed) => !now.includes(feed));
    for (const feed of now) this.reading.add(feed);
  }
}

test('who hangs in a transaction renews nothing, and reads nothing more once the leases have ended', async () => {
  const leases = new ModelLeases();
  const released: string[] = [];
  let writesFor = 0;
  const own = leases.of((name) => released.push(name));
  const feed = feedOf('https://a.example/1');
  let renewals = 0;
  const counting: Leases = {
    ...own,
    renew: (...given) => {
      renewals += 1;
      return own.renew(...given);
    },
  };
  const share = new HarvestShare(
    counting,
    () => [feed],
    [],
    () => writesFor,
  );
  await share.renew(0, log);
  expect(share.reads(feed)).toBe(true);
  writesFor = LIMITS.writeMs + 1;
  await expect(share.renew(LIMITS.leaseRenewMs, log)).rejects.toThrow(StalledError);
  expect(share.reads(feed)).toBe(true);
  await expect(share.renew(LIMITS.leaseMs + 1, log)).rejects.toThrow(StalledError);
  expect([share.reads(feed), renewals]).toEqual([false, 1]);
  writesFor = 0;
  await share.renew(LIMITS.leaseMs + 2, log);
  expect([share.reads(feed), released]).toEqual([true, []]);
});

const FEEDS = ['a', 'b', 'c', 'd'].flatMap((host) => [1, 2].map((n) => feedOf(`https://${host}.example/${n}`)));

test('whatever happens in which order, each origin is read by one process in the end, and none is given back before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = new Random(seed);
      const leases = new ModelLeases();
      let feeds: readonly Feed[] = FEEDS;
      const processes = [1, 2, 3].map(() => new Process(leases, () => feeds));
      for (let step = 0; step < 20; step += 1) {
        if (random.chance(0.1)) feeds = random.some(FEEDS, random.int(0, FEEDS.length));
        const process = random.pick(processes);
        await (random.chance(0.5) ? process.renew() : process.turn());
      }
      for (let round = 0; round < 6; round += 1) {
        for (const process of processes) await process.renew();
        for (const process of processes) await process.turn();
      }
      const read = processes.flatMap(({ reading }) => [...reading]);
      expect(read.map(({ source }) => source.url).sort()).toEqual(feeds.map(({ source }) => source.url).sort());
      expect([...leases.holders.keys()].sort()).toEqual([...new Set(feeds.map(originOf))].sort());
    }),
  );
});
