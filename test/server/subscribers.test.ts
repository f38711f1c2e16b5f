import { expect, it } from 'vitest';
import { seeds } from '../recurrence/runs.ts';
import { followed } from './subscribers/year.ts';

/** Each client by its own rule (feed rules 16 to 22); the long run is in test/slow. */
it.each(seeds(1, 1))('subscribers of every kind follow a month of changes (%i)', async (seed) => {
  await followed(seed, 30);
  expect.hasAssertions();
});

it.each([
  ['a series', { series: 1, sessions: 1500 }],
  ['a place', { series: 15, sessions: 120 }],
])('they follow the calendar of %s that holds less than there is, too', async (_, size) => {
  await followed(3, 5, size);
  expect.hasAssertions();
});
