import { expect, test } from 'vitest';
import { keepRoster } from '../../../src/harvest/discovery/roster.ts';
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
      sleepers.push({ done, ms });
      signal?.addEventListener('abort', () => fail(signal.reason as Error));
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
  const roster = {
    feeds: () => now,
    wait: () => 1000,
    discover: async () => {
      now = lists.shift() ?? now;
    },
    retired: async (feeds: readonly Feed[]) => void left.push(...feeds),
  };
  const options = {
    ingest: memoryIngest(),
    sleep,
    random: () => 0,
    now: () => 0,
    pollMs: () => 1000,
    signal: stop.signal,
  };
  const running = keepRoster(roster, options);
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
  const roster = {
    feeds: () => [one],
    wait: () => undefined,
    discover: () => Promise.reject(new Error('looked')),
    retired: () => Promise.reject(new Error('retired')),
  };
  const running = keepRoster(roster, {
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
  const roster = { feeds: () => [], wait: () => 0, discover: async () => void discoveries++, retired: async () => {} };
  const running = keepRoster(roster, {
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
