import { expect, it } from 'vitest';
import { seeds } from '../../runs.ts';
import { followed } from '../../server/subscribers/year.ts';

/** The other half of the seeds of `subscribers.test.ts`. */
const SEEDS = seeds(3, 1100);

it.each(SEEDS)(
  'subscribers of every kind end a year of changes with exactly what a new one gets (%i)',
  async (seed) => {
    await followed(seed, 365);
    expect.hasAssertions();
  },
);

it.each([
  ['a series', { series: 1, sessions: 1500 }],
  ['a place', { series: 15, sessions: 120 }],
])('they follow the calendar of %s that holds less than there is, too', async (_, size) => {
  await followed(3, 30, size);
  expect.hasAssertions();
});
