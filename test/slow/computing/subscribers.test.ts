import { expect, it } from 'vitest';
import { seeds } from '../../runs.ts';
import { followed } from '../../server/subscribers/year.ts';

/** Half of the seeds; the others are in `subscribers-others.test.ts`, as a file is run by one worker. */
const SEEDS = seeds(3, 100);

it.each(SEEDS)(
  'subscribers of every kind end a year of changes with exactly what a new one gets (%i)',
  async (seed) => {
    await followed(seed, 365);
    expect.hasAssertions();
  },
);
