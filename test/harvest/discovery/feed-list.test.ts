import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harvestList } from '../../../src/harvest/discovery/feed-list.ts';
import type { Feed } from '../../../src/harvest/feed/crawl.ts';
import { memoryIngest } from '../memory.ts';

/** A feed without news that counts how often it is asked. */
function feed(name: string): Feed & { asked: number } {
  const self = {
    asked: 0,
    meta: {},
    source: {
      url: name,
      describe: () => name,
      page: async () => {
        self.asked += 1;
        return { unchanged: true as const };
      },
    },
  };
  return self;
}

/** Each sleep ends at the next `tick`, so that nothing happens in between. */
function ticking() {
  const sleepers: { done(): void; ms: number }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((done, fail) => {
      const sleeper = { done, ms };
      sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        if (sleepers.includes(sleeper)) sleepers.splice(sleepers.indexOf(sleeper), 1);
        fail(signal.reason as Error);
      });
    });
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
  };
  const tick = async () => {
    await settled();
    for (const { done } of sleepers.splice(0)) done();
    await settled();
  };
  return { sleep, sleepers, tick, settled };
}

test('feeds that join are read, those that retire are not asked again, the others go on', async () => {
  const [one, two] = [feed('one'), feed('two')];
  const { sleep, tick } = ticking();
  const stop = new AbortController();
  const lists = [[one, two], [two]];
  const left: Feed[] = [];
  let now: Feed[] = [one];
  const feedList = {
    feeds: () => now,
    wait: () => 1000,
    discover: async () => {
      now = lists.shift() ?? now;
    },
    retire: async (feeds: readonly Feed[]) => void left.push(...feeds),
  };
  const options = {
    ingest: memoryIngest(),
    sleep,
    random: () => 0,
    now: () => 0,
    pollMs: () => 1000,
    signal: stop.signal,
  };
  const running = harvestList(feedList, options);
  await tick();
  expect([one.asked, two.asked]).toEqual([2, 1]);
  await tick();
  const before = one.asked;
  const known = two.asked;
  await tick();
  expect(one.asked).toBe(before);
  expect(left).toEqual([one]);
  expect(two.asked).toBeGreaterThan(known);
  stop.abort(new Error('enough'));
  await running;
});

test('without dataset sites nothing is read', async () => {
  const one = feed('one');
  const { sleep, sleepers, settled } = ticking();
  const stop = new AbortController();
  const feedList = {
    feeds: () => [one],
    wait: () => undefined,
    discover: () => Promise.reject(new Error('looked')),
    retire: () => Promise.reject(new Error('retired')),
  };
  const running = harvestList(feedList, {
    ingest: memoryIngest(),
    sleep,
    random: () => 0,
    now: () => 0,
    pollMs: () => 7,
    signal: stop.signal,
  });
  await settled();
  expect(sleepers.map(({ ms }) => ms)).toEqual([7]);
  stop.abort(new Error('enough'));
  await running;
});

test('it reads a due site at once, and the next after a pause', async () => {
  const { sleep, sleepers, tick, settled } = ticking();
  const stop = new AbortController();
  let discoveries = 0;
  const feedList = {
    feeds: () => [],
    wait: () => 0,
    discover: async () => void discoveries++,
    retire: async () => {},
  };
  const running = harvestList(feedList, {
    ingest: memoryIngest(),
    sleep,
    random: () => 0,
    now: () => 0,
    pollMs: () => 7,
    signal: stop.signal,
  });
  await settled();
  expect(sleepers.map(({ ms }) => ms)).toEqual([0]);
  await tick();
  expect(discoveries).toBe(1);
  expect(sleepers.map(({ ms }) => ms)).toEqual([5000]);
  stop.abort(new Error('enough'));
  await running;
});

/** Feeds whose visits open the store for as long as the test wants; each is read by one visit at a time. */
function slowStore() {
  const open = new Map<string, PromiseWithResolvers<void>>();
  const ingest = {
    ...memoryIngest(),
    open: async (url: string) => {
      expect(open.has(url)).toBe(false);
      const visit = Promise.withResolvers<void>();
      open.set(url, visit);
      await visit.promise;
      return { id: 1, url, cursor: null };
    },
  };
  const end = (url: string) => {
    open.get(url)?.resolve();
    open.delete(url);
  };
  return { ingest, open, end };
}

test('who joins is read though a site gives no answer and who retires does not end', async () => {
  const [one, two, three] = [feed('one'), feed('two'), feed('three')];
  const { sleep, tick, settled } = ticking();
  const { ingest, open, end } = slowStore();
  const stop = new AbortController();
  const site = Promise.withResolvers<void>();
  const left: Feed[] = [];
  let now: Feed[] = [one];
  const running = harvestList(
    {
      feeds: () => now,
      wait: () => 0,
      discover: () => site.promise,
      retire: async (feeds) => void left.push(...feeds),
    },
    { ingest, sleep, random: () => 0, now: () => 0, pollMs: () => 1000, signal: stop.signal },
  );
  await tick();
  now = [two];
  await tick();
  expect([...open.keys()]).toEqual(['one', 'two']);
  now = [two, three];
  await tick();
  expect([[...open.keys()], left]).toEqual([['one', 'two', 'three'], []]);
  end('one');
  await settled();
  expect(left).toEqual([one]);
  stop.abort(new Error('enough'));
  site.resolve();
  end('two');
  end('three');
  await running;
});

test('in whichever order feeds come, go and end, each is read by one visit at a time, and those that are named are read', async () => {
  const names = ['a', 'b', 'c'];
  const step = fc.oneof(
    fc.record({ named: fc.subarray(names) }),
    fc.record({ ends: fc.constantFrom(...names) }),
    fc.constant({}),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const feeds = new Map(names.map((name) => [name, feed(name)]));
      const { sleep, tick } = ticking();
      const { ingest, open, end } = slowStore();
      const stop = new AbortController();
      const site = Promise.withResolvers<void>();
      let named: string[] = [];
      const running = harvestList(
        {
          feeds: () => named.map((name) => feeds.get(name) as Feed),
          wait: () => 0,
          discover: () => site.promise,
          retire: async () => {},
        },
        { ingest, sleep, random: () => 0, now: () => 0, pollMs: () => 1000, signal: stop.signal },
      );
      for (const one of steps as { named?: string[]; ends?: string }[]) {
        named = one.named ?? named;
        if (one.ends !== undefined) end(one.ends);
        await tick();
      }
      // Those that are not named any more end, and those that are begin again.
      for (const name of names) end(name);
      for (let turn = 0; turn < 3; turn += 1) await tick();
      expect([...open.keys()].sort()).toEqual([...named].sort());
      stop.abort(new Error('enough'));
      site.resolve();
      for (const name of names) end(name);
      await running;
    }),
  );
});
