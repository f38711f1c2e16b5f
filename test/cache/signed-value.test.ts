import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type CacheLog, onceUntilWell, type SignedValue, signedValue } from '../../src/cache/index.ts';
import { LIMITS } from '../../src/limits.ts';

/** A value that processes share for a moment: whatever else stands in its place is a miss. */

const schema = z.strictObject({ seq: z.int() });
const SECRET = 'the key of a store';

function listening(): CacheLog & { lines: string[] } {
  const lines: string[] = [];
  const put = (_: object, message: string) => void lines.push(message);
  return { lines, info: put, warn: put };
}

const cached = (
  store: Map<string, unknown>,
  log = listening(),
  over: { secret?: string; ready?: () => boolean } = {},
) => signedValue(new Keyv({ store }), { key: 'one', secret: SECRET, schema, log, instead: 'nothing is lost', ...over });

test('another process finds it, until its time is over', async () => {
  const map = new Map<string, unknown>();
  await cached(map).put({ seq: 1 }, 60_000);
  expect(await cached(map).get()).toEqual({ seq: 1 });
  await cached(map).put({ seq: 2 }, 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await cached(map).get()).toBeUndefined();
});

test.each<[string, (text: string) => unknown]>([
  ['no JSON', () => 'hello'],
  ['another shape', () => '{"value":{"seq":7}}'],
  ['another text', (text) => text.replace(String.raw`\"seq\":1`, String.raw`\"seq\":7`)],
  ['no value', () => '{"value":null}'],
  ['a number', () => '7'],
  ['far too long', (text) => `${text}${' '.repeat(LIMITS.sharedBytes)}`],
])('what stands there is a miss: %s', async (_, of) => {
  const map = new Map<string, unknown>();
  const value = cached(map);
  await value.put({ seq: 1 }, 60_000);
  for (const [key, text] of map) {
    expect(of(String(text))).not.toBe(text);
    map.set(key, of(String(text)));
  }
  expect(await value.get()).toBeUndefined();
  await value.put({ seq: 3 }, 60_000);
  expect(await value.get()).toEqual({ seq: 3 });
});

test('what another store has made, or a release that says something else, is a miss', async () => {
  const map = new Map<string, unknown>();
  await cached(map, listening(), { secret: 'of another store' }).put({ seq: 1 }, 60_000);
  expect(await cached(map).get()).toBeUndefined();
  const other = { key: 'one', secret: SECRET, schema: z.object({ seq: z.string() }), log: listening(), instead: '' };
  await signedValue(new Keyv({ store: map }), other).put({ seq: 'first' }, 60_000);
  expect(await cached(map).get()).toBeUndefined();
});

test('a cache that fails is one line, and one when it is well again', async () => {
  const map = new Map<string, unknown>();
  let fails = true;
  const store = {
    get: async (key: string) => {
      if (fails) throw new Error('connection lost');
      return map.get(key);
    },
    set: async (key: string, value: unknown) => {
      if (fails) throw new Error('connection lost');
      map.set(key, value);
    },
    delete: () => true,
    clear: () => {},
  } as unknown as Map<string, unknown>;
  const log = listening();
  const value = cached(store, log);
  await value.put({ seq: 1 }, 60_000);
  expect([await value.get(), await value.get()]).toEqual([undefined, undefined]);
  fails = false;
  await value.put({ seq: 1 }, 60_000);
  expect(await value.get()).toEqual({ seq: 1 });
  expect(log.lines).toEqual(['The shared cache does not answer; nothing is lost.', 'The shared cache answers again.']);
});

test('one that never answers is a miss, and one without a connection is not asked', async () => {
  const asked: string[] = [];
  const never = () => new Promise(() => {});
  const get = (key: string) => {
    asked.push(key);
    return never();
  };
  const store = { get, set: never, delete: () => true, clear: () => {} } as unknown as Map<string, unknown>;
  const value: SignedValue<{ seq: number }> = cached(store);
  expect([await value.get(), asked.length]).toEqual([undefined, 1]);
  const apart = cached(store, listening(), { ready: () => false });
  await apart.put({ seq: 1 }, 60_000);
  expect([await apart.get(), asked.length]).toEqual([undefined, 1]);
});

test('the reason is one line without a stack, also where several addresses were tried', async () => {
  const facts: object[] = [];
  const put = (one: object) => void facts.push(one);
  const { failed } = onceUntilWell({ info: put, warn: put }, 'nothing is lost');
  failed(
    new AggregateError([new Error('connect ECONNREFUSED ::1:6379'), new Error('connect ECONNREFUSED 127.0.0.1:6379')]),
  );
  expect(facts).toEqual([{ error: 'connect ECONNREFUSED ::1:6379' }]);
});
