import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Client, EncodedResponse } from '../../../src/fetch/client.ts';
import type { Body } from '../../../src/fetch/decode.ts';
import { freshFor } from '../../../src/fetch/freshness.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import type { Feed } from '../../../src/harvest/feed/crawl.ts';
import { httpSource } from '../../../src/harvest/feed/http-source.ts';
import { doubtfulEnd } from '../../../src/harvest/visit/doubtful-end.ts';
import { harvestForever } from '../../../src/harvest/visit/forever.ts';
import { type VisitOptions, visit } from '../../../src/harvest/visit/visit.ts';
import { LIMITS } from '../../../src/limits.ts';
import { type Rig, rig } from '../rig.ts';
import { type Answer, RpdePublisher } from '../rpde-publisher.ts';
import { type VirtualTime, virtualTime } from '../visit/virtual-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2026, 10, 21, 9, 30);

/** A cache in front of a publisher: what it has it answers with for so long, and says so in its own way. */
class Cdn {
  readonly #kept = new Map<string, { answer: Answer; at: number }>();
  readonly #publisher: RpdePublisher;
  readonly #time: VirtualTime;
  ttl: number;
  says: (age: number) => Record<string, string>;

  constructor(publisher: RpdePublisher, time: VirtualTime, ttl: number, says: Cdn['says']) {
    this.#publisher = publisher;
    this.#time = time;
    this.ttl = ttl;
    this.says = says;
  }

