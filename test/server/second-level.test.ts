import { gzipSync } from 'node:zlib';
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import { type EntrySource, source } from '../../src/server/entry.ts';
import type { Log } from '../../src/server/log.ts';
import { keyvLevel } from '../../src/server/second-level.ts';

const made = (revision = 1) =>
  source('BEGIN:VCALENDAR\r\nNAME:Tŷ Gwyn 🧘\r\n'.repeat(20), { revision, changedAt: 1234 }, 'yoga');

/** Counts lines. */
function listening(): Log & { lines: string[] } {
  const lines: string[] = [];
  const put = (_: object, message: string) => void lines.push(message);
  return { lines, info: put, warn: put, error: put };
}

/** A store for Keyv that does as told. */
function storeOf(get: (key: string) => unknown, set: (key: string, value: unknown) => unknown = () => true) {
  return { get, set, delete: () => true, clear: () => {} } as unknown as Map<string, string>;
}

test('gives back what was put in, for the same revision or any', async () => {
  const map = new Map<string, string>();
  const level = keyvLevel(new Keyv({ store: map }), listening());
  const first = await made();
  level.put('a', first);
  await Promise.resolve();
  const kept = (found: EntrySource | undefined) => found && { ...found, plain: String(found.plain) };
  expect(kept(await level.get('a', 1))).toEqual(kept(first));
  expect(await level.get('a', 2)).toBeUndefined();
  expect(kept(await level.get('a', 'any'))).toEqual(kept(first));
  expect(await level.get('b', 'any')).toBeUndefined();
  expect([...map.values()].every((value) => typeof value === 'string')).toBe(true);
});

describe('a value that is not what was put in is a miss', () => {
  const damage: [title: string, of: (value: string) => string][] = [
    ['other bytes', (value) => value.replace(/"gzip":"[^"]*"/, `"gzip":"${gzipSync('other').toString('base64')}"`)],
    ['bytes that do not unpack', (value) => value.replace(/"gzip":"[^"]*"/, '"gzip":"AAAA"')],
    ['half a value', (value) => value.slice(0, value.length / 2)],
    ['another shape', () => '{"value":{"revision":1}}'],
    ['no JSON', () => 'hello'],
  ];
  test.each(damage)('%s', async (_, of) => {
    const map = new Map<string, string>();
    const level = keyvLevel(new Keyv({ store: map }), listening());
    level.put('a', await made());
    await Promise.resolve();
    for (const [key, value] of map) map.set(key, of(value));
    expect(await level.get('a', 1)).toBeUndefined();
  });
});

describe('failing is a miss, and is said once until it is well again', () => {
  test('an error', async () => {
    const log = listening();
    let down = true;
    const get = () => {
      if (down) throw new Error('connection refused');
    };
    const level = keyvLevel(new Keyv({ store: storeOf(get) }), log);
    for (let time = 0; time < 5; time++) expect(await level.get('a', 1)).toBeUndefined();
    expect(log.lines).toHaveLength(1);
    down = false;
    await level.get('a', 1);
    await level.get('a', 1);
    expect(log.lines).toHaveLength(2);
    down = true;
    await level.get('a', 1);
    expect(log.lines).toHaveLength(3);
  });

  test('no answer, after which the next requests do not wait for one', async () => {
    const log = listening();
    let asked = 0;
    const never = () => {
      asked++;
      return new Promise(() => {});
    };
    const level = keyvLevel(new Keyv({ store: storeOf(never) }), log);
    for (let time = 0; time < 5; time++) expect(await level.get('a', 1)).toBeUndefined();
    expect([log.lines.length, asked]).toEqual([1, 1]);
  });

  test('a failing write', async () => {
    const log = listening();
    const set = () => {
      throw new Error('out of memory');
    };
    const level = keyvLevel(new Keyv({ store: storeOf(() => undefined, set) }), log);
    level.put('a', await made());
    level.put('b', await made());
    await new Promise(setImmediate);
    expect(log.lines).toHaveLength(1);
  });

  test('while there is no connection it is not even asked', async () => {
    let asked = 0;
    const store = storeOf(
      () => asked++,
      () => asked++,
    );
    const level = keyvLevel(new Keyv({ store }), listening(), () => false);
    level.put('a', await made());
    expect(await level.get('a', 1)).toBeUndefined();
    expect(asked).toBe(0);
  });
});
