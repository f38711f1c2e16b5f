import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namespaceOf, openRedis } from '../../src/cache/index.ts';
import { redisLevel, type SecondLevel } from '../../src/server/cache/second-level.ts';
import { type EntrySource, source } from '../../src/server/calendars/entry.ts';
import { Redis } from './postgres/chaos/servers.ts';

/** The shared cache against a real Redis or Valkey. `TEST_REDIS_URL` says where one is; without it nothing is tested. */

const url = process.env.TEST_REDIS_URL;
const log = pino({ level: 'silent' });
const fingerprint = `test-${process.pid}-${Date.now()}`;
const TEXT = `BEGIN:VCALENDAR\r\n${'SUMMARY:Gentle yoga ☕\r\n'.repeat(200)}END:VCALENDAR\r\n`;
const SECRET = 'the key of a store';
const OTHER_SECRET = 'of another store';
const levels: SecondLevel[] = [];

function open(address = url as string, secret = SECRET): SecondLevel {
  const level = redisLevel(address, fingerprint, secret, log);
  levels.push(level);
  return level;
}

/** What another process would find, once it is connected and the writer's `put` has gone through. */
async function found(level: SecondLevel, key: string, revision: number | 'any'): Promise<EntrySource | undefined> {
  for (let tries = 0; tries < 50; tries++) {
    const kept = await level.get(key, revision);
    if (kept !== undefined) return kept;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
}

async function put(level: SecondLevel, key: string, entry: EntrySource): Promise<void> {
  // A put before the connection stands is dropped, as it may be: rendering again is always right.
  for (let tries = 0; tries < 50 && (await level.get(key, entry.revision)) === undefined; tries++) {
    level.put(key, entry);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('a Redis is named where there must be one', () => {
  if (process.env.CI) expect(url).toBeDefined();
  else if (url === undefined) console.warn('TEST_REDIS_URL is not set: the shared cache is not tested');
});

describe.runIf(url !== undefined)('the shared cache', () => {
  let first: EntrySource;

  beforeAll(async () => {
    first = await source(Buffer.from(TEXT), { revision: 7, changedAt: 1_767_225_600_000 }, 'Gentle yoga');
    await put(open(), 'series/abc', first);
  });

  afterAll(async () => {
    for (const level of levels) await level.close();
    const client = createClient({ url: (url as string).replace(/^valkey/, 'redis') });
    await client.connect();
    for (const secret of [SECRET, OTHER_SECRET]) {
      const keys = await client.keys(`*${namespaceOf(secret, fingerprint)}*`);
      if (keys.length > 0) await client.del(keys);
    }
    client.destroy();
  });

  test('gives another process the same bytes', async () => {
    const kept = await found(open(), 'series/abc', 7);
    expect(kept?.identity.equals(first.identity)).toBe(true);
    expect(kept?.gzip.equals(first.gzip)).toBe(true);
    expect({ ...kept, identity: 0, gzip: 0 }).toEqual({ ...first, identity: 0, gzip: 0 });
  });

  test('does not give an older revision for a newer one, but as last good bytes', async () => {
    const level = open();
    expect((await found(level, 'series/abc', 'any'))?.revision).toBe(7);
    expect(await level.get('series/abc', 8)).toBeUndefined();
  });

  test('does not give what another store has made', async () => {
    const [same, other] = [open(), open(url, OTHER_SECRET)];
    expect(await found(same, 'series/abc', 7)).toBeDefined();
    await put(other, 'series/own', first);
    expect(await other.get('series/abc', 7)).toBeUndefined();
  });

  test('a damaged value is a miss, not a damaged calendar', async () => {
    const level = open();
    await put(level, 'series/damaged', first);
    const client = createClient({ url: (url as string).replace(/^valkey/, 'redis') });
    await client.connect();
    const keys = await client.keys('*series/damaged');
    expect(keys.length).toBe(1);
    const value = String(await client.get(keys[0] as string));
    await client.set(keys[0] as string, value.replace(/"mac":"./, '"mac":"~'));
    expect(await level.get('series/damaged', 7)).toBeUndefined();
    await client.set(keys[0] as string, 'not JSON');
    expect(await level.get('series/damaged', 7)).toBeUndefined();
    // A value far too large is refused by its first bytes: this process never holds the rest.
    await client.set(keys[0] as string, 'x'.repeat(100 * 1024 * 1024));
    const before = process.memoryUsage().rss;
    expect(await level.get('series/damaged', 7)).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
    await client.del(keys[0] as string);
    await client.lPush(keys[0] as string, 'a list');
    expect(await level.get('series/damaged', 7)).toBeUndefined();
    await client.del(keys[0] as string);
    client.destroy();
  });

  test('of a server that takes commands and answers none, so many are waited for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'oai-redis-'));
    const redis = await Redis.make(folder);
    const { keyv, ready, close } = openRedis(redis.url, 'hung');
    keyv.on('error', () => {});
    keyv.throwOnErrors = true;
    while (!ready()) await new Promise((resolve) => setTimeout(resolve, 20));
    const hung = redis.hang(2000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const sets = Array.from({ length: 2000 }, (_, at) => keyv.set(`${at}`, 'x'.repeat(1000)));
    const done = await Promise.allSettled(sets);
    expect(done.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(1000);
    await hung;
    await keyv.set('after', 'x');
    expect(await keyv.get('after')).toBe('x');
    close();
    await redis.end('SIGTERM');
    await rm(folder, { recursive: true });
  });

  test('a server that is not there is a miss at once', async () => {
    const level = open('redis://127.0.0.1:1');
    const start = performance.now();
    expect(await level.get('series/abc', 7)).toBeUndefined();
    level.put('series/abc', first);
    // Generous: what must not happen is waiting for a connection.
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
