import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedMap } from '../src/bounded-map.ts';

const map = (limit: number) => new BoundedMap<number>(limit, (size) => size);

test('lets go of the oldest first, but not of what was read since', () => {
  const held = map(30);
  held.set('a', 10);
  held.set('b', 10);
  held.set('c', 10);
  held.get('a');
  held.set('d', 10);
  expect([held.get('a'), held.get('b'), held.get('c'), held.get('d')]).toEqual([10, undefined, 10, 10]);
});

test('makes room even when everything was read', () => {
  const held = map(20);
  held.set('a', 10);
  held.set('b', 10);
  held.get('a');
  held.get('b');
  held.set('c', 20);
  expect([held.size, held.bytes, held.get('c')]).toEqual([1, 20, 20]);
});

test('does not keep what is heavier than the whole, nor what it replaced', () => {
  const held = map(20);
  held.set('a', 10);
  expect(held.set('a', 21)).toBe(false);
  expect([held.size, held.bytes, held.get('a')]).toEqual([0, 0, undefined]);
});

test('counts bytes as the sum of what it holds, never above the limit, whatever is done to it', () => {
  const step = fc.oneof(
    fc.record({ set: fc.constantFrom('a', 'b', 'c', 'd', 'e'), size: fc.nat(40) }),
    fc.record({ get: fc.constantFrom('a', 'b', 'c', 'd', 'e') }),
    fc.record({ delete: fc.constantFrom('a', 'b', 'c', 'd', 'e') }),
    fc.constant({ clear: true }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const held = map(100);
      for (const step of steps) {
        if ('set' in step) {
          held.set(step.set, step.size);
          expect(held.get(step.set)).toBe(step.size);
        } else if ('get' in step) held.get(step.get);
        else if ('delete' in step) held.delete(step.delete);
        else held.clear();
        expect(held.bytes).toBe(held.values().reduce((sum, size) => sum + size, 0));
        expect(held.bytes).toBeLessThanOrEqual(100);
      }
    }),
  );
});
