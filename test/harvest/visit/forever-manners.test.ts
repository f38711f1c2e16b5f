import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConnectionError, StatusError } from '../../../src/errors.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import type { Feed } from '../../../src/harvest/feed/crawl.ts';
import type { FetchedPage, Unchanged } from '../../../src/harvest/feed/source.ts';
import { type HarvestOptions, harvestForever } from '../../../src/harvest/visit/forever.ts';
import { visitSoon } from '../../../src/harvest/visit/operator.ts';
import { Random } from '../../generate/random.ts';
import { type MemoryIngest, memoryIngest } from '../memory.ts';
import { modelFeed, sessions } from '../model-feed.ts';
import { type Rig, rig } from '../rig.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21);

let time: VirtualTime;
let stop: AbortController;
let running: Promise<void>;
/** Milliseconds since the start at which each feed was asked. */
let asked: Map<string, number[]>;
beforeEach(() => {
  time = virtualTime(START);
  stop = new AbortController();
  running = Promise.resolve();
  asked = new Map();
});
afterEach(async () => {
  stop.abort();
  await running;
});

type Answer = () => FetchedPage | Unchanged | Promise<FetchedPage | Unchanged>;

const END: Unchanged = { unchanged: true };
const news = (): FetchedPage => ({
  unchanged: false,
  page: { items: [{ state: 'deleted', kind: 'k', id: '1', modified: '1' }], findings: [], next: undefined } as never,
  next: 'after 1',
  end: true,
});

function feedOf(name: string, answer: Answer): Feed {
  const page = async () => {
    asked.set(name, [...(asked.get(name) ?? []), time.now() - START]);
    return answer();
  };
  return { source: { url: name, describe: () => name, page }, meta: {} };
}

function start(feeds: Feed[], ingest: MemoryIngest, more: Partial<HarvestOptions> = {}): void {
  const random = new Random(1);
  running = harvestForever(feeds, {
    ingest,
    sleep: time.sleep,
    now: time.now,
    random: () => random.int(0, 1_000_000) / 1_000_000,
    signal: stop.signal,
    pollMs: () => 8 * SECOND,
    idleMs: () => 5 * MINUTE,
    ...more,
  });
}

/** As after a new start of the process: the store is what is left. */
async function restart(feeds: Feed[], ingest: MemoryIngest): Promise<void> {
  stop.abort();
  await running;
  stop = new AbortController();
  start(feeds, ingest);
}

const times = (name: string): number[] => asked.get(name) ?? [];
const gaps = (name: string): number[] =>
  times(name)
    .slice(1)
    .map((at, index) => at - (times(name)[index] as number));

describe('the pace at the tail', () => {
  test('is 8 s for a while, then slows down step by step to minutes, and is 8 s again with news', async () => {
    let answer: Answer = () => END;
    start([feedOf('a', () => answer())], memoryIngest(time.now));
    await time.pass(2 * HOUR);
    const quiet = gaps('a');
    expect(quiet.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 8 * SECOND));
    expect(quiet.slice(8, 16).every((gap, index) => gap > (quiet[index + 7] as number) * 1.2)).toBe(true);
    for (const gap of quiet.slice(20)) expect(gap).toBeGreaterThan(4.4 * MINUTE);
    for (const gap of quiet) expect(gap).toBeLessThanOrEqual(5 * MINUTE);
    answer = () => {
      answer = () => END;
      return news();
    };
    const before = times('a').length;
    await time.pass(6 * MINUTE);
    expect(gaps('a').slice(before, before + 7)).toEqual(Array.from({ length: 7 }, () => 8 * SECOND));
  });

  test('is never faster than the publisher says is of use', async () => {
    start([feedOf('a', () => ({ ...END, fresh: MINUTE }))], memoryIngest(time.now));
    await time.pass(10 * MINUTE);
    expect(gaps('a').slice(0, 5)).toEqual(Array.from({ length: 5 }, () => MINUTE));
  });
});

describe('waits of a feed outlive the process', () => {
  const busy = () => {
    throw new StatusError('https://a.example/', 503);
  };

  test('503: an hour at least, also after a new start', async () => {
    const feeds = [feedOf('a', busy)];
    const ingest = memoryIngest(time.now);
    start(feeds, ingest);
    await time.pass(MINUTE);
    for (let again = 0; again < 5; again += 1) {
      await restart(feeds, ingest);
      await time.pass(5 * MINUTE);
    }
    expect(times('a')).toHaveLength(1);
    await time.pass(2 * HOUR);
    expect(gaps('a')[0]).toBeGreaterThanOrEqual(HOUR);
  });

  test('Retry-After: to the second', async () => {
    const feeds = [
      feedOf('a', () => {
        throw new StatusError('https://a.example/', 429, 600_000);
      }),
    ];
    const ingest = memoryIngest(time.now);
    start(feeds, ingest);
    await time.pass(MINUTE);
    await restart(feeds, ingest);
    await time.pass(10 * MINUTE);
    expect(times('a')).toEqual([0, 600_000]);
  });

  test('failures go on counting, and the waits go on growing', async () => {
    const feeds = [
      feedOf('a', () => {
        throw new ConnectionError('https://a.example/', 'broken');
      }),
    ];
    const ingest = memoryIngest(time.now);
    start(feeds, ingest);
    await time.pass(4 * MINUTE);
    const failures = ingest.states.get('a')?.failures ?? 0;
    expect(failures).toBeGreaterThan(4);
    await restart(feeds, ingest);
    await time.pass(4 * MINUTE);
    const waits = gaps('a');
    expect(waits.at(-1)).toBeGreaterThan(waits[1] as number);
    expect(ingest.states.get('a')?.failures).toBe(times('a').length);
  });

  test('a clock that is set back by a year makes nobody wait for a year', async () => {
    const feeds = [feedOf('a', () => END)];
    const ingest = memoryIngest(time.now);
    start(feeds, ingest);
    await time.pass(MINUTE);
    stop.abort();
    await running;
    time = virtualTime(START - 365 * 24 * HOUR);
    asked.clear();
    stop = new AbortController();
    start(feeds, ingest);
    await time.pass(MINUTE);
    expect(times('a').length).toBeGreaterThan(4);
  });
});

