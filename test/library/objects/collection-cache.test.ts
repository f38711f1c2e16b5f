import { beforeEach, expect, test } from 'vitest';
import { collectionCache } from '../../../src/library/objects/collection-cache.ts';
import type { ObjectCollection } from '../../../src/library/objects/types.ts';

/** Collections that are cache, within bounds. */

let cache: ReturnType<typeof collectionCache>;
beforeEach(() => {
  cache = collectionCache();
});

function collection(members: number, description = ''): ObjectCollection {
  const span = { zone: 'UTC', start: 0, end: 0 };
  const revision = { sequence: 0, modified: 0 };
  return {
    head: { key: 'c', kind: 'series', state: 'live', revision: 1, changedAt: 0 },
    calendar: { name: 'C', zone: 'UTC', color: { name: 'teal', hex: '#008080' }, refresh: 'PT6H' },
    state: 's',
    members: Array.from({ length: members }, (_, at) => ({
      name: `${at}.ics`,
      uid: `${at}`,
      etag: `${at}`,
      revision,
      events: [{ uid: `${at}`, span, status: 'CONFIRMED' as const, summary: '', description }],
    })),
    omitted: 0,
  };
}

const put = (name: string, one: ObjectCollection) => cache.set(name, { version: 'v', collection: one });
const kept = (...names: string[]) => names.filter((name) => cache.get(name) !== undefined).join('');

test('one is kept with its version', () => {
  const one = collection(1);
  put('a', one);
  expect(cache.get('a')).toEqual({ version: 'v', collection: one });
});

test('a newer one takes the place of the older, and of its octets', () => {
  for (let turn = 0; turn < 20; turn += 1) put('a', collection(1_000));
  for (const name of ['b', 'c', 'd', 'e']) put(name, collection(1_000));
  expect(kept('a', 'b', 'c', 'd', 'e')).toBe('abcde');
});

test('some thousand members are cache, those that were asked for last', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) put(name, collection(1_000));
  cache.get('a');
  put('f', collection(1_000));
  expect(kept('a', 'b', 'c', 'd', 'e', 'f')).toBe('acdef');
});

test('long texts count', () => {
  for (const name of ['a', 'b', 'c']) put(name, collection(100, 'x'.repeat(100_000)));
  expect(kept('a', 'b', 'c')).toBe('bc');
});

test('one that is larger than all may be is not cache, and drives out none', () => {
  put('a', collection(1));
  put('b', collection(6_000));
  expect(kept('a', 'b')).toBe('a');
});

test('two hundred are cache', () => {
  const names = Array.from({ length: 201 }, (_, at) => `n${at}`);
  for (const name of names) put(name, collection(1));
  expect(names.filter((name) => cache.get(name) === undefined)).toEqual(['n0']);
});
