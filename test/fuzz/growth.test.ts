import { describe, expect, test } from 'vitest';
import { Random } from '../generate/random.ts';
import { growthOf, type Sample } from './feeds/growth.ts';

const LEAK_MB = 100;

/** Every five seconds: 600 MB, and now and then the bodies of pages on top of them. */
function samples(seconds: number, more: (at: number) => number): Sample[] {
  const random = new Random(11);
  return Array.from({ length: seconds / 5 }, (_, index) => {
    const bodies = random.chance(0.3) ? random.int(20, 150) : random.int(0, 20);
    const at = index * 5;
    return { at, resident: 600 + bodies + more(at), used: 86 };
  });
}

describe('growth of a program', () => {
  test.each([
    ['150 MB in ten minutes', 600, (at: number) => at / 4],
    ['1 MB a second in ten minutes', 600, (at: number) => at],
    ['1 MB a second in two minutes', 120, (at: number) => at],
    ['5 MB every 20 s in ten minutes', 600, (at: number) => 5 * Math.floor(at / 20)],
  ])('shows a leak of %s', (_, seconds, leak) => {
    const bare = growthOf(samples(seconds, leak), 'resident');
    expect(bare).toBeGreaterThan(LEAK_MB);
    expect(bare).toBeGreaterThan(0.8 * leak(seconds));
  });

  test.each([
    ['bodies that come and go', () => 0],
    ['a cache of 64 MB that fills in two minutes', (at: number) => Math.min(64, at / 2)],
    ['a body of 150 MB in the last samples', (at: number) => (at > 570 ? 150 : 0)],
  ])('takes no leak for %s', (_, more) => {
    expect(growthOf(samples(600, more), 'resident')).toBeLessThan(LEAK_MB / 2);
  });

  test('is of one kind, and of the whole duration', () => {
    const rising = [0, 5, 10].map((at) => ({ at, resident: 600 + at, used: 86 - at }));
    expect([growthOf(rising, 'resident'), growthOf(rising, 'used')]).toEqual([10, -10]);
  });

  test('is unknown of one sample', () => {
    expect(() => growthOf([{ at: 0, resident: 1, used: 1 }], 'used')).toThrow(RangeError);
  });
});
