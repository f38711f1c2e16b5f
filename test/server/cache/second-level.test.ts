import { gzipSync } from 'node:zlib';
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/limits.ts';
import { keyvLevel } from '../../../src/server/cache/second-level.ts';
import { type EntrySource, entry, source } from '../../../src/server/calendars/entry.ts';
import type { Log } from '../../../src/server/operations/log.ts';
import { Meters } from '../../../src/server/operations/meters.ts';

const SECRET = 'the key of a store';

const made = (revision = 1) =>
  source(Buffer.from('BEGIN:VCALENDAR\r\nNAME:Tŷ Gwyn 🧘\r\n'.repeat(20)), { revision, changedAt: 1234 }, 'yoga');

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
  const level = keyvLevel(new Keyv({ store: map }), SECRET, listening());
  const first = await made();
  level.put('a', first);
  await Promise.resolve();
  const kept = (found: EntrySource | undefined) => found && { ...found, identity: String(found.identity) };
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
    const level = keyvLevel(new Keyv({ store: map }), SECRET, listening());
    level.put('a', await made());
    await Promise.resolve();
    for (const [key, value] of map) map.set(key, of(value));
    expect(await level.get('a', 1)).toBeUndefined();
    expect(level.counts).toEqual({ hits: 0, misses: 0, refused: 1, failures: 0 });
  });

  /** A value that its writer has signed with a key of his own, or with none. */
  async function forged(change: Partial<EntrySource>, secret: string, mac?: string) {
    const map = new Map<string, string>();
    const level = keyvLevel(new Keyv({ store: map }), secret, listening());
    level.put('a', { ...(await made()), ...change });
    await Promise.resolve();
    const [[key, value] = ['', '']] = map;
    if (mac !== undefined) map.set(key, value.replace(/"mac":"[^"]*"/, mac));
    return keyvLevel(new Keyv({ store: map }), SECRET, listening());
  }

  const forgeries: [title: string, change: Partial<EntrySource>, secret: string, mac?: string][] = [
    ['signed with another key', {}, 'another'],
    ['with an empty MAC', {}, SECRET, '"mac":""'],
    ['without a MAC', {}, SECRET, '"x":1'],
    ['with the MAC of another text', {}, SECRET, `"mac":"${'A'.repeat(43)}"`],
    ['signed, with a slug that no header can hold', { slug: 'a\r\nSet-Cookie: b' }, SECRET],
    ['signed, with a revision that is none', { revision: Number.NaN }, SECRET],
    ['signed, with a date that is none', { changedAt: 1e300 }, SECRET],
    [
      'signed, and decoding to more than a calendar has',
      { gzip: gzipSync(Buffer.alloc(LIMITS.sharedBytes + 1)) },
      SECRET,
    ],
  ];
  test.each(forgeries)('%s', async (_, change, secret, mac) => {
    const level = await forged(change, secret, mac);
    expect(await level.get('a', 'any')).toBeUndefined();
    expect(level.counts.hits).toBe(0);
  });

  test('moved to the name of another calendar', async () => {
    const map = new Map<string, string>();
    const level = keyvLevel(new Keyv({ store: map }), SECRET, listening());
    level.put('a', await made());
    await Promise.resolve();
    const [[key, value] = ['', '']] = map;
    map.set(key.replace(/a$/, 'b'), value);
    expect(await level.get('b', 'any')).toBeUndefined();
    expect(await level.get('a', 'any')).toMatchObject({ revision: (await made()).revision });
    expect(level.counts).toEqual({ hits: 1, misses: 0, refused: 1, failures: 0 });
  });

  test('longer than one may be: it is not parsed', async () => {
    const long = `{"value":${' '.repeat(LIMITS.sharedBytes)}}`;
    const level = keyvLevel(new Keyv({ store: storeOf(() => long) }), SECRET, listening());
    expect(await level.get('a', 'any')).toBeUndefined();
    expect(level.counts.refused).toBe(1);
  });

  test('what is too large to be read again is not put in', async () => {
    const map = new Map<string, string>();
    const level = keyvLevel(new Keyv({ store: map }), SECRET, listening());
    level.put('a', { ...(await made()), identity: Buffer.alloc(LIMITS.sharedBytes + 1) });
    await Promise.resolve();
    expect(map.size).toBe(0);
  });
});

test('a slug that no header can hold becomes one that it can, wherever it came from', async () => {
  const made = entry(
    { ...(await source(Buffer.from('x'), { revision: 1, changedAt: 0 }, 'x')), slug: 'a"\r\nX: é' },
    new Meters().of('a'),
    0,
  );
  expect(made.identity.headers['Content-Disposition']).toBe(
    'inline; filename="a-x-e.ics"; filename*=UTF-8\'\'a-x-e.ics',
  );
});

describe('failing is a miss, and is said once until it is well again', () => {
  test('an error', async () => {
    const log = listening();
    let down = true;
    const get = () => {
      if (down) throw new Error('connection refused');
    };
    const level = keyvLevel(new Keyv({ store: storeOf(get) }), SECRET, log);
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
    const level = keyvLevel(new Keyv({ store: storeOf(never) }), SECRET, log);
    for (let time = 0; time < 5; time++) expect(await level.get('a', 1)).toBeUndefined();
    expect([log.lines.length, asked, level.counts.failures]).toEqual([1, 1, 5]);
  });

  test('no answer to a write, after which the next calendars are not put in, and none is asked for', async () => {
    const log = listening();
    let asked = 0;
    const never = () => {
      asked++;
      return new Promise(() => {});
    };
    const level = keyvLevel(new Keyv({ store: storeOf(never, never) }), SECRET, log);
    const one = await made();
    level.put('a', one);
    while (log.lines.length === 0) await new Promise((done) => setTimeout(done, 5));
    for (let time = 0; time < 5; time++) {
      level.put('a', one);
      expect(await level.get('a', 1)).toBeUndefined();
    }
    expect([log.lines.length, asked]).toEqual([1, 1]);
  });

  test('a failing write', async () => {
    const log = listening();
    const set = () => {
      throw new Error('out of memory');
    };
    const level = keyvLevel(new Keyv({ store: storeOf(() => undefined, set) }), SECRET, log);
    level.put('a', await made());
    level.put('b', await made());
    await new Promise(setImmediate);
    expect(log.lines).toHaveLength(1);
  });

  test('while there is no connection it is not even asked, and each answer that it owes is a failure', async () => {
    let asked = 0;
    const store = storeOf(
      () => asked++,
      () => asked++,
    );
    const level = keyvLevel(new Keyv({ store }), SECRET, listening(), () => false);
    level.put('a', await made());
    expect(await level.get('a', 1)).toBeUndefined();
    expect([asked, level.counts]).toEqual([0, { hits: 0, misses: 0, refused: 0, failures: 1 }]);
  });
});