test('a start with hundreds of feeds is no burst: first visits are spread over a minute', async () => {
  const feeds = Array.from({ length: 475 }, (_, index) => feedOf(`f${index}`, () => END));
  start(feeds, memoryIngest(time.now), { pollMs: () => HOUR });
  await time.pass(MINUTE);
  const first = [...asked.values()].map(([at = 0]) => at).toSorted((a, b) => a - b);
  expect(first).toHaveLength(475);
  for (let at = 0; at < MINUTE; at += SECOND) {
    expect(first.filter((one) => one >= at && one < at + SECOND).length).toBeLessThan(30);
  }
});

test('a host that does not answer delays its own feeds alone', async () => {
  const queue = createHostQueue();
  const stalled = Array.from({ length: 50 }, (_, index) =>
    feedOf(`stalled ${index}`, () =>
      queue.run(
        'stalled.example',
        async () => {
          await time.sleep(MINUTE, stop.signal);
          throw new ConnectionError('https://stalled.example/', 'no answer');
        },
        stop.signal,
      ),
    ),
  );
  const quick = feedOf('quick', () => queue.run('quick.example', async () => END));
  start([...stalled, quick], memoryIngest(time.now), { idleMs: () => 8 * SECOND });
  await time.pass(30 * MINUTE);
  const [first = 0] = times('quick');
  expect(times('quick')).toHaveLength(Math.floor((30 * MINUTE - first) / (8 * SECOND)) + 1);
});

describe('with a store', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(async () => {
    stop.abort();
    await running;
    await one.close();
  });

  test('an hour of visits without news is written down once a minute', async () => {
    const feed = modelFeed('https://a.example/feed');
    feed.put(...sessions(1, 3));
    let writes = 0;
    const { store } = one;
    const { write } = store;
    store.write = (work) => {
      writes += 1;
      return write.call(store, work) as ReturnType<typeof work>;
    };
    start([feed], { ...one.ingest } as MemoryIngest, { idleMs: () => 8 * SECOND });
    await time.pass(MINUTE);
    writes = 0;
    feed.asked.length = 0;
    await time.pass(HOUR);
    expect(feed.asked).toHaveLength(450);
    expect(writes).toBeLessThanOrEqual(60);
    expect(writes).toBeGreaterThan(50);
  });

  describe('a parked feed that somebody wants visited', () => {
    const URL = 'https://a.example/feed';
    let isWell: boolean;
    let feed: Feed;
    beforeEach(async () => {
      isWell = false;
      feed = feedOf(URL, () => {
        if (isWell) return END;
        throw new StatusError(URL, 404);
      });
      start([feed], one.ingest as MemoryIngest);
      await time.pass(HOUR);
      isWell = true;
    });

    test('is, within seconds, by a process that runs; others wait on', async () => {
      expect(await visitSoon(one.store, URL, time.now())).toMatchObject({ state: 'gone' });
      await time.pass(5 * SECOND);
      expect(times(URL)).toEqual([0, HOUR + 5 * SECOND]);
      expect(await one.store.read.feedState(URL)).toMatchObject({ state: 'ended', failures: 0 });
    });

    test('is at the start of the next one', async () => {
      stop.abort();
      await running;
      await visitSoon(one.store, URL, time.now());
      await restart([feed], one.ingest as MemoryIngest);
      await time.pass(SECOND);
      expect(times(URL)).toEqual([0, HOUR]);
    });

    test('and waits as long as before when it is not well yet', async () => {
      isWell = false;
      await visitSoon(one.store, URL, time.now());
      await time.pass(20 * HOUR);
      expect(times(URL)).toEqual([0, HOUR + 5 * SECOND]);
      expect(await one.store.read.feedState(URL)).toMatchObject({ state: 'gone', failures: 2 });
    });
  });

  test('a store that cannot be written makes nobody ask sooner', async () => {
    const busy = feedOf('https://a.example/feed', () => {
      throw new StatusError('https://a.example/feed', 503);
    });
    const note = () => Promise.reject(new Error('the disk is full'));
    start([busy], { ...one.ingest, note } as unknown as MemoryIngest);
    await time.pass(HOUR - SECOND);
    expect(times('https://a.example/feed')).toHaveLength(1);
  });

  test('a feed that is taken in at full speed lets the others write in their turn', async () => {
    const big = modelFeed('https://big.example/feed', 5);
    big.put(...sessions(1, 400));
    const small = modelFeed('https://small.example/feed', 5);
    small.put(...sessions(1001, 25));
    let pages = 0;
    const order: string[] = [];
    start([big, small], one.ingest as MemoryIngest, {
      random: () => 0,
      onPage: ({ source }) => {
        pages += 1;
        order.push(source.url);
      },
      onStatus: ({ feed }) => {
        if (feed === small.source.url) stop.abort();
      },
    });
    await running;
    // Of the 81 of the big one, some go in with those of the small one.
    expect(pages).toBeLessThan(40);
    expect(order.filter((url) => url === small.source.url).length).toBeGreaterThanOrEqual(6);
  });
});
