import { expect, test } from 'vitest';
import type { TimeOfWeek } from '../../src/store/index.ts';
import { stretchesOf } from '../../src/store/sql/search/weeks.ts';
import { DAY_MS, HOUR_MS } from '../../src/time/days.ts';
import { Random } from '../generate/random.ts';

/** The parts of a window at some times of a week: each instant of these times is in one part, and no other instant is. */

const WEEK = 7 * DAY_MS;

test.each(Array.from({ length: 40 }, (_, seed) => seed))('random times %i', (seed) => {
  const random = new Random(seed);
  const from = random.int(-400, 400) * HOUR_MS;
  const to = from + random.int(0, 600) * HOUR_MS;
  const weekly = Array.from({ length: random.int(0, 4) }, (): TimeOfWeek => {
    return { from: random.int(0, 167) * HOUR_MS, length: random.int(1, 40) * HOUR_MS };
  });
  const parts = [...stretchesOf({ from, to, weekly })];
  for (let at = from - 5 * HOUR_MS; at < to + 5 * HOUR_MS; at += HOUR_MS / 2) {
    const isAsked = weekly.some((time) => (((at - time.from) % WEEK) + WEEK) % WEEK < time.length);
    const within = parts.filter((part) => part.from <= at && at < part.to);
    expect(within).toHaveLength(isAsked && at >= from && at < to ? 1 : 0);
  }
  expect(parts).toEqual(parts.toSorted((a, b) => a.from - b.from));
});

test('without times of a week all of a window is one part, and an empty one has none', () => {
  expect([...stretchesOf({ from: 5, to: 9 })]).toEqual([{ from: 5, to: 9 }]);
  expect([...stretchesOf({ from: 5, to: 5 })]).toEqual([]);
});