  /** Somebody else asks. */
  answer(url: string): { answer: Answer; headers: Record<string, string> } {
    let kept = this.#kept.get(url);
    if (kept === undefined || this.#time.now() - kept.at >= this.ttl) {
      kept = { answer: this.#publisher.answer(url), at: this.#time.now() };
      this.#kept.set(url, kept);
    }
    return { answer: kept.answer, headers: this.says((this.#time.now() - kept.at) / SECOND) };
  }

  client(): Client {
    const request = async (url: string): Promise<EncodedResponse> => {
      const { answer, headers } = this.answer(url);
      const bytes = new TextEncoder().encode(answer.body);
      const body: Body = { bytes, coding: '', contentType: 'application/json', limit: 1_000_000 };
      return { changed: true, url, body, contentType: 'application/json', ...freshFor(headers, this.#time.now()) };
    };
    return { request, get: () => Promise.reject(new Error('pages are asked for')), close: async () => {} };
  }
}

const series = (id: number, name: string) => ({
  '@type': 'SessionSeries',
  '@id': `https://feeds.example.org/series/${id}`,
  name,
  subEvent: [
    {
      '@type': 'ScheduledSession',
      '@id': `https://feeds.example.org/series/${id}/1`,
      startDate: '2026-12-20T18:00:00Z',
      duration: 'PT1H',
    },
  ],
});

let time: VirtualTime;
let one: Rig;
let publisher: RpdePublisher;
let stop: AbortController;
let running: Promise<void>;
beforeEach(async () => {
  time = virtualTime(START);
  one = await rig();
  one.options.now = time.now;
  // So that the 28 items that stay in their place are two whole pages, and the next is the end as it was.
  publisher = new RpdePublisher({ limit: 14 });
  for (let id = 1; id <= 30; id += 1) publisher.put(id, series(id, `Swim ${id}`));
  stop = new AbortController();
  running = Promise.resolve();
});
afterEach(async () => {
  stop.abort();
  await running;
  await one.close();
});

const feedOf = (cdn: Cdn): Feed => ({
  source: httpSource({ url: publisher.url, client: cdn.client(), queue: createHostQueue(), named: new Set() }),
  meta: {},
});
const options = (more: Partial<VisitOptions> = {}): VisitOptions => ({
  ingest: one.ingest,
  now: time.now,
  sleep: time.sleep,
  random: () => 0,
  failures: 0,
  waitMs: () => 8 * SECOND,
  ...more,
});
const tail = () => `${publisher.url}?afterChangeNumber=${publisher.items().at(-1)?.modified}`;
const report = async () => (await one.store.read.feedStates())[0];

/** Read once, left alone for too long; meanwhile one item was lost without a word, and the end is in a cache. */
async function outdatedBehind(cdn: Cdn): Promise<Feed> {
  const feed = feedOf(cdn);
  await visit(feed, options());
  await time.pass(8 * DAY);
  publisher.forget(5);
  cdn.answer(tail());
  publisher.put(3, series(3, 'Renamed'));
  return feed;
}

async function names(): Promise<string[]> {
  return [...(await one.served()).values()].flatMap((text) => /^SUMMARY:(.*?)\r?$/m.exec(text)?.[1] ?? []);
}

/** How the calendars of the two are while it is read again: after each second. */
async function watched(seconds: number): Promise<{ lives: boolean[]; lost: boolean[] }> {
  const seen = { lives: [] as boolean[], lost: [] as boolean[] };
  for (let second = 0; second < seconds; second += 1) {
    await time.pass(SECOND);
    const now = await names();
    seen.lives.push(now.includes('Swim 3') || now.includes('Renamed'));
    seen.lost.push(!now.includes('Swim 5'));
  }
  return seen;
}

const WAYS: [name: string, ttl: number, says: Cdn['says']][] = [
  ['says how long', 60 * SECOND, (age) => ({ 'cache-control': `max-age=${60 - age}` })],
  ['says how long, and its age', 60 * SECOND, (age) => ({ 'cache-control': 'public, max-age=60', age: `${age}` })],
  ['says its age alone', 60 * SECOND, (age) => ({ 'cache-control': 'no-cache', age: `${age}` })],
  ['says its age alone, and keeps it for longer than usual', 5 * MINUTE, (age) => ({ age: `${age}` })],
];

describe('an item that moves to the end while a cache still has the end from before', () => {
  test.each(WAYS)('lives on, and what is really gone goes soon, where the cache %s', async (_name, ttl, says) => {
    const feed = await outdatedBehind(new Cdn(publisher, time, ttl, says));
    await time.pass(SECOND);
    running = harvestForever([feed], {
      ...options(),
      signal: stop.signal,
      pollMs: () => 8 * SECOND,
      idleMs: () => 30 * SECOND,
    });
    await time.pass(0);
    expect(await report()).toMatchObject({ state: 'ended', items: 30, resync: { end: { at: time.now() } } });
    const { lives, lost } = await watched(ttl / SECOND + 90);
    expect(lives).not.toContain(false);
    expect(lost.at(-1)).toBe(true);
    expect(await names()).toContain('Renamed');
    expect(await report()).toMatchObject({ state: 'ended', items: 29, resync: undefined });
  });

  test('is waited for by a single pass, as long as one waits for a page', async () => {
    const cdn = new Cdn(publisher, time, 10 * SECOND, (age) => ({ 'cache-control': `max-age=${10 - age}` }));
    const feed = await outdatedBehind(cdn);
    const sums: number[] = [];
    const done = visit(feed, options({ endWaitMs: 10 * SECOND, onPage: (_feed, { items }) => sums.push(items) }));
    await time.pass(11 * SECOND);
    expect(await done).toMatchObject({ state: 'ended', pass: { items: 29, deleted: 1 } });
    expect(sums.at(-1)).toBe(29);
    expect(await names()).toContain('Renamed');
    expect(await names()).not.toContain('Swim 5');
  });

  test('a single pass that cannot wait leaves it to the next, unless somebody asked for it', async () => {
    const cdn = new Cdn(publisher, time, 60 * SECOND, (age) => ({ 'cache-control': `max-age=${60 - age}` }));
    const feed = await outdatedBehind(cdn);
    const once = () => visit(feed, options({ endWaitMs: 10 * SECOND }));
    expect(await once()).toMatchObject({ state: 'ended', pass: { deleted: 0 } });
    await time.pass(30 * SECOND);
    expect(await once()).toMatchObject({ state: 'ended', pass: { deleted: 0 } });
    await time.pass(30 * SECOND);
    expect(await once()).toMatchObject({ state: 'ended', pass: { items: 1, deleted: 1 } });
    publisher.forget(6);
    const asked = visit(feed, options({ endWaitMs: 10 * SECOND, resync: true }));
    await time.pass(10 * SECOND);
    expect(await asked).toMatchObject({ state: 'ended', pass: { deleted: 1 } });
  });

  test('a single pass that waits believes the second reading no more than the first', async () => {
    const cdn = new Cdn(publisher, time, 5 * MINUTE, (age) => ({ age: `${age}` }));
    const feed = await outdatedBehind(cdn);
    await time.pass(SECOND);
    const first = visit(feed, options({ endWaitMs: 2 * MINUTE }));
    await time.pass(2 * MINUTE);
    expect(await first).toMatchObject({ state: 'ended', pass: { deleted: 0 } });
    expect(await names()).toContain('Swim 3');
    await time.pass(3 * MINUTE);
    expect(await visit(feed, options())).toMatchObject({ state: 'ended', pass: { deleted: 1 } });
    expect(await names()).toContain('Renamed');
  });

  test('what was confirmed meanwhile is still confirmed when it goes', async () => {
    const cdn = new Cdn(publisher, time, 60 * SECOND, (age) => ({ 'cache-control': `max-age=${60 - age}` }));
    const feed = await outdatedBehind(cdn);
    const handle = await one.ingest.open(publisher.url, {});
    await one.ingest.note(handle, (state) => ({ ...state, confirmed: time.now() }));
    await visit(feed, options());
    expect(await report()).toMatchObject({ confirmed: time.now() });
    await time.pass(MINUTE);
    expect(await visit(feed, options())).toMatchObject({ state: 'ended', pass: { deleted: 1 } });
    expect(await report()).toMatchObject({ confirmed: undefined });
  });

  test('where no cache is on the way, nobody waits', async () => {
    const feed = await outdatedBehind(new Cdn(publisher, time, 0, () => ({})));
    expect(await visit(feed, options())).toMatchObject({ state: 'ended', pass: { items: 29, deleted: 1 } });
  });
});

describe('an end that may be from before', () => {
  const at = START;
  const due = at + MINUTE;

  test.each([
    ['nothing said', undefined, {}, undefined],
    ['good for a minute', undefined, { fresh: MINUTE }, { at, due }],
    ['kept for a while, for nobody knows how long', undefined, { age: 5 * SECOND }, { at, due: at + LIMITS.agedEndMs }],
    ['kept, and asked for just now', undefined, { age: 0 }, undefined],
    ['set back', { at: at + DAY, due: at + DAY + MINUTE }, { fresh: MINUTE }, { at, due }],
  ])('at the first look: %s', (_name, met, said, expected) => {
    expect(doubtfulEnd(met, { start: at, now: at, ...said })).toEqual(expected);
  });

  test.each([
    ['too soon', 30 * SECOND, {}, true],
    ['in time, whatever it says of itself', MINUTE, { fresh: MINUTE }, false],
    ['in time, and newer than the end', MINUTE, { age: 59 * SECOND }, false],
    ['in time, and still the same', MINUTE, { age: 61 * SECOND }, true],
    ['the same for an hour', LIMITS.freshMaxMs, { age: LIMITS.freshMaxMs + 1 }, false],
  ])('at a later look: %s', (_name, after, said, doubted) => {
    const look = { start: at + after, now: at + after, ...said };
    expect(doubtfulEnd({ at, due }, look) !== undefined).toBe(doubted);
  });
});
