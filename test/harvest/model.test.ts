import { expect, it } from 'vitest';
import { survived } from './model/run.ts';

/** The long run is in test/slow. */
it.each([11, 12, 13])('whatever happens on the way, the end is the publisher’s last word (%i)', async (seed) => {
  expect((await survived(seed, 25)).ended).toBeGreaterThan(0);
});
