import { expect, it } from 'vitest';
import { followed } from './subscribers/year.ts';

/** Each client by its own rule (clients.md 1 and 2); the long run is in test/slow. */
it.each([1, 2])('subscribers of every kind follow a month of changes (%i)', async (seed) => {
  await followed(seed, 30);
  expect.hasAssertions();
});
