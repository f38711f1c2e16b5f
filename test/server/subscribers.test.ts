import { expect, it } from 'vitest';
import { seeds } from '../runs.ts';
import { followed } from './subscribers/year.ts';

/** Each client by its own rule (feed rules 16 to 22); the long run, and calendars that hold less than there is, are in test/slow/computing. */
it.each(seeds(1, 1))('subscribers of every kind follow a month of changes (%i)', async (seed) => {
  await followed(seed, 30);
  expect.hasAssertions();
});
