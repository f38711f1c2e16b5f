import { Keyv } from 'keyv';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedValue } from '../../../src/cache/index.ts';
import { announceVersions } from '../../../src/cli/feeds/shared-versions.ts';
import type { Io } from '../../../src/cli/io.ts';
import { openLibrary } from '../../../src/library/stored-library.ts';
import { type StoreVersions, versionsIn, versionsSchema } from '../../../src/store/index.ts';
import { FEED, type Rig, rig } from '../../harvest/rig.ts';

/** What moved, from the page of a feed to who serves: by a cache, and without one. */

const OTHER = 'https://feeds.example.org/others';
const log = pino({ level: 'silent' });

let one: Rig;
beforeEach(async () => {
  one = await rig();
});
afterEach(() => one.close());

const event = (id: number, modified: number | string) => ({
  state: 'updated' as const,
  kind: 'Event',
  id: String(id),
  modified,
  data: {
    '@type': 'Event',
    '@id': `https://example.org/${id}`,
    name: `Run ${modified}`,
    startDate: '2026-12-01T10:00:00Z',
    duration: 'PT1H',
  },
});

const cacheOf = (store: Map<string, unknown>) =>
  signedValue(new Keyv({ store }), { key: 'moved', secret: 'its key', schema: versionsSchema, log, instead: '' });

test('each feed has the `modified` that was read last, and when the newest of its calendars changed', async () => {
  await one.feed([event(1, 7), event(2, 9)] as never);
  const first = await versionsIn(one.store.read);
  expect(first).toMatchObject({ day: '2026-11-21', lists: 0, feeds: { 1: { modified: '9', state: 'reading' } } });
  expect(first.feeds[1]).not.toHaveProperty('changed');
  one.clock.now += 60_000;
  await one.feed([event(3, '2026-11-21T10:00:00Z')] as never, 50, OTHER);
  const second = await versionsIn(one.store.read, first);
  expect(second.calendars).toBeGreaterThan(first.calendars);
  expect(second.feeds).toEqual({
    1: { modified: '9', state: 'reading' },
    2: { modified: '2026-11-21T10:00:00Z', state: 'reading', changed: one.clock.now },
  });
  // The same again: read, and nothing changed.
  one.clock.now += 60_000;
  await one.feed([event(3, '2026-11-21T11:00:00Z')] as never, 50, OTHER);
  const { changed } = second.feeds[2] ?? {};
  const third = await versionsIn(one.store.read, second);
  expect(third.feeds[2]?.modified).toBe('2026-11-21T11:00:00Z');
  expect(third.feeds[2]?.changed ?? 0).toBeGreaterThanOrEqual(changed ?? 0);
  await one.reopen();
  expect((await versionsIn(one.store.read)).feeds[2]?.modified).toBe('2026-11-21T11:00:00Z');
});

test('a page is put into the cache after its commit, and no sooner', async () => {
  const map = new Map<string, unknown>();
  const put: StoreVersions[] = [];
  const waiting: (() => void)[] = [];
  const cache = {
    put: async (moved: StoreVersions, ms: number) => {
      put.push(moved);
      await cacheOf(map).put(moved, ms);
      for (const go of waiting.splice(0)) go();
    },
  };
  const next = () => new Promise<void>((resolve) => waiting.push(resolve));
  const stop = new AbortController();
  const io = { signal: stop.signal } as Io;
  const announcing = announceVersions(one.store.read, cache, log, io);
  await next();
  await one.store.write(async (tx) => {
    await tx.openFeed(FEED, {});
    await tx.setMeta('today', '2026-11-22');
    await next();
    expect(put.at(-1)?.feeds).toEqual({});
  });
  while (put.at(-1)?.day !== '2026-11-22') await next();
  expect(put.at(-1)?.feeds).toEqual({ 1: { state: 'new' } });
  stop.abort();
  await announcing;
});

test('harvesters that began one after the other put in the same', async () => {
  const map = new Map<string, unknown>();
  const stop = new AbortController();
  const io = { signal: stop.signal } as Io;
  const puts: StoreVersions[][] = [[], []];
  const announcing = (who: 0 | 1) => {
    const { get, put } = cacheOf(map);
    const noting = async (moved: StoreVersions, ms: number) => {
      puts[who]?.push(moved);
      await put(moved, ms);
    };
    return announceVersions(one.store.read, { get, put: noting }, log, io);
  };
  const next = async () => {
    const counts = puts.map(({ length }) => length);
    while (puts.some(({ length }, who) => length > 0 && length < (counts[who] as number) + 2))
      await new Promise((done) => setTimeout(done, 5));
  };
  const first = announcing(0);
  while (puts[0]?.length === 0) await new Promise((done) => setTimeout(done, 5));
  await one.feed([event(1, 7)] as never);
  await next();
  const { changed } = puts[0]?.at(-1)?.feeds[1] ?? {};
  const second = announcing(1);
  while (puts[1]?.length === 0) await new Promise((done) => setTimeout(done, 5));
  one.clock.now += 60_000;
  await one.feed([event(2, 9)] as never, 50, OTHER);
  await next();
  expect(changed).toBeDefined();
  expect(puts[1]?.at(-1)).toEqual(puts[0]?.at(-1));
  expect(puts[1]?.at(-1)?.feeds).toMatchObject({ 1: { changed }, 2: { changed: one.clock.now } });
  stop.abort();
  await Promise.all([first, second]);
});

const filled = (map: Map<string, unknown>, value: string) => {
  for (const key of map.keys()) map.set(key, value);
};

test.each<[string, (map: Map<string, unknown>, before: Map<string, unknown>) => void]>([
  ['emptied', (map) => map.clear()],
  [
    'as it was before',
    (map, before) => {
      for (const [key, value] of before) map.set(key, value);
    },
  ],
  ['of another store', (map) => filled(map, '{"value":{"text":"{}","mac":"x"}}')],
  ['broken', (map) => filled(map, 'no JSON')],
  ['away', (map) => Object.assign(map, { get: () => Promise.reject(new Error('away')) })],
])('a change is announced though the cache is %s', async (_, spoil) => {
  const map = new Map<string, unknown>();
  const cache = cacheOf(map);
  const library = await openLibrary(one.store, { ...one.options, rendering: 'test', versions: cache.get });
  const heard: string[] = [];
  library.onChange((names) => heard.push(...(names === 'all' ? ['all'] : names)));
  await cache.put(await versionsIn(one.store.read), 50);
  await library.poll();
  const before = new Map(map);
  heard.length = 0;
  await one.feed([event(1, 7)] as never);
  const [change] = await one.store.read.changesSince(0, 1);
  await cache.put(await versionsIn(one.store.read), 50);
  spoil(map, before);
  // What is as it was before is believed until its time is over.
  await new Promise((resolve) => setTimeout(resolve, 60));
  await library.poll();
  expect(change).toBeDefined();
  expect(heard).toContain(change?.key);
  expect((await library.feeds())[0]).toMatchObject({ modified: '7' });
});
